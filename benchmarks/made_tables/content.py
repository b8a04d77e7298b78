"""What made tables hold: cells with spans, filled from `words.csv` and with figures at random."""

from __future__ import annotations

import csv
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """One cell: text, place, rows and columns it spans, and what it is.

    `role` is head, stub (names a row), group (names the rows below), figure or text. `\\n` in a
    text parts what stands on lines of its own.
    """

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    role: str = "figure"


@dataclass(frozen=True)
class Content:
    """A table: its entries in row-major order, heads first."""

    entries: tuple[Entry, ...]
    title: str
    source: str
    language: str

    @property
    def width(self) -> int:
        return max(entry.column + entry.columns for entry in self.entries)

    @property
    def height(self) -> int:
        return max(entry.row + entry.rows for entry in self.entries)

    @property
    def head_rows(self) -> int:
        return max(e.row + e.rows for e in self.entries if e.role == "head")


@cache
def vocabulary(language: str, use: str) -> tuple[str, ...]:
    """Texts of one use in one language, in the order of the file."""
    with Path(__file__).with_name("words.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            row["text"]
            for row in csv.DictReader(file)
            if (row["language"], row["use"]) == (language, use)
        )


def chosen(rng: random.Random, language: str, use: str, count: int) -> list[str]:
    """Texts without repetition as far as there are enough."""
    held = vocabulary(language, use)
    return rng.sample(held, count) if count <= len(held) else rng.choices(held, k=count)


def statistics(
    rng: random.Random,
    language: str,
    *,
    rows: int,
    columns: int,
    groups: int = 0,
    group_columns: int = 1,
    long_heads: bool = False,
    two_heads: bool = False,
    mark: str = "",
) -> Content:
    """A table of figures with a label column.

    Args:
        rng: source of everything random.
        language: en or zh.
        rows: rows of figures.
        columns: columns of figures.
        groups: rows that name those below.
        group_columns: columns that such a row spans.
        long_heads: heads of many words.
        two_heads: a row of heads over those of the columns, where the columns pair.
        mark: where a figure's note mark stands: after, alone, label, or nowhere.
    """
    entries: list[Entry] = []
    two_heads = two_heads and columns % 2 == 0
    years = not long_heads and rng.random() < 0.4
    heads = chosen(rng, language, "long" if long_heads else "head", columns)
    if years:
        first = rng.randint(1995, 2020)
        suffix = "年" if language == "zh" and rng.random() < 0.5 else ""
        heads = [f"{first + i}{suffix}" for i in range(columns)]
    if two_heads:
        pair = heads[:2]
        heads = [pair[i % 2] for i in range(columns)]
        overs = chosen(rng, language, "over", columns // 2)
        entries += [Entry(over, 0, 1 + 2 * i, 1, 2, "head") for i, over in enumerate(overs)]
    depth = 1 + two_heads
    stub = rng.choice(vocabulary(language, "stub")) if rng.random() < 0.8 else ""
    if stub:
        entries.insert(0, Entry(stub, 0, 0, depth, 1, "head"))
    entries += [Entry(head, depth - 1, 1 + i, 1, 1, "head") for i, head in enumerate(heads)]
    labels = chosen(rng, language, "label", rows)
    names = iter(chosen(rng, language, "group", groups))
    starts = {rows * i // groups for i in range(groups)} if groups else set[int]()
    styles = [rng.choice(("count", "count", "share", "small", "dollar")) for _ in range(columns)]
    row = depth
    for i, label in enumerate(labels):
        if i in starts:
            entries.append(Entry(next(names), row, 0, 1, group_columns, "group"))
            row += 1
        note = f" ({rng.randint(1, 6)})"
        marked = rng.random() < 0.4
        text = label + note if mark == "label" and marked else label
        entries.append(Entry(text, row, 0, role="stub"))
        for c in range(columns):
            if rng.random() < 0.05:
                figure = rng.choice(("-", "n.a."))
            elif mark == "alone" and rng.random() < 0.15:
                figure = note.strip()
            else:
                figure = _figure(rng, styles[c])
                figure += note if mark == "after" and rng.random() < 0.3 else ""
            entries.append(Entry(figure, row, 1 + c))
        row += 1
    title, source = (chosen(rng, language, use, 1)[0] for use in ("title", "source"))
    return Content(tuple(entries), title, source, language)


def wording(rng: random.Random, language: str, *, rows: int, columns: int, bullets: str) -> Content:
    """A table of words: a topic and, beside it, points of one or several lines.

    Args:
        rng: source of everything random.
        language: en or zh.
        rows: rows below the heads.
        columns: columns beside the topics.
        bullets: the sign before each point, or empty for one running text a cell.
    """
    heads = chosen(rng, language, "long" if rng.random() < 0.5 else "head", columns)
    stub = rng.choice(vocabulary(language, "stub"))
    entries = [Entry(stub, 0, 0, role="head")]
    entries += [Entry(head, 0, 1 + i, role="head") for i, head in enumerate(heads)]
    for row, topic in enumerate(chosen(rng, language, "topic", rows), 1):
        entries.append(Entry(topic, row, 0, role="stub"))
        for column in range(1, columns + 1):
            if rng.random() < 0.15:
                entries.append(Entry(_figure(rng, "share"), row, column, role="text"))
                continue
            points = chosen(rng, language, "point", rng.randint(1, 4))
            space = "" if language == "zh" else " "
            text = (
                "\n".join(f"{bullets} {point}" for point in points)
                if bullets
                else space.join(points[:2])
            )
            entries.append(Entry(text, row, column, role="text"))
    title, source = (chosen(rng, language, use, 1)[0] for use in ("title", "source"))
    return Content(tuple(entries), title, source, language)


def _figure(rng: random.Random, style: str) -> str:
    if style == "count":
        return f"{int(10 ** rng.uniform(1, 6)):,}"
    if style == "share":
        return f"{rng.uniform(0, 100):.1f}"
    if style == "dollar":
        return f"${int(10 ** rng.uniform(2, 5)):,}"
    return f"{rng.uniform(-9, 9):.2f}"
