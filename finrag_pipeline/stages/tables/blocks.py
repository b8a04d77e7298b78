"""Tells tables that stand under one another in one frame, each below its own name or years.

A block whose years are printed once, over the first, is given them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.cleaning.text import is_prose, weight
from finrag_pipeline.stages.tables.names import is_label_heading, is_statement_name, is_unit
from finrag_pipeline.stages.tables.periods import heading_periods
from finrag_pipeline.stages.tables.phrases import is_number, is_value
from finrag_pipeline.stages.tables.units import unit_in

#: Rows above the years of a block that may hold its name and its unit.
_NAME_ROWS = 2
#: Half-width characters that a name is not longer than.
_NAME = 60
#: Columns of tables under one another are the same when their right edges differ by less.
_SHIFT_PT = 12.0
#: The same as a share of how wide columns are.
_SHIFT_SHARE = 0.3
#: Rows with figures that a table has at least; fewer between two heads are one head.
_BODY = 2


@dataclass(frozen=True, slots=True)
class Block:
    """A table of a frame: its cells, from row 0, and what its first rows name it and its unit."""

    cells: tuple[Cell, ...]
    title: str | None = None
    unit: str | None = None


def blocks(cells: Sequence[Cell]) -> list[Block]:
    """The tables that stand under one another in a lane, from the top.

    A block opens with a row of two years or more after rows of figures, with the name above it; or
    with a row that is the name of a statement alone, and then has the years of the block before.

    Args:
        cells: of one lane, without empty rows.
    """
    rows = _rows(cells)
    starts = _starts(rows)
    found: list[Block] = []
    years, unit = list[Cell](), None
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
        held = [cell for cell in cells if start <= cell.row < stop]
        block = _named([replace(cell, row=cell.row - start) for cell in held])
        own = _year_rows(block.cells)
        if block.title is None and len(starts) > 1:
            block = replace(block, title=_heading(block.cells, own))
        if own:
            years, unit = [cell for cell in block.cells if cell.row in own], block.unit
        elif years:
            block = _headed(replace(block, unit=block.unit or unit), years)
        found.append(block)
    return found


def begun_overleaf(cells: Sequence[Cell]) -> list[int]:
    """The rows of a table over several pages whose years are the last of a page: what stands below
    them overleaf is another table."""
    rows = _rows(cells)
    pages = {cell.row: cell.page for cell in cells}
    found: list[int] = []
    for start in _starts(rows)[1:]:
        body = next((at for at in range(start, len(rows)) if _body(rows[at : at + 1])), start)
        if pages.get(start) != pages.get(body):
            found.append(start)
    return found


def with_years_of(cells: Sequence[Cell], above: Sequence[Cell]) -> tuple[Cell, ...] | None:
    """Cells without years under those of the table above, where its columns are the same.

    None where they have years of their own, the other has none, or columns differ.
    """
    years = _year_rows(above)
    if not _goes_on(cells, above):
        return None
    return _headed(Block(tuple(cells)), [cell for cell in above if cell.row in years]).cells


def longer(cells: Sequence[Cell], rest: Sequence[Cell]) -> tuple[Cell, ...] | None:
    """The cells of a table with its last rows, which were read as another table; None as above."""
    if not _goes_on(rest, cells):
        return None
    shift = max(cell.row + cell.row_span for cell in cells)
    return (*cells, *(replace(cell, row=cell.row + shift) for cell in rest))


def _goes_on(cells: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Whether cells have no years and stand in the same columns as cells that have."""
    edges, others = _right_edges(cells), _right_edges(above)
    if _year_rows(cells) or not _year_rows(above) or not edges or set(edges) != set(others):
        return False
    ordered = sorted(others.values())
    wide = median([b - a for a, b in pairwise(ordered)] or [0.0])
    # what stands below a part in its grid moves edges that no rule draws
    shift = max(_SHIFT_PT, _SHIFT_SHARE * wide)
    return all(abs(edges[column] - others[column]) <= shift for column in edges)


def _right_edges(cells: Sequence[Cell]) -> dict[int, float]:
    """Of the columns of figures: where labels end depends on the longest of them."""
    found: dict[int, list[float]] = {}
    for cell in cells:
        if cell.bbox is not None and cell.column_span == 1 and cell.column:
            found.setdefault(cell.column, []).append(cell.bbox[2])
    return {column: median(edges) for column, edges in found.items()}


def without_empty_rows(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells without the rows in which no text begins or reaches down from above, renumbered."""
    kept = sorted(
        {row for cell in cells if cell.text for row in range(cell.row, cell.row + cell.row_span)}
    )
    number = {row: at for at, row in enumerate(kept)}
    result: list[Cell] = []
    for cell in cells:
        held = [number[row] for row in range(cell.row, cell.row + cell.row_span) if row in number]
        if held:
            result.append(replace(cell, row=held[0], row_span=len(held)))
    return tuple(result)


_Row = Mapping[int, str]


def _rows(cells: Sequence[Cell]) -> list[_Row]:
    rows: dict[int, dict[int, str]] = {cell.row: {} for cell in cells}
    for cell in cells:
        if cell.text:
            rows[cell.row][cell.column] = cell.text
    return [rows.get(number, {}) for number in range(max(rows, default=-1) + 1)]


def _starts(rows: Sequence[_Row]) -> list[int]:
    starts = [0]
    head: _Row = {}
    for at, row in enumerate(rows):
        if not (_is_years(row) or _is_name(row)) or at < starts[-1]:
            continue
        first = at
        while first > starts[-1] and at - first < _NAME_ROWS and _heads(rows[first - 1]):
            first -= 1
        again = first == at and row == head  # a long table repeats its years
        if _body(rows[starts[-1] : first]) >= _BODY and _body(rows[first:]) >= _BODY and not again:
            starts.append(first)
        head = row if _is_years(row) else head
    return starts


def _body(rows: Sequence[_Row]) -> int:
    return sum(any(column and is_number(text) for column, text in row.items()) for row in rows)


def _is_years(row: _Row) -> bool:
    """Whether a row names two periods or more, in order, beside its label and no figure.

    One may be misspelt. Amounts that look like years stand in no order.
    """
    beside = [row[column] for column in sorted(row) if column]
    named = [period for text in beside for period in heading_periods(text)]
    others = [text for text in beside if not heading_periods(text)]
    ordered = len(set(named)) == len(named) and named in (sorted(named), sorted(named)[::-1])
    return len(named) > 1 and ordered and len(others) < 2 and not any(map(is_value, others))


def _is_name(row: _Row) -> bool:
    """Whether the name of a statement stands alone in a row, its unit aside."""
    texts = [text for text in row.values() if not is_unit(text)]
    return len(texts) == 1 and is_statement_name(texts[0])


def _heads(row: _Row) -> bool:
    """Whether a row may stand over the years below it: a name, or headings over several columns."""
    return _may_name(row) or (len(row) > 1 and all(map(may_be_title, row.values())))


def _may_name(row: _Row) -> bool:
    """Whether a row may be the name over the years below it: one text, its unit aside."""
    texts = [text for text in row.values() if not is_unit(text)]
    return bool(row) and len(texts) <= 1 and all(may_be_title(text) for text in texts)


def may_be_title(text: str) -> bool:
    """Whether a text is short enough for a name, and no figure, sentence or time."""
    return (
        weight(text) <= _NAME
        and not is_value(text)
        and not is_prose(text)
        and not heading_periods(text)
    )


def _year_rows(cells: Sequence[Cell]) -> set[int]:
    rows = _rows(cells)
    first = next((at for at, row in enumerate(rows) if _body([row])), len(rows))
    return {at for at, row in enumerate(rows[:first]) if _is_years(row)}


def _named(cells: list[Cell]) -> Block:
    """A block, its name and unit read, without the rows above its years that hold nothing else.

    A statement may also be named in the row of its years, or right below them.
    """
    rows = _rows(cells)
    years = _year_rows(cells)
    top = min(years, default=next((at for at, row in enumerate(rows) if _is_name(row)), -1) + 1)
    told = [text for row in rows[:top] for text in row.values()]
    held = [row for row in rows[:top] if row]
    if not all(map(_may_name, held)) or (held and 0 not in held[-1] and not _is_name(held[-1])):
        return Block(tuple(cells))
    if is_statement_name(whole := "".join(row.get(0, "") for row in rows[:top])):
        # set in several lines, and its unit as well
        told = [
            "".join(row.get(column, "") for row in rows[:top]) for column in range(_width(rows))
        ]
        told[0] = whole
    titles = [text for text in told if text and not is_unit(text)]
    named = [text for text in titles if is_statement_name(text)]
    unit = unit_in(told)
    below = max(years, default=-1) + 1
    head = [rows[at][0] for at in sorted(years) if 0 in rows[at]]
    if not named and below and below < len(rows) and _is_name(rows[below]):
        under = list(rows[below].values())
        named, unit = [text for text in under if not is_unit(text)], unit or unit_in(under)
        cells = _without(cells, below, below + 1)
    named += [text for text in head if is_statement_name(text)]
    title = next(iter([*named, *titles[::-1]]), None)
    return Block(tuple(_without(cells, 0, top)), title, unit)


def _width(rows: Sequence[_Row]) -> int:
    return max((column for row in rows for column in row), default=0) + 1


def _heading(cells: Sequence[Cell], years: set[int]) -> str | None:
    """What begins a row of years and heads no column of labels: the name of its block."""
    texts = [cell.text for cell in cells if cell.row in years and cell.column == 0 and cell.text]
    return next((t for t in texts if may_be_title(t) and not is_label_heading(t)), None)


def _without(cells: list[Cell], first: int, stop: int) -> list[Cell]:
    """Cells without some rows that nothing reaches over; as they are where something does."""
    if any(cell.row < stop < cell.row + cell.row_span for cell in cells):
        return cells
    return [
        replace(cell, row=cell.row - (stop - first) * (cell.row >= stop))
        for cell in cells
        if not first <= cell.row < stop
    ]


def _headed(block: Block, years: Sequence[Cell]) -> Block:
    """A block under years that are printed over the one before it."""
    columns = {cell.column for cell in block.cells}
    # printed elsewhere: the box of the block does not reach there
    head = [replace(cell, text=cell.text if cell.column else "", bbox=None) for cell in years]
    head = [cell for cell in head if cell.column in columns]
    deep = max((cell.row + cell.row_span for cell in head), default=0) - min(c.row for c in head)
    top = min(cell.row for cell in head)
    return replace(
        block,
        cells=(
            *(replace(cell, row=cell.row - top) for cell in head),
            *(replace(cell, row=cell.row + deep) for cell in block.cells),
        ),
    )
