"""What the store takes on the disk, and how it grows, by families of tables: over `sizes.sql`.

Which table is of which family is `table_families.csv`; what is kept for how long is told by
`pipelines.run.retention`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from psycopg import Connection

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.store.database.connections import DAGSTER_SCHEMA
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("database/sizes")

#: The family of what Dagster keeps: runs, their events, ticks.
EVENTS = "events"
#: Of tables that no row of the file names, such as a deployment's own.
OTHER = "other"
_FAMILIES = Path(__file__).with_name("table_families.csv")
_DATED = ("documents", "builds", "replies", "")


@dataclass(frozen=True, slots=True)
class Size:
    """A family of tables.

    Attributes:
        bytes: on the disk, with indexes.
        rows: as the server estimates them.
        recent_bytes: about what the last days brought, by the share of its documents, builds or
            replies that are new; None where nothing of it is dated, or there is none yet.
    """

    bytes: int
    rows: int
    recent_bytes: int | None


@cache
def families() -> dict[str, tuple[str, str]]:
    """The family of each table, and what dates it, empty where nothing does."""
    return {
        table: (row["family"], row.choice("dated_by", _DATED))
        for row in data_rows(_FAMILIES, ("family", "dated_by", "tables"))
        for table in row.listed("tables")
    }


def read(connection: Connection[Row], days: int) -> dict[str, Size]:
    """The families of all applications together, the largest first.

    Args:
        days: how far back growth is looked for.
    """
    shares = connection.execute(Q.recent, {"days": days}).fetchone()
    assert shares is not None  # of aggregates
    taken: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for row in connection.execute(Q.tables, {"events_schema": DAGSTER_SCHEMA}):
        own = (EVENTS, "") if row["schema_name"] == DAGSTER_SCHEMA else (OTHER, "")
        family, dated_by = families().get(row["table_name"], own)
        taken[family].append((row["bytes"], row["rows"], dated_by))
    found: dict[str, Size] = {}
    for family, tables in taken.items():
        size = sum(table[0] for table in tables)
        share = shares[tables[0][2]] if tables[0][2] else None
        recent = None if share is None else round(size * share)
        found[family] = Size(size, sum(table[1] for table in tables), recent)
    return dict(sorted(found.items(), key=lambda each: -each[1].bytes))


def database_bytes(connection: Connection[Row]) -> int:
    """What the whole database takes on the disk."""
    row = connection.execute(Q.database).fetchone()
    assert row is not None  # a function's value
    return row["bytes"]
