"""Registers files as documents: what is new, what changed, what cannot be read."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.pipelines.revision import document_id
from finrag_pipeline.pipelines.run import Run
from finrag_pipeline.records import SourceFile
from finrag_pipeline.store import documents, sources

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Registration:
    """What registering found: names of files by what they turned out to be.

    `waiting` files are younger than the arrival days of the run: a later day takes them.
    """

    new: tuple[str, ...]
    known: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]
    waiting: int
    seconds: float


def register_paths(run: Run, paths: Sequence[str], arrival_on: date) -> Registration:
    """Register files and folders named by a person, all as arrived on one day.

    A file named itself (not by its folder) also brings back a document that was withdrawn.

    Raises:
        SourceUnavailable: a path does not exist, cannot be read, or holds no PDF.
    """
    named = {sources.absolute_uri(path) for path in paths}
    files = {file.uri: file for path in paths for file in sources.discover(path)}
    return _register(run, [(file, arrival_on, file.uri in named) for file in files.values()])


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
    for file in sources.discover(inbox):
        day = next((day for day in ordered if file.modified_on <= day), None)
        if day is None:
            waiting += 1
        else:
            arrivals.append((file, day, False))
    return _register(run, arrivals, waiting)


def _register(
    run: Run, arrivals: Sequence[tuple[SourceFile, date, bool]], waiting: int = 0
) -> Registration:
    started = time.monotonic()
    app_id = run.scope.app_id
    uris = [file.uri for file, _, _ in arrivals]
    with run.database.connection() as connection:
        seen = documents.known_sources(connection, app_id, uris)
    new: list[str] = []
    known: list[str] = []
    unreadable: list[tuple[str, str]] = []
    for done, (file, arrival_on, named) in enumerate(arrivals):
        run.progress("raw_pdfs", done, len(arrivals))
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
            is_new = documents.register(
                connection, app_id, identity, sha256, file, arrival_on, restore=named
            )
        (new if is_new else known).append(file.name)
    run.progress("raw_pdfs", len(arrivals), len(arrivals))
    seconds = time.monotonic() - started
    return Registration(tuple(new), tuple(known), tuple(unreadable), waiting, seconds)
