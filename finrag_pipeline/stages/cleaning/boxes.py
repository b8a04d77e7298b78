"""Which layout box a line lies in, after the model's boxes are mended.

What the boxes' lines become is decided in `blocks`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.quantities import is_figure, is_no_figure
from finrag_pipeline.records import Box, LayoutBox, PageReading, TextLine
from finrag_pipeline.stages.cleaning.geometry import centre, lies_in, overlap, rows
from finrag_pipeline.stages.cleaning.marks import attached

_WORDS = re.compile(r"[^\W\d_]{4,}|[\u4e00-\u9fff]{2,}")
TABLE_KINDS = ("table", "table-fallback", "grid")
#: A picture this large is the ground of a slide, and what stands on it is the slide's text.
_SLIDE_SHARE = 0.5


def mended(page: PageReading, lines: Sequence[TextLine]) -> tuple[LayoutBox, ...]:
    """Layout without the ground of a slide, and with the columns that the model cut off tables."""
    area = page.width * page.height
    grids = [box for box in page.layout if box.kind in TABLE_KINDS]
    result: list[LayoutBox] = []
    for box in page.layout:
        x0, y0, x1, y1 = box.bbox
        if box.kind == "picture":
            if (x1 - x0) * (y1 - y0) > _SLIDE_SHARE * area:
                continue
            inside = [line for line in lines if overlap(line.bbox, box.bbox) > 0.5]
            if _is_grid(inside) or any(_goes_on(box.bbox, grid.bbox, lines) for grid in grids):
                box = LayoutBox("table", box.bbox)
        result.append(box)
    return tuple(result)


def _is_grid(lines: Sequence[TextLine]) -> bool:
    """Whether what the model took for a picture has rows of a table: words, then two figures."""
    printed = rows(lines)
    told = sum(
        bool(_WORDS.search(row[0].text)) and sum(_is_cell(i.text) for i in row[1:]) >= 2
        for row in printed
    )
    return told >= 4 and 10 * told >= 4 * len(printed)


def _is_cell(text: str) -> bool:
    return is_figure(text) or is_no_figure(text)


def _goes_on(box: Box, grid: Box, lines: Sequence[TextLine]) -> bool:
    """Whether what the model took for a picture is a column of the table beside it.

    Its rows stand level with the table's, which axis labels of a chart do not.
    """
    level = min(box[3], grid[3]) - max(box[1], grid[1]) > 0.8 * (box[3] - box[1])
    beside = max(box[0] - grid[2], grid[0] - box[2]) < 40
    if not (level and beside):
        return False
    mine = [centre(line.bbox)[1] for line in lines if overlap(line.bbox, box) > 0.5]
    theirs = sorted(centre(line.bbox)[1] for line in lines if overlap(line.bbox, grid) > 0.5)
    meeting = sum(any(abs(y - other) < 1.5 for other in theirs) for y in mine)
    return len(mine) >= 3 and 10 * meeting >= 8 * len(mine)


def held_lines(
    lines: Sequence[TextLine], layout: Sequence[LayoutBox]
) -> tuple[dict[int, list[TextLine]], list[TextLine]]:
    """Lines by the index of their layout box, and those in none; a list mark follows its item."""
    boxes = {id(line): _box_of(line, layout) for line in lines}
    for mark, line in attached(lines).items():
        index = boxes[id(line)]
        if index is not None and layout[index].kind not in (*TABLE_KINDS, "picture"):
            boxes[mark] = index
    held: dict[int, list[TextLine]] = {}
    loose: list[TextLine] = []
    for line in lines:
        index = boxes[id(line)]
        if index is None:
            loose.append(line)
        else:
            held.setdefault(index, []).append(line)
    return held, loose


def _box_of(line: TextLine, boxes: Sequence[LayoutBox]) -> int | None:
    """The smallest box around the line's centre, else the one that holds half of the line."""

    def area(index: int) -> float:
        x0, y0, x1, y1 = boxes[index].bbox
        return (x1 - x0) * (y1 - y0)

    around = [index for index, box in enumerate(boxes) if lies_in(line.bbox, box.bbox)]
    if around:
        return min(around, key=area)
    shares = [(overlap(line.bbox, box.bbox), -index) for index, box in enumerate(boxes)]
    best, negative = max(shares, default=(0.0, 0))
    return -negative if best >= 0.5 else None
