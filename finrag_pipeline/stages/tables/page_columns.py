"""Tells in which columns of a table a part of it overleaf stands: a page sets its columns anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.headers import header_depth
from finrag_pipeline.stages.tables.phrases import is_value

#: Columns of two parts are the same when their edges differ by less, in points; the same
#: template prints them alike, and what stands centred moves a little.
SHIFT_PT = 12.0
#: The same of rules that two pages draw, which stand where they stood.
_SAME_RULE_PT = 3.0
#: Share of the rules of the part with fewer that the other one draws, too.
_SHARED_RULES = 0.7
#: Share of the cells that its first rows fill which stand in columns that its table fills, too: of
#: two that white space parts edges of text stand together by chance.
_SHARED_COLUMNS, _FIRST_ROWS = 0.8, 2
#: Fewer columns may be any table's.
_LEAST_FILLED = 4
#: Columns of figures that tell one table from another beside that.
LEAST_FIGURES = 2


def agree(one: Sequence[Cell], two: Sequence[Cell]) -> bool:
    edges, others = _edges(one), _edges(two)
    return len(edges) == len(others) and all(
        abs(a - b) <= SHIFT_PT for a, b in zip(edges, others, strict=True)
    )


def in_columns_of(one: Sequence[Cell], two: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a part without a header in the columns of the one before it; empty where they
    do not agree.

    A page sets its columns anew by what it holds, and heads that stand beside their figures make
    columns of their own: of two parts as many columns hold figures or words, in the same order.
    """
    columns, others = kinds_of(one), kinds_of(two)
    heads = [cell for cell in two if cell.header and cell.text]
    # what a last cell goes on with may stand where a head does
    bare = len(heads) <= 1 and not any(others.get(cell.column, True) for cell in heads)
    if width_of(one) == width_of(two):
        # what stands elsewhere in as many columns, under a header of its own, is another table
        bare = bare and header_depth(one) > 0
        figures = sum(others.values()) >= LEAST_FIGURES
        same = bare and figures and columns == others and _within_sides(one, two)
        return tuple(replace(cell, header=False) for cell in two) if same else ()
    kinds = [*columns.values()]
    # remarks that no row of the part has make no column of it
    remarks = kinds[len(others) :]
    if kinds[: len(others)] != [*others.values()] or any(remarks) or not bare:
        return ()
    if remarks and not (sum(kinds) >= LEAST_FIGURES and _within_sides(one, two)):
        return ()
    place = dict(zip(others, columns, strict=False))
    few = len(columns) < _LEAST_FILLED
    if few and (heads or not header_depth(one) or not _stand_under(one, two, place)):
        return ()
    return tuple(
        replace(cell, column=place[cell.column], column_span=1, header=False)
        for cell in two
        if cell.column in place
    )


def _within_sides(one: Sequence[Cell], two: Sequence[Cell]) -> bool:
    """Whether a part stands between the sides of its table: at both, or with columns under its."""
    mine, theirs = _edges(one), _edges(two)
    if not mine or not theirs or theirs[-1] > mine[-1] + SHIFT_PT:
        return False
    if abs(mine[0] - theirs[0]) <= SHIFT_PT:
        return True
    return theirs[0] > mine[0] and _stand_under(
        one, two, {column: column for column in kinds_of(two)}
    )


def _stand_under(one: Sequence[Cell], two: Sequence[Cell], place: Mapping[int, int]) -> bool:
    """Whether the columns of a part begin where those of its table are that it is placed in."""
    mine, theirs = _rules(one), _rules(two)
    return all(
        mine[column] - SHIFT_PT
        <= theirs[other]
        < min((x for x in mine.values() if x > mine[column]), default=theirs[other] + 1)
        for other, column in place.items()
    )


def on_one_grid(
    cells: Sequence[Cell], one: Sequence[Cell], two: Sequence[Cell]
) -> tuple[Sequence[Cell], Sequence[Cell]]:
    """The cells of a table and of a part without a header in the columns that the rules of both
    make; none of the part where they do not agree.

    A form has other columns in each of its blocks, and a page draws the rules of what it shows:
    most of them stand on both, the outer ones always.

    Args:
        one: those cells of the table that stand on its last page.
    """
    # what a last cell goes on with may stand where a head does
    if len([cell for cell in two if cell.header and cell.text]) > 1:
        return cells, ()
    mine, theirs = _rules(one), _rules(two)
    if not mine or not theirs or max(mine) < width_of(cells):
        return cells, ()
    sides = (min(mine.values()), max(mine.values())), (min(theirs.values()), max(theirs.values()))
    if any(abs(a - b) > _SAME_RULE_PT for a, b in zip(*sides, strict=True)):
        return cells, ()
    fewer, more = sorted((mine, theirs), key=len)
    shared = [x for x in fewer.values() if any(abs(x - y) <= _SAME_RULE_PT for y in more.values())]
    if len(shared) < _SHARED_RULES * len(fewer):
        return cells, ()
    grid: list[float] = []
    for x in sorted((*mine.values(), *theirs.values())):
        if not grid or x - grid[-1] > _SAME_RULE_PT:
            grid.append(x)
    held = _replaced(cells, mine, grid)
    part = [replace(cell, header=False) for cell in _replaced(two, theirs, grid)]
    filled = {each.column for each in held if each.text}
    first = [each.column for each in part if each.text and each.row < _FIRST_ROWS]
    agree = sum(column in filled for column in first) >= _SHARED_COLUMNS * len(first)
    return (held, part) if agree else (cells, ())


def _rules(cells: Sequence[Cell]) -> dict[int, float]:
    """Where each column begins that a cell begins or ends at."""
    found: dict[int, float] = {}
    for cell in cells:
        if cell.bbox is not None:
            for column, x in ((cell.column, 0), (cell.column + cell.column_span, 2)):
                found.setdefault(column, cell.bbox[x])
    return found


def _replaced(
    cells: Sequence[Cell], rules: Mapping[int, float], grid: Sequence[float]
) -> tuple[Cell, ...]:
    """Cells in the columns of another grid that has all their rules."""

    def at(column: int) -> int:
        # a column at which none begins on this page stands where the next one does
        x = rules[min(each for each in rules if each >= column)]
        return min(range(len(grid)), key=lambda n: abs(grid[n] - x))

    found = []
    for cell in cells:
        start, end = at(cell.column), at(cell.column + cell.column_span)
        found.append(replace(cell, column=start, column_span=max(end - start, 1)))
    return tuple(found)


def kinds_of(cells: Sequence[Cell]) -> dict[int, bool]:
    """The columns that rows below the header fill, in order, and whether figures do."""
    texts: dict[int, list[str]] = {}
    for cell in sorted(cells, key=lambda each: each.column):
        if cell.text and not cell.header:
            texts.setdefault(cell.column, []).append(cell.text)
    return {
        column: 2 * sum(is_value(each) for each in held) > len(held)
        for column, held in texts.items()
    }


def _edges(cells: Sequence[Cell]) -> list[float]:
    """Left edges of the columns and the right edge of the last."""
    lefts: dict[int, float] = {}
    rights: dict[int, float] = {}
    for cell in cells:
        if cell.bbox is not None:
            lefts[cell.column] = min(cell.bbox[0], lefts.get(cell.column, cell.bbox[0]))
            end = cell.column + cell.column_span
            rights[end] = max(cell.bbox[2], rights.get(end, cell.bbox[2]))
    if not lefts:
        return []
    return [lefts[column] for column in sorted(lefts)] + [rights[max(rights)]]


def width_of(cells: Sequence[Cell]) -> int:
    return max(cell.column + cell.column_span for cell in cells)
