"""Vector charts: grouped bars and lines with axes, legend, caption and source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from drawing.layout import BLACK, GREY, Sheet, measure
from model import num


@dataclass(frozen=True)
class Chart:
    """A chart: bars on the left axis, lines (if any) on the right axis."""

    caption: str
    labels: Sequence[str]
    bars: Sequence[tuple[str, Sequence[float]]] = ()
    lines: Sequence[tuple[str, Sequence[float]]] = ()
    unit: str = ""
    line_unit: str = ""
    source: str = ""


def nice_top(values: Sequence[float]) -> float:
    """Return a round axis end at or above the largest value."""
    most = max(values) * 1.04
    scale = 10 ** (len(str(int(most))) - 1) if most >= 1 else 0.1
    steps = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 4.8, 6, 8, 10, 12)
    return next(step * scale for step in steps if step * scale >= most)


def colours(sheet: Sheet) -> list[tuple[float, float, float]]:
    """Return the series colours of a template."""
    return [sheet.theme.accent, sheet.theme.second, (0.55, 0.58, 0.62), (0.85, 0.4, 0.2)]


def legend(sheet: Sheet, chart: Chart, x: float, width: float) -> None:
    """Draw the legend row at the cursor, centred in the chart."""
    names = [(n, True) for n, _ in chart.bars] + [(n, False) for n, _ in chart.lines]
    total = sum(measure(name, 7.2) + 26 for name, _ in names)
    x += max(0.0, (width - total) / 2)
    for (name, bar), color in zip(names, colours(sheet), strict=False):
        if bar:
            sheet.box(x, sheet.y - 6, x + 8, sheet.y, color)
        else:
            sheet.line(x - 2, sheet.y - 3, x + 10, sheet.y - 3, color, 1.4)
        x = sheet.text(x + 13, sheet.y, name, 7.2, BLACK) + 13


def axis(
    sheet: Sheet, area: tuple[float, float, float, float], top: float, unit: str, right: bool
) -> None:
    """Draw the tick labels of one value axis; the left one draws the grid lines too."""
    x0, y0, x1, y1 = area
    digits = 0 if top >= 8 else 1
    for k in range(5):
        y = y1 - (y1 - y0) * k / 4
        label = num(top * k / 4, digits if (top * k / 4) == int(top * k / 4) else max(digits, 1))
        if right:
            sheet.text(x1 + 4, y + 2.5, label, 6.8, GREY)
        else:
            sheet.right(x0 - 4, y + 2.5, label, 6.8, GREY)
            sheet.line(x0, y, x1, y, (0.86, 0.87, 0.89) if k else BLACK, 0.4)
    if right:
        sheet.right(x1 + 22, y0 - 7, unit, 6.8, GREY)
    else:
        sheet.text(x0 - 24, y0 - 7, unit, 6.8, GREY)


def plot(sheet: Sheet, chart: Chart, area: tuple[float, float, float, float]) -> None:
    """Draw axes, bars and lines within the area."""
    x0, y0, x1, y1 = area
    slot = (x1 - x0) / len(chart.labels)
    palette = colours(sheet)
    if chart.bars:
        top = nice_top([v for _, values in chart.bars for v in values])
        axis(sheet, area, top, chart.unit, right=False)
        wide = slot * 0.62 / len(chart.bars)
        for s, (_, values) in enumerate(chart.bars):
            for i, value in enumerate(values):
                left = x0 + slot * i + slot * 0.19 + wide * s
                y = y1 - (y1 - y0) * value / top
                sheet.box(left, y, left + wide * 0.92, y1, palette[s])
    if chart.lines:
        top = nice_top([v for _, values in chart.lines for v in values])
        axis(sheet, area, top, chart.line_unit, right=bool(chart.bars))
        for s, (_, values) in enumerate(chart.lines):
            points = [
                (x0 + slot * (i + 0.5), y1 - (y1 - y0) * max(v, 0) / top)
                for i, v in enumerate(values)
            ]
            sheet.shape.draw_polyline(points)
            color = palette[len(chart.bars) + s]
            sheet.shape.finish(color=color, width=1.3, closePath=False)
            for x, y in points:
                sheet.box(x - 1.5, y - 1.5, x + 1.5, y + 1.5, color)
    for i, label in enumerate(chart.labels):
        width = measure(label, 6.8)
        sheet.text(x0 + slot * (i + 0.5) - width / 2, y1 + 10, label, 6.8, GREY)


def draw_charts(sheet: Sheet, charts: Sequence[Chart], height: float = 120) -> None:
    """Draw one chart over the whole column, or two side by side."""
    sheet.need(height + 80)
    gap = 18.0
    width = (sheet.width - gap * (len(charts) - 1)) / len(charts)
    top, low = sheet.y, sheet.y
    for k, chart in enumerate(charts):
        sheet.y = top
        x = sheet.x0 + k * (width + gap)
        sheet.caption(chart.caption, x, width)
        sheet.y += 14
        legend(sheet, chart, x, width)
        y0 = sheet.y + 18
        plot(sheet, chart, (x + 28, y0, x + width - (24 if chart.lines else 6), y0 + height))
        sheet.y = y0 + height + 14
        sheet.line(x, sheet.y, x + width, sheet.y, GREY, 0.4)
        sheet.source(chart.source, x)
        low = max(low, sheet.y)
    sheet.y = low
