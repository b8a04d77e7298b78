"""What documents say of themselves and where: typed functions over `covers.sql`.

Which of them a question means is the query's; metadata is written by `document_revisions`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Place
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/covers")

#: Characters of the shortest title that names its document in a sentence.
_LEAST_TITLE = 5
_QUOTED = re.compile(r"[《“\"「]([^《》“”\"「」]{6,})[》”\"」]")


@dataclass(frozen=True, slots=True)
class Cover:
    """A document as its cover tells it.

    Attributes:
        places: by field, the boxes that it was read from.
        known_by_arrival: whether the day is that of its arrival, for want of its own.
    """

    document_id: str
    revision: str
    arrival_on: date
    title: str | None
    kind: str
    company_name: str | None
    company_code: str | None
    broker: str | None
    analysts: tuple[str, ...]
    rating: str | None
    target_price: float | None
    places: Mapping[str, tuple[Place, ...]]
    published_on: date
    known_by_arrival: bool
    source: str


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A document that no reader gets; `reason` a code of `errors`, `detail` what was met."""

    document_id: str
    reason: str
    detail: str
    source: str


def covers(connection: Connection[Row], document_ids: Collection[str]) -> list[Cover]:
    """The covers of some documents as far as readers see them, the newest first."""
    rows = connection.execute(Q.covers, {"document_ids": sorted(document_ids)})
    return [_cover(row) for row in rows]


def titled(connection: Connection[Row], app_id: str, text: str) -> tuple[str, ...]:
    """Documents whose title a text says, or of whose title it quotes a part."""
    given = {
        "app_id": app_id,
        "text": "".join(text.split()),
        "quoted": ["".join(each.split()) for each in _QUOTED.findall(text)],
        "least": _LEAST_TITLE,
    }
    return tuple(row["document_id"] for row in connection.execute(Q.titled, given))


def signed_by(connection: Connection[Row], app_id: str, text: str) -> tuple[str, ...]:
    """Documents that somebody signs whom a text names."""
    rows = connection.execute(Q.signed_by, {"app_id": app_id, "text": text})
    return tuple(row["document_id"] for row in rows)


def regions(
    connection: Connection[Row], pages: Sequence[tuple[str, str, int]]
) -> dict[tuple[str, int], list[tuple[Place, str]]]:
    """All text of some pages, by document and page.

    Args:
        pages: document, revision and page of each.
    """
    given = {
        "document_ids": [document_id for document_id, _, _ in pages],
        "revisions": [revision for _, revision, _ in pages],
        "pages": [page for _, _, page in pages],
    }
    found: dict[tuple[str, int], list[tuple[Place, str]]] = {}
    for row in connection.execute(Q.regions, given):
        place = Place(row["page"], tuple(row["bbox"]))
        found.setdefault((row["document_id"], row["page"]), []).append((place, row["text"]))
    return found


def of_days(
    connection: Connection[Row], app_id: str, first_on: date, last_on: date
) -> tuple[str, ...]:
    """Documents that arrived, or were published, in some days."""
    given = {"app_id": app_id, "first_on": first_on, "last_on": last_on}
    return tuple(row["document_id"] for row in connection.execute(Q.of_days, given))


def indexed_after(connection: Connection[Row], app_id: str, moment: datetime) -> list[str]:
    """File names of documents that readers got, or got anew, after a moment."""
    rows = connection.execute(Q.indexed_after, {"app_id": app_id, "moment": moment})
    return [row["source"] for row in rows]


def last_day(connection: Connection[Row], app_id: str, by: date) -> date | None:
    """The last day up to one on which anything came; None where nothing has."""
    row = connection.execute(Q.last_day, {"app_id": app_id, "by": by}).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row["day"]


def quarantined(
    connection: Connection[Row], app_id: str, first_on: date, last_on: date
) -> list[Quarantined]:
    """Documents that came in some days and that could not be read."""
    given = {"app_id": app_id, "first_on": first_on, "last_on": last_on}
    return [Quarantined(**row) for row in connection.execute(Q.quarantined, given)]


def risk_chunks(
    connection: Connection[Row], document_ids: Collection[str]
) -> list[tuple[str, str, int]]:
    """Document, revision and ordinal of the chunks that list risks."""
    rows = connection.execute(Q.risk_chunks, {"document_ids": sorted(document_ids)})
    return [(row["document_id"], row["revision"], row["ordinal"]) for row in rows]


def _cover(row: Row) -> Cover:
    places = {
        name: tuple(Place(each["page"], tuple(each["bbox"])) for each in own)
        for name, own in row.pop("places").items()
    }
    told: Row = row | {"analysts": tuple(row["analysts"]), "places": places}
    return Cover(**told)
