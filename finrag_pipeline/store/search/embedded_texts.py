"""What of documents is embedded: typed functions over `embedded_texts.sql`.

Their vectors are `embeddings`; every function takes an open connection, the caller its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Space
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.search.embeddings import space_id

Row = dict[str, Any]
Q = load_queries("search/embedded_texts")

# Characters of a table's skeleton: title, unit and header come first, and behind hundreds of row
# labels no model sees the single one.
_LONGEST_TABLE = 600


@dataclass(frozen=True, slots=True)
class PendingText:
    """A text of one revision that has no vector yet; `kind` as in the table `embeddings`."""

    kind: str
    ordinal: int
    text: str


def pending_texts(
    connection: Connection[Row], document_id: str, revision: str, space: Space
) -> list[PendingText]:
    """The texts of a revision that have no vector in a space, by kind, then in order.

    A chunk is embedded below company, title and month of its document and the headings or the line
    that place it, a table's skeleton below the first of these.
    """
    given = {
        "document_id": document_id,
        "revision": revision,
        "space_id": space_id(space),
        "longest_table": _LONGEST_TABLE,
    }
    return [PendingText(**row) for row in connection.execute(Q.pending_texts, given)]


def texts_with_contexts(
    connection: Connection[Row], document_id: str, revision: str, contexts: Mapping[int, str]
) -> list[PendingText]:
    """What is embedded of some chunks of a revision, by ordinal, once these lines place them."""
    rows = connection.execute(
        Q.texts_with_contexts,
        {
            "document_id": document_id,
            "revision": revision,
            "ordinals": list(contexts),
            "contexts": list(contexts.values()),
        },
    )
    return [PendingText(**row) for row in rows]
