"""Which files hold which document: typed functions over `document_sources.sql`.

What is in a file and where files come from is `sources`; what a document means to readers,
`documents`. The sources of an app change one transaction at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import SourceFile
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.documents import documents

Row = dict[str, Any]
Q = load_queries("documents/document_sources")


@dataclass(frozen=True, slots=True)
class Original:
    """The file behind a document.

    Attributes:
        content_sha256: of its bytes when they were read.
        pages: how many there are.
        uris: every place where it was; names of this server, which clients are never told.
    """

    content_sha256: str
    pages: int
    uris: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Registered:
    """What a file turned out to be: content that is new to the app or not.

    `replaced` are documents that nothing holds any more and nobody waits for: they are to be
    withdrawn in the same transaction.
    """

    is_new: bool
    replaced: tuple[str, ...]


def lock(connection: Connection[Row], app_id: str) -> None:
    """Wait until no other transaction changes the sources of an app; held until this one ends.

    Taken before any document is locked.
    """
    connection.execute(Q.lock_sources, {"app_id": app_id})


def known_sources(
    connection: Connection[Row], app_id: str, uris: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Fingerprint and document status of each source that was registered before, by URI."""
    rows = connection.execute(Q.known_sources, {"app_id": app_id, "uris": list(uris)})
    return {row["uri"]: (row["fingerprint"], row["status"]) for row in rows}


def sources_of(connection: Connection[Row], document_id: str) -> list[Row]:
    """The files that hold a document: ``uri`` and ``name``."""
    return connection.execute(Q.sources_of, {"document_id": document_id}).fetchall()


def original(connection: Connection[Row], document_id: str) -> Original | None:
    """What a document that readers see was read from; None where they see no such document."""
    row = connection.execute(Q.original, {"document_id": document_id}).fetchone()
    if row is None:
        return None
    return Original(row["content_sha256"], row["pages"], tuple(row["uris"]))


def register(
    connection: Connection[Row],
    app_id: str,
    document_id: str,
    content_sha256: str,
    file: SourceFile,
    arrival_on: date,
    *,
    restore: bool,
) -> Registered:
    """Register a file's content and point its source at it; what it replaces is locked.

    Args:
        restore: bring the document back if somebody withdrew it.
    """
    source = {"app_id": app_id, "uri": file.uri}
    lock(connection, app_id)
    row = connection.execute(Q.source, source).fetchone()
    before: str | None = row["document_id"] if row else None
    documents.lock_all(connection, {document_id, before or document_id})
    added = connection.execute(
        Q.add_document,
        {
            "document_id": document_id,
            "app_id": app_id,
            "content_sha256": content_sha256,
            "size_bytes": file.size_bytes,
            "arrival_on": arrival_on,
            "restore": restore,
        },
    ).fetchone()
    connection.execute(
        Q.set_source,
        source | {"document_id": document_id, "name": file.name, "fingerprint": file.fingerprint},
    )
    replaced: list[str] = []
    if before not in (None, document_id):
        old = {"old_document_id": before, "uri": file.uri}
        connection.execute(Q.add_supersession, old | {"new_document_id": document_id})
        replaced = documents.superseded(connection, document_id, publishing=False)
    return Registered(added is not None and bool(added["is_new"]), tuple(replaced))


def unread_under(
    connection: Connection[Row], app_id: str, folders: Iterable[str]
) -> dict[str, str]:
    """Files under folders (URIs) whose document was never indexed: their fingerprints by URI."""
    given = {"app_id": app_id, "folders": list(folders)}
    return {row["uri"]: row["fingerprint"] for row in connection.execute(Q.unread_sources, given)}


def forget(connection: Connection[Row], app_id: str, gone: Mapping[str, str]) -> list[str]:
    """Forget files that are gone, and withdraw the documents that no other file holds.

    A file whose earlier version readers still have goes back to that one.

    Args:
        gone: their fingerprints by URI, as `unread_under` told them; what was registered or
            indexed since stays.

    Returns:
        The URIs of files whose document was withdrawn.
    """
    lock(connection, app_id)
    given = {"app_id": app_id, "uris": list(gone), "fingerprints": list(gone.values())}
    candidates = connection.execute(Q.still_unread, given).fetchall()
    documents.lock_all(connection, {row["document_id"] for row in candidates})
    # asked again: a publication may have held the lock
    held = {row["uri"]: row["document_id"] for row in connection.execute(Q.still_unread, given)}
    given["uris"] = list(held)
    returned = {row["uri"] for row in connection.execute(Q.return_sources, given)}
    given["uris"] = [uri for uri in held if uri not in returned]
    connection.execute(Q.delete_sources, given)
    left = connection.execute(Q.without_source, {"document_ids": list(set(held.values()))})
    withdrawn = {row["document_id"] for row in left}
    for document_id in sorted(withdrawn):
        documents.withdraw(connection, app_id, document_id)
    return [uri for uri, document_id in held.items() if document_id in withdrawn]


def remove(connection: Connection[Row], app_id: str, uris: Sequence[str]) -> list[str]:
    """Forget sources whose owner says that they are no more.

    Returns:
        Ids of documents that no source holds any more, locked: they are to be withdrawn in the same
        transaction.
    """
    lock(connection, app_id)
    given = {"app_id": app_id, "uris": list(uris)}
    held = [row["document_id"] for row in connection.execute(Q.documents_of, given)]
    documents.lock_all(connection, held)
    connection.execute(Q.delete_sources, given)
    left = connection.execute(Q.without_source, {"document_ids": held}).fetchall()
    return [row["document_id"] for row in left]
