"""Draws tables into the PDF files of the tests, and reads them back as plain rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

from finrag_pipeline.records import Box, Table
from finrag_pipeline.stages.tables.reading import join_pages, read_tables

ROWS = [
    ["项目", "2023A", "2024A", "2025E"],
    ["营业收入", "1,234.56", "2,345.67", "3,456.78"],
    ["营业成本", "(734.10)", "(1,045.00)", "(1,500.20)"],
    ["毛利率", "40.5%", "55.4%", "56.6%"],
    ["归母净利润", "-12.3", "45.6", "78.9"],
]
#: Left edge of the tables, width of a column, height of a row, in points.
LEFT, WIDE, HIGH = 60, 110, 22

#: Rows and columns that a cell spans, by the row and column that it starts at.
Spans = dict[tuple[int, int], tuple[int, int]]


def draw_table(
    target: pymupdf.Page,
    rows: Sequence[Sequence[str]],
    top: float = 200,
    *,
    spans: Spans | None = None,
    ruled: bool = True,
    left: float = LEFT,
    high: float = HIGH,
    size: float = 10,
) -> None:
    """Draw a table: labels at the left of their cells, all beside them at the right.

    Args:
        target: an A4 page.
        rows: texts from the top; what a span covers is drawn neither as text nor as a rule.
        top: of the first row, in points.
        spans: merged cells.
        ruled: whether each cell has a frame.
        left: of the first column.
        high: height of a row.
        size: of the letters.
    """
    spans = spans or {}
    hidden = {
        (row + down, column + right)
        for (row, column), (tall, wide) in spans.items()
        for down in range(tall)
        for right in range(wide)
    } - set(spans)
    shape = target.new_shape()
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if (r, c) in hidden:
                continue
            tall, wide = spans.get((r, c), (1, 1))
            x0, y0 = left + WIDE * c, top + high * r
            x1, y1 = x0 + WIDE * wide, y0 + high * tall
            if ruled:
                shape.draw_rect((x0, y0, x1, y1))
            length = pymupdf.get_text_length(text, "china-s", size)
            at = x1 - 6 - length if c else x0 + 6
            if wide > 1:
                at = (x0 + x1 - length) / 2
            if text:
                shape.insert_text(
                    (at, (y0 + y1) / 2 + 0.35 * size), text, fontsize=size, fontname="china-s"
                )
    if ruled:
        shape.finish(width=0.5)
    shape.commit()


def group(kind: str, box: Box, **lines: list[float]) -> dict[str, Any]:
    """A region as the layout model gives it; a table's `h_lines` and `v_lines` from its corner."""
    return {"class_name": kind, "group_bbox": list(box), **lines}


def parts_of(path: Path, *layout: dict[str, Any]) -> tuple[Table, ...]:
    """The tables of the pages of a file, not joined; every page with the same layout groups."""
    with pymupdf.open(path) as document:
        pages = range(1, document.page_count + 1)
    return read_tables(path, [(number, list(layout)) for number in pages])


def tables_of(path: Path, *layout: dict[str, Any]) -> tuple[Table, ...]:
    """The tables of a file, those that cross pages joined."""
    return join_pages(parts_of(path, *layout))


def texts(table: Table) -> list[list[str]]:
    """Texts of a table's cells by row."""
    rows: dict[int, list[str]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell.text)
    return [rows[row] for row in sorted(rows)]


def assert_covers_its_grid(table: Table) -> None:
    """Every slot belongs to exactly one cell."""
    slots = Counter(
        (cell.row + down, cell.column + right)
        for cell in table.cells
        for down in range(cell.row_span)
        for right in range(cell.column_span)
    )
    height = max(row for row, _ in slots) + 1
    width = max(column for _, column in slots) + 1
    assert slots == Counter({(r, c): 1 for r in range(height) for c in range(width)})
