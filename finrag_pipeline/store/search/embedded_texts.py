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

# Characters of a table's skeleton and of its rows told as sentences, as many as models read. Of 110
# questions on annual reports e5 finds the page first for .51 by skeletons alone, by sentences alone
# .52, by 300 and 500 characters .58, by these .61 (docs/evaluation.md, Ranking).
_SKELETON = 600
_STATEMENTS = 900


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

    A chunk is embedded with its meta and context, a table as its skeleton and its first rows told
    as sentences, below company, title and month of its document.
    """
    given = {
        "document_id": document_id,
        "revision": revision,
        "space_id": space_id(space),
        "skeleton": _SKELETON,
        "statements": _STATEMENTS,
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
