"""Numbers of the pieces of evidence that an answer cites whole, in order of their first use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.records import Place


@dataclass(slots=True)
class ItemMarks:
    """What is cited so far; rows that stand in one place with the same words have one number.

    Attributes:
        made: the citations, numbered from 1.
        sources: what they are cited from, by what it is called.
    """

    made: list[Citation] = field(default_factory=list[Citation])
    sources: dict[Key, EvidenceItem] = field(default_factory=dict[Key, EvidenceItem])
    _numbers: dict[tuple[Key, str], int] = field(default_factory=dict[tuple[Key, str], int])

    @property
    def cited_from(self) -> tuple[EvidenceItem, ...]:
        """What is cited, in order."""
        return tuple(self.sources.values())

    def of(self, items: Iterable[DocumentItem]) -> str:
        """The marks of items cited by all their text, e.g. ``[1][2]``."""
        return "".join(dict.fromkeys(self.quote(each, each.text, each.places) for each in items))

    def quote(self, item: DocumentItem, quote: str, places: tuple[Place, ...]) -> str:
        """The mark of some words of an item."""
        key = item.key, quote
        if key not in self._numbers:
            self._numbers[key] = len(self.made) + 1
            self.made.append(item.cite(self._numbers[key], quote, places))
            self.sources.setdefault(item.key, cast(EvidenceItem, item))
        return f"[{self._numbers[key]}]"
