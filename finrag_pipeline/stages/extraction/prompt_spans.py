"""Where the words of a chat model's reply stand in its chunk; what stands nowhere is dropped.

So no name, figure or statement enters a graph that its document does not print.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: Words that stand for whoever the document is about; only a name behind them makes an entity.
STANDS_FOR = frozenset(
    """
公司|本公司|我公司|该公司|贵公司|我司|集团|本集团|该集团|我们|本行|该行|本基金|本机构
|the company|company|the group|group|the bank|the registrant|registrant|the corporation|the firm
|we|us|our|it|they
""".replace("\n", "").split("|")
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_EDGE_MARKS = " \t\r\n\"'“”‘’「」『』《》…。.,，;；:："


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a chunk's content."""

    start: int
    end: int

    def holds(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


class PrintedText:
    """A chunk's content, searched without regard to spaces and the width of characters."""

    def __init__(self, content: str) -> None:
        self.content = content
        letters: list[str] = []
        self._places: list[int] = []
        for place, character in enumerate(content):
            folded = _fold(character)
            letters.append(folded)
            self._places += [place] * len(folded)
        self._folded = "".join(letters)

    def occurrences(self, text: str) -> Iterator[Span]:
        """Every place of a text, in order, without overlaps; none inside a longer Latin word."""
        wanted = _fold(text)
        at = self._folded.find(wanted) if wanted else -1
        while at >= 0:
            span = Span(self._places[at], self._places[at + len(wanted) - 1] + 1)
            if self._is_whole(span):
                yield span
                at = self._folded.find(wanted, at + len(wanted))
            else:
                at = self._folded.find(wanted, at + 1)

    def find(self, text: str) -> Span | None:
        """The first place of a text, None where it does not stand."""
        return next(self.occurrences(text), None)

    def quote(self, text: str) -> Span | None:
        """The place of a quotation, whatever marks are put around it."""
        return self.find(text.strip(_EDGE_MARKS))

    def text(self, span: Span) -> str:
        return self.content[span.start : span.end]

    def named_alone(self, span: Span) -> bool:
        """Whether a Chinese word such as 公司 is one by itself, not the end of another: 子公司."""
        before = self.content[span.start - 1 : span.start]
        return not (before and _HAN.match(before) and _HAN.match(self.content[span.start]))

    def _is_whole(self, span: Span) -> bool:
        before = self.content[span.start - 1 : span.start]
        after = self.content[span.end : span.end + 1]
        first, last = self.content[span.start], self.content[span.end - 1]
        return not (_joined(before, first) or _joined(last, after))


def stands_for_somebody(text: str) -> bool:
    """Whether a text names nobody by itself: 本公司, “the Company”.

    >>> stands_for_somebody("The Company"), stands_for_somebody("衡宇电气")
    (True, False)
    """
    return " ".join(text.split()).casefold() in STANDS_FOR


def free_spans(printed: PrintedText, texts: Sequence[str]) -> dict[str, list[Span]]:
    """The places of each text that no longer text of the same list covers.

    A text that stands only inside longer ones has its first place there: the company in the name
    of its business.
    """
    taken: list[Span] = []
    found: dict[str, list[Span]] = {}
    for text in sorted(set(texts), key=lambda text: (-len(text), text)):
        spans = [
            span
            for span in printed.occurrences(text)
            if printed.named_alone(span) or not stands_for_somebody(text)
        ]
        free = [span for span in spans if not any(span.meets(other) for other in taken)]
        found[text] = free or ([] if stands_for_somebody(text) else spans[:1])
        taken += free
    return found


def _fold(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _joined(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word or number of Latin letters and digits."""
    return bool(left and right) and all(c.isascii() and c.isalnum() for c in left + right)
