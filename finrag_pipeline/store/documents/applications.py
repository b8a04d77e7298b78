"""Applications as a whole: typed functions over `applications.sql`.

One store holds many; what one of them holds belongs to the modules of the table families.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from finrag_pipeline.errors import NotFound
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.documents import document_sources
from finrag_pipeline.store.graph import entity_graph
from finrag_pipeline.store.weeks import community_builds

Row = dict[str, Any]
Q = load_queries("documents/applications")


def counts(connection: Connection[Row], app_id: str) -> Row:
    """What would go with an app: documents, files, chunks, entities, decisions, weekly builds,
    feedback.

    Raises:
        NotFound: it holds nothing; the line names the apps that do.
    """
    names = [row["app_id"] for row in connection.execute(Q.names)]
    if app_id not in names:
        raise NotFound(f"app {app_id!r} holds nothing; there are {', '.join(names) or 'none'}")
    row = connection.execute(Q.counts, {"app_id": app_id}).fetchone()
    assert row is not None  # a select of aggregates
    return row


def delete(connection: Connection[Row], app_id: str) -> None:
    """Remove every row of an app in the caller's transaction; keyword copies are told.

    Files that arrive, publications and weekly builds of the app wait. What is shared stays: model
    replies by the hash of their request, and vector spaces.
    """
    given = {"app_id": app_id}
    # in the order in which everybody takes them
    document_sources.lock(connection, app_id)
    connection.execute(Q.lock_documents, given)
    entity_graph.lock(connection, app_id)
    community_builds.lock(connection, app_id)
    for block in Q:
        if block.name.startswith("delete_"):
            connection.execute(block.sql, given)
