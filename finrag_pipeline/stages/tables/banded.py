"""Joins a drawn band of heads with the body that stands right under it and is not ruled: heads in
white on dark over rows that white space parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.records import Box
from finrag_pipeline.stages.tables.periods import period_of
from finrag_pipeline.stages.tables.phrases import Word, is_value, is_year, text_rows
from finrag_pipeline.stages.tables.repair import inside, slot_of
from finrag_pipeline.stages.tables.ruled import Grid

#: Columns that a band has at least, and rows at most.
_LEAST_COLUMNS, _MOST_ROWS = 3, 3
#: Share of its columns that a band names.
_NAMED = 0.6
#: A body begins so near below its band, and ends so near its sides, in points.
_BELOW_PT, _BESIDE_PT = 10.0, 14.0
#: Letters reach over the edges of their column by no more, in points.
_OVER_PT = 4.0


def under_bands(grids: Sequence[Grid], bands: Sequence[Grid], words: Sequence[Word]) -> list[Grid]:
    """The grids that white space shows, those right under a band with its heads and its columns.

    Args:
        grids: which no rules draw.
        bands: grids that rules draw.
        words: of the page.
    """
    found: list[Grid] = []
    for grid in grids:
        over = (each for each in bands if _heads(each, grid, words))
        band = max(over, key=lambda each: each.ys[-1], default=None)
        if band is None:
            found.append(grid)
        else:
            found.append(Grid(band.xs, (*band.ys, *grid.ys[1:]), band.spans, True))
    return found


def _heads(band: Grid, body: Grid, words: Sequence[Word]) -> bool:
    """Whether a band heads a body: right over it, as wide, without figures of its own, and all that
    the body prints stands in its columns."""
    near = -_OVER_PT <= body.ys[0] - band.ys[-1] <= _BELOW_PT
    wide = max(abs(body.xs[0] - band.xs[0]), abs(body.xs[-1] - band.xs[-1])) <= _BESIDE_PT
    shape = len(band.xs) > _LEAST_COLUMNS and len(band.ys) <= _MOST_ROWS + 1
    if not (near and wide and shape):
        return False
    heads = inside(band, words)
    if not heads or any(_is_figure(each.text) for each in heads):
        return False
    named = {slot_of(band, each)[1] for each in heads}
    # columns of labels may have no head
    return len(named) >= _NAMED * (len(band.xs) - 1) and all(
        _fits(band, each) for each in inside(body, words)
    )


def under_its_heads(grid: Grid, box: Box, words: Sequence[Word]) -> Grid:
    """A ruled grid with the row of heads right over it, which a filled band holds and no rule:
    where its own first row has figures and each word over it stands in one of its columns.

    Args:
        box: of the table as the layout model has it.
        words: of the page.
    """
    first = [word.text for word in words if _in_first_row(grid, word)]
    top = min(box[1], grid.ys[0]) - _OVER_PT
    over = [
        word
        for word in words
        if top <= word.bbox[1] and word.y < grid.ys[0] and grid.xs[0] <= word.x <= grid.xs[-1]
    ]
    if len(text_rows(over)) not in range(1, _MOST_ROWS + 1) or not any(map(_is_figure, first)):
        return grid
    heads: dict[int, str] = {}
    for word in over:
        column = slot_of(grid, word)[1]
        heads[column] = f"{heads.get(column, '')} {word.text}".strip()
    named = len(heads) >= _NAMED * (len(grid.xs) - 2)
    if not named or any(map(_is_figure, heads.values())) or not all(_fits(grid, w) for w in over):
        return grid
    ys = (min(word.bbox[1] for word in over) - 1, *grid.ys)
    spans = tuple((top + 1, bottom + 1, left, right) for top, bottom, left, right in grid.spans)
    return replace(grid, ys=ys, spans=spans)


def _in_first_row(grid: Grid, word: Word) -> bool:
    return grid.ys[0] <= word.y < grid.ys[1] and grid.xs[0] <= word.x <= grid.xs[-1]


def _is_figure(text: str) -> bool:
    return is_value(text) and not (is_year(text) or period_of(text))


def _fits(band: Grid, word: Word) -> bool:
    """Whether a word stands in one column of a band."""
    left, right = word.bbox[0] + _OVER_PT, word.bbox[2] - _OVER_PT
    return not any(left < edge < right for edge in band.xs[1:-1])
