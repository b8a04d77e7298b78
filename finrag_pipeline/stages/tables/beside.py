"""Joins columns of which one holds the heading and another, beside it, the figures.

Re-typeset filings print them so: of a merged cell the heading is kept at its left edge and the
figures at its right one, with rules between both. What headed a group of columns stands in a
column of its own between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from finrag_pipeline.grammar.quantities import is_no_figure
from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.periods import period_of


@dataclass(frozen=True, slots=True)
class _Join:
    """Columns from `first` to `last` that are one; `over` heads it and the one to its left."""

    first: int
    last: int
    over: int | None = None


def with_headings_joined(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells, columns that are parts of one made one; headings are marked already.

    Parts stand between whole columns. Where nothing tells which belong together, or a row has a
    text in two of them, all stay as they are.
    """
    columns = _Columns.of(cells)
    joins = [join for run in columns.runs() for join in columns.joins(run)]
    if not joins or not all(columns.apart(join) for join in joins):
        return tuple(cells)
    return _joined(cells, joins)


@dataclass(frozen=True, slots=True)
class _Columns:
    """What stands in the columns of a table: headings and rows with texts, by column."""

    headings: dict[int, list[str]]
    filled: dict[int, set[int]]
    width: int

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> _Columns:
        headings: dict[int, list[str]] = {}
        filled: dict[int, set[int]] = {}
        for cell in cells:
            for column in range(cell.column, cell.column + cell.column_span):
                if cell.text and cell.header:
                    headings.setdefault(column, []).append(cell.text)
                elif cell.text and not is_no_figure(cell.text):
                    filled.setdefault(column, set()).add(cell.row)
        return cls(headings, filled, max((c.column + c.column_span for c in cells), default=0))

    def runs(self) -> Iterator[list[int]]:
        """Columns beside one another that lack a heading or have nothing else; without the first,
        whose labels often have no heading."""
        for partial, run in groupby(range(1, self.width), key=self._partial):
            if partial:
                yield list(run)

    def joins(self, run: Sequence[int]) -> list[_Join]:
        """Which columns of a run are one: all under its one heading, or pairs by turns."""
        heads = [column for column in run if column in self.headings]
        if len(heads) == 2 and len(run) > 2 and self._heads_group(run[0], heads[1]):
            return [_Join(run[0], run[-1], run[0])]
        if len(heads) == 1 and len(run) > 1:
            return [_Join(run[0], run[-1])]
        by_turns = all((left in heads) != (right in heads) for left, right in pairwise(run))
        if by_turns and len(run) % 2 == 0:
            return [_Join(left, right) for left, right in zip(run[::2], run[1::2], strict=True)]
        return []

    def apart(self, join: _Join) -> bool:
        """Whether no row has a text in two columns that are to be one."""
        rows = [self.filled.get(column, set()) for column in range(join.first, join.last + 1)]
        return sum(map(len, rows)) == len(set[int]().union(*rows))

    def _partial(self, column: int) -> bool:
        return (column in self.headings) != (column in self.filled)

    def _heads_group(self, column: int, other: int) -> bool:
        """Whether a heading is a period between two that name what is counted in it."""
        before = self.headings.get(column - 1, []) if column - 1 in self.filled else []
        period, *named = (
            any(map(period_of, self.headings.get(each, ()))) for each in (column, column - 1, other)
        )
        return bool(before) and period and not any(named)


def _joined(cells: Sequence[Cell], joins: Sequence[_Join]) -> tuple[Cell, ...]:
    gone = [column for join in joins for column in range(join.first + 1, join.last + 1)]
    over = {join.over for join in joins if join.over is not None}
    kept: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        first = cell.column - sum(each <= cell.column for each in gone)
        end = cell.column + cell.column_span - 1
        span = end - sum(each <= end for each in gone) - first + 1
        row = cell.row + bool(over)
        if cell.column in over and cell.header:
            if not cell.text:
                continue
            row, first, span = 0, first - 1, 2
        other = kept.get((row, first))
        if other is None or (cell.text and not other.text):
            kept[row, first] = replace(cell, row=row, column=first, column_span=span)
    return tuple(sorted(kept.values(), key=lambda cell: (cell.row, cell.column)))
