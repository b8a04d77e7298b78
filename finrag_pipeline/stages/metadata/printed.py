"""Reads the blocks of a document: its regions with their printed rows.

What a block is and says of itself is `front`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag_pipeline.records import Box, PageReading, Place, Region, TextLine
from finrag_pipeline.stages.cleaning.geometry import bounds, centre, rows
from finrag_pipeline.stages.cleaning.text import join_rows, tighten
from finrag_pipeline.stages.metadata.front import Block, Row
from finrag_pipeline.stages.metadata.headed import headed
from finrag_pipeline.stages.metadata.related import marked, parted

#: What is read of one row, so that a page of nonsense costs bounded time.
_ROW_CHARACTERS = 2_000


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
        upright = _upright(lines.get(number, ()))
        for region in mine:
            place = Place(region.page, region.bbox)
            printed = _printed(held.get(region.ordinal, ()), region, upright)
            found = tuple(
                Row(row.text[:_ROW_CHARACTERS], row.place, row.size) for row in printed if row.text
            )
            if found:
                whole = Block(region.kind, region.rule, place, found)
                blocks += (part for each in headed(whole) for part in parted(each))
    return marked(blocks)


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


def _upright(lines: Sequence[TextLine]) -> frozenset[Box]:
    """Boxes of single characters that stand in a column: side titles, which cross rows of text."""
    single = [line for line in lines if line.visible and len(line.text.strip()) == 1]
    return frozenset(
        line.bbox
        for line in single
        for other in single
        if abs(line.bbox[0] - other.bbox[0]) < 1
        and 0 < abs(line.bbox[1] - other.bbox[1]) < 2 * line.size
    )


def _printed(lines: Sequence[TextLine], region: Region, upright: frozenset[Box]) -> Iterator[Row]:
    """A region's rows, by its lines where they tell all of its text."""
    told = sum(len("".join(line.text.split())) for line in lines)
    if told == len("".join(region.text.split())):
        crossing = [line for line in lines if line.bbox not in upright] or lines
        for row in rows(crossing):
            box = bounds(line.bbox for line in row)
            size = max(line.size for line in row)
            yield Row(tighten(join_rows([row])), Place(region.page, box), size)
    else:
        for text in region.text.splitlines():
            yield Row(tighten(text), Place(region.page, region.bbox))
