"""The notices that open a Chinese filing: its first pages, section by section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag_pipeline.records import Region, Sentence
from finrag_pipeline.stages.chunking.sentences import read_sections

_FIRST_PAGES = 5


def notices(regions: Sequence[Region], word: str) -> Iterator[tuple[Sentence, ...]]:
    """The sentences of each section of the first pages; nothing where none of them says a word."""
    first = [each for each in regions if each.page <= _FIRST_PAGES]
    if any(word in "".join(each.text.split()) for each in first):
        for section in read_sections(first):
            yield tuple(section.sentences)
