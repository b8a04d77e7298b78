"""What every document stage shares: the run it is part of, its loop over documents, its report.

Each document is computed outside any transaction and stored in one of its own; what one document
suffers is noted on it and stops no other.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from finrag_pipeline.errors import DocumentDeferred, DocumentError
from finrag_pipeline.pipelines.run.progress import Progress, Tally, silent
from finrag_pipeline.pipelines.run.revision import current_revision, tried_under
from finrag_pipeline.pipelines.run.workers import ReaderPool, shared_pool
from finrag_pipeline.records import Document
from finrag_pipeline.settings import Settings
from finrag_pipeline.spans import span
from finrag_pipeline.store.database.connections import Connection, Database
from finrag_pipeline.store.documents import (
    document_revisions,
    documents,
    sources,
    unfinished_stages,
)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Run:
    """One run over a scope of documents: its store, settings and who watches.

    `tally` is for a stage that reads pages: it says how many there are and how many are read.
    """

    database: Database
    settings: Settings
    scope: documents.Scope
    progress: Progress = silent
    tally: Tally = field(default_factory=lambda: Tally(silent, ""))

    @cached_property
    def revision(self) -> str:
        return current_revision(self.settings.pdf_engine)

    @property
    def reason_under(self) -> str:
        """What must change before a document that failed is tried again."""
        return tried_under(self.settings)


@dataclass(frozen=True)
class Outcome:
    """What a stage made of one document: `counts` such as pages or chunks, or a `reason`."""

    document: Document
    seconds: float
    counts: dict[str, int] = field(default_factory=dict)
    error: DocumentError | None = None


@dataclass(frozen=True)
class StageReport:
    """What a stage made of a scope, in the order of the documents.

    `degraded` are lines on what is there, but less well than the settings ask for; `key` is the
    stage's.
    """

    stage: str
    outcomes: tuple[Outcome, ...]
    seconds: float
    degraded: tuple[str, ...] = ()
    key: str = ""

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.error)

    def total(self, name: str) -> int:
        return sum(outcome.counts.get(name, 0) for outcome in self.outcomes)


@dataclass(frozen=True)
class Unfinished:
    """What a stage stored of a document that it could not finish: it passes the stage again.

    Attributes:
        counts: as those of a document that is finished.
        left: parts that are lacking still.
        reason: one line on what failed and what mends it.
        in_vain: all that is left was answered for, and nothing could be used.
    """

    counts: dict[str, int]
    left: int
    reason: str
    in_vain: bool = False


class Stage(Protocol):
    """One document stage. `compute` may take long and touches no transaction; `store` is short.

    `key` is what marks a document as done, `after` are the keys that must be marked before;
    `name` is for people.
    """

    @property
    def name(self) -> str: ...

    @property
    def key(self) -> str: ...

    @property
    def after(self) -> tuple[str, ...]: ...

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> Any: ...

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: Any
    ) -> dict[str, int] | Unfinished:
        """Store the result; returns counts, the first being the stage's rows."""
        ...


def pending_documents(run: Run, stage: Stage) -> list[Document]:
    """Documents of the run's scope that have to pass a stage and may."""
    with run.database.connection() as connection:
        return documents.in_scope(
            connection,
            run.scope,
            stage=stage.key,
            after=stage.after,
            revision=run.revision,
            reason_under=run.reason_under,
        )


def run_stage(
    run: Run,
    stage: Stage,
    *,
    parallel: int | None = None,
    pending: Sequence[Document] | None = None,
) -> StageReport:
    """Pass every document of the run's scope that needs it through a stage.

    Args:
        parallel: documents in flight; unless given, one more than the run's workers, so that none
            of them waits while a document is stored.
        pending: the documents to pass, where the caller knows better than the scope.

    Raises:
        StoreUnavailable, StorageFull: the store gave up; documents stored until then stay.
    """
    if pending is None:
        pending = pending_documents(run, stage)
    with span("stage", stage=stage.name, documents=len(pending)) as step:
        outcomes = _outcomes(run, stage, parallel, pending)
        step.attributes["failed"] = sum(1 for each in outcomes.values() if each.error)
    ordered = tuple(outcomes[document.document_id] for document in pending)
    return StageReport(stage.name, ordered, step.seconds, key=stage.key)


def _outcomes(
    run: Run, stage: Stage, parallel: int | None, pending: Sequence[Document]
) -> dict[str, Outcome]:
    outcomes: dict[str, Outcome] = {}
    tally = Tally(run.progress, stage.name, (document.document_id for document in pending))
    if not pending:
        return outcomes
    run = replace(run, tally=tally)
    in_flight = parallel or run.settings.workers + 1
    pool = shared_pool(run.settings)
    with ThreadPoolExecutor(in_flight) as threads:
        futures = [
            # in a context of its own: the step that it is part of
            threads.submit(copy_context().run, _pass, run, stage, document, pool)
            for document in pending
        ]
        try:
            for future in as_completed(futures):
                outcome = future.result()
                outcomes[outcome.document.document_id] = outcome
                tally.finished(outcome.document.document_id)
        except BaseException:
            # the store gave up or somebody ended the run: do not wait for what is in flight
            threads.shutdown(wait=False, cancel_futures=True)
            pool.close()
            raise
    return outcomes


def _pass(run: Run, stage: Stage, document: Document, pool: ReaderPool) -> Outcome:
    with span("document", stage=stage.name, document_id=document.document_id) as step:
        outcome = _passed(run, stage, document, pool)
        if outcome.error:
            step.attributes["reason"] = outcome.error.reason
        return outcome


def _passed(run: Run, stage: Stage, document: Document, pool: ReaderPool) -> Outcome:
    started = time.monotonic()
    try:
        result = stage.compute(run, document, pool)
    except DocumentError as error:
        return _note(run, document, error, time.monotonic() - started)
    with run.database.transaction() as connection:
        withdrawn = documents.lock(connection, document.document_id)["status"] == "withdrawn"
        if withdrawn or stage.key in document_revisions.stage_rows(connection, document):
            return Outcome(document, 0.0)  # somebody else was first
        stored = stage.store(connection, document, result)
        seconds = time.monotonic() - started
        if isinstance(stored, Unfinished):
            unfinished_stages.note(
                connection,
                document,
                stage.name,
                stored.left,
                stored.reason,
                in_vain=stored.in_vain,
            )
            return Outcome(document, seconds, stored.counts)
        rows = next(iter(stored.values()), 0)
        document_revisions.finish_stage(connection, document, stage.key, rows, seconds)
        unfinished_stages.settle(connection, document, stage.name)
    return Outcome(document, seconds, stored)


def _note(run: Run, document: Document, error: DocumentError, seconds: float) -> Outcome:
    if not isinstance(error, DocumentDeferred):
        log.warning("%s: %s", document.source, error)
    # a file that is gone may be back tomorrow; everything else waits for a change
    under = None if error.reason == "source_missing" else run.reason_under
    with run.database.transaction() as connection:
        documents.set_reason(connection, document.document_id, error.reason, error.detail, under)
    return Outcome(document, seconds, error=error)


@contextmanager
def source_path(document: Document) -> Generator[Path]:
    """A local path with exactly the bytes that were registered, from any source that has them.

    Raises:
        DocumentError: ``source_missing`` when no source holds these bytes any more.
    """
    for uri in document.uris:
        with ExitStack() as stack:
            try:
                path = stack.enter_context(sources.local_copy(uri))
                held = sources.content_sha256(str(path)) == document.content_sha256
            except OSError as error:
                log.info("%s: %s", uri, error)
                continue
            if held:
                yield path
                return
    raise DocumentError("source_missing", ", ".join(document.uris))
