"""Registers files as documents: what is new, what changed, what cannot be read, what is gone."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_all
from finrag_pipeline.pipelines.run.revision import document_id
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.records import SourceFile
from finrag_pipeline.store.documents import document_sources, sources
from finrag_pipeline.store.documents.enterprise_graph import is_record

log = logging.getLogger(__name__)

#: Files that are looked up together.
_LOOKED_UP = 200


@dataclass(frozen=True)
class Registration:
    """What registering found: names of files by what they turned out to be.

    `waiting` files are younger than the arrival days of the run: a later day takes them. `gone`
    files were never indexed and are no longer there: their documents left the quarantine.
    """

    new: tuple[str, ...]
    known: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]
    waiting: int
    gone: tuple[str, ...]
    seconds: float


def register_paths(run: Run, paths: Sequence[str], arrival_on: date) -> Registration:
    """Register files and folders named by a person, all as arrived on one day.

    A file named itself (not by its folder) also brings back a document that was withdrawn.

    Raises:
        SourceUnavailable: a path does not exist, cannot be read, or holds no PDF.
    """
    # records of companies are registered where they are loaded
    paths = [path for path in paths if not is_record(path)]
    named = {sources.absolute_uri(path) for path in paths}
    unread = _unread_under(run, named)
    files = {file.uri: file for path in paths for file in sources.discover(path)}
    gone = _forget(run, unread, files)
    return _register(run, [(file, arrival_on, file.uri in named) for file in files.values()], gone)


def register_inbox(run: Run, inbox: str, days: Sequence[date]) -> Registration:
    """Register the inbox's files as arrived on the first of `days` not before their modification.

    So a nightly run takes all that came until its day, and a backfill of past days spreads an
    archive over the days that its files bear. Files younger than the last day wait.

    Raises:
        SourceUnavailable: the inbox does not exist, cannot be read, or holds no PDF.
    """
    ordered = sorted(days)
    arrivals: list[tuple[SourceFile, date, bool]] = []
    waiting = 0
    unread = _unread_under(run, [sources.absolute_uri(inbox)])
    files = sources.discover(inbox)
    gone = _forget(run, unread, {file.uri for file in files})
    for file in files:
        day = next((day for day in ordered if file.modified_on <= day), None)
        if day is None:
            waiting += 1
        else:
            arrivals.append((file, day, False))
    return _register(run, arrivals, gone, waiting)


def _unread_under(run: Run, folders: Collection[str]) -> dict[str, str]:
    """Asked before the files are listed: what another run registers meanwhile is not gone."""
    with run.database.connection() as connection:
        return document_sources.unread_under(connection, run.scope.app_id, folders)


def _forget(run: Run, unread: dict[str, str], listed: Collection[str]) -> tuple[str, ...]:
    gone = {uri: fingerprint for uri, fingerprint in unread.items() if uri not in listed}
    if not gone:
        return ()
    with run.database.transaction() as connection:
        withdrawn = document_sources.forget(connection, run.scope.app_id, gone)
    for uri in withdrawn:
        log.info("%s is gone and was never indexed: it left the quarantine", uri)
    return tuple(uri.rsplit("/", 1)[-1] for uri in sorted(withdrawn))


def _register(
    run: Run,
    arrivals: Sequence[tuple[SourceFile, date, bool]],
    gone: tuple[str, ...],
    waiting: int = 0,
) -> Registration:
    started = time.monotonic()
    app_id = run.scope.app_id
    # batches register the same files side by side: each begins elsewhere, and none hashes what
    # another one has registered meanwhile
    first = len(arrivals) * (run.scope.batch - 1) // run.scope.batches
    arrivals = [*arrivals[first:], *arrivals[:first]]
    seen: dict[str, tuple[str, str]] = {}
    new: list[str] = []
    known: list[str] = []
    unreadable: list[tuple[str, str]] = []
    for done, (file, arrival_on, named) in enumerate(arrivals):
        run.progress("raw_pdfs", done, len(arrivals))
        if done % _LOOKED_UP == 0:
            uris = [each.uri for each, _, _ in arrivals[done : done + _LOOKED_UP]]
            with run.database.connection() as connection:
                seen = document_sources.known_sources(connection, app_id, uris)
        fingerprint, status = seen.get(file.uri, ("", ""))
        if fingerprint == file.fingerprint and not (named and status == "withdrawn"):
            known.append(file.name)
            continue
        try:
            sha256 = sources.content_sha256(file.uri)
        except OSError as error:
            log.warning("%s cannot be read: %s", file.uri, error)
            unreadable.append((file.name, error.strerror or str(error)))
            continue
        identity = document_id(app_id, sha256)
        with run.database.transaction() as connection:
            found = document_sources.register(
                connection, app_id, identity, sha256, file, arrival_on, restore=named
            )
            withdraw_all(connection, app_id, found.replaced)
        (new if found.is_new else known).append(file.name)
    run.progress("raw_pdfs", len(arrivals), len(arrivals))
    seconds = time.monotonic() - started
    return Registration(tuple(new), tuple(known), tuple(unreadable), waiting, gone, seconds)
