"""What is wrong with a weekly build, if anything: typed functions over `community_checks.sql`.

A build is written by the modules of its tables; mending it is making it again.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.weeks import community_builds

Row = dict[str, Any]
Q = load_queries("weeks/community_checks")


def misplaced(connection: Connection[Row], app_id: str) -> list[str]:
    """Entities of the newest build that are in no community of a level, or in several."""
    row = connection.execute(Q.newest, {"app_id": app_id}).fetchone()
    if row is None:
        return []
    return [each["entity_id"] for each in connection.execute(Q.misplaced, row)]


def lost_evidence(connection: Connection[Row], app_id: str) -> list[str]:
    """Passages that reports of the current build rest on and readers do not see, one a line."""
    current = community_builds.current(connection, app_id)
    if current is None:
        return []
    rows = connection.execute(Q.lost_evidence, {"build_id": current.build.build_id})
    return [f"{row['document_id']}:{row['chunk']} {row['quote'][:80]}" for row in rows]
