"""Headings: which blocks are, how deep they stand, and the path above each region.

Whether a heading is kept is decided by the rules, like any other block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.numbering import numbering_level
from finrag_pipeline.stages.cleaning.text import SENTENCE_END, is_prose, weight

_DEPTH = 3
_CAPTION = re.compile(
    r"^\s*(图表?|表格?|附图|附表)\s*[\d一二三四五六七八九十]+|^\s*(Figure|Table|Chart|Exhibit)\s*\d+",
    re.I,
)
#: A bold lead-in with its text behind it, which the model takes for a title.
_LEAD_IN = re.compile(r"[:：](?=.*[，、。；]).{8,}")
_LEADING_SIGNS = re.compile(r"^[^\w（(【《“\[]+")


def is_caption(block: Block) -> bool:
    """A figure's or table's numbered title, or what the model calls a caption."""
    return block.kind == "caption" or (
        weight(block.text) <= 120 and bool(_CAPTION.match(block.text))
    )


def is_heading(block: Block, body_size: float) -> bool:
    """A title of the layout model, or a numbered line that stands out from the text.

    Args:
        block: any block of text.
        body_size: font size of most text of the document, in points.
    """
    if is_caption(block) or is_prose(block.text) or not any(c.isalpha() for c in block.text):
        return False
    if block.kind in ("section-header", "title"):
        return weight(block.text) <= 120 and not _LEAD_IN.search(block.text)
    short = len(block.rows) == 1 and weight(block.text) <= 80
    stands_out = block.bold or block.size > body_size + 0.5
    return (
        short
        and stands_out
        and not SENTENCE_END.search(block.text)
        and numbering_level(block.text) is not None
    )


def body_size(blocks: Sequence[Block]) -> float:
    """Font size of most running text in points, 0 for a document without any."""
    weights: dict[float, int] = {}
    for block in blocks:
        if is_prose(block.text):
            weights[block.size] = weights.get(block.size, 0) + weight(block.text)
    return max(weights, key=lambda size: (weights[size], size), default=0.0)


class Sections:
    """The running heading path of one document, at most three deep.

    Numbering tells the level; without it the font size does, by its rank among the sizes of
    the document's headings.
    """

    def __init__(self, headings: Sequence[Block]) -> None:
        sizes = sorted({block.size for block in headings}, reverse=True)
        self._rank = {size: min(index + 1, _DEPTH) for index, size in enumerate(sizes)}
        self._open: list[tuple[int, str]] = []

    @property
    def path(self) -> tuple[str, ...]:
        """Headings above what comes next, outermost first."""
        return tuple(text for _, text in self._open)

    def enter(self, block: Block) -> None:
        """Pass a heading: it closes those of its level and below."""
        level = numbering_level(block.text) or self._rank.get(block.size, _DEPTH)
        self._open = [(depth, text) for depth, text in self._open if depth < level]
        self._open.append((level, _LEADING_SIGNS.sub("", block.text)))
