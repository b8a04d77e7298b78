"""Reads the tables of PDF pages: cells with spans and boxes, and what is printed around them.

Rendering is in `table_text`; what the figures mean is read by later stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pymupdf

from finrag_pipeline.records import Box, Cell, LayoutBox, PageReading, Table
from finrag_pipeline.stages.cleaning.geometry import overlap
from finrag_pipeline.stages.cleaning.passages import is_disclaimer_sentence
from finrag_pipeline.stages.cleaning.rules import is_contact_text, is_contents
from finrag_pipeline.stages.cleaning.text import despace, is_prose, weight
from finrag_pipeline.stages.pdf import load_upright, rounded
from finrag_pipeline.stages.pdf_file import open_pdf, storable
from finrag_pipeline.stages.table_context import (
    SOURCE,
    PrintedLine,
    source_row,
    stands_over,
    title_above,
    title_row,
    unit_in,
)
from finrag_pipeline.stages.table_text import to_html, to_markdown, with_header

#: How far above or below its grid a table's title or source line stands, in points.
_NEAR_PT = 28.0


def may_hold_tables(page: PageReading) -> bool:
    """Whether `read_tables` is worth its time on a page: the layout model saw a table there."""
    return any(box.kind.startswith("table") for box in page.layout)


def read_tables(path: Path, pages: Sequence[tuple[int, Any]]) -> tuple[Table, ...]:
    """Read the tables of some pages of a PDF.

    Args:
        path: a local PDF.
        pages: page number, 1-based, and the `raw_layout` of its reading; with None the layout
            model runs again.

    Returns:
        Tables in page order, then as the finder orders them, numbered from 0 within this call.
        Costs about 0.2 s a page beside the layout. Grids of one row and column, without text,
        of running text or of contact lines are left out.

    Raises:
        DocumentError: as `pdf.count_pages`.
    """
    tables: list[Table] = []
    with open_pdf(path) as document:
        for number, raw in pages:
            page = load_upright(document, number)
            if page.rect.width < 1 or page.rect.height < 1:
                continue
            if raw is not None:
                page.layout_information = restore_layout(raw)
            tables += _page_tables(page, number)
    return tuple(replace(table, ordinal=ordinal) for ordinal, table in enumerate(tables))


def restore_layout(raw: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A stored `raw_layout` in the form that `find_tables(union=True)` takes from the model."""
    return [
        {
            "class_name": group["class_name"],
            "group_bbox": list(group["group_bbox"]),
            "table_grid": SimpleNamespace(h_lines=group["h_lines"], v_lines=group["v_lines"])
            if "h_lines" in group
            else None,
        }
        for group in raw
    ]


def _page_tables(page: pymupdf.Page, number: int) -> list[Table]:
    finder = cast("Any", page.find_tables(union=True, refine=True))
    found: list[Any] = list(finder.tables) if finder is not None else []
    if not found:
        return []
    words = [
        PrintedLine(rounded(word[:4]), storable(str(word[4])))
        for word in cast("list[Any]", page.get_text("words", sort=False))
    ]
    grids = [(rounded(tuple(table.bbox)), _cells(table, words)) for table in found]
    layout = [
        LayoutBox(group["class_name"], rounded(group["group_bbox"]))
        for group in cast("list[dict[str, Any]]", page.layout_information or [])
    ]
    claimed = [box.bbox for box in layout if box.kind == "table"]
    kept = [
        (box, cells)
        for box, cells in grids
        if _is_table(cells, any(overlap(box, claim) > 0.5 for claim in claimed))
    ]
    lines = _lines_outside(page, [box for box, _ in kept])
    return [_table(number, box, cells, lines, layout) for box, cells in kept]


def _cells(table: Any, words: Sequence[PrintedLine]) -> tuple[Cell, ...]:
    """The finder's grid with its spans; text comes from the words whose centre a cell holds.

    The finder's own `extract` loses decimal points and tears signs off figures.
    """
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    grid = cast("list[list[Any]]", table.placements or [])
    for row, placements in enumerate(grid):
        column = 0
        for placement in placements:
            while (row, column) in taken:
                column += 1
            spans = (max(placement.rowspan, 1), max(placement.colspan, 1))
            taken |= {
                (row + down, column + right)
                for down in range(spans[0])
                for right in range(spans[1])
            }
            box = rounded(tuple(placement.bbox)) if placement.bbox is not None else None
            text = _text_in(box, words) if box else placement.text
            cells.append(Cell(row, column, text, box, *spans, header=placement.tag == "th"))
            column += spans[1]
    return _closed(cells, taken)


def _closed(cells: Sequence[Cell], taken: set[tuple[int, int]]) -> tuple[Cell, ...]:
    """Cells that cover a rectangle exactly once: gaps become empty cells, overhang is cut."""
    if not cells:
        return ()
    height = max(cell.row for cell in cells) + 1
    width = max(column for _, column in taken) + 1
    slots: set[tuple[int, int]] = set()
    result: list[Cell] = []
    for cell in cells:
        row_span = min(cell.row_span, height - cell.row)
        result.append(replace(cell, row_span=row_span))
        slots |= {
            (cell.row + down, cell.column + right)
            for down in range(row_span)
            for right in range(cell.column_span)
        }
    result += [
        Cell(row, column, "")
        for row in range(height)
        for column in range(width)
        if (row, column) not in slots
    ]
    return tuple(sorted(result, key=lambda cell: (cell.row, cell.column)))


def _text_in(box: Box, words: Sequence[PrintedLine]) -> str:
    """Words with their centre in a box, by row and from the left."""
    inside = [
        word
        for word in words
        if box[0] <= (word.bbox[0] + word.bbox[2]) / 2 < box[2]
        and box[1] <= (word.bbox[1] + word.bbox[3]) / 2 < box[3]
    ]
    rows: list[list[PrintedLine]] = []
    for word in sorted(inside, key=lambda item: ((item.bbox[1] + item.bbox[3]) / 2, item.bbox[0])):
        middle = (word.bbox[1] + word.bbox[3]) / 2
        if rows and rows[-1][0].bbox[1] <= middle <= rows[-1][0].bbox[3]:
            rows[-1].append(word)
        else:
            rows.append([word])
    pieces = [
        " ".join(word.text for word in sorted(row, key=lambda item: item.bbox[0])) for row in rows
    ]
    text = " ".join(pieces)
    return despace(text)


def _is_table(cells: Sequence[Cell], claimed: bool) -> bool:
    """Not a frame around text: two rows, two columns, figures or labels rather than sentences.

    Where only ruling lines, not the layout model, speak for a grid (`claimed` is false), a third
    of running text is enough to make it a frame.
    """
    filled = [cell for cell in cells if cell.text]
    rows = {cell.row for cell in filled}
    columns = {cell.column for cell in filled}
    if len(rows) < 2 or len(columns) < 2 or len(filled) < 4:
        return False
    total = sum(weight(cell.text) for cell in filled)
    longest = max(filled, key=lambda cell: weight(cell.text))
    if is_prose(longest.text) and 2 * weight(longest.text) > total:
        return False
    prose = sum(weight(cell.text) for cell in filled if is_prose(cell.text))
    if not claimed and 3 * prose > total:
        return False
    contacts = sum(is_contact_text(cell.text) for cell in filled)
    legal = sum(is_disclaimer_sentence(cell.text) for cell in filled)
    lines = [" ".join(cell.text for cell in filled if cell.row == row) for row in rows]
    return 4 * contacts < len(filled) and 4 * legal < len(rows) and not is_contents(lines)


def _lines_outside(page: pymupdf.Page, boxes: Sequence[Box]) -> list[PrintedLine]:
    """Printed lines of the page that lie in no table, from the top."""
    lines: list[PrintedLine] = []
    for block in cast("dict[str, Any]", page.get_text("dict", flags=0))["blocks"]:
        for line in block.get("lines", ()):
            text = despace("".join(span["text"] for span in line["spans"]))
            box = rounded(line["bbox"])
            x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            if text and not any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in boxes):
                lines.append(PrintedLine(box, text))
    return sorted(lines, key=lambda line: (line.bbox[1], line.bbox[0]))


def _table(
    number: int,
    box: Box,
    cells: tuple[Cell, ...],
    lines: Sequence[PrintedLine],
    layout: Sequence[LayoutBox],
) -> Table:
    title, cells = title_row(cells)
    above = [
        line for line in lines if stands_over(line, box) and 0 <= box[1] - line.bbox[1] < _NEAR_PT
    ]
    below = [
        line for line in lines if stands_over(line, box) and -4 <= line.bbox[1] - box[3] < _NEAR_PT
    ]
    if title is None:
        title = title_above(above, layout)
    footnote = next((line.text for line in below if SOURCE.match(line.text)), None)
    footnote, cells = source_row(footnote, cells)
    cells = with_header(cells)
    stated = [cell.text for cell in cells if cell.row < 2 and "单位" in cell.text]
    unit = unit_in([title or "", *(line.text for line in above), *stated])
    if unit is None:
        # in a heading row a bracketed unit speaks for its own column, unless all say the same
        units = {found for cell in cells if cell.row == 0 and (found := unit_in([cell.text]))}
        unit = units.pop() if len(units) == 1 else None
    return Table(
        ordinal=0,
        page=number,
        bbox=box,
        cells=cells,
        title=title,
        unit=unit,
        footnote=footnote,
        header=tuple(cell.text for cell in cells if cell.header and cell.text),
        html=to_html(cells, title),
        markdown=to_markdown(cells, title, unit, footnote),
    )
