"""Table drawing: bordered, three-line and banded tables, merged cells, page breaks."""

from __future__ import annotations

from typing import Any

from drawing.layout import BLACK, GREY, WHITE, Sheet, measure, wrap
from model import ABOVE, LEFT, Table

PAD = 3.5


def tint(color: tuple[float, float, float], share: float) -> tuple[float, float, float]:
    """Mix a colour with white; share is how much of the colour stays."""
    red, green, blue = (1 - (1 - c) * share for c in color)
    return red, green, blue


class TablePainter:
    """Draws one table on a sheet, going on to further pages where it must."""

    def __init__(self, sheet: Sheet, table: Table, size: float) -> None:
        """Fix the column edges and row heights of a table."""
        self.sheet, self.table, self.size = sheet, table, size
        shares = table.widths or [1.6] + [1.0] * (len(table.rows[0]) - 1)
        unit = sheet.width / sum(shares)
        self.edges = [sheet.x0]
        for share in shares:
            self.edges.append(self.edges[-1] + share * unit)
        self.heights = [self.row_height(i) for i in range(len(table.rows))]

    def span(self, i: int, j: int) -> tuple[int, int]:
        """Return the rows and columns that the cell at (i, j) covers."""
        rows, cols = self.table.rows, 1
        while j + cols < len(rows[i]) and rows[i][j + cols] == LEFT:
            cols += 1
        down = 1
        while i + down < len(rows) and rows[i + down][j] == ABOVE:
            down += 1
        return down, cols

    def lines(self, i: int, j: int, cols: int) -> list[str]:
        """Return the wrapped lines of one cell."""
        room = self.edges[j + cols] - self.edges[j] - 2 * PAD
        return wrap(self.table.rows[i][j], room, self.size, self.bold(i)) or [""]

    def bold(self, i: int) -> bool:
        """Say whether row i is set in bold."""
        return i < self.table.header_rows or i in self.table.bold_rows

    def row_height(self, i: int) -> float:
        """Return the height of row i by its tallest unmerged cell."""
        most = 1
        for j, cell in enumerate(self.table.rows[i]):
            if cell in (LEFT, ABOVE):
                continue
            down, cols = self.span(i, j)
            if down == 1:
                most = max(most, len(self.lines(i, j, cols)))
        return most * self.size * 1.3 + 5.5

    def draw_row(self, i: int, y: float) -> None:
        """Draw the cells of row i with its top edge at y."""
        sheet, table = self.sheet, self.table
        head = i < table.header_rows
        bottom = y + self.heights[i]
        filled = head and table.style != "three"
        if filled:
            fill = sheet.theme.accent if table.style == "band" else tint(sheet.theme.accent, 0.18)
            sheet.box(self.edges[0], y, self.edges[-1], bottom, fill)
        elif table.style == "band" and (i - table.header_rows) % 2:
            sheet.box(self.edges[0], y, self.edges[-1], bottom, tint(sheet.theme.second, 0.16))
        color = WHITE if head and table.style == "band" else BLACK
        for j, cell in enumerate(table.rows[i]):
            if cell in (LEFT, ABOVE):
                continue
            down, cols = self.span(i, j)
            height = sum(self.heights[i : i + down])
            self.draw_cell(i, j, cols, y, height, color)
            if table.style == "grid":
                sheet.shape.draw_rect((self.edges[j], y, self.edges[j + cols], y + height))
                sheet.shape.finish(color=GREY, width=0.5)
        if table.style == "three" and head and i == 0 and table.header_rows > 1:
            self.partial_rules(bottom)

    def partial_rules(self, y: float) -> None:
        """Draw the short rules under the grouped head cells of a three-line table."""
        for j, cell in enumerate(self.table.rows[0]):
            if cell not in (LEFT, ABOVE):
                down, cols = self.span(0, j)
                if down == 1:
                    x0, x1 = self.edges[j] + 3, self.edges[j + cols] - 3
                    self.sheet.line(x0, y, x1, y, BLACK, 0.4)

    def draw_cell(
        self, i: int, j: int, cols: int, y: float, height: float, color: tuple[float, float, float]
    ) -> None:
        """Draw one cell's text, centred upright, left or right by its column."""
        lines, bold = self.lines(i, j, cols), self.bold(i)
        step = self.size * 1.3
        top = y + (height - step * len(lines)) / 2 + self.size * 1.02
        x0, x1 = self.edges[j] + PAD, self.edges[j + cols] - PAD
        for k, part in enumerate(lines):
            width = measure(part, self.size, bold)
            if j in self.table.align_left and cols == 1:
                x = x0
            elif i < self.table.header_rows or len(lines) > 1 or cols > 1:
                x = (x0 + x1 - width) / 2
            else:
                x = x1 - width
            self.sheet.text(x, top + k * step, part, self.size, color, bold=bold)

    def head(self, title: str) -> None:
        """Draw the caption, the unit and the head rows."""
        sheet, table = self.sheet, self.table
        if title:
            sheet.caption(title)
            if table.unit:
                sheet.right(sheet.x1, sheet.y - 5, table.unit, 7.6, GREY)
        else:
            sheet.y += 4
        sheet.line(sheet.x0, sheet.y, sheet.x1, sheet.y, BLACK, 0.9)
        for i in range(table.header_rows):
            self.draw_row(i, sheet.y)
            sheet.y += self.heights[i]
        sheet.line(sheet.x0, sheet.y, sheet.x1, sheet.y, BLACK, 0.6)

    def draw(self, more_title: str) -> dict[str, Any]:
        """Draw the whole table and return its gold entry."""
        sheet, table = self.sheet, self.table
        top = sum(self.heights[: table.header_rows]) + 24
        body = self.heights[table.header_rows :]
        sheet.need(top + sum(body[:3]))
        if not more_title:
            sheet.need(top + sum(body) + 18)
        pages, breaks = [sheet.number], []
        self.head(table.title)
        for i in range(table.header_rows, len(table.rows)):
            merged = ABOVE in table.rows[i]
            down = 1 if merged else max(self.span(i, j)[0] for j in range(len(table.rows[i])))
            if not merged and sheet.y + sum(self.heights[i : i + down]) > sheet.bottom:
                sheet.line(sheet.x0, sheet.y, sheet.x1, sheet.y, BLACK, 0.9)
                sheet.new_page()
                captions = list(sheet.outline.captions)
                self.head(more_title)
                sheet.outline.captions = captions
                pages.append(sheet.number)
                breaks.append(i)
            self.draw_row(i, sheet.y)
            sheet.y += self.heights[i]
        sheet.line(sheet.x0, sheet.y, sheet.x1, sheet.y, BLACK, 0.9)
        sheet.source(table.source)
        return {
            "page": pages[0],
            "title": table.title,
            "unit": table.unit,
            "rows": table.grid(),
            "header_rows": table.header_rows,
            "pages": pages,
            "breaks_before_rows": breaks,
        }


def draw_table(
    sheet: Sheet, table: Table, size: float = 8.0, more: str = "", record: bool = True
) -> None:
    """Draw a table at the sheet's cursor; more is the caption where it goes on."""
    widths = {len(row) for row in table.rows}
    if len(widths) != 1:
        raise ValueError(f"uneven rows in {table.title!r}: {sorted(widths)}")
    entry = TablePainter(sheet, table, size).draw(more)
    if record:
        sheet.tables.append(entry)
        for row in table.grid():
            sheet.kept[entry["page"]].extend(["\n", *row])
