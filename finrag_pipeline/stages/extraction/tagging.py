"""Words that a tagger of names finds in the sentences of a document, at their places in chunks.

Who tags is `models.names`; what becomes of what it proposes is `proposals` and `people`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from finrag_pipeline.stages.chunking.sentence_ends import split_sentences


class TaggedWord(Protocol):
    """A word of a sentence: PER, ORG, LOC, TIME, nz, nw or a part of speech."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def tag(self) -> str: ...


_CHINESE = re.compile("[\u3400-\u9fff]{2}")

#: The words of each sentence, in order and without gaps.
Tag = Callable[[Sequence[str]], Sequence[Sequence[TaggedWord]]]


@dataclass(frozen=True, slots=True)
class Word:
    """A word from `start` to before `end` of a chunk."""

    start: int
    end: int
    tag: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """A chunk with its tagged words in order; sentences without Chinese have none."""

    text: str
    words: tuple[Word, ...] = ()

    def shown(self, word: Word) -> str:
        return self.text[word.start : word.end]

    def at(self, start: int) -> int:
        """The number of the word that begins at `start`; -1 where none does."""
        place = bisect_left(self.words, start, key=lambda word: word.start)
        return place if place < len(self.words) and self.words[place].start == start else -1

    def ending(self, end: int) -> int:
        """The number of the word that ends at `end`; -1 where none does."""
        place = bisect_right(self.words, end, key=lambda word: word.end) - 1
        return place if place >= 0 and self.words[place].end == end else -1

    def is_organisation(self, start: int, end: int) -> bool:
        """Whether the tagger takes just this stretch for an organisation."""
        return self._is_tagged(start, end, "ORG")

    def is_place(self, start: int, end: int) -> bool:
        """Whether the tagger takes just this stretch for a place."""
        return self._is_tagged(start, end, "LOC")

    def _is_tagged(self, start: int, end: int, tag: str) -> bool:
        at = self.at(start)
        return at >= 0 and self.words[at].end == end and self.words[at].tag == tag

    def is_within(self, start: int, end: int, ending: re.Pattern[str]) -> bool:
        """Whether the stretch is but a part of an organisation that ends so."""
        at = bisect_right(self.words, start, key=lambda word: word.start) - 1
        word = self.words[at] if at >= 0 else None
        return (
            word is not None
            and word.tag == "ORG"
            and end < word.end
            and ending.search(self.shown(word)) is not None
        )


def tagged(texts: Sequence[str], tag: Tag | None) -> list[Tagged]:
    """Each chunk with its words; a sentence that is printed more than once is tagged once."""
    if tag is None:
        return [Tagged(text) for text in texts]
    placed = [list(_sentences(text)) for text in texts]
    asked = list(dict.fromkeys(sentence for chunk in placed for _, sentence in chunk))
    words = dict(zip(asked, tag(asked), strict=True))
    return [
        Tagged(
            text,
            tuple(
                Word(start + word.start, start + word.end, word.tag)
                for start, sentence in chunk
                for word in words[sentence]
            ),
        )
        for text, chunk in zip(texts, placed, strict=True)
    ]


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Where the sentences of a chunk that have Chinese words start."""
    start = 0
    for piece in (p for line in text.splitlines() for p in split_sentences(line)):
        start = text.index(piece, start)
        if _CHINESE.search(piece):
            yield start, piece
        start += len(piece)
