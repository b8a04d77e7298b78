"""Heads of groups, EPS and PE, centred over the same periods each: 24A 25E 26E 24A 25E 26E."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.stages.tables.heads import header_rows
from finrag_pipeline.stages.tables.periods import period_of
from finrag_pipeline.stages.tables.phrases import Word, box_of, is_value, phrases, text_rows
from finrag_pipeline.stages.tables.repair import slot_of
from finrag_pipeline.stages.tables.ruled import Grid

#: Periods of a group, and groups that make heads.
_LEAST = 2
#: Words of one head stand closer than this share of their height.
_SPACE = 0.6
#: A head's middle stands so near the middle of its group, as a share of the group's width.
_CENTRED = 0.25


def group_heads(grid: Grid, words: Sequence[Word]) -> Grid:
    """A grid that no rules draw, with the heads of its groups as cells over all of their periods.

    Where the same periods come again in one line of heads, the line above says of what each time;
    it may stand over the edge of two columns, or over one of its own.
    """
    top = header_rows(grid, words)
    if grid.ruled or grid.spans or not 1 <= top < len(grid.ys) - 1:
        return grid
    head = [each for each in words if slot_of(grid, each)[0] < top]
    lines = text_rows(each for each in head if period_of(each.text))
    if not lines:
        return grid
    level = box_of(lines[-1])
    above = [each for each in head if each.y < level[1]]
    heads = [each for line in text_rows(above) for each in phrases(line, _SPACE)]
    named = [(group, over) for group in _groups(lines[-1]) if (over := _head_of(group, heads))]
    if len(named) < _LEAST:
        return grid
    over = [each for _, each in named]
    edge = (max(each.bbox[3] for each in over) + level[1]) / 2
    kept = _without(grid, over, [each for each in words if each not in above])
    at = Grid(kept, (grid.ys[0], edge, *grid.ys[top:]))
    spans = ((0, 1, slot_of(at, group[0])[1], slot_of(at, group[-1])[1] + 1) for group, _ in named)
    return replace(at, spans=tuple(each for each in spans if each[3] - each[2] > 1))


def _groups(line: Sequence[Word]) -> list[list[Word]]:
    """Periods of a line, parted where one comes again; what stands alone is under its own head."""
    found: list[list[Word]] = [[]]
    for word in line:
        if any(word.text == each.text for each in found[-1]):
            found.append([])
        found[-1].append(word)
    return [each for each in found if len(each) >= _LEAST]


def _head_of(group: Sequence[Word], heads: Sequence[Word]) -> Word | None:
    """The head in the middle over a group; None where it has none, or several."""
    box = box_of(group)
    near = _CENTRED * (box[2] - box[0])
    mine = [each for each in heads if abs(each.x - (box[0] + box[2]) / 2) <= near]
    return mine[0] if len(mine) == 1 and not is_value(mine[0].text) else None


def _without(grid: Grid, heads: Sequence[Word], others: Sequence[Word]) -> tuple[float, ...]:
    """The edges of columns without those that hold nothing but heads of groups."""
    used = {slot_of(grid, each)[1] for each in others}
    bare = {slot_of(grid, each)[1] for each in heads} - used
    return tuple(x for n, x in enumerate(grid.xs) if not (n in bare and n))
