"""What one process that answers questions holds open: settings, readers, the writer, engines.

Commands, routes and tools take it from here. How a question is answered belongs to `query.engine`.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.machine import usable_cores

if TYPE_CHECKING:
    from finrag_pipeline.query.browsing.viewpoint import Browser
    from finrag_pipeline.query.engine import QueryEngine
    from finrag_pipeline.settings import Settings
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.database.reader import Reader

_WAITING_FOR_CHAT = 8


class Service:
    """One store, open, for any number of threads.

    Attributes:
        settings: of the process; `settings.app` is the application of whoever names none.
        reader: what everybody reads by.
        database: what writes; None where nothing was to be written, or nothing can be.
    """

    def __init__(self, settings: Settings, reader: Reader, database: Database | None) -> None:
        self.settings = settings
        self.reader = reader
        self.database = database
        self._engines: dict[str, QueryEngine] = {}
        self._guard = threading.Lock()

    def engine(self, app_id: str | None = None) -> QueryEngine:
        """The engine that answers for an application, made at its first use and kept.

        Without a chat model one engine answers for all of them; with one, what each asks of it is
        accounted to that application, so each has a session.

        Args:
            app_id: whose question it is; None: the application of the settings. Options given to
                the engine name the application too: they say whose documents are read.
        """
        from finrag_pipeline.query.engine import QueryEngine

        shared = self.settings.chat_model is None
        app_id = self.settings.app if app_id is None or shared else app_id
        with self._guard:
            if app_id not in self._engines:
                settings = self.settings.model_copy(update={"app": app_id})
                chat = None
                if not shared:
                    from finrag_pipeline.pipelines.run.chat_session import question_session

                    chat = question_session(self.writer, settings, app_id)
                self._engines[app_id] = QueryEngine(self.reader, settings, chat)
            return self._engines[app_id]

    @property
    def turns(self) -> int:
        """Questions that are answered at a time: more than the cores can work on only wait for each
        other. Those that ask a chat model mostly wait for that."""
        return usable_cores() + 1 + (_WAITING_FOR_CHAT if self.settings.chat_model else 0)

    @cached_property
    def browser(self) -> Browser:
        """Where everything is looked up that no question is asked for."""
        from finrag_pipeline.query.browsing.viewpoint import Browser

        return Browser(self.reader)

    @property
    def writer(self) -> Database:
        """What writes.

        Raises:
            ConfigurationError: this process only reads.
        """
        if self.database is None:
            raise ConfigurationError(
                "this process only reads: set FINRAG_DATABASE_URL to let it keep anything"
            )
        return self.database


@contextmanager
def open_service(settings: Settings, *, writing: bool = False) -> Generator[Service]:
    """Open what questions need, and close it after.

    Args:
        writing: open a writer too, where the settings name one: a process with
            `FINRAG_READER_URL` alone has none. Without, one is opened only for a chat model, whose
            replies are kept.

    Errors as in `open_reader` and `Database.open`.
    """
    from finrag_pipeline.store.database.reader import Reader, open_reader

    only_reads = settings.reader_url is not None and settings.database_url is None
    with ExitStack() as stack:
        if settings.chat_model is None and (only_reads or not writing):
            yield Service(settings, stack.enter_context(open_reader(settings)), None)
            return
        from finrag_pipeline.store.database.connections import Database

        database = stack.enter_context(Database.open(settings))
        yield Service(settings, stack.enter_context(Reader.open(settings)), database)
