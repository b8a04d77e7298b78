"""Renders a table's cells as HTML and as a Markdown skeleton.

No PDF here: where cells, titles and units come from is in `tables`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape

from finrag_pipeline.records import Cell

_PERIOD = re.compile(
    r"^(FY)?((19|20)\d\d|\d\d(?=[AEFQH])|[1-4][QH]\d\d)\s*([AEF]|年|[QH]\d|[./\-]\d{1,2})*\s*$",
    re.IGNORECASE,
)


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


def header_depth(cells: Sequence[Cell]) -> int:
    """Rows at the top that hold header cells, with what spans down from them."""
    depth = 0
    while any(cell.row == depth and cell.header for cell in cells):
        depth += 1
    reach = [cell.row + cell.row_span for cell in cells if cell.row < depth]
    return max(reach, default=0)


def with_header(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells with the first row as header, if none is marked and it names columns of figures.

    Args:
        cells: in row-major order.

    Returns:
        The same cells; those of the first row are header cells where every one of them is words
        or a period (``2024A``, ``2025H1``) and stands above figures or words.
    """
    top = [cell for cell in cells if cell.row == 0 and cell.text]
    rest = [cell for cell in cells if cell.row > 0 and cell.text]
    names = len(top) >= 2 and all(_PERIOD.match(c.text) or not is_figure(c.text) for c in top)
    if any(cell.header for cell in cells) or not names or not any(is_figure(c.text) for c in rest):
        return tuple(cells)
    return tuple(replace(cell, header=True) if cell.row == 0 else cell for cell in cells)


def row_labels(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Texts of the label columns of the body, from the top, without figures and repeats."""
    depth = header_depth(cells)
    body = [cell for cell in cells if cell.row >= depth]
    labels: dict[str, None] = {}
    for cell in body:
        if cell.text.strip() and not is_figure(cell.text) and len(cell.text) <= 60:
            first = min(other.column for other in body if other.row == cell.row)
            if cell.column == first or (cell.column == 1 and _is_label(body, 1)):
                labels.setdefault(" ".join(cell.text.split()))
    return tuple(labels)


def is_figure(text: str) -> bool:
    """Whether a cell holds a number, a date or a dash and no words."""
    shown = "".join(text.split())
    return not any(char.isalpha() for char in shown) or (
        sum(char.isalpha() for char in shown) <= 2 < sum(char.isdigit() for char in shown)
    )


def _is_label(body: Sequence[Cell], column: int) -> bool:
    texts = [cell.text for cell in body if cell.column == column and cell.text.strip()]
    return 10 * sum(not is_figure(text) for text in texts) >= 8 * len(texts)


def _cell(cell: Cell) -> str:
    name = "th" if cell.header else "td"
    spans = f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    spans += f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    return f"<{name}{spans}>{escape(cell.text)}</{name}>"


def _plain(text: str | None) -> str:
    """One line in which nothing reads as Markdown or HTML structure."""
    line = " ".join((text or "").split())
    return escape(line, quote=False).replace("|", "\\|").replace("*", "\\*")
