"""Which runs are alive: typed functions over `run_heartbeats.sql`.

Who beats is `pipelines.run.heartbeat`; what follows from silence is decided in `defs.launcher`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("usage/run_heartbeats")


@dataclass(frozen=True, slots=True)
class LastBeat:
    """When and where a run was seen last, and for how long the server has waited for it since.

    `silent_s` is below zero where the server's clock went back after that.
    """

    host: str
    process_id: int
    seen_at: datetime
    silent_s: float


def beat(connection: Connection[Row], run_id: str, host: str, process_id: int) -> bool:
    """Say that a run is alive.

    Returns:
        Whether somebody wants it to end.
    """
    parameters = {"run_id": run_id, "host": host, "process_id": process_id}
    row = connection.execute(Q.beat, parameters).fetchone()
    assert row is not None  # an insert that returns has a row
    return row["end_asked"]


def claim(connection: Connection[Row], run_id: str, host: str, process_id: int) -> bool:
    """Take a run that nobody has begun; False where somebody has, whatever became of him."""
    parameters = {"run_id": run_id, "host": host, "process_id": process_id}
    return connection.execute(Q.claim, parameters).rowcount > 0


def forget_old_runs(connection: Connection[Row]) -> None:
    """Remove what runs that were silent for a week have left."""
    connection.execute(Q.forget_old_runs)


def last_beat(connection: Connection[Row], run_id: str) -> LastBeat | None:
    """When a run was seen last; None when it never was."""
    row = connection.execute(Q.last_beat, {"run_id": run_id}).fetchone()
    return LastBeat(**row) if row else None


def ask_to_end(connection: Connection[Row], run_id: str) -> bool:
    """Ask a run to end, with its next beat; False when it never beat."""
    return connection.execute(Q.ask_to_end, {"run_id": run_id}).rowcount > 0
