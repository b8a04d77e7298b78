"""Communities of weekly builds and the graph that they are made of: `leiden_communities.sql`.

The builds themselves belong to `community_builds`, reports to `community_summaries`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import Connection

from finrag_pipeline.records.communities import Community, CommunityEvent
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("weeks/leiden_communities")

_COPY_COMMUNITIES = """copy leiden_communities
    (build_id, community_id, level, parent_id, entity_count, edge_count, first_leaf, last_leaf)
    from stdin"""
_COPY_MEMBERS = "copy community_members (build_id, entity_id, community_id) from stdin"
_COPY_EVENTS = """copy community_events
    (build_id, community_id, event, level, others, entities_before, entities_after) from stdin"""


@dataclass(frozen=True, slots=True)
class DayGraph:
    """The graph as of a day: entities in order of their ids, edges between places among them.

    Edges are one for each direction and relation, in no order.
    """

    entity_ids: tuple[str, ...]
    heads: NDArray[np.int64]
    tails: NDArray[np.int64]
    weights: NDArray[np.float64]


def day_graph(connection: Connection[Row], app_id: str, day: date) -> DayGraph:
    """Every entity and edge that there was by a day. 500,000 edges take 1 s."""
    with connection.cursor(binary=True) as cursor:
        row = cursor.execute(Q.graph_of_day, {"app_id": app_id, "day": day}).fetchone()
    assert row is not None  # an aggregate
    return DayGraph(
        tuple(row["entity_ids"]),
        np.array(row["heads"], dtype=np.int64),
        np.array(row["tails"], dtype=np.int64),
        np.array(row["weights"], dtype=np.float64),
    )


def day_documents(connection: Connection[Row], app_id: str, day: date) -> str:
    """What readers see of what was published by a day: revisions and readings, a line each."""
    row = connection.execute(Q.documents_of_day, {"app_id": app_id, "day": day}).fetchone()
    assert row is not None  # an aggregate
    return row["documents"]


def add(
    connection: Connection[Row],
    build_id: str,
    communities: Sequence[Community],
    events: Sequence[CommunityEvent],
) -> None:
    """Store the communities of a build that is there, their members and what became of them."""
    cursor = connection.cursor()
    with cursor.copy(_COPY_COMMUNITIES) as copy:
        for each in communities:
            copy.write_row(
                (
                    *(build_id, each.community_id, each.level, each.parent_id),
                    *(each.entity_count, each.edge_count, each.first_leaf, each.last_leaf),
                )
            )
    with cursor.copy(_COPY_MEMBERS) as copy:
        for each in communities:
            for entity_id in each.entity_ids:
                copy.write_row((build_id, entity_id, each.community_id))
    with cursor.copy(_COPY_EVENTS) as copy:
        for each in events:
            copy.write_row(
                (
                    *(build_id, each.community_id, each.event, each.level, list(each.others)),
                    *(each.entities_before, each.entities_after),
                )
            )


def read_at(connection: Connection[Row]) -> datetime:
    """When the transaction began: the moment that its snapshot shows."""
    row = connection.execute(Q.read_at).fetchone()
    assert row is not None  # one row
    return row["read_at"]


def communities(connection: Connection[Row], build_id: str) -> list[Community]:
    """Every community of a build, in order of level and id."""
    rows = connection.execute(Q.communities, {"build_id": build_id})
    return [_community(row) for row in rows]


def members(connection: Connection[Row], build_id: str, community_id: str) -> list[str]:
    """Every entity inside a community, in order of ids."""
    rows = connection.execute(Q.members, {"build_id": build_id, "community_id": community_id})
    return [row["entity_id"] for row in rows]


def events(connection: Connection[Row], build_id: str) -> list[CommunityEvent]:
    """What became of communities since the build before, in order of level, id and event."""
    rows = connection.execute(Q.events, {"build_id": build_id})
    return [CommunityEvent(**_with_tuple(row, "others")) for row in rows]


def _community(row: Row) -> Community:
    return Community(**_with_tuple(row, "entity_ids"))


def _with_tuple(row: Row, column: str) -> Row:
    return row | {column: tuple(row[column])}
