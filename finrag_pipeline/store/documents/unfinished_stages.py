"""What stages left of documents for later runs: typed functions over `unfinished_stages.sql`.

Which of them a run takes up belongs to `documents.in_scope`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Document
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/unfinished_stages")

#: Runs that a document may leave as it is, though the model answers, before nights pass it over.
MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a stage left of one document, and why; `tries` as in the table."""

    document_id: str
    source: str
    stage: str
    left_count: int
    reason: str
    tries: int

    @property
    def given_up(self) -> bool:
        """Whether nights pass it over, until somebody names the document or its day."""
        return self.tries >= MOST_TRIES


def note(
    connection: Connection[Row],
    document: Document,
    stage: str,
    left: int,
    reason: str,
    *,
    in_vain: bool,
) -> None:
    """Remember what a stage left of the document's revision.

    Args:
        left: parts that are lacking.
        in_vain: the model answered for all of them, and nothing could be used.
    """
    connection.execute(
        Q.note,
        {
            "document_id": document.document_id,
            "revision": document.revision,
            "stage": stage,
            "left": left,
            "reason": reason,
            "in_vain": in_vain,
        },
    )


def settle(connection: Connection[Row], document: Document, stage: str) -> None:
    """Forget what a stage left of the document's revision: it has finished."""
    connection.execute(
        Q.settle,
        {"document_id": document.document_id, "revision": document.revision, "stage": stage},
    )


def waiting(connection: Connection[Row], app_id: str, stages: Collection[str]) -> list[Waiting]:
    """What some stages left of an app's documents, those with most left first."""
    rows = connection.execute(Q.waiting, {"app_id": app_id, "stages": list(stages)})
    return [Waiting(**row) for row in rows]
