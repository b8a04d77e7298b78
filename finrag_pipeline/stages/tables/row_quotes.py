"""Rows of stored tables as lines of text: how a figure is quoted with its label and header.

Which row answers a question is decided in `extractive`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from finrag_pipeline.grammar.periods import years_in
from finrag_pipeline.records import Cell, Place
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.periods import period_of, relative_period
from finrag_pipeline.stages.tables.phrases import is_number

#: Where the unit of a figure stands that its row and column do not print.
_NOT_BESIDE = frozenset(("table", "page", "metric"))


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row under its header, as text by column; `header_line` may be empty.

    `row` is that of the grid; `place` the box around its cells, None where the document has no
    boxes; `over` the headings in the body under which it stands; `units` what its figures are
    counted in where neither they nor their headings print it, by column.
    """

    label: str
    cells: dict[int, str]
    header: dict[int, str]
    line: str
    header_line: str
    place: Place | None = None
    over: str = ""
    row: int = 0
    units: Mapping[int, str] = field(default_factory=dict[int, str])

    @property
    def quote(self) -> str:
        """The stored text: the header's line, then the row's."""
        return "\n".join(line for line in (self.header_line, self.line) if line)

    def sentence(self, caption: str | None, question: str) -> str:
        """The row in words: each figure with its column; one year only, if the question names it.

        >>> row = TableRow("营收", {0: "营收", 1: "58.1", 2: "66.9"},
        ...                {0: "", 1: "2024A", 2: "2025E"}, "", "", units={1: "亿元", 2: "亿元"})
        >>> row.sentence("盈利预测", "2025年营收是多少？")
        '盈利预测：营收：2025E 66.9（亿元）'
        """
        figures = [(n, text) for n, text in sorted(self.cells.items())[1:] if text]
        years = years_in(question)
        asked = [(n, text) for n, text in figures if years & years_in(self._head(n))]
        # a cell over several columns says its text once
        parts = [*dict.fromkeys(f"{self._head(n)} {text}".strip() for n, text in asked or figures)]
        lead = f"{caption}：" if caption and not re.search(r"\d", caption) else ""
        units = {self.units.get(n, "") for n, _ in asked or figures}
        unit = units.pop() if len(units) == 1 else ""
        tail = f"（{unit}）" if unit and not re.search(r"\d", unit) else ""
        name = " ".join(filter(None, (self.over, self.label)))
        return f"{lead}{name}：{'；'.join(parts)}{tail}"

    def _head(self, column: int) -> str:
        return self.header.get(column, "")


def table_rows(cells: Sequence[Cell], meant: Sequence[Figure] = ()) -> list[TableRow]:
    """The rows below the header that have a label and something beside it.

    Args:
        cells: of one table.
        meant: its figures with what they mean.
    """
    grid = _grid(cells)
    head_rows = sorted({cell.row for cell in cells if cell.header and cell.column > 0})
    # a header is what stands above the figures, not the labels beside them
    top = [row for n, row in enumerate(head_rows) if row == n]
    header: dict[int, str] = {}
    for row in top:
        for column, text in grid.get(row, {}).items():
            if text and text not in header.get(column, ""):
                header[column] = f"{header.get(column, '')} {text}".strip()
    lines = _lines(cells)
    header_line = "\n".join(lines[row] for row in top if row in lines)
    figures: defaultdict[int, list[Figure]] = defaultdict(list)
    for each in meant:
        figures[each.row].append(each)
    rows: list[TableRow] = []
    for row, texts in sorted(grid.items()):
        if row not in top and _names_columns(texts):
            # a heading inside the body names the columns anew
            header, header_line = texts, lines.get(row, "")
            continue
        label = texts.get(0, "") or next((text for _, text in sorted(texts.items()) if text), "")
        if row not in top and label and sum(1 for text in texts.values() if text) > 1:
            found = TableRow(
                label, texts, header, lines[row], header_line, _place(cells, row), row=row
            )
            rows.append(_with_meaning(found, figures[row]))
    return rows


def _names_columns(texts: Mapping[int, str]) -> bool:
    """Whether a row beside its label names times and nothing else, so that it is no row of figures.

    >>> _names_columns({0: "", 1: "本报告期", 2: "上年同期", 3: "同比增减(%)"})
    True
    >>> _names_columns({0: "营业收入", 1: "1,234", 2: "2024"})
    False
    >>> _names_columns({0: "成立年份", 1: "2001", 2: "2003"})
    False
    """
    beside = [text for column, text in texts.items() if column and text]
    if texts.get(0) and not any(map(relative_period, beside)):
        return False  # a row of years, it may be
    named = {each for text in beside if (each := period_of(text) or relative_period(text))}
    return len(named) > 1 and not any(is_number(text) and not period_of(text) for text in beside)


def _with_meaning(row: TableRow, figures: Sequence[Figure]) -> TableRow:
    if not figures:
        return row
    units = {
        each.column: each.measure.text
        for each in figures
        if each.measure and each.source in _NOT_BESIDE
    }
    return replace(row, over=" ".join(figures[0].labels[:-1]), units=units)


def _place(cells: Sequence[Cell], row: int) -> Place | None:
    """The box around the cells that start in a row, on the page where the row starts."""
    drawn = [
        (cell.page, cell.bbox) for cell in cells if cell.row == row and cell.page and cell.bbox
    ]
    if not drawn:
        return None
    page = min(page for page, _ in drawn)
    x0, y0, x1, y1 = zip(*(box for at, box in drawn if at == page), strict=True)
    return Place(page, (min(x0), min(y0), max(x1), max(y1)))


def _lines(cells: Sequence[Cell]) -> dict[int, str]:
    lines: dict[int, list[str]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        text = " ".join(cell.text.split())
        if text:
            lines.setdefault(cell.row, []).append(text)
    return {row: " ".join(texts) for row, texts in lines.items()}


def _grid(cells: Sequence[Cell]) -> dict[int, dict[int, str]]:
    grid: dict[int, dict[int, str]] = {}
    for cell in cells:
        text = " ".join(cell.text.split())
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                grid.setdefault(row, {})[column] = text
    return grid
