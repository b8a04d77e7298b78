"""Numbers of what an answer quotes from pieces of evidence, in order of their first use.

Passages that reports rest on are numbered in `citations`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.records import Place

_BULLET = re.compile(r"^(?:[^\w“”‘’《（(【\[+\-−]|[（(]?\d{1,2}[)）.、](?!\d))+")


def quoted(words: str, chinese: bool) -> str:
    """Words of a document as such, without the bullet or the mark that they begin and end with.

    Marks of quotes inside them would end them: such words stand bare.

    >>> quoted(" ➢ 订单增长。", True), quoted("3）地缘政治；", True), quoted("he said “no”", False)
    ('“订单增长”', '“地缘政治”', 'he said “no”')
    """
    text = _BULLET.sub("", " ".join(words.split())).rstrip("。；;，, ")
    if any(mark in text for mark in '“”"'):
        return text
    return f"“{text}”" if chinese else f'"{text}"'


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a piece of evidence, and the boxes that they stand in."""

    item: EvidenceItem
    text: str
    places: tuple[Place, ...]


@dataclass(slots=True)
class Quotes:
    """What an answer cites so far; the same words of one piece are cited once."""

    made: list[Citation] = field(default_factory=list[Citation])
    _items: dict[object, EvidenceItem] = field(default_factory=dict[object, EvidenceItem])
    _numbers: dict[tuple[object, str], int] = field(default_factory=dict[tuple[object, str], int])

    def mark(self, *quotes: Quote) -> str:
        """The marks of some quotes, e.g. ``[1][2]``."""
        return "".join(f"[{n}]" for n in dict.fromkeys(map(self._number, quotes)))

    @property
    def sources(self) -> tuple[EvidenceItem, ...]:
        """What is cited from."""
        return tuple(self._items.values())

    def _number(self, quote: Quote) -> int:
        key = (quote.item.key, squeeze(quote.text))
        if key not in self._numbers:
            self._numbers[key] = len(self.made) + 1
            self._items.setdefault(quote.item.key, quote.item)
            self.made.append(quote.item.cite(self._numbers[key], quote.text, quote.places))
        return self._numbers[key]
