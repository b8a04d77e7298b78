"""An answer in segments: the words up to a run of marks, and what those words may rest on.

What they say is `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

#: Chat models write 【1】 too; 【2024】 is the year in the number of an official letter.
_MARKS = re.compile(r"(?:\s*(?:\[\d{1,3}\]|【\d{1,2}】))+")
_NUMBER = re.compile(r"\d+")
_SAYS = re.compile(r"[^\W_]")
#: The line under the head of a table.
_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*$")


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of an answer from `start` to `end`, marks and what closes the sentence included.

    Attributes:
        text: without its marks.
        marks: numbers of what it cites; empty for a line without any.
        line_marks: those of its whole line: a lead before several quotes rests on all of them.
    """

    text: str
    start: int
    end: int
    marks: tuple[int, ...]
    line_marks: tuple[int, ...]


def segments(answer: str) -> Iterator[Segment]:
    """The segments of an answer in order; together they are all of it but empty lines.

    >>> [(each.text, each.marks) for each in segments("甲：1元[1]。乙：2元[2][3]\\n共3元")]
    [('甲：1元', (1,)), ('。乙：2元', (2, 3)), ('共3元', ())]
    >>> [each.marks for each in segments("罚字【2025】11号[1]")]
    [(1,)]
    """
    at = 0
    for line in answer.splitlines(keepends=True):
        runs = list(_MARKS.finditer(line))
        every = _numbers("".join(run[0] for run in runs))
        begun = 0
        for run in runs:
            text = line[begun : run.start()]
            yield Segment(text, at + begun, at + run.end(), _numbers(run[0]), every)
            begun = run.end()
        if _SAYS.search(rest := line[begun:]):
            yield Segment(rest.rstrip("\n"), at + begun, at + len(line), (), every)
        at += len(line)


def without(answer: str, removed: list[Segment]) -> str:
    """An answer without some of its segments, and without lines that are left empty.

    >>> first, *_ = segments("| 甲 | 1元[1] |\\n| 乙 | 2元[2] |")
    >>> without("| 甲 | 1元[1] |\\n| 乙 | 2元[2] |", [first])
    '| 乙 | 2元[2] |'
    """
    if not removed:
        return answer.strip()
    kept, at = "", 0
    for each in sorted(removed, key=lambda each: each.start):
        kept += answer[at : each.start]
        at = each.end
        if answer[each.start : each.end].endswith("\n"):
            kept += "\n"
    kept += answer[at:]
    lines = (re.sub(r"^[\s。；;，,.、]+(?=\S)", "", line) for line in kept.splitlines())
    lines = (each for each in map(_row, lines) if each is not None)
    left = [line for line in lines if _SAYS.search(line) or not line.strip() or _RULE.match(line)]
    return re.sub(r"\n\s*\n+", "\n\n", "\n".join(left)).strip()


def _row(line: str) -> str | None:
    """A line; a table's row without its beginning is none, without its end it is closed."""
    if not line.startswith("|"):
        return None if line.rstrip().endswith("|") else line
    return line if line.rstrip().endswith("|") else f"{line.rstrip('；; ')} |"


def _numbers(marks: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(each) for each in _NUMBER.findall(marks)))
