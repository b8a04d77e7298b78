"""Marks that are printed into a page and are no text: watermarks, names of template fields.

Bullets and numbers in front of a list's items are marks too, but belong to the item's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from finrag_pipeline.records import PageReading, TextLine
from finrag_pipeline.stages.cleaning.geometry import overlap, rows
from finrag_pipeline.stages.cleaning.text import usual_size, weight

#: Signs that open a list item; the private-use ones are what Wingdings and Symbol print for them.
BULLETS = (
    "●■◆▶►➢➤⚫•▪◼✓√❑❖○◇□▲★※·‣∙◦\u25aa\u25ab\u25cf\u25fe\uf06c\uf06e\uf075\uf076\uf0a7\uf0a8\uf0b2\uf0b7"
    "\uf0d8\uf0e8\uf0fc\uf0fe\uf09f\uf0f0\uf070\uf071\uf06f\uf0a4\uf0de"
)
_LIST_MARK = re.compile(
    rf"\s*([{BULLETS}*†‡§]|[（(]?(\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}}|[一二三四五六七八九十]{{1,3}})[)）、．]"
    r"|[①-⑳]|(\d{1,2}|[a-zA-Z])\.(?!\d))\s*"
)
_MARKER = re.compile(
    r"\[?\bTable_\w*\]?|\[(?:Title|Info|Chart|Report|Main)_?\w*\]|\b[a-z]+datemark\b"
)
#: A page's number and how many there are: re-typeset pages have it at the end of their text.
_OF_PAGES = re.compile(r"第\s*\d{1,4}\s*页\s*[,，/]?\s*共\s*\d{1,4}\s*页")
#: Print that much larger than most of the document's is a watermark's; smaller marks must lie
#: across other lines, which words of a form (“not applicable”) never do.
_MARK_SIZE = 1.5


def is_template_marker(text: str) -> bool:
    """Whether a text is the name of a template field that was left in the file."""
    return bool(_MARKER.fullmatch(text.strip()))


def counts_pages(text: str) -> bool:
    """Whether a text is the number of its page and of all pages: a foot wherever it stands.

    >>> counts_pages("第 32 页 共 249 页"), counts_pages("共 249 页")
    (True, False)
    """
    return bool(_OF_PAGES.fullmatch(text.strip()))


def split_markers(line: TextLine) -> list[TextLine]:
    """A line cut around template markers and numbers of pages; each piece keeps its share of the
    box."""
    found = [*_MARKER.finditer(line.text), *_OF_PAGES.finditer(line.text)]
    return [piece for piece, _ in cut_around(line, sorted(found, key=lambda each: each.start()))]


def cut_around(line: TextLine, found: Sequence[re.Match[str]]) -> Iterator[tuple[TextLine, bool]]:
    """The pieces of a line, each with its share of the box and whether it is one of the matches.

    Args:
        found: matches in the line's text, in order; without any the line comes back as it is.
    """
    if not found:
        yield line, False
        return
    spans = [match.span() for match in found]
    cuts = [0, *(edge for span in spans for edge in span), len(line.text)]
    x0, y0, x1, y1 = line.bbox
    step = (x1 - x0) / len(line.text)
    for span in pairwise(cuts):
        if line.text[slice(*span)].strip():
            box = (round(x0 + span[0] * step, 2), y0, round(x0 + span[1] * step, 2), y1)
            yield replace(line, text=line.text[slice(*span)], bbox=box), span in spans


@dataclass(frozen=True)
class Watermarks:
    """The watermarks of a document: text without spaces to font size in points."""

    sizes: dict[str, float] = field(default_factory=dict[str, float])

    def hold(self, line: TextLine) -> bool:
        """Whether a line is a watermark or a piece of one that the edge of the page cuts."""
        text = "".join(line.text.split())
        if text in self.sizes:
            return True
        return any(
            abs(line.size - size) < 0.5 and text in mark for mark, size in self.sizes.items()
        )


def watermarks(pages: Sequence[PageReading]) -> Watermarks:
    """Words printed large, aslant or across the text on most pages.

    Upright words must stand twice a page or more on 5 pages at least.
    """
    total: Counter[str] = Counter()
    on: Counter[str] = Counter()
    slanted: Counter[str] = Counter()
    for page in pages:
        texts = Counter("".join(line.text.split()) for line in page.lines)
        total.update(texts)
        on.update(texts.keys())
        slanted.update({"".join(line.text.split()) for line in page.lines if _is_slanted(line)})
    usual = usual_size(line for page in pages for line in page.lines)
    often = {
        text
        for text, count in on.items()
        if count >= max(5, 0.6 * len(pages))
        and total[text] >= 2 * count
        and weight(text) >= 8
        and not any(char.isdigit() for char in text)
    }
    across: Counter[str] = Counter()
    found: dict[str, float] = {}
    for page in pages:
        for line in page.lines:
            text = "".join(line.text.split())
            if text in often and not line.size > _MARK_SIZE * usual:
                across[text] += any(
                    other is not line and overlap(other.bbox, line.bbox) > 0.1
                    for other in page.lines
                )
            elif text in often:
                across[text] += 1
            if slanted[text] >= max(3, 0.5 * len(pages)) and line.size > _MARK_SIZE * usual:
                found[text] = line.size
            if text in often:
                found.setdefault(text, line.size)
    return Watermarks(
        {
            text: size
            for text, size in found.items()
            if text not in often or 2 * across[text] >= total[text]
        }
    )


def _is_slanted(line: TextLine) -> bool:
    """Whether a line runs neither across nor down the page: its box is wide and high."""
    x0, y0, x1, y1 = line.bbox
    return min(x1 - x0, y1 - y0) > 1.6 * line.size


def attached(lines: Sequence[TextLine]) -> dict[int, TextLine]:
    """List marks that stand as lines of their own, each with the line that it opens.

    Returns:
        `id` of a mark's line to the line on the same row that follows it closely.
    """
    found: dict[int, TextLine] = {}
    for row in rows(lines):
        for mark, line in pairwise(row):
            near = line.bbox[0] - mark.bbox[2] < 5 * max(line.size, mark.size)
            if near and is_list_mark(mark.text):
                found[id(mark)] = line
    return found


def with_marks(
    lines: Sequence[TextLine], part: Callable[[list[TextLine]], list[list[TextLine]]]
) -> list[list[TextLine]]:
    """Parts lines into columns without their list marks, which then follow their items.

    The white space between a bullet and its text would pass for a gutter.
    """
    marks = attached(lines)
    columns = part([line for line in lines if id(line) not in marks])
    home = {id(line): column for column in columns for line in column}
    for line in lines:
        item = line
        while id(item) in marks:
            item = marks[id(item)]
        if item is not line:
            home[id(item)].append(line)
    return columns


def opens_item(text: str) -> bool:
    """Whether a text starts with a bullet."""
    return text.lstrip()[:1] in BULLETS and bool(text.strip())


def is_list_mark(text: str) -> bool:
    """Whether a text is the mark of a list item alone, such as ``(1)``."""
    return bool(_LIST_MARK.fullmatch(text))


def starts_list(text: str) -> bool:
    """Whether a text starts with the bullet, number or letter of a list item."""
    return bool(_LIST_MARK.match(text))
