"""Covers, contents pages and closing pages of the broker templates."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.layout import BLACK, GREY, HEIGHT, WHITE, WIDTH, Sheet, measure, wrap
from drawing.tables import tint

Pairs = Sequence[tuple[str, str]]
Lines = Sequence[tuple[str, str, str]]


def side_panel(sheet: Sheet, x0: float, x1: float, y: float, title: str, rows: Pairs) -> float:
    """Draw a titled list of label and value pairs in a narrow column; return its end."""
    sheet.box(x0, y, x1, y + 15, sheet.theme.accent)
    sheet.text(x0 + 5, y + 11, title, 8.6, WHITE, bold=True)
    y += 18
    for label, value in rows:
        y += 13
        if not value:
            for part in wrap(label, x1 - x0 - 6, 7.6):
                sheet.text(x0 + 3, y, part, 7.6, BLACK)
                y += 11
            y -= 11
            continue
        sheet.text(x0 + 3, y, label, 7.6, GREY)
        sheet.right(x1 - 3, y, value, 7.6, BLACK)
    return y + 12


def analyst_panel(sheet: Sheet, x0: float, x1: float, y: float, title: str, lines: Lines) -> float:
    """Draw the analysts with licence and contact lines; return the end of the block."""
    sheet.box(x0, y, x1, y + 15, sheet.theme.accent)
    sheet.text(x0 + 5, y + 11, title, 8.6, WHITE, bold=True)
    y += 18
    for name, licence, contact in lines:
        y += 13
        sheet.text(x0 + 3, y, name, 8, BLACK, bold=True)
        for part in (licence, *contact.split("\n")):
            y += 11
            sheet.text(x0 + 3, y, part, 7.2, GREY)
        y += 3
    return y + 12


def banner_cover(
    sheet: Sheet,
    name_line: str,
    tag: str,
    rating: str,
    date: str,
    analysts: tuple[str, Lines],
    panels: Sequence[tuple[str, Pairs]],
) -> None:
    """A coloured banner on top, main text on the left, a narrow column on the right."""
    sheet.new_page(header=False)
    sheet.y = 126
    sheet.hidden("[Table_Main]", "white")
    sheet.box(0, 0, WIDTH, 112, sheet.theme.accent)
    sheet.box(0, 112, WIDTH, 117, sheet.theme.second)
    sheet.text(48, 34, sheet.theme.broker, 13, WHITE, bold=True)
    sheet.right(WIDTH - 48, 34, tag, 9, WHITE)
    if name_line:
        sheet.text(48, 64, name_line, 15, WHITE, bold=True)
        sheet.keep(name_line)
    lines = wrap(sheet.meta.title, WIDTH - 170, 12.5, True)
    for k, part in enumerate(lines):
        sheet.text(48, 84 + k * 17, part, 12.5, WHITE, bold=True)
    sheet.keep(sheet.meta.title)
    sheet.right(WIDTH - 48, 66, rating, 13, WHITE, bold=True)
    sheet.right(WIDTH - 48, 86, date, 9, WHITE)
    sheet.y = 118
    sheet.hidden("[Table_Title]", "tiny")
    left = WIDTH - 48 - 148
    y = analyst_panel(sheet, left, WIDTH - 48, 130, analysts[0], analysts[1])
    for title, rows in panels:
        y = side_panel(sheet, left, WIDTH - 48, y, title, rows)
    sheet.line(left - 10, 130, left - 10, y, tint(sheet.theme.accent, 0.4), 0.5)
    sheet.x1, sheet.y = left - 20, 126
    sheet.hidden("[Table_Summary]", "invisible")


def ledger_cover(
    sheet: Sheet,
    tag: str,
    name_line: str,
    rating: str,
    price_lines: Sequence[str],
    date: str,
    analysts: tuple[str, Lines],
    panels: Sequence[tuple[str, Pairs]],
) -> None:
    """Facts over a centred title; a narrow column on the LEFT, main text on the right."""
    sheet.new_page(header=False)
    sheet.box(0, 0, 7, HEIGHT, sheet.theme.second)
    sheet.right(WIDTH - 48, 44, sheet.theme.broker, 14, sheet.theme.accent, bold=True)
    sheet.text(48, 40, date, 8.6, BLACK)
    sheet.text(48, 54, tag, 8.6, BLACK, bold=True)
    sheet.text(48, 70, name_line, 11, sheet.theme.accent, bold=True)
    sheet.keep(name_line)
    sheet.text(262, 40, rating, 12, sheet.theme.second, bold=True)
    for k, part in enumerate(price_lines):
        sheet.text(262, 56 + 13 * k, part, 8.6, BLACK)
    sheet.line(48, 84, WIDTH - 48, 84, sheet.theme.second, 1.2)
    lines = wrap(sheet.meta.title, WIDTH - 96, 17, True)
    for k, part in enumerate(lines):
        sheet.center(112 + 24 * k, part, 17, sheet.theme.accent, bold=True)
    sheet.keep(sheet.meta.title)
    top = 126 + 24 * (len(lines) - 1)
    y = analyst_panel(sheet, 48, 196, top, analysts[0], analysts[1])
    for title, rows in panels:
        y = side_panel(sheet, 48, 196, y, title, rows)
    sheet.x0, sheet.y = 210, top - 4
    sheet.hidden("[Table_Summary]", "white")


def strip_cover(
    sheet: Sheet,
    name_line: str,
    facts: Pairs,
    date: str,
    analysts: tuple[str, Lines],
    panels: Sequence[tuple[str, Pairs]],
) -> None:
    """A vertical title in a strip on the right edge, facts in a column beside it."""
    sheet.new_page(header=False)
    accent = sheet.theme.accent
    sheet.text(48, 46, sheet.theme.broker, 14, accent, bold=True)
    sheet.right(WIDTH - 92, 46, date, 9, GREY)
    sheet.line(48, 56, WIDTH - 92, 56, accent, 1.5)
    sheet.box(WIDTH - 44, 0, WIDTH - 14, HEIGHT, accent)
    sheet.text(WIDTH - 23, 470, sheet.theme.side_title, 13, WHITE, drop=True, rotate=90)
    sheet.text(48, 84, name_line, 16, accent, bold=True)
    sheet.keep(name_line)
    sheet.y = 90
    for part in wrap(sheet.meta.title, WIDTH - 140, 14, True):
        sheet.y += 18
        sheet.text(48, sheet.y, part, 14, BLACK, bold=True)
    sheet.keep(sheet.meta.title)
    top = sheet.y + 12
    left = WIDTH - 92 - 136
    y = side_panel(sheet, left, WIDTH - 92, top, *("评级与价格", facts))
    y = analyst_panel(sheet, left, WIDTH - 92, y, analysts[0], analysts[1])
    for title, rows in panels:
        y = side_panel(sheet, left, WIDTH - 92, y, title, rows)
    sheet.x1, sheet.y = left - 14, top - 6
    sheet.hidden("[Table_Rating]", "tiny")


def wide(sheet: Sheet) -> None:
    """Return to the full column width under a cover's side column."""
    sheet.x0, sheet.x1 = sheet.margin, WIDTH - sheet.margin


def dotted(sheet: Sheet, text: str, page: int, indent: float, size: float) -> None:
    """Draw one contents line with dotted leaders up to its page number."""
    sheet.y += size * 1.75
    end = sheet.text(sheet.x0 + indent, sheet.y, text, size, BLACK, bold=indent == 0)
    number = str(page)
    stop = sheet.x1 - measure(number, size) - 4
    dots = "." * int((stop - end - 4) / measure(".", size))
    sheet.right(stop, sheet.y, dots, size, GREY)
    sheet.right(sheet.x1, sheet.y, number, size, BLACK)


def contents(sheet: Sheet, title: str, captions_title: str) -> None:
    """Draw the contents page from the outline of the pass before."""
    sheet.new_page()
    sheet.y += 16
    sheet.center(sheet.y, title, 16, sheet.theme.accent, bold=True)
    sheet.y += 8
    for level, text, page in sheet.prior.headings:
        if level < 3:
            dotted(sheet, text, page, 0 if level == 1 else 16, 9.4)
    if sheet.prior.captions and captions_title:
        sheet.y += 36
        sheet.center(sheet.y, captions_title, 14, sheet.theme.accent, bold=True)
        sheet.y += 6
        for text, page in sheet.prior.captions:
            dotted(sheet, text, page, 0.01, 8.6)
    if sheet.y > sheet.bottom:
        raise ValueError(f"contents of {sheet.meta.file} overflow their page")


def contact_table(sheet: Sheet, title: str, rows: Sequence[Sequence[str]]) -> None:
    """Draw the sales desk's contacts in a plain grid: dropped, never a table of record."""
    sheet.need(40 + 16 * len(rows))
    sheet.y += 26
    sheet.text(sheet.x0, sheet.y, title, 11, sheet.theme.accent, bold=True)
    sheet.y += 8
    step = sheet.width / len(rows[0])
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            x = sheet.x0 + j * step
            sheet.shape.draw_rect((x, sheet.y, x + step, sheet.y + 16))
            sheet.shape.finish(color=GREY, width=0.4)
            sheet.text(x + 5, sheet.y + 11.5, cell, 8, BLACK, bold=i == 0)
            if i and ("@" in cell or cell[:1] == "+" or cell[:3].isdigit()):
                sheet.legal.append(cell)
        sheet.y += 16
