"""A run's heartbeat: a row in the store that says, every few seconds, that its process lives.

What follows from a run's silence is not decided here.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import run_heartbeats

#: Seconds between two beats.
BEAT_S = 3.0
#: A run that was silent for so many seconds has no process any more. Six beats, since a machine may
#: be busy; clustering 100,000 entities, the longest native call, lets other threads run.
SILENT_S = 20.0


@contextmanager
def heartbeat(settings: Settings, run_id: str) -> Generator[None]:
    """Beat from a thread of its own while the block lasts, and end the process if asked to.

    A store that cannot be reached stops no run by this: its own work will say so.
    """
    over = threading.Event()
    thread = threading.Thread(target=_beat_until, args=(over, settings, run_id), daemon=True)
    thread.start()
    try:
        yield
    finally:
        # the row stays: between the end of its work and the record of its end a run still lives
        over.set()
        thread.join()


def claim(settings: Settings, run_id: str) -> bool:
    """Take a run that was handed out, before the first beat; False where another process has it.

    Raises:
        StoreUnavailable: the store does not answer; nobody has the run by this.
    """
    with (
        Database.open(settings, max_connections=1) as database,
        database.transaction() as connection,
    ):
        return run_heartbeats.claim(connection, run_id, socket.gethostname(), os.getpid())


def _beat_until(over: threading.Event, settings: Settings, run_id: str) -> None:
    while not over.is_set():
        try:
            with Database.open(settings, max_connections=1) as database:
                with database.transaction() as connection:
                    run_heartbeats.forget_old_runs(connection)
                while not _end_asked(database, run_id):
                    if over.wait(BEAT_S):
                        return
                # as Ctrl-C in a terminal: what was stored stays
                os.kill(os.getpid(), signal.SIGINT)
                return
        except Exception:
            # whatever it is, the next beat tries again; a log line would go to the same database
            over.wait(BEAT_S)


def _end_asked(database: Database, run_id: str) -> bool:
    with database.transaction() as connection:
        return run_heartbeats.beat(connection, run_id, socket.gethostname(), os.getpid())
