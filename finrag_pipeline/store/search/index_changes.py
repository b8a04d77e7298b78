"""The log of what changed for readers, which keyword copies follow: how far back it reaches.

Writing to it belongs to whoever changes documents or builds, following it to `keyword_index`.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Q = load_queries("search/keyword_index")

#: A copy that was asked within as many days follows the log, an older one builds itself anew: who
#: only reads cannot tell the store how far it has come.
KEPT_DAYS = 30


def prune(connection: Connection[dict[str, Any]]) -> None:
    """Remove what every copy has that was asked within `KEPT_DAYS`."""
    connection.execute(Q.prune, {"days": KEPT_DAYS})
