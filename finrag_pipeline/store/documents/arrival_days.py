"""What the store holds of the documents of an arrival day: functions over `arrival_days.sql`.

Each tells the days as they are now, whichever run brought them there.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
#: Figures by day, one entry for each day that was asked for.
Days = dict[date, dict[str, int]]
Q = load_queries("documents/arrival_days")


def first_day(connection: Connection[Row]) -> date | None:
    """The day on which the store's first document arrived; None while it holds none."""
    row = connection.execute(Q.first_day).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row["first_on"]


def registered(connection: Connection[Row], app_id: str, days: Sequence[date]) -> Days:
    """``documents`` and ``files`` of each day."""
    given = {"app_id": app_id, "days": list(days)}
    return _by_day(connection.execute(Q.registered, given).fetchall())


def passed(connection: Connection[Row], app_id: str, days: Sequence[date], stage: str) -> Days:
    """``documents`` through a stage, ``rows`` that it left, ``pages``, ``quarantined``."""
    given = {"app_id": app_id, "days": list(days), "stage": stage}
    return _by_day(connection.execute(Q.passed, given).fetchall())


def rows_in_all(connection: Connection[Row], app_id: str, stage: str) -> int:
    """Rows that a stage left of all documents of an app."""
    row = connection.execute(Q.rows_in_all, {"app_id": app_id, "stage": stage}).fetchone()
    assert row is not None  # an aggregate
    return row["rows"]


def documents_in_all(connection: Connection[Row], app_id: str) -> int:
    """Documents that an app ever had, withdrawn ones included."""
    row = connection.execute(Q.documents_in_all, {"app_id": app_id}).fetchone()
    assert row is not None  # an aggregate
    return row["documents"]


def in_graph(connection: Connection[Row], app_id: str, days: Sequence[date]) -> Days:
    """``documents`` that readers see, ``entities`` that they name, and what of these is done.

    ``summaries`` that they have, and how many are ``waiting_for_vector`` or ``waiting_for_summary``
    since they changed; a summary is for those that many chunks name.
    """
    given = {"app_id": app_id, "days": list(days)}
    return _by_day(connection.execute(Q.in_graph, given).fetchall())


def _by_day(rows: Sequence[Row]) -> Days:
    return {row.pop("arrival_on"): row for row in rows}
