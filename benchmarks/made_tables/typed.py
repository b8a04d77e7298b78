"""Sets tables as a typewriter does: letters of one width, rules of dashes, leaders of dots."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from benchmarks.made_tables.content import Content, Entry
from benchmarks.made_tables.sheet import LEFT, RIGHT, Sheet

#: Width of a typed letter and of a Chinese one, as shares of the letters' size.
_LETTER, _HAN = 0.6, 1.2


@dataclass(frozen=True)
class Typing:
    """How a typed table looks: rules of one sign, leaders, space between columns in letters.

    `broken` parts the rule under the heads between columns; `bars` sets | between columns.
    `whole` writes a line at once, spaces and all, as text files are printed.
    """

    size: float = 8
    rule: str = "-"
    leader: str = "."
    space: int = 3
    broken: bool = False
    bars: bool = False
    whole: bool = True
    leading: float = 1.2


def random_typing(rng: random.Random) -> Typing:
    """A way of typing that varies in everything."""
    return Typing(
        size=rng.choice((7, 8, 9)),
        rule=rng.choice("--=_"),
        leader=rng.choice((".", ".", " .", "")),
        space=rng.choice((2, 3, 4)),
        broken=rng.random() < 0.4,
        bars=rng.random() < 0.15,
        whole=rng.random() < 0.6,
        leading=rng.choice((1.1, 1.2, 1.4)),
    )


def set_typed(sheet: Sheet, content: Content, typing: Typing) -> None:
    """Type a table at the sheet's present height."""
    heads = {e: _head_lines(e) for e in content.entries if e.role == "head"}
    widths = [0] * content.width
    for entry in content.entries:
        if entry.columns == 1 and entry.role != "group":
            texts = heads.get(entry) or [entry.text]
            widths[entry.column] = max(widths[entry.column], *map(_letters, texts))
    widths[0] += 4 if typing.leader else 0
    starts = [0]
    for width in widths:
        starts.append(starts[-1] + width + typing.space)
    total = starts[-1] - typing.space
    typing = replace(typing, size=min(typing.size, (RIGHT - LEFT) / (total * _LETTER)))
    rows = [_head_row(content, heads, row, starts, widths) for row in range(content.head_rows)]
    lines: list[list[tuple[int, str]]] = [[(0, typing.rule * total)]]
    lines += [line for row in rows for line in row]
    under = [(0, typing.rule * total)]
    if typing.broken:
        under = [(start, typing.rule * w) for start, w in zip(starts, widths, strict=False)]
    lines.append(under)
    for row in range(content.head_rows, content.height):
        lines.append(_row(content, row, starts, widths, typing))
    lines.append([(0, typing.rule * total)])
    # Chinese letters are as high as they are wide
    high = typing.size * typing.leading * (1.25 if sheet.language == "zh" else 1)
    sheet.room(high * len(lines) + 10)
    top = sheet.y
    bars = [start - typing.space // 2 - 1 for start in starts[1:-1]] if typing.bars else []
    for line in lines:
        ruled = line[0][1].startswith(typing.rule * 3)
        _type(sheet, line if ruled else line + [(at, "|") for at in bars], typing)
        sheet.y += high
    box = (LEFT, top, LEFT + total * _LETTER * typing.size, sheet.y)
    sheet.remember(box, content.entries)


def _head_lines(entry: Entry) -> list[str]:
    """A head over several lines: a word each, or six Chinese letters."""
    if _letters(entry.text) <= 12:
        return [entry.text]
    return entry.text.split() if entry.text.isascii() else re.findall(".{1,6}", entry.text)


def _head_row(
    content: Content,
    heads: dict[Entry, list[str]],
    row: int,
    starts: list[int],
    widths: list[int],
) -> list[list[tuple[int, str]]]:
    mine = [e for e in heads if e.row + e.rows - 1 == row]
    depth = max(len(heads[e]) for e in mine)
    lines: list[list[tuple[int, str]]] = [[] for _ in range(depth)]
    for entry in mine:
        stop = starts[entry.column + entry.columns - 1] + widths[entry.column + entry.columns - 1]
        start = starts[entry.column]
        for index, text in enumerate(heads[entry], depth - len(heads[entry])):
            at = stop - _letters(text) if entry.column else start
            if entry.columns > 1:
                at = (start + stop - _letters(text)) // 2
            lines[index].append((at, text))
    return [sorted(line) for line in lines]


def _row(
    content: Content, row: int, starts: list[int], widths: list[int], typing: Typing
) -> list[tuple[int, str]]:
    line: list[tuple[int, str]] = []
    for entry in content.entries:
        if entry.row != row:
            continue
        if entry.column == 0:
            text = entry.text
            free = widths[0] - _letters(text)
            if entry.role == "stub" and typing.leader and free > 3:
                text += (typing.leader * free)[:free]
            line.append((0, text))
        else:
            stop = starts[entry.column] + widths[entry.column]
            line.append((stop - _letters(entry.text), entry.text))
    return line


def _type(sheet: Sheet, line: list[tuple[int, str]], typing: Typing) -> None:
    unit = _LETTER * typing.size
    pieces = sorted(line)
    if typing.whole and not any(_letters(text) != len(text) for _, text in pieces):
        whole = ""
        for at, text in pieces:
            whole = whole.ljust(at) + text
        pieces = [(0, whole)]
    for at, text in pieces:
        x = LEFT + at * unit
        # Chinese letters take the room of two others
        for run in re.findall(r"[\u2000-\uffef]+|[^\u2000-\uffef]+", text):
            font = "cour" if run.isascii() else "china-s"
            size = typing.size if run.isascii() else _HAN * typing.size
            sheet.page.insert_text((x, sheet.y + typing.size), run, fontsize=size, fontname=font)
            x += _letters(run) * unit


def _letters(text: str) -> int:
    return sum(1 if char.isascii() else 2 for char in text)
