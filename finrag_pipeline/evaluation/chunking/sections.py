"""Documents whose topics are known: sections of different reports, joined without their headings.

Halves of the reports are told by their file names: one for choosing values, one for reporting.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from finrag_pipeline.records import Metadata, Region, Sentence
from finrag_pipeline.stages.chunking.sentences import Section, read_sections

#: Characters of a section that is used.
SHORTEST, LONGEST = 300, 900
#: Sections of one joined document, each of another report.
SECTIONS_PER_DOCUMENT = 8
#: Reports that it takes, at least, to measure anything by joining their sections.
FEWEST_REPORTS = 3

_FINISHED = re.compile(r"[。！？；…!?;.][”’」』）)】\"']*$")
_LATIN = re.compile(r"[\x21-\x7e]")


@dataclass(frozen=True)
class SourceSection:
    """The text of one section without its heading: paragraphs of sentences."""

    report: str
    metadata: Metadata
    paragraphs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class JoinedDocument:
    """Sections of different reports under no heading."""

    sections: tuple[SourceSection, ...]

    @cached_property
    def paragraphs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(paragraph for section in self.sections for paragraph in section.paragraphs)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """One text region a paragraph, as reading a page gives them."""
        return tuple(
            Region(i, 1, (0.0, float(i), 1.0, i + 1.0), "text", _joined(paragraph))
            for i, paragraph in enumerate(self.paragraphs)
        )

    @cached_property
    def length(self) -> int:
        """Characters that are no white space; cuts and joints count in them."""
        return sum(map(ink, self.sentences))

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """Characters before each section but the first."""
        return ends(map(section_length, self.sections))[:-1]


def ink(text: str) -> int:
    """Characters that are no white space."""
    return len("".join(text.split()))


def section_length(section: SourceSection) -> int:
    """Characters of a section that are no white space."""
    return sum(ink(sentence) for paragraph in section.paragraphs for sentence in paragraph)


def ends(lengths: Iterable[int]) -> tuple[int, ...]:
    """Where pieces of these lengths end when they follow each other."""
    total = 0
    found: list[int] = []
    for length in lengths:
        total += length
        found.append(total)
    return tuple(found)


def usable_sections(
    report: str, metadata: Metadata, regions: Sequence[Region]
) -> list[SourceSection]:
    """Sections of one report that have the length asked for, up to their last full sentence.

    What ends in mid-sentence would be read on into the next: no method could see the joint.
    """
    found: list[SourceSection] = []
    for section in read_sections(regions):
        paragraphs = _paragraphs(section)
        while paragraphs and not _FINISHED.search(paragraphs[-1][-1]):
            paragraphs.pop()
        candidate = SourceSection(report, metadata, tuple(map(tuple, paragraphs)))
        if SHORTEST <= section_length(candidate) <= LONGEST:
            found.append(candidate)
    return found


def half_of(report: str) -> int:
    """0 or 1, by the name of the file alone, so that it never changes sides."""
    return blake2b(report.encode(), digest_size=1).digest()[0] & 1


def join_sections(
    sections: Sequence[SourceSection], count: int, seed: int
) -> tuple[JoinedDocument, ...]:
    """Documents of sections drawn by chance, all of different reports.

    Reports are drawn first, so that one with many sections counts no more than others.

    Returns:
        `count` documents, none if there are fewer than `FEWEST_REPORTS`.
    """
    by_report: dict[str, list[SourceSection]] = {}
    for section in sections:
        by_report.setdefault(section.report, []).append(section)
    if len(by_report) < FEWEST_REPORTS:
        return ()
    chance = random.Random(seed)
    names = sorted(by_report)
    size = min(SECTIONS_PER_DOCUMENT, len(names))
    return tuple(
        JoinedDocument(tuple(chance.choice(by_report[name]) for name in chance.sample(names, size)))
        for _ in range(count)
    )


def _paragraphs(section: Section) -> list[list[str]]:
    """Sentences that stand in one box, or go on from one into the next, are one paragraph."""
    paragraphs: list[list[str]] = []
    before: Sentence | None = None
    for sentence in section.sentences[section.heading_count :]:
        if before and set(before.places) & set(sentence.places):
            paragraphs[-1].append(sentence.text)
        else:
            paragraphs.append([sentence.text])
        before = sentence
    return paragraphs


def _joined(sentences: Sequence[str]) -> str:
    text = ""
    for sentence in sentences:
        gap = " " if text and _LATIN.match(text[-1]) and _LATIN.match(sentence[0]) else ""
        text += gap + sentence
    return text
