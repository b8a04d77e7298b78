"""The kinds of documents that are made: each a page or two of text with one to three tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.made_tables.content import Content, statistics, wording
from benchmarks.made_tables.drawn import WHITE, random_style, set_table
from benchmarks.made_tables.sheet import Colour, Sheet
from benchmarks.made_tables.typed import random_typing, set_typed

_DARK: tuple[Colour, ...] = (
    (0.1, 0.2, 0.45),
    (0.35, 0.35, 0.35),
    (0.85, 0.45, 0.1),
    (0.05, 0.4, 0.3),
    (0, 0, 0),
)
_LIGHT: tuple[Colour, ...] = ((0.85, 0.85, 0.85), (0.8, 0.88, 0.95), (1, 0.97, 0.7))


def make(path: Path, kind: str, seed: int) -> None:
    """Make one file of a kind and its answers; the same seed makes the same file."""
    rng = random.Random(f"{kind} {seed}")
    language = "zh" if rng.random() < 0.4 else "en"
    sheet = Sheet(language, rng.choice(("helv", "tiro")))
    if rng.random() < 0.6:  # the layout model always sees a first page, others seldom
        sheet.prose(rng, 3)
        sheet.turn()
    sheet.prose(rng, rng.randint(1, 3))
    KINDS[kind](sheet, rng)
    sheet.prose(rng, rng.randint(1, 3))
    sheet.save(path)


def _typed(sheet: Sheet, rng: random.Random) -> None:
    typing = random_typing(rng)
    for _ in range(rng.randint(1, 3)):
        content = statistics(
            rng,
            sheet.language,
            rows=rng.randint(4, 14),
            columns=rng.randint(2, 4),
            groups=rng.choice((0, 0, 2)),
            two_heads=rng.random() < 0.3,
            long_heads=rng.random() < 0.3,
        )
        _with_text(sheet, rng, content, partial(set_typed, sheet, content, typing))


def _shaded(sheet: Sheet, rng: random.Random) -> None:
    dark = rng.random() < 0.7
    style = random_style(
        rng,
        rules=rng.choice(("none", "rows", "three", "grid")),
        head_fill=rng.choice(_DARK if dark else _LIGHT),
        head_ink=WHITE if dark else (0, 0, 0),
        group_fill=rng.choice(_LIGHT),
        band=rng.choice((None, None, (0.95, 0.95, 0.95))),
    )
    for _ in range(rng.randint(1, 2)):
        columns = rng.randint(2, 6)
        content = statistics(
            rng,
            sheet.language,
            rows=rng.randint(5, 12),
            columns=columns,
            groups=rng.randint(1, 3),
            group_columns=columns + 1 if style.rules == "grid" else 1,
            two_heads=rng.random() < 0.3,
        )
        _with_text(sheet, rng, content, partial(set_table, sheet, content, style))


def _wrapped(sheet: Sheet, rng: random.Random) -> None:
    style = random_style(
        rng,
        rules=rng.choice(("grid", "grid", "rows", "open")),
        label_width=rng.choice((60.0, 80.0)),
        head_width=rng.choice((110.0, 150.0)),
        head_fill=rng.choice((None, *_LIGHT)),
        gap=rng.choice((3.0, 5.0, 8.0)),
    )
    signs = ("■", "●", "1.", "") if sheet.language == "zh" else ("·", "-", "o", "")
    for _ in range(rng.randint(1, 2)):
        content = wording(
            rng,
            sheet.language,
            rows=rng.randint(3, 5),
            columns=rng.randint(1, 3),
            bullets=rng.choice(signs),
        )
        _with_text(sheet, rng, content, partial(set_table, sheet, content, style))


def _narrow(sheet: Sheet, rng: random.Random) -> None:
    style = random_style(
        rng,
        rules=rng.choice(("grid", "rows", "three", "columns")),
        justified=rng.random() < 0.8,
        head_width=rng.choice((40.0, 50.0, 60.0)),
        head_fill=rng.choice((None, None, *_LIGHT)),
        size=rng.choice((7, 8, 9)),
    )
    for _ in range(rng.randint(1, 2)):
        content = statistics(
            rng,
            sheet.language,
            rows=rng.randint(4, 12),
            columns=rng.randint(3, 6),
            long_heads=True,
        )
        _with_text(sheet, rng, content, partial(set_table, sheet, content, style))


def _stacked(sheet: Sheet, rng: random.Random) -> None:
    style = random_style(
        rng,
        rules=rng.choice(("grid", "rows", "three", "none", "groups")),
        head_fill=rng.choice((None, *_LIGHT)),
        gap=rng.choice((1.5, 3.0, 5.0)),
    )
    columns, noted = rng.randint(2, 5), rng.random() < 0.5
    for _ in range(rng.randint(2, 4)):
        content = statistics(rng, sheet.language, rows=rng.randint(2, 5), columns=columns)
        sheet.room(170)
        sheet.y += rng.choice((6, 12))
        sheet.line(content.title, 9, bold=True, middle=rng.random() < 0.5)
        set_table(sheet, content, style)
        sheet.y += 3
        if noted:
            sheet.line(content.source, 7)
    sheet.y += 14


def _noted(sheet: Sheet, rng: random.Random) -> None:
    style = random_style(rng, rules=rng.choice(("grid", "rows", "three", "none")))
    mark = rng.choice(("after", "alone", "label"))
    for _ in range(rng.randint(1, 2)):
        content = statistics(
            rng,
            sheet.language,
            rows=rng.randint(5, 14),
            columns=rng.randint(2, 5),
            groups=rng.choice((0, 0, 2)),
            mark=mark,
            two_heads=rng.random() < 0.3,
        )
        _with_text(sheet, rng, content, partial(set_table, sheet, content, style))


def _half(sheet: Sheet, rng: random.Random) -> None:
    style = random_style(
        rng,
        rules=rng.choice(("columns", "groups", "open")),
        head_fill=rng.choice((None, None, *_LIGHT)),
    )
    for _ in range(rng.randint(1, 2)):
        content = statistics(
            rng,
            sheet.language,
            rows=rng.randint(5, 14),
            columns=rng.randint(2, 5),
            groups=rng.choice((0, 0, 2)),
            two_heads=rng.random() < 0.4,
        )
        _with_text(sheet, rng, content, partial(set_table, sheet, content, style))


KINDS: dict[str, Callable[[Sheet, random.Random], None]] = {
    "typed": _typed,
    "shaded": _shaded,
    "wrapped": _wrapped,
    "narrow": _narrow,
    "stacked": _stacked,
    "noted": _noted,
    "half": _half,
}


def _with_text(
    sheet: Sheet, rng: random.Random, content: Content, set_it: Callable[[], None]
) -> None:
    """A title, the table, a source, and text before what comes next."""
    sheet.room(260)
    number = len(sheet.answers) + 1
    name = f"表 {number}：" if sheet.language == "zh" else f"Table {number}. "
    sheet.line(f"{name}{content.title}", 10, bold=True, middle=rng.random() < 0.4)
    sheet.y += rng.choice((2, 6))
    set_it()
    sheet.y += 4
    if rng.random() < 0.7:
        sheet.line(content.source, 8)
    sheet.y += 12
    if rng.random() < 0.5:
        sheet.prose(rng, 1)
