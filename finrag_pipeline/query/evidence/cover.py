"""What a document says of itself as evidence: the printed row of its rating, its authors, its day.

Metadata is read by `stages.metadata`; here its rows are found again in the stored text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from finrag_pipeline.grammar.days import days_in, months_in
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.publishers import publishers_in
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.cover_sentences import cover_sentences
from finrag_pipeline.query.evidence.documents import DocumentItem, document_to_dict
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.records import Place
from finrag_pipeline.store.documents.covers import Cover

Json = dict[str, Any]

COVER = "cover"
#: Fields that are cited, in the order in which answers tell them.
FIELDS = (
    *("rating", "rating_before", "target_price", "price_change", "price_before", "price_basis"),
    *("revision", "analysts", "title", "broker", "published_on"),
)
#: A row that is quoted; what is longer is cut around what it is quoted for.
_MOST_CHARACTERS = 120
#: Points by which a printed row may stand out of its region.
_SLACK = 3.0

#: Where a row prints something; None where it does not.
Prints = Callable[[str], tuple[int, int] | None]
#: The stored regions of a page.
Regions = Sequence[tuple[Place, str]]


@dataclass(frozen=True, slots=True)
class CoverItem(DocumentItem):
    """The printed rows of one field; `text` are those rows as they are stored."""

    field: str = ""

    @property
    def factor(self) -> float:
        """No lane finds it: scores stand."""
        return 1.0

    def quotes(self, question: str) -> tuple[()]:
        """None: what is told of covers is told by its writers."""
        return ()

    def cited(self, n: int) -> Citation:
        """The citation of all of it."""
        return self.cite(n, self.text, self.places)

    def holds(self, citation: Citation) -> bool:
        """Whether these are the cited rows, in their own boxes."""
        return citation.quote == self.text and citation.places == self.places

    def to_dict(self) -> Json:
        return document_to_dict(self) | {"text": self.text}


def cover_item(cover: Cover, field: str, pages: Mapping[int, Regions]) -> CoverItem | None:
    """The rows of a field; None where it was read from no page, or its page does not print it.

    Args:
        pages: all regions of the pages that the cover's places name.
    """
    said = cover_sentences().get(field)
    rows = _sentence(said, pages) if said else _rows(cover, field, pages)
    if not rows:
        return None
    return CoverItem(
        key=Key(COVER, (cover.document_id, cover.revision, field)),
        text="\n".join(rows),
        source=cover.source,
        places=tuple(dict.fromkeys(rows.values())),
        title=cover.title,
        company=cover.company_name,
        company_code=cover.company_code,
        broker=cover.broker,
        published_on=cover.published_on,
        field=field,
    )


def _rows(cover: Cover, field: str, pages: Mapping[int, Regions]) -> dict[str, Place]:
    """The printed rows of a field that was read from its places."""
    rows: dict[str, Place] = {}
    for prints in _prints(cover, field):
        for place in cover.places.get(field, ()):
            if row := _row(place, pages.get(place.page, ()), prints):
                rows.setdefault(row, place)
                break
    return rows


def _sentence(said: re.Pattern[str], pages: Mapping[int, Regions]) -> dict[str, Place]:
    """The first sentence of the pages that says something of a target price."""
    for page in sorted(pages):
        for place, text in pages[page]:
            if found := said.search(text):
                return {found[0].strip(): place}
    return {}


def _prints(cover: Cover, field: str) -> list[Prints]:
    """Where a row prints a field, as its document writes it: every author by himself."""
    match field:
        case "analysts":
            return [_written(name) for name in cover.analysts]
        case "rating":
            return [_written(cover.rating or "")]
        case "title":
            return [_written(cover.title or "")]
        case "target_price":
            return [_price_of(cover.target_price)]
        case "broker":
            return [_house_of(cover.broker or "")]
        case _:
            return [_day_of(cover.published_on)]


def _written(name: str) -> Prints:
    pattern = r"\s*".join(map(re.escape, squeeze(narrow(name))))

    def where(text: str) -> tuple[int, int] | None:
        found = re.search(pattern, narrow(text), re.IGNORECASE) if pattern else None
        return found.span() if found else None

    return where


def _day_of(own: date) -> Prints:
    def where(text: str) -> tuple[int, int] | None:
        named = ((day, at, end) for days in (days_in, months_in) for day, at, end in days(text))
        return next(((at, end) for day, at, end in named if day == own), None)

    return where


def _price_of(price: float | None) -> Prints:
    def where(text: str) -> tuple[int, int] | None:
        for match in re.finditer(r"\d[\d,]*(?:\.\d+)?", narrow(text)):
            if price is not None and float(match[0].replace(",", "")) == price:
                return match.span()
        return None

    return where


def _house_of(name: str) -> Prints:
    def where(text: str) -> tuple[int, int] | None:
        for house, start, end in publishers_in(text):
            if house.name == name:
                return start, end
        start = text.find(name)
        return (start, start + len(name)) if start >= 0 else None

    return where


def _row(place: Place, regions: Regions, prints: Prints) -> str | None:
    """The line of the regions at a place that prints a field, cut where it is long."""
    for region, text in regions:
        if not _inside(place, region):
            continue
        for line in (*text.split("\n"), text):
            if span := prints(line):
                return _cut(line, *span)
    return None


def _inside(place: Place, region: Place) -> bool:
    """Whether the middle of a printed row stands in a region."""
    x0, y0, x1, y1 = place.bbox
    left, top, right, bottom = region.bbox
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return (
        place.page == region.page
        and left - _SLACK <= x <= right + _SLACK
        and top - _SLACK <= y <= bottom + _SLACK
    )


def _cut(line: str, start: int, end: int) -> str:
    if len(line) <= _MOST_CHARACTERS:
        return line.strip()
    room = max(0, _MOST_CHARACTERS - (end - start)) // 2
    return line[max(0, start - room) : end + room].strip()
