"""What was written from a document, wherever it stands: typed functions over `purging.sql`.

The document itself, its revisions and its graph belong to `documents` and `graph`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.weeks import community_builds

Row = dict[str, Any]
Q = load_queries("documents/purging")

#: What a community says that lost its report.
NO_REPORT = "what it was written from was purged: run `finrag rebuild`"


@dataclass(frozen=True, slots=True)
class Traces:
    """By what a document can be told in texts that others hold.

    Attributes:
        since: when it came: nothing before that was written from it.
        own_names: names that no other document of the app has.
        entity_ids: what it names, also under the ids of what these were merged into.
    """

    document_id: str
    since: datetime
    own_names: tuple[str, ...]
    entity_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Purged:
    """How much went with a document, beside what was its own.

    Attributes:
        communities: of weekly builds, that lost their report.
        chains: reports on chains and sectors.
        elements: summaries of entities and relations in weekly builds.
        replies: of chat models, in the cache.
        builds: weekly builds that are not what they were.
    """

    communities: int
    chains: int
    elements: int
    replies: int
    builds: int


def traces(connection: Connection[Row], app_id: str, document_id: str) -> Traces:
    """What a document can be told by; asked before it is withdrawn."""
    given = {"app_id": app_id, "document_id": document_id}
    row = connection.execute(Q.remember, given).fetchone()
    assert row is not None  # the caller holds its lock
    return Traces(document_id, row["since"], tuple(row["own_names"]), tuple(row["entity_ids"]))


def purge(connection: Connection[Row], app_id: str, left: Traces) -> Purged:
    """Remove what was written from a withdrawn document, in the transaction of its withdrawal.

    Weekly builds of the app wait; keyword copies build themselves anew when they are next asked.
    """
    community_builds.lock(connection, app_id)
    given = {
        "app_id": app_id,
        "words": [left.document_id, *left.own_names],
        "entity_ids": list(left.entity_ids),
        "reason": NO_REPORT,
        "since": left.since,
    }
    chains = [row["build_id"] for row in connection.execute(Q.delete_chain_reports, given)]
    without = [row["build_id"] for row in connection.execute(Q.leave_without_report, given)]
    connection.execute(community_builds.Q.delete_unused_reports, given)
    elements = connection.execute(Q.delete_element_summaries, given).rowcount
    connection.execute(Q.delete_names, given)
    replies = connection.execute(Q.delete_replies, given).rowcount
    connection.execute(Q.renew_copies)
    builds = len({*chains, *without})
    return Purged(len(without), len(chains), elements, replies, builds)
