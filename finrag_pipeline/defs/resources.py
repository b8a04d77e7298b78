"""What assets are given: the run they are part of, who watches it, and the query engine."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import date

import dagster as dg
from pydantic import Field

from finrag_pipeline.errors import FinragError, TransientError
from finrag_pipeline.pipelines.chat_session import question_session
from finrag_pipeline.pipelines.run import Progress, Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.documents import Scope
from finrag_pipeline.store.sources import absolute_uri

#: A dropped connection or a full disk is often gone after a while.
MAX_RETRIES = 2
RETRY_AFTER_S = 20


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
            with Database.open(settings) as database:
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
        with Database.open(settings) as database:
            chat = question_session(database, settings, settings.app)
            yield QueryEngine(database, settings, chat)


def log_progress(stage: str, done: int, total: int) -> None:
    """Progress of runs that nobody watches at a terminal: every tenth part is a log line."""
    step = max(1, total // 10)
    if total and (done % step == 0 or done == total):
        dg.get_dagster_logger().info("%s: %d of %d", stage, done, total)
