"""What assets are given: the run they are part of, who watches it, and the query engine."""

import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from typing import Any

import dagster as dg
from pydantic import Field

from finrag_pipeline import logs, tracing
from finrag_pipeline.errors import FinragError, TransientError
from finrag_pipeline.pipelines.run.chat_session import question_session
from finrag_pipeline.pipelines.run.heartbeat import heartbeat
from finrag_pipeline.pipelines.run.run import Progress, Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.documents.sources import absolute_uri

#: A dropped connection or a full disk is often gone after a while.
MAX_RETRIES = 2
RETRY_AFTER_S = 20
#: A stage that goes on says so after this many seconds, however little it has done.
QUIET_S = 600


class IngestionResource(dg.ConfigurableResource[None]):
    """Which documents a run is about. Everything else comes from `FINRAG_*` variables."""

    app: str = Field(default="", description="whose documents; empty: FINRAG_APP")
    paths: list[str] = Field(
        default_factory=list,
        description="files or folders to register and process; empty: the inbox, whatever "
        "arrived on the days of the run, and what earlier days left",
    )
    batch: int = Field(default=1, ge=1, description="which part of `batches` to process, from 1")
    batches: int = Field(default=1, ge=1, description="parts of a large first load")

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Generator[Any]:
        """While a run has this resource, it says that it lives."""
        with ExitStack() as stack:
            with suppress(FinragError):  # its first asset will say so
                settings = load_settings()
                if settings.log_format:
                    logs.configure(settings.log_format)
                if context.run_id:
                    stack.enter_context(heartbeat(settings, context.run_id))
            yield self

    @contextmanager
    def run(self, days: Sequence[date], progress: Progress) -> Generator[Run]:
        """Open the store for a run over `days`.

        What goes wrong becomes one clear line in the UI; only transient errors are retried.
        """
        try:
            settings = load_settings()
            scope = Scope(
                app_id=self.app or settings.app,
                # documents named by path are finished whatever day they arrived on
                days=None if self.paths else tuple(days),
                paths=tuple(absolute_uri(path) for path in self.paths) or None,
                batch=self.batch,
                batches=self.batches,
                leftovers=not self.paths,
            )
            with tracing.exported(settings.traces_url), Database.open(settings) as database:
                yield Run(database, settings, scope, progress)
        except TransientError as error:
            raise dg.RetryRequested(MAX_RETRIES, seconds_to_wait=RETRY_AFTER_S) from error
        except FinragError as error:
            raise dg.Failure(description=str(error), allow_retries=False) from error


class QueryResource(dg.ConfigurableResource[None]):
    """The query engine over the materialised stores, for assets, checks and notebooks."""

    @contextmanager
    def engine(self) -> Generator[QueryEngine]:
        """Open the store and the engine that `finrag search` and `finrag ask` use."""
        settings = load_settings()
        with Database.open(settings) as database, Reader.open(settings) as reader:
            chat = question_session(database, settings, settings.app)
            yield QueryEngine(reader, settings, chat)


class ProgressLog:
    """Progress of runs that nobody watches at a terminal: about ten lines a stage.

    A line for every tenth, and one now and then of what takes hours.
    """

    def __init__(self) -> None:
        self._told: dict[str, tuple[int, float]] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        told, at = self._told.setdefault(stage, (0, now))
        if done < told:  # the stage begins again
            told, at = self._told[stage] = (0, now)
        more = done - told
        if more and (done == total or more >= total / 10 or now - at > QUIET_S):
            self._told[stage] = (done, now)
            dg.get_dagster_logger().info("%s: %d of %d", stage, done, total)


class ProgressResource(dg.ConfigurableResource[Progress]):
    """Who is told how far a stage is: the log of the run; `finrag` draws a bar instead."""

    def create_resource(self, context: dg.InitResourceContext) -> Progress:
        return ProgressLog()
