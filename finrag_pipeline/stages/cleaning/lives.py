"""People in a narrow column, and beside each what he did, as annual reports print their boards.

Read row by row, the characters of a name that goes on below would stand inside a life.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.records import TextLine
from finrag_pipeline.stages.cleaning.geometry import bounds, gutter, rows, sides
from finrag_pipeline.stages.cleaning.text import join_rows, usual_size, weight

#: What stands in a column of people's names, which may go on below: 苏天鹏, or 苏, 天, 鹏.
_NAMES = re.compile(r"\s*(?:[\u3400-\u9fff·]\s*){1,4}")
#: How wide such a column is at most, and how far lives stand apart, in sizes of its print.
_WIDE, _APART = 4.2, 0.2
#: Of how many characters a row of running text is.
_RUNNING = 30


def lives(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """The lines of each life, the whole name ahead of its first row; nothing where lines are
    none."""
    cut = gutter(lines)
    if cut is None:
        return []
    names, told = sides(lines, cut)
    running = sum(weight(join_rows([row])) >= _RUNNING for row in rows(told))
    if len(names) < 2 or running < 2 or not _are_names(names):
        return []
    return [_whole(part, cut) for part in _parted(lines)]


def _are_names(lines: Sequence[TextLine]) -> bool:
    x0, _, x1, _ = bounds(line.bbox for line in lines)
    narrow = x1 - x0 <= _WIDE * usual_size(lines)
    # two columns of two characters are who promises, and what
    alone = all(len(row) == 1 for row in rows(lines))
    return narrow and alone and all(_NAMES.fullmatch(line.text) for line in lines)


def _parted(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Lines parted at every strip across that is free of print."""
    parts: list[list[TextLine]] = []
    bottom = float("-inf")
    for line in sorted(lines, key=lambda each: each.bbox[1]):
        if line.bbox[1] - bottom > _APART * line.size:
            parts.append([])
        parts[-1].append(line)
        bottom = max(bottom, line.bbox[3])
    return parts


def _whole(part: Sequence[TextLine], cut: float) -> list[TextLine]:
    names, told = sides(part, cut)
    if not (names and told):
        return list(part)
    first = min(told, key=lambda line: (line.bbox[1], line.bbox[0]))
    name = "".join(line.text.strip() for line in names)
    rest = [line for line in told if line is not first]
    return [replace(first, text=f"{name} {first.text.lstrip()}"), *rest]
