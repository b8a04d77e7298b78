"""The words of a chunk with their places and parts of speech: where a name may begin and end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import rjieba

#: What stands before any name.
_PARTICLES = frozenset("向由与和对为从将以在于把被给是及或而同")
#: The part of speech of punctuation and spaces.
MARK = "w"
#: Parts of speech that a noun phrase may be made of.
_NOMINAL = ("n", "vn", "an", "j", "b", "eng", "x", "l", "nz", "nr", "ns", "nt", "s", "i", "g", "zg")


@dataclass(frozen=True, slots=True)
class Tokens:
    """`starts[i]` to `ends[i]` is the i-th word, `tags[i]` its part of speech."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[str, ...]

    def bounded(self, start: int, end: int) -> bool:
        """Whether words begin at `start` and end at `end`."""
        return self.begins(start) and self.stops(end)

    def begins(self, start: int) -> bool:
        at = bisect_left(self.starts, start)
        return at < len(self.starts) and self.starts[at] == start

    def stops(self, end: int) -> bool:
        at = bisect_left(self.ends, end)
        return at < len(self.ends) and self.ends[at] == end

    def is_within_word(self, at: int) -> bool:
        """Whether a word of the dictionary goes on there: 全|国, 水利|枢纽."""
        word = bisect_right(self.starts, at) - 1
        if not (0 <= word < len(self.starts) and self.starts[word] < at < self.ends[word]):
            return False
        if self.text[self.starts[word] : at] in _PARTICLES:
            return False  # the dictionary knows persons called so: 向|澄光储能采购
        # what is guessed to be a word falls apart without guesses: 而微, 对药
        return len(rjieba.cut(self.text[self.starts[word] : self.ends[word]], False)) == 1

    def tag_after(self, end: int) -> str:
        """The part of speech of what follows; empty at the end and for marks."""
        at = bisect_left(self.starts, end)
        return self.tags[at] if at < len(self.tags) and self.starts[at] == end else ""

    def tag_before(self, start: int) -> str:
        """The part of speech of what stands before; empty at the start and for marks."""
        at = bisect_right(self.ends, start) - 1
        return self.tags[at] if at >= 0 and self.ends[at] == start else ""

    def words_before(self, end: int, most: int) -> list[tuple[int, int, str]]:
        """Start, end and tag of up to `most` words that end at `end`, the nearest first."""
        at = bisect_left(self.ends, end)
        if at >= len(self.ends) or self.ends[at] != end:
            return []
        return [
            (self.starts[i], self.ends[i], self.tags[i]) for i in range(at, max(-1, at - most), -1)
        ]


def is_nominal(tag: str) -> bool:
    """Whether words of this part of speech stand in noun phrases."""
    return tag in _NOMINAL


def tokens_of(text: str) -> Tokens:
    """The words of a text; they hold every character once. About 2 MB of text a second."""
    tagged = cast("Sequence[tuple[str, str]]", rjieba.tag(text))
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for word, _ in tagged:
        starts.append(at)
        at += len(word)
        ends.append(at)
    # the segmenter calls marks and unknown words alike x
    tags = tuple(tag if any(map(str.isalnum, word)) else MARK for word, tag in tagged)
    return Tokens(text, tuple(starts), tuple(ends), tags)
