"""Lines of a filing's tables: each figure with its label, the metric that is, and its column.

Which tables count and for what is decided by their own rooms: `statements`, `indicators` …
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from finrag_pipeline.grammar.fact_metrics import FactMetric, bare_label, metric_of_label
from finrag_pipeline.records import Cell, Table
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.facts.cells import parted
from finrag_pipeline.stages.facts.columns import Column, columns_of
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.tables.body import BodyRow, body_rows
from finrag_pipeline.stages.tables.counting import Surroundings
from finrag_pipeline.stages.tables.figures import Figure, figures
from finrag_pipeline.stages.tables.headers import label_columns
from finrag_pipeline.stages.tables.phrases import is_value

#: References to notes that stand beside labels: 七、1, 附注五(12), (十八).
_NOTE = re.compile(
    r"^(?:附注)?[（(]?[一二三四五六七八九十]{1,3}[)）]?(?:[、.．,，]?[（(]?[\d一二三四五六七八九十]{0,3}[)）]?)*$|"
    r"^(?:附注\S{0,8}|注释?\s*\d+|\d{1,2}(?:[.、]\d{1,2})*)$"
)
#: A remark whose end is cut off.
_UNCLOSED = re.compile(r"[(（][^()（）]*$")
_YEAR, _AMOUNT = re.compile(r"20\d\d|[本上]年|[本上]期|报告期"), re.compile(r"金额|数量|人数|收入")
_DIGIT = re.compile(r"\d")
#: Rows beneath its own that a label may be torn over.
_TORN_OVER = 3
#: Labels that the right half of a table has at least.
_LEAST_LABELS = 3
_WORD = re.compile(r"[\u3400-\u9fffA-Za-z]{2}")


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of a table.

    Attributes:
        label: of its row without references to notes.
        at: column of the grid at which its label stands.
        blocks: headings over its row.
        metric: what the label is; None where the vocabulary lacks it.
        column: whose period it is; None where nothing over it tells one.
        heading: header cells over it, from the top.
    """

    figure: Figure
    label: str
    at: int
    blocks: tuple[str, ...]
    metric: FactMetric | None
    column: Column | None
    heading: tuple[str, ...]

    @property
    def bare(self) -> str:
        """Its label as labels are compared."""
        return bare_label(simplified(self.label))


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table with its lines.

    Attributes:
        labels: grid row, grid column and text of every label, also of rows without figures; those
            at the left of a table of two halves before those at its right.
        paths: its headings by column: what a continued table goes on under.
    """

    table: Table
    lines: tuple[Line, ...]
    labels: tuple[tuple[int, int, str], ...]
    paths: Mapping[int, tuple[str, ...]]

    def counted(self, around: Surroundings) -> Surroundings:
        """What stands around a table that goes on with this one: amounts are counted alike."""
        measures = (line.figure.measure for line in self.lines)
        amounts = [each for each in measures if each and each.currency and "/" not in each.unit]
        return replace(around, amount=amounts[0]) if amounts else around


def read_table(
    table: Table,
    around: Surroundings,
    filing: Filing,
    title: str = "",
    over: Mapping[int, tuple[str, ...]] | None = None,
    instead: Mapping[int, tuple[str, ...]] | None = None,
) -> ReadTable:
    """The lines of a table in row order.

    Args:
        title: what stands over it, see `columns_of`.
        over: headings by column of the table that it continues, where it has none of its own.
        instead: headings by column that stand for its own, from the lines above it.
    """
    table = parted(table)
    found: dict[tuple[int, int], Figure] = {
        (each.row, each.column): each for each in figures(table, around)
    }
    seen: dict[tuple[tuple[int, tuple[str, ...]], ...], dict[int, Column]] = {}
    lines: list[Line] = []
    last: Mapping[int, tuple[str, ...]] = {}
    rows = list(body_rows(table))
    alone, halves = _alone(table), _halves(table)
    used = {column for _, column in found}
    filled = {cell.column for cell in table.cells if cell.text and not cell.header}
    for row in rows:
        # remarks have headings, too: what heads more figures holds
        heads = (_over_figures(row.paths, used), _over_figures(row.paths, filled))
        own = max(heads, key=lambda each: len(used & {*each}))
        paths = instead or own or over or {}
        key = tuple(sorted(paths.items()))
        if key not in seen:
            seen[key] = columns_of(paths, filing, title)
        lines += _unambiguous(list(_lines_of(row, alone, halves, found, seen[key], paths)))
        last = paths
    return ReadTable(table, tuple(lines), _labels(table, lines), last)


def form_lines(read: ReadTable) -> Iterator[tuple[str, Line]]:
    """The figures of a form with what stands right before each, without white space: of several
    labels in a row each has its own."""
    at = {(line.figure.row, line.figure.column): line for line in read.lines}
    cells = sorted(read.table.cells, key=lambda each: (each.row, each.column))
    for cell, beside in pairwise(cells):
        line = at.get((beside.row, beside.column))
        if cell.row == beside.row and line is not None and is_value(beside.text):
            yield "".join(cell.text.split()), line


def _labels(table: Table, lines: Sequence[Line]) -> tuple[tuple[int, int, str], ...]:
    told = {(line.figure.row, line.at): line.label for line in lines}
    held = {at for _, at in told} | set(range(label_columns(table.cells)))
    for cell in table.cells:
        if not cell.header and cell.column in held and _is_label(cell):
            told.setdefault((cell.row, cell.column), cell.text)
    ordered = sorted(told.items(), key=lambda each: (each[0][1], each[0][0]))
    return tuple((row, at, label) for (row, at), label in ordered)


def _unambiguous(lines: Sequence[Line]) -> list[Line]:
    """Lines of a row, those without a period of which two under one label would have the same."""
    often = Counter(_said(line) for line in lines)
    return [line if often[_said(line)] == 1 else replace(line, column=None) for line in lines]


def _said(line: Line) -> tuple[int, Column | None]:
    """The label and the period of a line; the group's where whose it is is not told."""
    column = line.column
    if column and column.scope is None:
        column = replace(column, scope="consolidated")
    return line.at, column


def _lines_of(
    row: BodyRow,
    alone: Mapping[int, str],
    halves: set[int],
    found: Mapping[tuple[int, int], Figure],
    columns: Mapping[int, Column],
    paths: Mapping[int, tuple[str, ...]],
) -> Iterator[Line]:
    label = _label(row.names) or " ".join(row.names)
    label = _with_rest(label, row.row, alone)
    blocks = (*row.headings, *row.above)
    at, passed = 0, False
    last = max((cell.column for cell in row.cells if (cell.row, cell.column) in found), default=0)
    for cell in row.cells:
        figure = found.get((cell.row, cell.column))
        if figure:
            # a note is referred to before the figures of its row: what stands last is one, 29.40
            note = _NOTE.match(cell.text) and cell.column not in columns and not passed
            if note and cell.column != last:
                continue
            passed = True
            yield Line(
                figure,
                label,
                at,
                blocks,
                metric_of_label(simplified(label)),
                columns.get(cell.column),
                paths.get(cell.column, ()),
            )
        elif cell.column in halves and _is_label(cell):
            # assets at the left, liabilities at the right of one row
            label, at, blocks = cell.text, cell.column, ()


def _with_rest(label: str, row: int, alone: Mapping[int, str]) -> str:
    """A label that is no metric with what stands alone in the rows behind it, where that makes it
    one: 归属于上市公司股东 | 的扣除非经常性损益 | 的净利润."""
    whole = label
    for beneath in range(row + 1, row + 1 + _TORN_OVER):
        if beneath not in alone or metric_of_label(whole):
            break
        if not whole.endswith(alone[beneath]):  # the grid has joined it already
            whole += alone[beneath]
    return whole if metric_of_label(whole) else label


def _halves(table: Table) -> set[int]:
    """Columns of labels in the middle of a table: those of its right half."""
    texts: dict[int, list[Cell]] = {}
    for cell in table.cells:
        if not cell.header and cell.text and cell.column:
            texts.setdefault(cell.column, []).append(cell)
    return {
        column
        for column, held in texts.items()
        if len(held) >= _LEAST_LABELS
        and 10 * sum(_is_label(each) and not _DIGIT.search(each.text) for each in held)
        > 8 * len(held)
    }


def _alone(table: Table) -> dict[int, str]:
    """Texts of rows that hold nothing beside them, by row: maybe the rest of the label above."""
    texts: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.text and not cell.header:
            texts.setdefault(cell.row, []).append(cell.text)
    return {row: held[0] for row, held in texts.items() if len(held) == 1}


def _label(names: tuple[str, ...]) -> str:
    shown = " ".join(text for text in names if not _NOTE.match("".join(text.split())))
    return _UNCLOSED.sub("", shown) or shown


def _is_label(cell: Cell) -> bool:
    text = "".join(cell.text.split())
    return bool(_WORD.search(text)) and not is_value(text) and not _NOTE.match(text)


def _over_figures(
    paths: Mapping[int, tuple[str, ...]], used: set[int]
) -> dict[int, tuple[str, ...]]:
    """Headings by column, those that stand beside the column of their figures moved over it.

    Headings in the middle over figures at the side become columns of their own in a grid without
    rules.
    """
    paths = {**paths, **_years_beside(paths, used)}
    bare = sorted(column for column in used if column and not paths.get(column))
    stray = sorted(column for column in paths if column and column not in used)
    if not bare or not stray:
        return dict(paths)
    held = {column: path for column, path in paths.items() if column in used or not column}
    if len(stray) == len(bare) + 1 and stray[0] < bare[0]:
        del stray[0]  # it heads the labels
    if len(stray) != len(bare):
        return held
    return held | {to: paths[at] for to, at in zip(bare, stray, strict=True)}


def _years_beside(
    paths: Mapping[int, tuple[str, ...]], used: set[int]
) -> dict[int, tuple[str, ...]]:
    """Headings that only say 金额 with the year beside them, which stands over several columns."""
    years = {at: path for at, path in paths.items() if at not in used and _YEAR.search(path[0])}
    found: dict[int, tuple[str, ...]] = {}
    for column, path in paths.items():
        if column in used and _AMOUNT.fullmatch("".join(path)):
            near = [at for at in years if abs(at - column) == 1]
            if len(near) == 1:
                found[column] = (*years[near[0]], *path)
    return found
