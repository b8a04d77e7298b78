"""Documents and what readers have of them: typed functions over `documents.sql`.

Every function takes an open connection; the caller owns the transaction. Which files hold a
document belongs to `document_sources`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from difflib import SequenceMatcher
from typing import Any

from psycopg import Connection

from finrag_pipeline.errors import NotFound, reason_line
from finrag_pipeline.records import Document
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.documents.unfinished_stages import MOST_TRIES

Row = dict[str, Any]
Q = load_queries("documents/documents")

#: Documents that are offered where none is named so, and listed where many are.
_OFFERED, _LISTED = 3, 20
#: A week of nights, one of them missed.
_OF_LATE_DAYS = 8


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents a run is about.

    Attributes:
        app_id: whose documents.
        days: arrival days, or None for all.
        paths: files or folders (URIs), or None for all; what stands under a folder is meant too.
        batch: 1-based number of the part of `batches` equal parts, split by content hash.
        leftovers: with `days`, also what days before the last of them left: documents that were
            never indexed, and those with a row in `unfinished_stages`, unless tried in vain.
    """

    app_id: str
    days: tuple[date, ...] | None = None
    paths: tuple[str, ...] | None = None
    batch: int = 1
    batches: int = 1
    leftovers: bool = False

    def parameters(self) -> dict[str, Any]:
        return {
            "app_id": self.app_id,
            "days": list(self.days) if self.days is not None else None,
            "paths": list(self.paths) if self.paths is not None else None,
            "batch": self.batch,
            "batches": self.batches,
        }


def in_scope(
    connection: Connection[Row],
    scope: Scope,
    *,
    stage: str,
    after: Sequence[str],
    revision: str,
    reason_under: str,
) -> list[Document]:
    """Documents of `scope` that passed the stages `after` and have to pass `stage`.

    Those known to fail under `reason_under` are left out.
    """
    before = max(scope.days) if scope.leftovers and scope.days else None
    rows = connection.execute(
        Q.in_scope,
        scope.parameters()
        | {
            "leftovers_before": before,
            "most_tries": MOST_TRIES,
            "stage": stage,
            "after": list(after),
            "revision": revision,
            "reason_under": reason_under,
        },
    )
    return [Document(uris=tuple(row.pop("uris")), revision=revision, **row) for row in rows]


def never_tried(connection: Connection[Row], app_id: str) -> list[str]:
    """Ids of documents that a run registered and, killed or stopped, did not get to the end."""
    rows = connection.execute(Q.never_tried, {"app_id": app_id})
    return [row["document_id"] for row in rows]


def lock(connection: Connection[Row], document_id: str) -> Row:
    """Lock a document, and those that it may replace, until the transaction ends.

    Returns:
        Its ``app_id``, ``status`` and ``current_revision``.
    """
    for row in lock_all(connection, [document_id]):
        if row["document_id"] == document_id:
            return row
    raise NotFound(f"document {document_id} is not in the store")


def lock_all(connection: Connection[Row], document_ids: Iterable[str]) -> list[Row]:
    """Lock documents, as far as there are such, and those that they may replace."""
    given = {"document_ids": list(document_ids)}
    return connection.execute(Q.lock_documents, given).fetchall()


def clear_reason(connection: Connection[Row], document_id: str) -> None:
    """Forget why a document failed: it passed a stage since."""
    connection.execute(Q.clear_reason, {"document_id": document_id})


def set_reason(
    connection: Connection[Row],
    document_id: str,
    reason: str,
    detail: str,
    reason_under: str | None,
) -> None:
    """Quarantine a document, or note on an indexed one why its new revision failed.

    Args:
        reason_under: what must change before it is tried again; None: tried again every time.
    """
    connection.execute(
        Q.set_reason,
        {
            "document_id": document_id,
            "reason": reason,
            "detail": detail,
            "reason_under": reason_under,
        },
    )


def publish(connection: Connection[Row], document: Document, replaced: Sequence[str]) -> None:
    """Make the document's revision the one that readers see, in the caller's transaction.

    Other revisions are removed, the documents `replaced`, as `superseded` says, are withdrawn, and
    keyword copies are told.
    """
    key = {"document_id": document.document_id}
    connection.execute(Q.set_current, key | {"revision": document.revision})
    connection.execute(Q.delete_other_revisions, key | {"revision": document.revision})
    connection.execute(Q.add_change, key | {"app_id": document.app_id})
    for document_id in replaced:
        withdraw(connection, document.app_id, document_id)


def tell_copies(connection: Connection[Row], document_ids: Sequence[str]) -> None:
    """Tell keyword copies that entries of documents changed, as far as readers see them."""
    connection.execute(Q.add_changes, {"document_ids": list(document_ids)})


def superseded(
    connection: Connection[Row], document_id: str, *, publishing: bool = True
) -> list[str]:
    """Documents whose place this one takes: no source of them is left.

    Args:
        publishing: whether readers get this one now; else they lose no other for it, unless it was
            theirs before.
    """
    given = {"document_id": document_id, "publishing": publishing}
    return [row["document_id"] for row in connection.execute(Q.superseded, given)]


def withdraw(connection: Connection[Row], app_id: str, document_id: str) -> None:
    """Take a document from readers and remove all that its revisions left."""
    key = {"document_id": document_id}
    connection.execute(Q.set_withdrawn, key)
    connection.execute(Q.delete_revisions, key)
    connection.execute(Q.add_change, key | {"app_id": app_id})


def find(connection: Connection[Row], app_id: str, name: str, *, partly: bool = False) -> str:
    """Id of the document that a name means: an id or its first eight characters or more, a file
    name with or without suffix, a URI.

    Args:
        partly: whether a part of a file's name or of a title will do, where it is of one alone.

    Raises:
        NotFound: nothing matches, or several documents do; the line lists them, or those near.
    """
    rows = connection.execute(Q.find_documents, {"app_id": app_id, "name": name}).fetchall()
    near: list[Row] = []
    if not rows:
        near = connection.execute(Q.named_nearly, {"app_id": app_id, "name": name}).fetchall()
        rows = [row for row in near if row["part"]] if partly else []
    ids = list(dict.fromkeys(row["document_id"] for row in rows))
    if not ids:
        offered = f"; near to it: {_told(_nearest(near, name))}" if near else ""
        raise NotFound(
            f"no document is named {name!r} in app {app_id!r}{offered}; see `documents list`"
        )
    if len(ids) > 1:
        left = f", and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
        raise NotFound(f"{name!r} is ambiguous, name one id: {_told(rows[:_LISTED])}{left}")
    return ids[0]


def _nearest(rows: Sequence[Row], name: str) -> list[Row]:
    """Documents by how much of a name is in theirs, the nearest first."""
    wanted = name.casefold()

    def apart(row: Row) -> tuple[bool, float]:
        alike = SequenceMatcher(None, wanted, row["source"].casefold(), autojunk=False)
        return (not row["part"], -sum(size * size for _, _, size in alike.get_matching_blocks()))

    return sorted(rows, key=apart)[:_OFFERED]


def _told(rows: Iterable[Row]) -> str:
    return ", ".join(f"{row['document_id']} ({row['source']})" for row in rows)


def list_documents(
    connection: Connection[Row],
    scope: Scope,
    document_ids: Sequence[str] | None = None,
    status: str | None = None,
) -> list[Row]:
    """One row per document of the scope (its batch aside), with metadata and counts."""
    parameters: Mapping[str, Any] = scope.parameters() | {
        "document_ids": list(document_ids) if document_ids is not None else None,
        "status": status,
    }
    return connection.execute(Q.list_documents, parameters).fetchall()


def with_seconds(connection: Connection[Row], rows: Sequence[Row]) -> list[Row]:
    """Rows of `list_documents` with the ``seconds`` that their stages took; not for readers."""
    given = {"document_ids": [row["document_id"] for row in rows]}
    seconds = {row["document_id"]: row["seconds"] for row in connection.execute(Q.seconds, given)}
    return [row | {"seconds": seconds.get(row["document_id"], 0.0)} for row in rows]


def why(row: Mapping[str, Any]) -> str | None:
    """Why readers do not get a document of `list_documents`, in one line; None when they do."""
    if row["status"] == "withdrawn":
        if not row["sources"]:
            return "withdrawn: no file holds it any more"
        return "withdrawn: name the file itself to bring it back"
    return reason_line(row["reason"], row["detail"]) if row["reason"] else None


def counts(connection: Connection[Row], app_id: str) -> Row:
    """Documents by status, pages, chunks and tables of an app, and its last arrival day."""
    row = connection.execute(Q.counts, {"app_id": app_id}).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row


def with_reason(connection: Connection[Row], app_id: str) -> list[Row]:
    """Documents whose last attempt failed: id, source, status, reason, detail."""
    return connection.execute(Q.with_reason, {"app_id": app_id}).fetchall()


def looked_at(connection: Connection[Row], app_id: str, on: date, most: int) -> list[str]:
    """Documents that readers see and a check of a day looks at: it costs no more as they grow.

    Those indexed in the eight days before now, and of all others some, other ones every day.

    Args:
        most: how many others.
    """
    given = {
        "app_id": app_id,
        "days": _OF_LATE_DAYS,
        "digest": hashlib.sha256(on.isoformat().encode()).hexdigest(),
        "most": most,
    }
    return [row["document_id"] for row in connection.execute(Q.looked_at, given)]


def database_clock(connection: Connection[Row]) -> datetime:
    """The moment as the database sees it."""
    row = connection.execute(Q.database_clock).fetchone()
    assert row is not None
    return row["now"]
