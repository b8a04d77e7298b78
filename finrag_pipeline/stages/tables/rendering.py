"""Renders a table's cells as HTML, as a Markdown skeleton and as rows of a terminal.

Where cells, titles and units come from is in `grid` and `context`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.headers import header_depth, header_paths
from finrag_pipeline.stages.tables.phrases import is_value


def to_html(cells: Sequence[Cell], title: str | None = None) -> str:
    """A table as HTML.

    Args:
        cells: in row-major order; rows of header cells come first.
        title: becomes the caption.

    Returns:
        Markup of `table`, `caption`, `thead`, `tbody`, `tr`, `th`, `td` with `colspan` and
        `rowspan` alone; every text is escaped.
    """
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    depth = header_depth(cells)
    last = max((cell.row + cell.row_span for cell in cells), default=0)
    parts = ["<table>"]
    if title:
        parts.append(f"<caption>{escape(title)}</caption>")
    for name, span in (("thead", range(depth)), ("tbody", range(depth, last))):
        if span:
            lines = ("".join(_cell(cell) for cell in rows.get(row, ())) for row in span)
            parts.append(f"<{name}>{''.join(f'<tr>{line}</tr>' for line in lines)}</{name}>")
    parts.append("</table>")
    return "".join(parts)


def to_markdown(
    cells: Sequence[Cell],
    title: str | None = None,
    unit: str | None = None,
    footnote: str | None = None,
) -> str:
    """A table's skeleton for search: what it is about, without its figures.

    Args:
        cells: in row-major order.
        title: printed above the table.
        unit: of its figures.
        footnote: printed below it.

    Returns:
        Lines: title, unit, header cells between pipes, row labels, footnote; each only if there.
    """
    lines = [f"**{_plain(title)}**"] if title else []
    if unit:
        lines.append(f"单位：{_plain(unit)}" if not unit.isascii() else f"Unit: {_plain(unit)}")
    for row in range(header_depth(cells)):
        texts = [_plain(cell.text) for cell in cells if cell.row == row and cell.text.strip()]
        if texts:
            lines.append(f"| {' | '.join(texts)} |")
    labels = [_plain(text) for text in row_labels(cells)]
    if labels:
        lines.append("；".join(labels) if not "".join(labels).isascii() else "; ".join(labels))
    if footnote:
        lines.append(_plain(footnote))
    return "\n".join(lines)


def to_grid(cells: Sequence[Cell]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A table as one line of column headings and the rows of its body, every text once.

    Args:
        cells: in row-major order.

    Returns:
        What stands over each column, from the top, empty without a header; body rows of as many
        texts, those of merged cells where they begin.
    """
    depth = header_depth(cells)
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    last = max((cell.row + cell.row_span for cell in cells), default=0)
    paths = header_paths(cells)
    header = tuple(" ".join(paths.get(column, ())) for column in range(width))
    rows = [[""] * width for _ in range(last)]
    for cell in cells:
        rows[cell.row][cell.column] = " ".join(cell.text.split())
    return header, [tuple(row) for row in rows[depth:] if any(row)]


def row_labels(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Texts of the label columns of the body, from the top, without figures and repeats."""
    depth = header_depth(cells)
    body = [cell for cell in cells if cell.row >= depth]
    first: dict[int, int] = {}
    for cell in body:
        first[cell.row] = min(cell.column, first.get(cell.row, cell.column))
    beside = [cell.text for cell in body if cell.column == 1 and cell.text.strip()]
    also_second = 10 * sum(not is_value(text) for text in beside) >= 8 * len(beside)
    labels = (
        " ".join(cell.text.split())
        for cell in body
        if cell.column == first[cell.row] or (cell.column == 1 and also_second)
        if not is_value(cell.text) and len(cell.text) <= 60
    )
    return tuple(dict.fromkeys(label for label in labels if label))


def _cell(cell: Cell) -> str:
    name = "th" if cell.header else "td"
    spans = f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    spans += f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    return f"<{name}{spans}>{escape(cell.text)}</{name}>"


def _plain(text: str | None) -> str:
    """One line in which nothing reads as Markdown or HTML structure."""
    line = " ".join((text or "").split())
    return escape(line, quote=False).replace("|", "\\|").replace("*", "\\*")
