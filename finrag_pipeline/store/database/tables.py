"""What Postgres knows of the product's tables: functions over `tables.sql`.

Their rows belong to the modules of the table families.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("database/tables")


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `in_key` is whether it belongs to the primary key."""

    name: str
    type: str
    nullable: bool
    in_key: bool
    description: str | None


def columns(connection: Connection[Row], name: str) -> list[Column]:
    """The columns of a table or view in their order; none where there is no such table."""
    return [Column(**row) for row in connection.execute(Q.columns, {"name": name})]
