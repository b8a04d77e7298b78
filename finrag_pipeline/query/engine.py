"""The query engine: a question to ranked evidence, and from there to a cited answer.

Each step has its own module: `modes`, the lanes, `fusion`, `evidence`, `extractive`, `checks`; this
one joins them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from datetime import date

from psycopg import Connection

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.models.embedding import Embedder, load_embedder
from finrag_pipeline.query.asked import Asked, Row
from finrag_pipeline.query.checks import citations_verified, numbers_grounded
from finrag_pipeline.query.evidence import Key, read_evidence
from finrag_pipeline.query.extractive import answer_from
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.graph.entities import named
from finrag_pipeline.query.graph.keywords import chat_keywords, offline_keywords
from finrag_pipeline.query.lanes import LaneRun, elapsed_since_ms, run_lanes
from finrag_pipeline.query.modes import GRAPH_OFF, LANES, Plan, Plans
from finrag_pipeline.query.results import Answer, Result, SearchResult
from finrag_pipeline.query.terms import insufficient
from finrag_pipeline.settings import Settings
from finrag_pipeline.store import documents, graph_search, search
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.filters import Filter, Hit
from finrag_pipeline.store.keyword_index import KeywordIndex

MAX_K = 200
MAX_QUESTION_CHARACTERS = 4000
# Lanes look deeper than what is asked for: an entry that both have in the middle beats one that
# only one has near its top.
_DEPTH = 50
#: How deep lanes look while copies leave less than what is asked for: `hnsw.ef_search` ends there.
_MAX_DEPTH = 1000
#: Results that an answer is drawn from.
_ANSWER_K = 10


class QueryEngine:
    """Answers questions over one database, for any number of threads.

    Args:
        database: an open store; the engine does not close it.
        settings: `home` (for the keyword copy), `app` (the default), `embedder` and `graph`.
        chat: whom modes of LightRAG ask for keywords; None: the words of a question tell them.
    """

    def __init__(
        self, database: Database, settings: Settings, chat: ChatSession | None = None
    ) -> None:
        self._database = database
        self._settings = settings
        index = KeywordIndex(settings.home / "keyword", database)
        self._plans = Plans(
            database,
            index,
            graph=settings.graph != "off",
            find_keywords=chat_keywords(chat) if chat else offline_keywords,
        )
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
            company: securities code, with or without its market.
            document: id, file name or stem of one document.
            entity: name, code or id of an entity that the passages name.
            as_of: only what was published by this day.

        Raises:
            InvalidQuestion: nothing was asked, or for what there is not or is switched off.
            NotFound: `document` or `entity` names none or several.
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            FinragError: every lane failed.
        """
        found, _ = self._search(
            self._plans.of_lane(lane), question, app, k, company, document, entity, as_of
        )
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
    ) -> Answer:
        """An answer made of the evidence sentences that fit the question best, cited.

        Args:
            mode: one of `modes.MODES`; others and errors as in `search`.
        """
        start = time.perf_counter()
        plan = self._plans.of_mode(mode)
        found, reason = self._search(
            plan, question, app, _ANSWER_K, company, document, entity, as_of
        )
        drawn = answer_from(found.question, found.results)
        return Answer(
            question=found.question,
            status="answered" if drawn.evidence else "insufficient_evidence",
            answer=drawn.text or insufficient(found.question, drawn.lacking),
            evidence=drawn.evidence,
            checks={
                "numbers_grounded": numbers_grounded(drawn.text, drawn.evidence),
                "citations_verified": citations_verified(drawn.evidence, found.results),
            },
            route={
                "lanes": [
                    lane for lane in LANES if any(lane in each.lanes for each in found.results)
                ],
                "reason": f"text question, mode {mode}: {reason}; the answer quotes the best "
                "sentences",
            },
            graph_context=found.graph_context,
            latency_ms=found.latency_ms | {"total": elapsed_since_ms(start)},
            degraded=found.degraded,
            warnings=found.warnings,
        )

    def _search(
        self,
        plan: Plan,
        question: str,
        app: str | None,
        k: int,
        company: str | None,
        document: str | None,
        entity: str | None,
        as_of: date | None,
    ) -> tuple[SearchResult, str]:
        """Ranked evidence by a plan, and which lanes it came from and why."""
        start = time.perf_counter()
        question = _checked(question, k)
        if entity and not self._plans.has_graph:
            raise InvalidQuestion(GRAPH_OFF)
        app_id = app or self._settings.app
        with self._database.connection() as connection:
            held = search.holds_documents(connection, app_id)
            only = (documents.find(connection, app_id, document),) if document else None
            names = self._names(connection, app_id, entity, as_of) if entity and held else None
        if not held:
            mend = f"nothing is indexed in app {app_id!r}: run `finrag ingest PATH`"
            latency_ms = dict.fromkeys(plan.lanes, 0.0) | {"total": elapsed_since_ms(start)}
            return SearchResult(question, (), latency_ms, warnings=(mend,)), "nothing is indexed"
        where = Filter(app_id, as_of, company, only, names)
        asked = Asked(question, where, self._loaded_embedder)
        depth = max(_DEPTH, 2 * k)
        latency_ms: dict[str, float] = {}
        while True:
            run = run_lanes(plan.lanes, asked, depth)
            if plan.otherwise and not any(run.hits.values()):
                run = run.then(run_lanes(plan.otherwise, asked, depth))
            read_start = time.perf_counter()
            results = self._read(run, k, plan.weights)
            run.latency_ms["evidence"] = elapsed_since_ms(read_start)
            for name, elapsed_ms in run.latency_ms.items():
                latency_ms[name] = round(latency_ms.get(name, 0.0) + elapsed_ms, 2)
            exhausted = all(len(hits) < depth for hits in run.hits.values())
            if len(results) == k or exhausted or depth >= _MAX_DEPTH:
                break
            # copies of a passage stand as one: what is behind them takes their places
            depth *= 2
        degraded = [*run.degraded]
        if plan.graph_asked:
            degraded += [{"lane": lane, "reason": reason} for lane, reason in run.reasons.items()]
        latency_ms["total"] = elapsed_since_ms(start)
        result = SearchResult(
            question, results, latency_ms, tuple(degraded), graph_context=run.context
        )
        return result, run.summary

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

    def _read(self, run: LaneRun, k: int, weights: Mapping[str, float]) -> tuple[Result, ...]:
        """The first `k` passages that readers still see, with what stands behind them."""
        ranked = {name: [_key(hit) for hit in hits] for name, hits in run.hits.items()}
        fused = fuse(ranked, weights=weights)
        with self._database.connection() as connection:
            return read_evidence(connection, fused, k)


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


def _key(hit: Hit) -> Key:
    return (hit.kind, hit.document_id, hit.revision, hit.ordinal)
