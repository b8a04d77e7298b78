"""The printed rows of a document as metadata is read from them: region by region, row by row.

What a row means is decided by the readers of the single fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from finrag_pipeline.records import Box, PageReading, Place, Region, TextLine
from finrag_pipeline.stages.cleaning.geometry import bounds, centre, rows
from finrag_pipeline.stages.cleaning.text import is_prose, join_rows, tighten

T = TypeVar("T")

#: What is read of one row and one passage, so that a page of nonsense costs bounded time: patterns
#: take the square of a text's length. A page of small print holds some 4,000 characters.
_ROW_CHARACTERS = 2_000
_PASSAGE_CHARACTERS = 4_000
#: Regions that hold what the report says of itself, beside its title and running heads.
_COVER_KINDS = ("title", "heading", "header", "cover", "side")
_MONTHS = re.compile(r"20\d\d\s*[-./年]\s*\d")
_OWN_DATA = re.compile(r"评级|目标价|股价|收盘|市值|报告日期|发布")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A value and the places that it was read from."""

    value: T
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One printed row, letter-spaced words pulled together."""

    text: str
    place: Place


@dataclass(frozen=True)
class Block:
    """One region: its rows and what cleaning made of it."""

    kind: str
    rule: str | None
    place: Place
    rows: tuple[Row, ...]

    @property
    def page(self) -> int:
        """The page it stands on."""
        return self.place.page

    @cached_property
    def text(self) -> str:
        """All its rows, one a line."""
        return "\n".join(row.text for row in self.rows)

    @cached_property
    def passage(self) -> str:
        """Its rows run together as a sentence goes on from one to the next: the first of them
        where they are very many."""
        text = ""
        for row in self.rows:
            if len(text) > _PASSAGE_CHARACTERS:
                break
            latin = text and text[-1].isascii() and row.text[0].isascii()
            text += f" {row.text}" if latin else row.text
        return text

    @cached_property
    def prose(self) -> bool:
        """Whether it is running text."""
        return is_prose(self.passage)

    @cached_property
    def listed(self) -> bool:
        """Whether it lists other publications: titles in brackets, or several days without the
        words that a cover's own data stand beside."""
        if "《" in self.text or "<<" in self.text:
            return True
        dated = self.kind != "table" and len(_MONTHS.findall(self.text)) > 1
        return dated and not _OWN_DATA.search(self.text)

    @property
    def running(self) -> bool:
        """Whether it is a head or foot, by the layout model or by repetition."""
        return self.rule in ("page_header", "page_footer", "repeated_line")

    @property
    def cover(self) -> bool:
        """Whether it is of the kinds that covers and running heads are made of."""
        own = ("page_header", "repeated_line", "cover_block", "contact")
        return self.kind in _COVER_KINDS or self.rule in own


def read_blocks(regions: Sequence[Region], pages: Sequence[PageReading] = ()) -> list[Block]:
    """The visible regions as blocks of rows.

    Args:
        regions: of one document, dropped ones too.
        pages: their lines, which give each row its own box and give back the rows of regions
            that were run together; without them a row is a line of a region's text.

    Returns:
        One block a region with text, in order.
    """
    lines = {page.page: page.lines for page in pages}
    by_page: dict[int, list[Region]] = {}
    for region in regions:
        if region.kind not in ("invisible", "marker", "watermark"):
            by_page.setdefault(region.page, []).append(region)
    blocks: list[Block] = []
    for number, mine in by_page.items():
        held = _lines_by_region(mine, lines.get(number, ()))
        for region in mine:
            place = Place(region.page, region.bbox)
            printed = _printed(held.get(region.ordinal, ()), region)
            found = tuple(Row(row.text[:_ROW_CHARACTERS], row.place) for row in printed if row.text)
            if found:
                blocks.append(Block(region.kind, region.rule, place, found))
    return blocks


def every_row(blocks: Iterable[Block]) -> Iterator[tuple[Row, Block]]:
    """Rows in order, each with its block."""
    for block in blocks:
        for row in block.rows:
            yield row, block


def _lines_by_region(
    regions: Sequence[Region], lines: Sequence[TextLine]
) -> dict[int, list[TextLine]]:
    """Each line under the smallest region that it lies in and whose text holds it."""
    bare = {region.ordinal: "".join(region.text.split()) for region in regions}
    small_first = sorted(regions, key=lambda region: _area(region.bbox))
    held: dict[int, list[TextLine]] = {}
    for line in lines:
        text = "".join(line.text.split())
        x, y = centre(line.bbox)
        for region in small_first if line.visible and text else ():
            x0, y0, x1, y1 = region.bbox
            if x0 <= x <= x1 and y0 <= y <= y1 and text in bare[region.ordinal]:
                held.setdefault(region.ordinal, []).append(line)
                break
    return held


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _printed(lines: Sequence[TextLine], region: Region) -> Iterator[Row]:
    """A region's rows, by its lines where they tell all of its text."""
    told = sum(len("".join(line.text.split())) for line in lines)
    if told == len("".join(region.text.split())):
        for row in rows(lines):
            box = bounds(line.bbox for line in row)
            yield Row(tighten(join_rows([row])), Place(region.page, box))
    else:
        for text in region.text.splitlines():
            yield Row(tighten(text), Place(region.page, region.bbox))
