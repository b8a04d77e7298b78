"""The printed rows of a document as metadata is read from them: region by region, row by row.

What a row means is decided by the readers of the single fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from finrag_pipeline.records import Place
from finrag_pipeline.stages.cleaning.text import is_prose

T = TypeVar("T")

#: What is read of one passage, so that a page of nonsense costs bounded time: patterns take the
#: square of a text's length. A page of small print holds some 4,000 characters.
_PASSAGE_CHARACTERS = 4_000
#: Regions that hold what the report says of itself, beside its title and running heads.
_COVER_KINDS = ("title", "heading", "header", "cover", "side")
_TITLED = re.compile(r"《|<<")
_MONTHS = re.compile(r"20\d\d\s*[-./年]\s*\d")
_OWN_DATA = re.compile(r"评级|目标价|股价|收盘|市值|报告日期|发布")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A value and the places that it was read from."""

    value: T
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One printed row, letter-spaced words pulled together; its size in points, 0 if unknown."""

    text: str
    place: Place
    size: float = 0.0


@dataclass(frozen=True)
class Block:
    """One region: its rows and what cleaning made of it.

    `other` marks the part of a region that lists other publications, where the rest does not.
    """

    kind: str
    rule: str | None
    place: Place
    rows: tuple[Row, ...]
    other: bool = False

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
        if self.other or _TITLED.search(self.text):
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


def every_row(blocks: Iterable[Block]) -> Iterator[tuple[Row, Block]]:
    """Rows in order, each with its block."""
    for block in blocks:
        for row in block.rows:
            yield row, block
