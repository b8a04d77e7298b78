"""Companies that a text names, by the catalogue of an app and by codes.

How a company may be written is `question.names`; whether evidence is about it `matching`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.query.question.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Name:
    """A company where a text names it; `keys` whom the name may mean."""

    text: str
    start: int
    end: int
    keys: frozenset[str]


class Companies:
    """Finds companies of an app in texts.

    Args:
        catalogue: whose companies and publishers; empty: none is known.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def names_in(self, text: str) -> list[Name]:
        """Companies that a text names, in order; a house that speaks is none."""
        speakers = [(each.start, each.end) for each in self._catalogue.publishers.find(text)]
        return [
            Name(each.text, each.start, each.end, frozenset(each.keys))
            for each in self._catalogue.companies.find(text)
            if not _within(speakers, each.start, each.end)
        ]

    def of_document(self, document_id: str) -> str:
        """The key of whom a document is about; empty where it is about none, or not known."""
        document = self._catalogue.documents.get(document_id)
        return document.company if document else ""


def _within(places: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in places)
