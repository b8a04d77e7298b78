"""The query engine: a question to ranked evidence, and from there to a cited answer.

What was asked is settled here; finding is `searching`, answering `asking`.
"""

from __future__ import annotations

import threading
import time
from datetime import date

from psycopg import Connection

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.asked import Asked, Row
from finrag_pipeline.query.asking import Asker, without_evidence
from finrag_pipeline.query.communities.local import HOPS
from finrag_pipeline.query.graph.entities import named
from finrag_pipeline.query.graph.keywords import chat_keywords, offline_keywords
from finrag_pipeline.query.lanes import elapsed_since_ms
from finrag_pipeline.query.modes import GRAPH_OFF, Plans
from finrag_pipeline.query.results import Answer, SearchResult
from finrag_pipeline.query.searching import Searcher
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import documents
from finrag_pipeline.store.graph import graph_search
from finrag_pipeline.store.search import entries
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex

MAX_K = 200
MAX_QUESTION_CHARACTERS = 4000


class QueryEngine:
    """Answers questions over one store, for any number of threads.

    Args:
        reader: of an open store; the engine does not close it.
        settings: `home` (for the keyword copy), `app` (the default), `embedder` and `graph`.
        chat: whom modes of LightRAG ask for keywords and those of communities for answers; None:
            the words of a question tell keywords, answers quote.
    """

    def __init__(self, reader: Reader, settings: Settings, chat: ChatSession | None = None) -> None:
        self._reader = reader
        self._settings = settings
        index = KeywordIndex(settings.home / "keyword", reader)
        self._plans = Plans(
            reader,
            index,
            graph=settings.graph != "off",
            find_keywords=chat_keywords(chat) if chat else offline_keywords,
        )
        self._searcher = Searcher(reader)
        self._asker = Asker(reader, self._plans, self._searcher, chat)
        self._embedder: Embedder | None = None
        self._guard = threading.Lock()

    def search(
        self,
        question: str,
        *,
        app: str | None = None,
        k: int = 10,
        lane: str | None = None,
        company: str | None = None,
        document: str | None = None,
        entity: str | None = None,
        as_of: date | None = None,
    ) -> SearchResult:
        """Ranked evidence for a question.

        Args:
            app: whose documents; None: the app of the settings.
            k: number of results, at most `MAX_K`.
            lane: one of `LANES` alone; None: all of them, fused.
            company: securities code, with or without its market. A report passes such filters by
                the passages that do, and only what rests on those is shown of it.
            document: id, file name or stem of one document.
            entity: name, code or id of an entity that the passages name.
            as_of: only what was published by this day.

        Raises:
            InvalidQuestion: nothing was asked, or for what there is not or is switched off.
            NotFound: `document` or `entity` names none or several.
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            FinragError: every lane failed.
        """
        plan = self._plans.of_lane(lane)
        start = time.perf_counter()
        question = _checked(question, k)
        asked = self._asked(question, app, company, document, entity, as_of)
        if asked is None:
            latency_ms = dict.fromkeys(plan.without_reports().lanes, 0.0)
            latency_ms["total"] = elapsed_since_ms(start)
            return SearchResult(question, (), latency_ms, warnings=(self._mend(app),))
        if lane is None and self._asker.whole(asked):
            plan = self._plans.of_lane(None, whole=True)
        found, _ = self._searcher.search(plan, asked, k)
        return found

    def ask(
        self,
        question: str,
        *,
        app: str | None = None,
        mode: str = "auto",
        company: str | None = None,
        document: str | None = None,
        entity: str | None = None,
        as_of: date | None = None,
        level: int | None = None,
        hops: int | None = None,
    ) -> Answer:
        """An answer made of the evidence sentences that fit the question best, cited.

        A question that asks for the whole is answered from the reports of the weekly build, where
        there is one that answers it.

        Args:
            mode: one of `modes.MODES`; others and errors as in `search`.
            level: of `community_global`: all reports of a level, 0 the coarsest; None: go down
                into what is relevant.
            hops: of `community_local`: how far from the entities of the question, 1 to 3.
        """
        start = time.perf_counter()
        plan = self._plans.of_mode(mode, HOPS if hops is None else hops)
        _check_options(mode, level, hops)
        question = _checked(question, 1)
        asked = self._asked(question, app, company, document, entity, as_of)
        if asked is None:
            latency_ms = dict.fromkeys(plan.lanes, 0.0) | {"total": elapsed_since_ms(start)}
            return without_evidence(
                question,
                f"text question, mode {mode}: nothing is indexed",
                latency_ms,
                self._mend(app),
            )
        return self._asker.answer(asked, mode, level, HOPS if hops is None else hops)

    def _asked(
        self,
        question: str,
        app: str | None,
        company: str | None,
        document: str | None,
        entity: str | None,
        as_of: date | None,
    ) -> Asked | None:
        """A question with what it may be answered from, None where nothing is indexed."""
        if entity and not self._plans.has_graph:
            raise InvalidQuestion(GRAPH_OFF)
        app_id = app or self._settings.app
        with self._reader.reading(app_id, as_of) as connection:
            held = entries.holds_documents(connection, app_id)
            only = (documents.find(connection, app_id, document),) if document else None
            names = self._names(connection, app_id, entity, as_of) if entity and held else None
        where = Filter(app_id, as_of, company, only, names)
        return Asked(question, where, self._loaded_embedder) if held else None

    def _mend(self, app: str | None) -> str:
        app_id = app or self._settings.app
        return f"nothing is indexed in app {app_id!r}: run `finrag ingest PATH`"

    def _names(
        self, connection: Connection[Row], app_id: str, entity: str, as_of: date | None
    ) -> tuple[str, ...]:
        """The ids of the names of the one entity that a name stands for by a day."""
        found = named(connection, app_id, entity, as_of)
        if len(found) != 1:
            rows = graph_search.describe(
                connection, app_id, [each.entity_id for each in found], as_of
            )
            listed = ", ".join(
                f"{row['entity_id']} ({row['name']}, {row['type']})" for row in rows.values()
            )
            raise NotFound(
                f"{entity!r} names several entities: {listed}; give an id"
                if found
                else f"no entity is named {entity!r}: give a name as documents write it"
            )
        held = graph_search.names_of(connection, app_id, [found[0].entity_id], as_of)
        return held[found[0].entity_id]

    def _loaded_embedder(self) -> Embedder:
        with self._guard:
            if self._embedder is None:
                self._embedder = load_embedder(self._settings)
            return self._embedder


def _check_options(mode: str, level: int | None, hops: int | None) -> None:
    if level is not None and (mode != "community_global" or level < 0):
        raise InvalidQuestion("a level is 0 or more, 0 the coarsest, for --mode community_global")
    if hops is not None and mode != "community_local":
        raise InvalidQuestion("hops are for --mode community_local")


def _checked(question: str, k: int) -> str:
    question = question.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    if not question:
        raise InvalidQuestion("the question is empty: ask in a few words, e.g. a company and topic")
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise InvalidQuestion(
            f"the question has {len(question)} characters: ask in {MAX_QUESTION_CHARACTERS} at most"
        )
    if not 1 <= k <= MAX_K:
        raise InvalidQuestion(f"k is {k}: ask for 1 to {MAX_K} results")
    return question
