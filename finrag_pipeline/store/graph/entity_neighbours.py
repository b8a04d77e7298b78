"""Weights of edges on every day of publication: typed functions over `entity_neighbours.sql`.

One row per end of an edge and time that its weight held. Edges as they are now are `entity_edges`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.graph.entity_edges import columns

Row = dict[str, Any]
Q = load_queries("graph/entity_neighbours")

#: Tenths that an edge's weight rises by, or falls, on a day of publication.
Changes = dict[tuple[EdgeKey, date], int]


def changes(
    connection: Connection[Row],
    app_id: str,
    symmetric: Set[str],
    document_ids: Sequence[str] = (),
    *,
    moved: Sequence[str] = (),
    linked: Sequence[str] = (),
    pairs: Iterable[tuple[str, str]] = (),
) -> Changes:
    """What documents add to the weights of edges, as names belong to entities now.

    Args:
        symmetric: relations without direction.
        document_ids: counted with all that they say.
        moved: names whose other documents are counted, as far as these say anything of `linked`.
        pairs: heads and tails; what all documents say of them is counted (each but once).
    """
    ends = sorted(pairs)
    given = {
        "app_id": app_id,
        "symmetric": sorted(symmetric),
        "document_ids": list(document_ids),
        "moved": list(moved),
        "linked": list(linked),
        "head_ids": [head for head, _ in ends],
        "tail_ids": [tail for _, tail in ends],
    }
    return {
        ((row["src"], row["edge_type"], row["dst"]), row["day"]): row["tenths"]
        for row in connection.execute(Q.changes, given)
    }


def change_steps(connection: Connection[Row], app_id: str, changed: Changes) -> None:
    """Add to the weights of edges from some days on; costs by the steps from those days on."""
    ordered = [(key, day, tenths) for (key, day), tenths in sorted(changed.items()) if tenths]
    given = columns(app_id, [key for key, _, _ in ordered]) | {
        "days": [day for _, day, _ in ordered],
        "tenths": [tenths for _, _, tenths in ordered],
    }
    connection.execute(Q.change_steps, given)


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove the history of an app's edges."""
    connection.execute(Q.clear, {"app_id": app_id})
