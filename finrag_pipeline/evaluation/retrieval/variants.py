"""Ways to search that are measured side by side, and what each finds for every question.

A way through the engine is a set of `Options`; a baseline fuses what lanes found alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from finrag_pipeline.errors import (
    ConfigurationError,
    FinragError,
    NotFound,
    VectorSpaceMismatch,
)
from finrag_pipeline.evaluation.retrieval.plain_bm25 import PlainBm25
from finrag_pipeline.evaluation.retrieval.questions import GoldQuestion
from finrag_pipeline.evaluation.retrieval.rankings import Piece, Unit
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes import registry
from finrag_pipeline.query.question.options import K, Options
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import documents

#: The product as it answers without being told how.
SHIPPED = "as shipped"
#: All its lanes fused, in that order.
FUSED = "not reranked"
PLAIN_BM25 = "plain BM25"
#: Baselines of the specification by the lanes that they fuse. What it calls dense is the vector
#: lane, BM25 the keyword lane; its graph is the graph lane, which enters by names in the question's
#: words and leaves by passages, so that B shares the way in and C the way out.
BASELINES: Mapping[str, tuple[str, ...]] = {
    "A: documents, dense": ("vector",),
    "B: graph, by words": ("graph",),
    "C: graph and documents, dense": ("vector", "graph"),
    "D: BM25, dense and graph": ("keyword", "vector", "graph"),
}
#: Of reciprocal rank fusion in the specification, which trusts all lanes alike.
BASELINE_K = 60


@dataclass(slots=True)
class Found:
    """What one variant found.

    Attributes:
        rankings: pieces by question, best first; none where it failed.
        errors: by question, why it failed.
        latency_ms: per question, stages by name; none where a variant is no search of its own.
    """

    rankings: dict[str, list[Piece]] = field(default_factory=dict[str, list[Piece]])
    errors: dict[str, str] = field(default_factory=dict[str, str])
    latency_ms: list[dict[str, float]] = field(default_factory=list[dict[str, float]])


@dataclass(frozen=True, slots=True)
class Task:
    """A question with the pages of its gold as the store names them.

    Attributes:
        units: pages by document id; a document that the store lacks keeps the gold's name, which
            nothing that is found stands in.
        given: the document that it is asked about; None: all of them.
    """

    question: GoldQuestion
    units: tuple[Unit, ...]
    given: str | None = None


def tasks_of(
    reader: Reader, app_id: str, questions: Sequence[GoldQuestion], as_of: date | None = None
) -> tuple[list[Task], dict[str, str]]:
    """Questions with their gold in the store, and why documents of it are not there, by name."""
    ids: dict[str, str] = {}
    missing: dict[str, str] = {}
    with reader.reading(app_id, as_of) as connection:
        for name in dict.fromkeys(name for each in questions for name in each.documents):
            try:
                ids[name] = documents.find(connection, app_id, name)
            except NotFound as error:
                missing[name] = str(error)
    tasks = [
        Task(each, tuple((ids.get(page.document, page.document), page.page) for page in each.gold))
        for each in questions
    ]
    return tasks, missing


def with_document(tasks: Sequence[Task]) -> list[Task]:
    """Those whose gold stands in one document, asked about that one alone."""
    return [
        replace(task, given=task.units[0][0])
        for task in tasks
        if len({document_id for document_id, _ in task.units}) == 1
    ]


def ways(shipped: Options, lanes: bool) -> dict[str, Options]:
    """Ways through the engine by name: as shipped; if asked for as fused and each lane alone."""
    if not lanes:
        return {SHIPPED: shipped}
    alone = {f"lane {label}": replace(shipped, lane=label) for label in registry.labels()}
    return {SHIPPED: shipped, FUSED: replace(shipped, rerank=False), **alone}


class Variants:
    """Runs questions through every variant, one after the other.

    Args:
        engine: that searches.
        bm25: of the same app.
        options: ways through the engine by name.
        baselines: whether lanes alone are fused to the baselines of the specification.
    """

    def __init__(
        self,
        engine: QueryEngine,
        bm25: PlainBm25,
        options: Mapping[str, Options],
        baselines: bool = False,
    ) -> None:
        self._engine = engine
        self._bm25 = bm25
        self._options = options
        self._baselines = BASELINES if baselines else {}

    def run(
        self, tasks: Sequence[Task], progress: Callable[[int], None] | None = None
    ) -> dict[str, Found]:
        """What each variant finds, in the order of a table.

        An error of one question is its own: it counts as a miss and the others go on.

        Raises:
            ConfigurationError, VectorSpaceMismatch: a wrong setting is mended, not measured.
        """
        found = {name: Found() for name in (*self._options, PLAIN_BM25, *self._baselines)}
        for done, task in enumerate(tasks, 1):
            for name, options in self._options.items():
                self._search(found[name], task, options)
            k = next(iter(self._options.values())).k or K
            by_words = self._bm25.search(task.question.question, k, task.given)
            found[PLAIN_BM25].rankings[task.question.id] = by_words
            for name, lanes in self._baselines.items():
                alone = {lane: found[f"lane {lane}"].rankings[task.question.id] for lane in lanes}
                found[name].rankings[task.question.id] = fused(alone)[:k]
            if progress:
                progress(done)
        return found

    def _search(self, found: Found, task: Task, options: Options) -> None:
        found.rankings[task.question.id] = []
        try:
            result = self._engine.search(
                task.question.question, replace(options, document=task.given)
            )
        except (ConfigurationError, VectorSpaceMismatch):
            raise
        except FinragError as error:
            found.errors[task.question.id] = str(error)
            return
        found.rankings[task.question.id] = [piece_of(each) for each in result.results]
        found.latency_ms.append(result.latency_ms)


def piece_of(result: Result) -> Piece:
    """What of a result is measured; its copies on other pages are not shown as its place."""
    item = result.item
    if not isinstance(item, DocumentItem):
        return Piece(item.key)
    return Piece(item.key, item.document_id, frozenset(place.page for place in item.places))


def fused(alone: Mapping[str, Sequence[Piece]]) -> list[Piece]:
    """Rankings of lanes as one, all trusted alike."""
    pieces: dict[Hashable, Piece] = {piece.key: piece for some in alone.values() for piece in some}
    ranked = {lane: [piece.key for piece in some] for lane, some in alone.items()}
    entries = fuse(ranked, BASELINE_K, dict.fromkeys(alone, 1.0))
    return [pieces[entry.key] for entry in entries]
