"""A run's heartbeat: a row in the store that says, every few seconds, that its process lives.

What follows from a run's silence is not decided here.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from types import TracebackType
from typing import Self

from finrag_pipeline.errors import FinragError
from finrag_pipeline.settings import Settings
from finrag_pipeline.store import run_heartbeats
from finrag_pipeline.store.database import Database

log = logging.getLogger(__name__)

#: Seconds between two beats.
BEAT_S = 3.0
#: A run that was silent for so many seconds has no process any more. Six beats, since a machine may
#: be busy; clustering 100,000 entities, the longest native call, lets other threads run.
SILENT_S = 20.0


class Heartbeat:
    """Beats from a thread of its own while the block lasts, and ends the process if asked to.

    A store that cannot be reached stops no run by this: its own work will say so.
    """

    def __init__(self, settings: Settings, run_id: str) -> None:
        self._settings = settings
        self._run_id = run_id
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat_until_over, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # the row stays: between the end of its work and the record of its end a run still lives
        self._over.set()
        self._thread.join()

    def _beat_until_over(self) -> None:
        while not self._over.is_set():
            try:
                with Database.open(self._settings, max_connections=1) as database:
                    with database.transaction() as connection:
                        run_heartbeats.forget_old_runs(connection)
                    while self._beat(database):
                        if self._over.wait(BEAT_S):
                            return
                    # as Ctrl-C in a terminal: what was stored stays
                    os.kill(os.getpid(), signal.SIGINT)
                    return
            except FinragError as error:
                log.info("no heartbeat: %s", error)
            self._over.wait(BEAT_S)

    def _beat(self, database: Database) -> bool:
        with database.transaction() as connection:
            ending = run_heartbeats.beat(
                connection, self._run_id, socket.gethostname(), os.getpid()
            )
        return not ending
