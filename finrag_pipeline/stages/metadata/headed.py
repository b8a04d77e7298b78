"""Tells a title from what a layout model put into one box with it: the day over it, its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from finrag_pipeline.records import Place
from finrag_pipeline.stages.cleaning.geometry import bounds
from finrag_pipeline.stages.metadata.front import Block, Row

#: How much larger a title is printed than what stands over and below it.
_LARGER = 1.3
#: Rows over a title: day, company, sort of report.
_MOST_OVER = 3
_KINDS = ("text", "title", "heading")


def headed(block: Block) -> Iterator[Block]:
    """A region of a first page, parted where its first rows, or those below a few small ones, are
    printed larger than the others: what stands over them, the title, what follows."""
    sizes = [row.size for row in block.rows]
    if block.page > 1 or block.kind not in _KINDS or len(sizes) < 2 or not all(sizes):
        yield block
        return
    start = next((n for n in range(1, len(sizes)) if sizes[n] > _LARGER * sizes[n - 1]), 0)
    start = start if start <= _MOST_OVER else 0
    rows = block.rows[start:]
    large = len(list(takewhile(lambda row: row.size * _LARGER > rows[0].size, rows)))
    over, title, below = block.rows[:start], rows[:large], rows[large:]
    below = below if block.prose else ()
    if not (over or below):
        yield block
        return
    if not below:
        title = rows
    if over:
        yield _part(block, "text", over)
    yield _part(block, "title" if below else block.kind, title)
    if below:
        yield _part(block, "text", below)


def _part(block: Block, kind: str, rows: Sequence[Row]) -> Block:
    place = Place(block.page, bounds(row.place.bbox for row in rows))
    return replace(block, kind=kind, place=place, rows=tuple(rows))
