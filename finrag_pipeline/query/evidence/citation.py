"""A cited passage: what an answer, or a report, rests on, and where that stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.records import Place

Json = dict[str, Any]

#: What stands in a text for what it cites: its number.
MARK = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited passage; what stands in no document has neither document nor places.

    Attributes:
        n: its number in the answer, from 1; 0 where a report cites it.
        key: the piece of evidence that holds it.
        quote: the text as it is stored.
    """

    n: int
    key: Key
    quote: str
    places: tuple[Place, ...] = ()
    document_id: str | None = None
    source: str | None = None
    published_on: date | None = None

    @property
    def kind(self) -> str:
        """The kind of evidence that holds it."""
        return self.key.kind

    def to_dict(self) -> Json:
        place = self.place_to_dict()
        head = {"n": self.n, "kind": self.kind}
        quoted = {name: place.pop(name) for name in ("quote", "published_on")}
        return head | place | {"regions": regions(self.places)} | quoted

    def place_to_dict(self) -> Json:
        """Where it stands and what it says, without its number in an answer."""
        first = self.places[0] if self.places else None
        return {
            "document_id": self.document_id,
            "source": self.source,
            "page": first.page if first else None,
            "bbox": box(first) if first else None,
            "quote": self.quote,
            "published_on": day(self.published_on),
        }


def unmarked(text: str) -> str:
    """A text in which nothing looks like the mark of a citation, such as a note of a paper.

    >>> unmarked("Whitelaw[1] selected four")
    'Whitelaw（1） selected four'
    """
    return MARK.sub(r"（\1）", text)


def regions(places: tuple[Place, ...]) -> list[Json]:
    """Pages and boxes of what crosses pages or columns; empty for a single place."""
    if len(places) < 2:
        return []
    return [{"page": place.page, "bbox": box(place)} for place in places]


def box(place: Place) -> list[float] | None:
    """None for a box without area: the format of the document has none."""
    x0, y0, x1, y1 = place.bbox
    return list(place.bbox) if x1 > x0 and y1 > y0 else None


def day(on: date | None) -> str | None:
    """A day in ISO form."""
    return on.isoformat() if on else None
