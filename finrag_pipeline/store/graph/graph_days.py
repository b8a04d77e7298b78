"""What two days make of the entity graph: typed functions over `graph_days.sql`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/graph_days")


@dataclass(frozen=True, slots=True)
class ChangedEdge:
    """An edge with its weights on two days; nothing where it was not stated."""

    key: EdgeKey
    before: float
    now: float


def changed_edges(
    connection: Connection[Row],
    app_id: str,
    first: date,
    last: date,
    k: int,
    entity_id: str | None = None,
) -> tuple[list[ChangedEdge], int]:
    """The `k` stated edges that changed most between two days, and how many did.

    Reads the steps of every edge's weight: some 0.1 s for 500,000 of them.

    Args:
        entity_id: only edges of this entity.
    """
    given = {"app_id": app_id, "first": first, "last": last, "k": k, "entity_id": entity_id}
    rows = connection.execute(Q.changed_edges, given).fetchall()
    changed = [
        ChangedEdge((row["src"], row["edge_type"], row["dst"]), row["before"], row["now"])
        for row in rows
    ]
    return changed, rows[0]["total"] if rows else 0
