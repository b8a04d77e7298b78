"""Boxes, rows, gutters and reading order of what lies on one page.

No text is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from finrag_pipeline.records import Box, TextLine

#: White space narrower than this does not part lines into columns; word spaces of 12 pt text are
#: 3 to 6 pt. Whole blocks have no white space inside, so any strip between them counts.
_LINE_GUTTER_PT = 7.0
_BLOCK_GUTTER_PT = 1.0
#: Cutting costs up to the square of the number of boxes and one level of recursion each; pages of
#: the corpus have up to 200 blocks, and what has more than this is no page of text.
_MOST_ITEMS = 600


class Boxed(Protocol):
    """Anything with a box."""

    @property
    def bbox(self) -> Box: ...


T = TypeVar("T", bound=Boxed)


def bounds(boxes: Iterable[Box]) -> Box:
    """The box around boxes; at least one."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def centre(box: Box) -> tuple[float, float]:
    """Middle of a box."""
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def overlap(inner: Box, outer: Box) -> float:
    """Share of `inner` that lies in `outer`, 0 to 1."""
    width = min(inner[2], outer[2]) - max(inner[0], outer[0])
    height = min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = (inner[2] - inner[0]) * (inner[3] - inner[1])
    return width * height / area if width > 0 and height > 0 and area > 0 else 0.0


def lies_in(inner: Box, outer: Box) -> bool:
    """Whether the middle of `inner` lies in `outer`, its edges included."""
    x, y = centre(inner)
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def overlap_x(a: Box, b: Box) -> float:
    """Share of the narrower box's width that both cover, 0 to 1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    narrower = min(a[2] - a[0], b[2] - b[0])
    return max(width, 0.0) / narrower if narrower > 0 else 0.0


def rows(lines: Iterable[TextLine]) -> tuple[tuple[TextLine, ...], ...]:
    """Lines by printed row, from the top; a row runs from left to right."""
    result: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda item: (centre(item.bbox)[1], item.bbox[0])):
        y = centre(line.bbox)[1]
        if result and result[-1][0].bbox[1] <= y <= result[-1][0].bbox[3]:
            result[-1].append(line)
        else:
            result.append([line])
    return tuple(tuple(sorted(row, key=lambda item: item.bbox[0])) for row in result)


def gutter(items: Sequence[Boxed], low: float = _LINE_GUTTER_PT) -> float | None:
    """Middle of the widest strip from top to bottom that no box touches, at least `low` wide."""
    gaps = _gaps(((item.bbox[0], item.bbox[2]) for item in items), low)
    if not gaps:
        return None
    start, end = max(gaps, key=lambda gap: gap[1] - gap[0])
    return (start + end) / 2


def sides(items: Sequence[T], cut: float) -> tuple[list[T], list[T]]:
    """Items with their middle on the left and on the right of a gutter."""
    left = [item for item in items if centre(item.bbox)[0] < cut]
    right = [item for item in items if centre(item.bbox)[0] >= cut]
    return left, right


def parted_bands(items: Sequence[T], low: float = _LINE_GUTTER_PT) -> list[list[T]]:
    """Items in bands from the top; what one gutter of `low` points parts is one band."""
    return _merge(_bands(items), low)


def reading_order(items: Sequence[T]) -> list[T]:
    """Order boxes as a reader takes them: columns from the left, each from the top.

    A recursive cut along white space, columns before bands. What spans the columns, such as a
    headline, forms a band of its own; neighbouring bands that share a gutter are read as one,
    so paragraphs that happen to stand level in two columns do not interleave.

    Args:
        items: boxes of one page.

    Returns:
        The same items, each once.
    """
    if len(items) < 2:
        return list(items)
    if len(items) > _MOST_ITEMS:
        return sorted(items, key=lambda item: (round(item.bbox[1]), item.bbox[0]))
    cut = gutter(items, _BLOCK_GUTTER_PT)
    if cut is not None:
        left, right = sides(items, cut)
        return reading_order(left) + reading_order(right)
    bands = parted_bands(items, _BLOCK_GUTTER_PT)
    if len(bands) == 1:
        return sorted(items, key=lambda item: (round(item.bbox[1]), item.bbox[0]))
    return [item for band in bands for item in reading_order(band)]


def _bands(items: Sequence[T]) -> list[list[T]]:
    """Items parted at every height that no box crosses."""
    bands: list[list[T]] = []
    bottom = float("-inf")
    # glyph boxes are taller than what is printed: lines may overlap by a fifth and stay apart
    for item in sorted(items, key=lambda item: (item.bbox[1], item.bbox[0])):
        _, y0, _, y1 = item.bbox
        if not bands or y0 >= bottom - min(2.0, 0.2 * (y1 - y0)):
            bands.append([])
        bands[-1].append(item)
        bottom = max(bottom, y1)
    return bands


def _merge(bands: Sequence[list[T]], low: float) -> list[list[T]]:
    """Neighbouring bands joined while one gutter runs through all of them."""
    merged: list[list[T]] = []
    for band in bands:
        both = [*merged[-1], *band] if merged else []
        # a strip free in both counts only where it parts something in one of them already
        if both and gutter(both, low) and (gutter(merged[-1], low) or gutter(band, low)):
            merged[-1] = both
        else:
            merged.append(list(band))
    return merged


def _gaps(spans: Iterable[tuple[float, float]], low: float) -> list[tuple[float, float]]:
    """Strips of at least `low` between spans."""
    gaps: list[tuple[float, float]] = []
    end: float | None = None
    for start, stop in sorted(spans):
        if end is not None and start - end >= low:
            gaps.append((end, start))
        end = stop if end is None else max(end, stop)
    return gaps


def stands_over(line: Box, box: Box) -> bool:
    """Whether a line stands over or under a box: half of it within the box's width."""
    width = min(line[2], box[2]) - max(line[0], box[0])
    return width > 0.5 * (line[2] - line[0])
