"""Puts together the parts of tables that cross pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.records import Cell, Place, Table
from finrag_pipeline.stages.tables.context import goes_on
from finrag_pipeline.stages.tables.headers import header_depth
from finrag_pipeline.stages.tables.page_columns import (
    LEAST_FIGURES,
    SHIFT_PT,
    agree,
    in_columns_of,
    kinds_of,
    on_one_grid,
    width_of,
)
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.stages.tables.units import unit_in

#: Rows of a header that nothing marks.
_DEEPEST = 5
#: A row over heads that only says in what they are counted.
_STATES_UNIT = re.compile(r"\s*(?:金额)?单位\s*[:：]")
#: Columns that heads without a table have at least, and characters of the longest.
_LEAST_HEADS, _LONGEST_HEAD = 3, 40


@dataclass(frozen=True, slots=True)
class TablePart(Table):
    """A table as one page shows it.

    `open_above` and `open_below` tell that nothing stands between it and the head or the foot of
    its page but running heads and feet (and a title of its own): it may go on there. Of one whose
    `head_alone` stands there all else is overleaf.
    """

    open_above: bool = False
    open_below: bool = False
    head_alone: bool = False


def joined(tables: Sequence[Table]) -> list[Table]:
    """Tables whose parts on several pages are put together; the others as they are.

    The part on the next page goes on with a table when the first is the last thing on its page,
    the next the first on its own (below a title that says so, at most), and their columns agree:
    they stand in the same places, or as many of them under the same header. A head that stands
    alone and that nothing goes on with is no table.

    Args:
        tables: of a document, in page order.
    """
    whole: list[Table] = []
    is_open = False
    for table in tables:
        part = table if isinstance(table, TablePart) else None
        follows = is_open and part is not None and part.open_above
        longer = _appended(whole[-1], table) if follows else None
        if longer is None and whole and _is_head(whole[-1]):
            whole.pop()
        if longer is None:
            whole.append(table)
        else:
            whole[-1] = longer
        is_open = part is not None and part.open_below
    return [each for each in whole if not _is_head(each)]


def _is_head(table: Table) -> bool:
    return isinstance(table, TablePart) and table.head_alone


def _appended(table: Table, part: Table) -> Table | None:
    last = table.places[-1] if table.places else Place(table.page, table.bbox)
    if part.page != last.page + 1:
        return None
    if part.title and part.title != table.title and not goes_on(part.title):
        return None
    over = _over_figures(table, part)
    held: Sequence[Cell] = over or table.cells
    mine = [cell for cell in held if cell.page == last.page]
    depth = _repeated(held, part.cells)
    theirs: Sequence[Cell] = part.cells
    if not (over or agree(mine, theirs) or (depth and width_of(mine) == width_of(theirs))):
        theirs = () if depth else in_columns_of(mine, theirs)
        if not theirs and not depth:
            held, theirs = on_one_grid(held, mine, part.cells)
    cells = tuple(replace(cell, row=cell.row - depth) for cell in theirs if cell.row >= depth)
    if not cells:
        return None
    shift = max(cell.row + cell.row_span for cell in held)
    moved = tuple(replace(cell, row=cell.row + shift) for cell in cells)
    if isinstance(table, TablePart):
        table = replace(table, head_alone=False)
    return replace(
        table,
        cells=(*held, *moved),
        unit=table.unit or part.unit or (unit_in([c.text for c in table.cells]) if over else None),
        footnote=part.footnote or table.footnote,
        places=(*table.places, Place(part.page, part.bbox)),
    )


def _over_figures(table: Table, part: Table) -> tuple[Cell, ...]:
    """The heads of a table that has nothing else over the figures of its part overleaf, as many,
    or one less where the labels stand under none of them; none where they are no such heads."""
    stated = {cell.row for cell in table.cells if _STATES_UNIT.match(cell.text)}
    held = [cell for cell in table.cells if cell.row not in stated]
    texts = [cell.text for cell in held if cell.text]
    rows = {cell.row for cell in held if cell.text}
    columns = kinds_of(part.cells)
    label, *figures = columns.values() or (True,)
    alone = len(rows) <= _DEEPEST and all(
        len(text) <= _LONGEST_HEAD and not is_value(text) for text in texts
    )
    # a model's box goes as far as the words of the heads
    same = part.bbox[0] - SHIFT_PT < table.bbox[0] and table.bbox[2] < part.bbox[2] + SHIFT_PT
    # 2025 年前三季度 may go on with （1-9 月）
    named = any(cell.header and cell.text[:1] not in ("", "(", "（") for cell in part.cells)
    if not alone or not same or named or label or not all(figures):
        return ()
    if not held:
        return ()
    width = width_of(held)
    unlabelled = len(figures) == width >= _LEAST_HEADS
    if not unlabelled and not (len(figures) >= LEAST_FIGURES and width == width_of(part.cells)):
        return ()
    heads = {cell.row for cell in held if cell.text and (unlabelled or cell.column)}
    return tuple(
        replace(cell, column=cell.column + unlabelled, header=cell.row in heads) for cell in held
    )


def _repeated(cells: Sequence[Cell], part: Sequence[Cell]) -> int:
    """How many rows at the top of a part repeat the header of its table.

    Where no header is marked, since nothing in the table is a figure, any first rows may be one.
    """
    first, again = _rows(cells), _rows(part)
    deepest = min(len(first), len(again), header_depth(cells) or _DEEPEST)
    depth = 0
    while depth < deepest and first[depth] and first[depth] == again[depth]:
        depth += 1
    # what spans down from a repeated row goes with it
    reach = [cell.row + cell.row_span for cell in part if cell.row < depth]
    return max(reach, default=0)


def _rows(cells: Sequence[Cell]) -> list[list[str]]:
    rows: dict[int, list[str]] = {}
    for cell in cells:
        held = rows.setdefault(cell.row, [])
        if cell.text:
            held.append("".join(cell.text.split()))
    return [rows.get(row, []) for row in range(max(rows, default=-1) + 1)]
