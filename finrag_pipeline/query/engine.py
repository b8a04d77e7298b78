"""The query engine: a question to ranked evidence, and from there to a cited answer.

Each step has its own module: `lanes`, `vector_lane`, `fusion`, `evidence`, `extractive`, `checks`;
this one joins them.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.models.embedding import Embedder, Vectors, load_embedder, recognised
from finrag_pipeline.query.checks import citations_verified, numbers_grounded
from finrag_pipeline.query.evidence import Key, read_evidence
from finrag_pipeline.query.extractive import answer_from
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes import Lane, LaneRun, elapsed_since_ms, run_lanes
from finrag_pipeline.query.results import Answer, Result, SearchResult
from finrag_pipeline.query.terms import insufficient
from finrag_pipeline.query.vector_lane import search_vectors
from finrag_pipeline.settings import Settings
from finrag_pipeline.store import documents, embeddings, search
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.filters import Filter, Hit
from finrag_pipeline.store.keyword_index import KeywordIndex

LANES = ("keyword", "vector")
MAX_K = 200
MAX_QUESTION_CHARACTERS = 4000
# Lanes look deeper than what is asked for: an entry that both have in the middle beats one that
# only one has near its top.
_DEPTH = 50
#: How deep lanes look while copies leave less than what is asked for: `hnsw.ef_search` ends there.
_MAX_DEPTH = 1000
#: Results that an answer is drawn from.
_ANSWER_K = 10


@dataclass(slots=True)
class _Asked:
    """A question and its vector, made once however deep the lanes have to look."""

    question: str
    vector: Vectors | None = None


class QueryEngine:
    """Answers questions over one database, for any number of threads.

    Args:
        database: an open store; the engine does not close it.
        settings: `home` (for the keyword copy), `app` (the default) and `embedder`.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._keyword = KeywordIndex(settings.home / "keyword", database)
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
        as_of: date | None = None,
    ) -> SearchResult:
        """Ranked evidence for a question.

        Args:
            app: whose documents; None: the app of the settings.
            k: number of results, at most `MAX_K`.
            lane: one of `LANES` alone; None: all of them, fused.
            company: securities code, with or without its market.
            document: id, file name or stem of one document.
            as_of: only what was published by this day.

        Raises:
            InvalidQuestion: nothing was asked, or for what there is not.
            NotFound: `document` names none or several.
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            FinragError: every lane failed.
        """
        start = time.perf_counter()
        question = _checked(question, k, lane)
        app_id = app or self._settings.app
        only: tuple[str, ...] | None = None
        with self._database.connection() as connection:
            held = search.holds_documents(connection, app_id)
            if document is not None:
                only = (documents.find(connection, app_id, document),)
        if not held:
            mend = f"nothing is indexed in app {app_id!r}: run `finrag ingest PATH`"
            empty = {name: 0.0 for name in _chosen(lane)}
            latency_ms = empty | {"total": elapsed_since_ms(start)}
            return SearchResult(question, (), latency_ms, warnings=(mend,))
        where = Filter(app_id, as_of, company, only)
        asked = _Asked(question)
        depth = max(_DEPTH, 2 * k)
        latency_ms: dict[str, float] = {}
        while True:
            run = run_lanes({name: self._lane(name, asked, depth, where) for name in _chosen(lane)})
            read_start = time.perf_counter()
            results = self._read(run, k)
            run.latency_ms["evidence"] = elapsed_since_ms(read_start)
            for name, elapsed_ms in run.latency_ms.items():
                latency_ms[name] = round(latency_ms.get(name, 0.0) + elapsed_ms, 2)
            exhausted = all(len(hits) < depth for hits in run.hits.values())
            if len(results) == k or exhausted or depth >= _MAX_DEPTH:
                break
            # copies of a passage stand as one: what is behind them takes their places
            depth *= 2
        latency_ms["total"] = elapsed_since_ms(start)
        return SearchResult(question, results, latency_ms, tuple(run.degraded))

    def ask(
        self,
        question: str,
        *,
        app: str | None = None,
        as_of: date | None = None,
        company: str | None = None,
        document: str | None = None,
    ) -> Answer:
        """An answer made of the evidence sentences that fit the question best, cited.

        Arguments and errors as in `search`.
        """
        start = time.perf_counter()
        found = self.search(
            question, app=app, k=_ANSWER_K, company=company, document=document, as_of=as_of
        )
        lanes = [lane for lane in LANES if any(lane in each.lanes for each in found.results)]
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
                "lanes": lanes,
                "reason": "text question: keyword and vector lanes, fused by rank; the answer "
                "quotes the best sentences, since no chat model is configured",
            },
            latency_ms=found.latency_ms | {"total": elapsed_since_ms(start)},
            degraded=found.degraded,
            warnings=found.warnings,
        )

    def _lane(self, name: str, asked: _Asked, depth: int, where: Filter) -> Lane:
        if name == "keyword":
            return lambda: self._keyword.search(asked.question, depth, where)
        return lambda: self._nearest(asked, depth, where)

    def _nearest(self, asked: _Asked, depth: int, where: Filter) -> list[Hit]:
        embedder = self._loaded_embedder()
        vector = asked.vector
        if vector is None:
            vector = asked.vector = embedder.embed_questions([asked.question])[0]
        with self._database.transaction() as connection:
            # what is checked is what is searched, though a reembedding swaps spaces meanwhile
            connection.execute("set transaction isolation level repeatable read, read only")
            space = recognised(embedder, embeddings.stored_spaces(connection)).space
            embeddings.check_space(connection, space)
            # a question without words has no direction, and no cosine
            if not vector.any():
                return []
            return search_vectors(connection, space, vector, depth, where)

    def _loaded_embedder(self) -> Embedder:
        with self._guard:
            if self._embedder is None:
                self._embedder = load_embedder(self._settings)
            return self._embedder

    def _read(self, run: LaneRun, k: int) -> tuple[Result, ...]:
        """The first `k` passages that readers still see, with what stands behind them."""
        fused = fuse({name: [_key(hit) for hit in hits] for name, hits in run.hits.items()})
        with self._database.connection() as connection:
            return read_evidence(connection, fused, k)


def _checked(question: str, k: int, lane: str | None) -> str:
    question = question.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    if not question:
        raise InvalidQuestion("the question is empty: ask in a few words, e.g. a company and topic")
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise InvalidQuestion(
            f"the question has {len(question)} characters: ask in {MAX_QUESTION_CHARACTERS} at most"
        )
    if not 1 <= k <= MAX_K:
        raise InvalidQuestion(f"k is {k}: ask for 1 to {MAX_K} results")
    if lane is not None and lane not in LANES:
        raise InvalidQuestion(f"there is no lane {lane!r}: use one of {', '.join(LANES)}")
    return question


def _chosen(lane: str | None) -> tuple[str, ...]:
    return (lane,) if lane else LANES


def _key(hit: Hit) -> Key:
    return (hit.kind, hit.document_id, hit.revision, hit.ordinal)
