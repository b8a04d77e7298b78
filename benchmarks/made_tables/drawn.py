"""Sets tables whose columns have widths in points: with fills and rules, or without."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.made_tables.content import Content, Entry
from benchmarks.made_tables.sheet import BLACK, LEFT, RIGHT, Colour, Sheet

WHITE: Colour = (1, 1, 1)
_PAD = 4.0


@dataclass(frozen=True)
class Style:
    """How a table looks.

    `rules` names which are drawn: grid, rows, three, columns (frame and verticals, no line
    between rows), groups (as columns, with a line over each third row), open (a grid without its
    outer sides), or none.
    """

    size: float = 9
    leading: float = 1.2
    gap: float = 3.0
    rules: str = "grid"
    head_fill: Colour | None = None
    head_ink: Colour = BLACK
    group_fill: Colour | None = None
    band: Colour | None = None
    justified: bool = False
    head_width: float = 90.0
    label_width: float = 150.0
    figures: str = "right"
    bold_heads: bool = True
    top: bool = True


def set_table(sheet: Sheet, content: Content, style: Style) -> None:
    """Set a table at the sheet's present height, on a page of its own where it does not fit."""
    widths = _widths(sheet, content, style)
    heights = _heights(sheet, content, style, widths)
    sheet.room(sum(heights) + 10)
    left = LEFT if sum(widths) > 0.9 * (RIGHT - LEFT) else LEFT + 15
    xs, ys = [left], [sheet.y]
    for width in widths:
        xs.append(xs[-1] + width)
    for height in heights:
        ys.append(ys[-1] + height)
    for entry in content.entries:
        colour = _fill(entry, content, style)
        if colour is not None:
            x1 = xs[-1] if entry.role == "group" else xs[entry.column + entry.columns]
            sheet.fill((xs[entry.column], ys[entry.row], x1, ys[entry.row + entry.rows]), colour)
    if style.head_fill is not None:  # an empty corner is filled, too
        sheet.fill((xs[0], ys[0], xs[1], ys[content.head_rows]), style.head_fill)
    for entry in content.entries:
        _set_entry(sheet, entry, style, xs, ys)
    for segment in _rules(content, style, xs, ys):
        sheet.rule(*segment)
    sheet.remember((xs[0], ys[0], xs[-1], ys[-1]), content.entries)
    sheet.y = ys[-1]


def _widths(sheet: Sheet, content: Content, style: Style) -> list[float]:
    widths = [0.0] * content.width
    for entry in content.entries:
        if entry.columns > 1:
            continue
        bold = _bold(entry, style)
        limit = style.label_width if entry.column == 0 else style.head_width
        if entry.role == "figure":
            need = sheet.length(entry.text, style.size, bold)
        else:
            lines = sheet.wrapped(entry.text, limit, style.size, bold)
            need = max(sheet.length(line, style.size, bold) for line in lines)
        widths[entry.column] = max(widths[entry.column], need + 2 * _PAD)
    room = RIGHT - LEFT
    if sum(widths) < 0.6 * room:
        widths = [width + (0.7 * room - sum(widths)) / len(widths) for width in widths]
    return [width * min(1.0, room / sum(widths)) for width in widths]


def _heights(sheet: Sheet, content: Content, style: Style, widths: list[float]) -> list[float]:
    heights = [style.size * style.leading + style.gap] * content.height
    for entry in sorted(content.entries, key=lambda entry: entry.rows):
        width = sum(widths[entry.column : entry.column + entry.columns]) - 2 * _PAD
        lines = sheet.wrapped(entry.text, max(width, 5), style.size, _bold(entry, style))
        need = len(lines) * style.size * style.leading + style.gap
        last = entry.row + entry.rows - 1
        heights[last] = max(heights[last], need - sum(heights[entry.row : last]))
    return heights


def _set_entry(sheet: Sheet, entry: Entry, style: Style, xs: list[float], ys: list[float]) -> None:
    bold = _bold(entry, style)
    x0, x1 = xs[entry.column] + _PAD, xs[entry.column + entry.columns] - _PAD
    y0, y1 = ys[entry.row], ys[entry.row + entry.rows]
    lines = sheet.wrapped(entry.text, max(x1 - x0, 5), style.size, bold)
    high = len(lines) * style.size * style.leading
    y = y0 + style.gap / 2
    if not style.top or entry.role == "figure":
        y = y0 + (y1 - y0 - high) / 2
    if entry.role == "head" and not style.top:
        y = y1 - style.gap / 2 - high
    colour = style.head_ink if entry.role == "head" else BLACK
    for index, line in enumerate(lines):
        length = sheet.length(line, style.size, bold)
        baseline = y + style.size * (style.leading - 0.25)
        y += style.size * style.leading
        words = line.split()
        last = index == len(lines) - 1
        if style.justified and entry.role == "head" and not last and len(words) > 1:
            space = (x1 - x0 - sum(sheet.length(w, style.size, bold) for w in words)) / (
                len(words) - 1
            )
            x = x0
            for word in words:
                sheet.write(x, baseline, word, style.size, bold=bold, colour=colour)
                x += sheet.length(word, style.size, bold) + space
            continue
        x = x0
        if entry.role == "figure" and style.figures == "right":
            x = x1 - length
        elif (entry.role == "figure" and style.figures == "middle") or (
            entry.columns > 1 or (entry.role == "head" and entry.column and not style.justified)
        ):
            x = (x0 + x1 - length) / 2
        sheet.write(x, baseline, line, style.size, bold=bold, colour=colour)


def _bold(entry: Entry, style: Style) -> bool:
    return entry.role == "group" or (entry.role == "head" and style.bold_heads)


def _fill(entry: Entry, content: Content, style: Style) -> Colour | None:
    if entry.role == "head":
        return style.head_fill
    if entry.role == "group":
        return style.group_fill
    return style.band if style.band and (entry.row - content.head_rows) % 2 else None


def _rules(
    content: Content, style: Style, xs: list[float], ys: list[float]
) -> Iterator[tuple[float, float, float, float]]:
    owner = {
        (row, column): entry
        for entry in content.entries
        for row in range(entry.row, entry.row + entry.rows)
        for column in range(entry.column, entry.column + entry.columns)
    }
    rows, columns = content.height, content.width
    head = content.head_rows
    for edge in range(rows + 1):
        inner = 0 < edge < rows
        drawn = {
            "grid": True,
            "open": inner or style.top,
            "rows": True,
            "three": edge in (0, head, rows),
            "columns": edge in (0, head, rows) or edge < head,
            "groups": edge in (0, rows) or edge <= head or (edge - head) % 3 == 0,
            "none": False,
        }[style.rules]
        for column in range(columns):
            one = owner.get((edge - 1, column)) if inner else None
            if drawn and not (one is not None and one is owner.get((edge, column))):
                yield xs[column], ys[edge], xs[column + 1], ys[edge]
    if style.rules in ("rows", "three", "none"):
        return
    for edge in range(columns + 1):
        inner = 0 < edge < columns
        if style.rules == "open" and not inner:
            continue
        for row in range(rows):
            one = owner.get((row, edge - 1)) if inner else None
            if not (one is not None and one is owner.get((row, edge))):
                yield xs[edge], ys[row], xs[edge], ys[row + 1]


def random_style(rng: random.Random, **fixed: object) -> Style:
    """A style whose measures vary; what is given stays."""
    values: dict[str, object] = {
        "size": rng.choice((7, 8, 9, 10)),
        "leading": rng.choice((1.1, 1.2, 1.3)),
        "gap": rng.choice((1.5, 3.0, 5.0, 8.0)),
        "figures": rng.choice(("right", "right", "middle")),
        "bold_heads": rng.random() < 0.7,
        "top": rng.random() < 0.5,
        "label_width": rng.choice((90.0, 130.0, 170.0)),
        "head_width": rng.choice((60.0, 80.0, 110.0)),
    }
    return Style(**(values | fixed))  # type: ignore[arg-type]
