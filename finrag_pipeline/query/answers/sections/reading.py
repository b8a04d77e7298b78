"""What stands under a heading of a document, from its line to the next heading like it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.sections.asking import Section
from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem, read_chunks
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.search import entries
from finrag_pipeline.store.search.filters import Hit

#: Chunks of one section.
_MOST = 14
#: How headings are numbered, the widest first.
STYLES = tuple(
    re.compile(each)
    for each in (
        r"第\s*[一二三四五六七八九十]+\s*[节章]",
        r"[一二三四五六七八九十]{1,3}\s*、",
        r"[（(]\s*[一二三四五六七八九十]{1,3}\s*[)）]",
        r"\d{1,2}\s*(?:、|[.．](?!\d))",
        r"[（(]\s*\d{1,2}\s*[)）]",
        r"[①②③④⑤⑥⑦⑧⑨⑩]",
        r"[（(]?[a-h]\s*[)）]",
    )
)
#: Characters of the longest line that is a heading.
_HEADING = 40
_LINE = re.compile(r"[^\n]+")
#: What a line ends with that others go on.
_GOES_ON = re.compile(r"[；;，,、：:]\s*$")
#: What a sentence ends with, and no heading.
_ENDS = re.compile(r"[。；;！!]")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a chunk: what of it stands under a heading."""

    item: ChunkItem
    begin: int
    end: int

    @property
    def text(self) -> str:
        return self.item.text[self.begin : self.end]

    def quotes(self, question: str) -> Iterator[Quotable]:
        """Its sentences."""
        for each in self.item.quotes(question):
            if self.begin <= each.start < self.end:
                yield each


def read_section(
    connection: Connection[Row], documents: Sequence[DocumentFacts], section: Section
) -> list[Part]:
    """The section of the first of some documents that has it, in its order; empty where none has.

    Args:
        documents: those that agree most first.
    """
    hits = entries.headed(connection, [each.document_id for each in documents], section.heading)
    pattern = re.compile(section.heading, re.IGNORECASE | re.MULTILINE)
    for document in documents:
        own = [each for each in hits if each.document_id == document.document_id]
        parts = _from_first(connection, own, pattern)
        if parts:
            return parts
    return []


def _from_first(
    connection: Connection[Row], hits: Sequence[Hit], pattern: re.Pattern[str]
) -> list[Part]:
    """From the first chunk whose text has the line and something behind it."""
    for hit in hits:
        keys = [
            content_key(CHUNK, hit.document_id, hit.revision, hit.ordinal + further)
            for further in range(_MOST)
        ]
        items = read_chunks(connection, keys)
        item = items.get(keys[0])
        line = pattern.search(item.text) if item else None
        if item is None or line is None:
            continue
        parts = list(_parts(item, line, map(items.get, keys[1:]), pattern))
        if any(_ENDS.search(each.text) for each in parts):
            return parts
    return []


def _parts(
    item: ChunkItem,
    line: re.Match[str],
    following: Iterator[ChunkItem | None],
    pattern: re.Pattern[str],
) -> Iterator[Part]:
    width = style_of(line[0])
    if width is None and not any(map(pattern.search, item.section)):
        # a paragraph that opens with its heading: 风险提示：……
        end = _end_of_paragraph(item.text, line.end())
        yield Part(item, line.end(), end)
        return
    end = _end(item.text, line.end(), width)
    yield Part(item, line.end(), end if end is not None else len(item.text))
    while end is None and (item := next(following, None)):  # pyright: ignore[reportAssignmentType]
        opening = item.text.strip().split("\n", 1)[0]
        narrower = style_of(opening)
        under = any(map(pattern.search, item.section))
        if not under and (width is None or narrower is None or narrower <= width):
            return
        end = _end(item.text, 0, width)
        if end != 0:
            yield Part(item, 0, end if end is not None else len(item.text))


def style_of(line: str) -> int | None:
    """How a line is numbered, 0 for the widest; None where it is not."""
    return next((n for n, each in enumerate(STYLES) if each.match(line.strip())), None)


def _end(text: str, begin: int, width: int | None) -> int | None:
    """Where the next heading as wide as one begins, or a wider one; None where none does."""
    for line in _LINE.finditer(text, begin):
        if len(line[0]) > _HEADING or _ENDS.search(line[0]):
            continue
        style = style_of(line[0])
        if style is not None and (width is not None and style <= width):
            return line.start()
    return None


def _end_of_paragraph(text: str, begin: int) -> int:
    """Where a paragraph ends: with the line that ends neither as a point of a list nor as one that
    leads to more."""
    for line in _LINE.finditer(text, begin):
        if not _GOES_ON.search(line[0]):
            return line.end()
    return len(text)
