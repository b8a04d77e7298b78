"""Tells header rows from the body, label columns from figures, and what stands over a column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.records import Cell, PeriodColumn
from finrag_pipeline.stages.cleaning.text import is_prose, weight
from finrag_pipeline.stages.tables.periods import column_period, period_of, year_between
from finrag_pipeline.stages.tables.phrases import is_amount, is_number, is_value

#: How many months a heading tells, read as the end of the one before it, and the rest of it.
_LAST_WORD = re.compile(r"\s(Three|Six|Nine|Twelve)$")
_SPAN = re.compile(r"(?:months|quarters|weeks)\b")
#: Headings take up no more rows than this.
_DEEPEST = 5


def with_header(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells with every cell of the header rows marked.

    The header reaches down to the last row that names columns before the first row of figures;
    periods are names. Without figures the first row is the header where all its texts are short
    and it fills every column.
    """
    cells = _over_groups(_with_whole_heads(cells))
    depth = _depth(cells)
    return tuple(replace(cell, header=cell.row < depth) for cell in cells)


def header_depth(cells: Sequence[Cell]) -> int:
    """Rows at the top that hold header cells, with what spans down from them."""
    depth = 0
    while any(cell.row == depth and cell.header for cell in cells):
        depth += 1
    reach = [cell.row + cell.row_span for cell in cells if cell.row < depth and cell.header]
    return max(reach, default=0)


def header_paths(cells: Sequence[Cell]) -> dict[int, tuple[str, ...]]:
    """For each column the texts of the header cells over it, from the top, each once."""
    paths: dict[int, list[str]] = {}
    for cell in cells:
        if cell.header and cell.text:
            for column in range(cell.column, cell.column + cell.column_span):
                path = paths.setdefault(column, [])
                if cell.text not in path:
                    path.append(cell.text)
    return {column: tuple(path) for column, path in paths.items()}


def label_columns(cells: Sequence[Cell]) -> int:
    """How many columns at the left hold labels rather than figures; the first always does."""
    body = [cell for cell in cells if not cell.header and cell.text]
    count = 1
    width = max((cell.column + cell.column_span for cell in cells), default=1)
    while count < width - 1:
        texts = [cell.text for cell in body if cell.column == count]
        if not texts or 10 * sum(not is_value(text) for text in texts) < 8 * len(texts):
            break
        if not any(is_number(cell.text) for cell in body if cell.column > count):
            break
        count += 1
    return count


def period_columns(cells: Sequence[Cell]) -> tuple[PeriodColumn, ...]:
    """The columns whose header path names one period; of a misspelt year the one it stands for."""
    labels = label_columns(cells)
    paths = {c: path for c, path in sorted(header_paths(cells).items()) if c >= labels}
    periods = {column: column_period(path) for column, path in paths.items()}
    for column, path in paths.items():
        if periods[column] is None and path:
            before, after = periods.get(column - 1), periods.get(column + 1)
            periods[column] = year_between(before, path[-1], after)
    return tuple(PeriodColumn(column, period) for column, period in periods.items() if period)


def _with_whole_heads(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Cells, the first word of a heading that was read as the last one of that before it put back:
    `Three months ended June 30, Six` over `months ended June 30,`."""
    found = list(cells)
    for n in range(1, len(found)):
        left, cell = found[n - 1], found[n]
        torn = _LAST_WORD.search(left.text) if left.row == cell.row < _DEEPEST else None
        if torn and _SPAN.match(cell.text):
            found[n - 1] = replace(left, text=left.text[: torn.start()])
            found[n] = replace(cell, text=f"{torn[1]} {cell.text}")
    return found


def _over_groups(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Cells, headings over one of several equal groups of years each spread over all of it."""
    rows: dict[int, dict[int, Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    for row in range(1, min(len(rows), _DEEPEST)):
        years = {c: p for c, cell in rows.get(row, {}).items() if (p := period_of(cell.text))}
        groups = _groups(sorted(years), [years[column] for column in sorted(years)])
        over = [cell for cell in cells if cell.row == row - 1 and cell.text and cell.column]
        if not groups or len(over) != len(groups) or any(cell.row_span > 1 for cell in over):
            continue
        pairs = list(zip(sorted(over, key=lambda cell: cell.column), groups, strict=True))
        if all(cell.column in group for cell, group in pairs):
            first, last = groups[0][0], groups[-1][-1]
            kept = [c for c in cells if c.row != row - 1 or not first <= c.column <= last]
            wide = [_spread(cell, group, rows[row]) for cell, group in pairs]
            return sorted((*kept, *wide), key=lambda cell: (cell.row, cell.column))
    return cells


def _groups(columns: Sequence[int], periods: Sequence[str]) -> list[range]:
    """Columns in groups that name the same periods in the same order; none where they do not."""
    count = len(periods)
    if not columns or columns[-1] - columns[0] + 1 != count:
        return []
    for size in range(2, count // 2 + 1):
        if count % size == 0 and list(periods) == list(periods[:size]) * (count // size):
            return [range(at, at + size) for at in range(columns[0], columns[-1] + 1, size)]
    return []


def _spread(cell: Cell, group: range, years: Mapping[int, Cell]) -> Cell:
    """A heading over all columns of a group."""
    first, last = years[group[0]].bbox, years[group[-1]].bbox
    box = cell.bbox
    if box and first and last:
        box = (min(box[0], first[0]), box[1], max(box[2], last[2]), box[3])
    return replace(cell, column=group[0], column_span=len(group), bbox=box)


def _depth(cells: Sequence[Cell]) -> int:
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.text:
            rows.setdefault(cell.row, []).append(cell)
    if len(rows) < 2:
        return 0
    width = max(cell.column + cell.column_span for cell in cells)
    body = next((row for row in sorted(rows) if _is_body(rows[row])), None)
    if body is None:
        first = rows.get(0, [])
        covered = sum(cell.column_span for cell in first)
        short = all(weight(cell.text) <= 40 and not is_prose(cell.text) for cell in first)
        return 1 if covered == width and len(first) > 1 and short else 0
    depth = 0
    for row in range(min(body, _DEEPEST)):
        names = [cell for cell in rows.get(row, ()) if cell.column > 0]
        if names and not any(is_prose(cell.text) for cell in rows[row]):
            depth = row + 1
        elif row > 0 and depth and not names:
            break  # a label alone opens a section of the body
    reach = [cell.row + cell.row_span for cell in cells if cell.row < depth and cell.row_span > 1]
    return max([depth, *(row for row in reach if row <= body)], default=0)


def _is_body(row: Sequence[Cell]) -> bool:
    """Whether a row holds figures: half of what stands beside its label, periods not counted, or an
    amount, which a row of words about a person or a project has but one of."""
    beside = [cell.text for cell in row if cell.column > 0]
    figures = [text for text in beside if is_value(text) and period_of(text) is None]
    return 2 * len(figures) >= max(len(beside), 1) or any(map(is_amount, figures))
