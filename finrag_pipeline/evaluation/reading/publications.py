"""How often title, publisher and day of publication are read right, by hand labels.

Fields of stock reports with a gold of their own are `metadata`.
"""

from __future__ import annotations

import hashlib
import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.grammar.publishers import canonical
from finrag_pipeline.records import Metadata
from finrag_pipeline.settings import Settings

_PRINTED = ("day", "month")


class Publication(BaseModel):
    """What a reader takes a document's title, publisher and day of publication for.

    `published` is a day, a month (``2025-11``) or None, where the pages print neither; `titles` and
    `publishers` hold every form that is right, none where they are not labelled.
    """

    sha256: str
    kind: Literal["report", "filing"]
    titles: tuple[str, ...] = ()
    publishers: tuple[str, ...] = ()
    published: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}(-\d{2})?$")


class Publications(BaseModel):
    """A file of labels."""

    description: str = ""
    documents: tuple[Publication, ...]


def measure(folder: Path, labels: Path, settings: Settings) -> Report:
    """Read every labelled document of a folder and compare it with its labels.

    Args:
        folder: the PDFs, under any names; files without labels are not read.
        labels: a JSON file as `Publications` has it.
        settings: whose engine, workers and bounds count.

    Returns:
        A row a kind of document and field. A month counts where it is marked as one, and no printed
        day where none is claimed.

    Raises:
        ConfigurationError: the labels are malformed.
    """
    known = {each.sha256: each for each in read_publications(labels).documents}
    digests = {path: _digest(path) for path in pdfs(folder)}
    paths = [path for path in digests if digests[path] in known]
    right: Counter[tuple[str, str]] = Counter()
    counted: Counter[tuple[str, str]] = Counter()
    misses: list[str] = []
    for document in read_documents(paths, settings, tables=False):
        expected = known[digests[document.path]]
        found = document.metadata or Metadata(published_basis="arrival")
        if document.error:
            misses.append(f"{document.path.name}: {document.error}")
        for field, same, got, wanted in compared(expected, found):
            counted[expected.kind, field] += 1
            right[expected.kind, field] += same
            if not same:
                misses.append(f"{document.path.name}: {field}: read {got!r}, gold {wanted!r}")
    rows = tuple((*key, percent(right[key], counted[key])) for key in sorted(counted))
    notes = (f"{len(paths)} labelled documents.",)
    return Report("Publications", ("document", "field", "right"), rows, notes, tuple(misses))


def read_publications(path: Path) -> Publications:
    """Read a file of labels.

    Raises:
        ConfigurationError: it is not one.
    """
    try:
        return Publications.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "JSON"
        raise ConfigurationError(f"{path} holds no labels: {where}: {first['msg']}") from error


def compared(expected: Publication, found: Metadata) -> Iterator[tuple[str, bool, object, object]]:
    """Each labelled field: its name, whether it is right, what was read, what is right."""
    if expected.titles:
        titles = {_bare(title) for title in expected.titles}
        yield "title", _bare(found.title or "") in titles, found.title, expected.titles[0]
    if expected.publishers:
        houses = {canonical(house) for house in expected.publishers}
        same = found.broker is not None and canonical(found.broker) in houses
        yield "publisher", same, found.broker, expected.publishers[0]
    read = (found.published_on, found.published_basis)
    yield "day or month", _same_day(expected.published, found), read, expected.published


def _same_day(expected: str | None, found: Metadata) -> bool:
    if expected is None:
        return found.published_on is None or found.published_basis not in _PRINTED
    year, month, *day = map(int, expected.split("-"))
    wanted = date(year, month, day[0] if day else monthrange(year, month)[1])
    basis = "day" if day else "month"
    return (found.published_on, found.published_basis) == (wanted, basis)


def _bare(title: str) -> str:
    return re.sub(r"[\W_]", "", title).casefold()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
