"""Excerpts: a line that answers with what its passage says around it.

What a question asks for is seldom said in one sentence: its other half or its figures stand
next to it. Which line answers is `choosing`; what a line cannot be understood without is `joining`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from finrag_pipeline.query.answers.passages.announcing import announced, says_who_thinks
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import (
    LIST_MARKS,
    is_question,
    is_sentence,
    placed,
)
from finrag_pipeline.words import is_chinese

#: Characters before a line, and from its beginning on, that are told, of the first line and of
#: others; those of Latin letters say less.
_FIRST, _OTHERS = (150, 500), (100, 250)
_LATIN = 1.6
#: Characters from the beginning of a line up to which its own sentence is told to its end.
_LONGEST = 600
#: A line that ends as no sentence does, and what it heads.
_HEADING = re.compile(r"[^。；;，：:！？!?\n]{4,24}(?<![.…）)%％\d])\s*")
#: What ends a part of a sentence, whose other parts are told with it.
_PARTED = re.compile(r"[；;：:]\s*$")
#: The mark of a point, or a heading in its line that numbers no point: another thing begins.
_BEGINS = re.compile(rf"\s*(?:[{LIST_MARKS}◆]|[-–—]\s+[A-Z]|[^\W\d][^，。；、,.;：:]{{1,13}}[：:])")


def excerpts(lines: Iterable[tuple[Candidate, bool]]) -> list[Candidate]:
    """Lines with the whole sentences around them in their passages, in the same order; those that
    reach into each other are one. Rows of tables, and what no passage holds, stay as they are.

    Args:
        lines: each with whether it is told as it is.
    """
    told: list[Candidate] = []
    for n, (line, whole) in enumerate(lines):
        wide = line if whole else _excerpt(line, _OTHERS if n else _FIRST)
        met = next((n for n, other in enumerate(told) if _meet(wide, other)), None)
        if met is None:
            told.append(wide)
        else:
            told[met] = _spanning(told[met], wide) or told[met]
    return told


def _excerpt(line: Candidate, around: tuple[int, int]) -> Candidate:
    item, (begin, end) = line.item, _reach(line)
    if not isinstance(item, ChunkItem) or begin == end:
        return line
    share = 1 if is_chinese(line.said.quote) else _LATIN
    before, behind, longest = (
        begin + int(each * share) for each in (-around[0], around[1], _LONGEST)
    )
    text, sentences = (
        item.text,
        [(start, start + len(each), each) for start, each in placed(item.text)],
    )
    for start, stop, sentence in reversed(sentences):
        if stop <= begin:
            if start < before or _is_apart(sentence, text[stop:]):
                break
            begin = start
    headed = _HEADING.fullmatch(line.said.quote) is not None
    points = 0  # of a list that was announced and is not told to its end
    for start, stop, sentence in sentences:
        if start < end < stop <= longest:
            end = stop  # a part of a long sentence is told with the rest of it
        elif start >= end:
            goes_on = points > 0 or headed or _PARTED.search(text[begin:end])
            headed = False  # a heading alone says nothing
            reach = longest if goes_on else max(behind, end)
            if stop > reach or (not goes_on and _is_apart(sentence, text[end:])):
                break
            end = stop
        if begin <= start and stop <= end:
            listed, points = points, announced(sentence) or max(points - 1, 0)
            if listed == 1 and not points and start > line.said.start:
                break  # the list is told to its end
    return _quoted(line, item, begin, end) or line


def _is_apart(sentence: str, behind: str) -> bool:
    """Whether a sentence belongs to nothing beside it, being a heading, a caption, what somebody
    asks, or something else begins there.

    Args:
        behind: the text from where what is told meets what stands beside it.
    """
    begins = _BEGINS.match(behind) and not says_who_thinks(behind)
    return bool(begins) or is_question(sentence) or not is_sentence(sentence)


def _reach(line: Candidate) -> tuple[int, int]:
    """Where a line begins and ends in its passage; nowhere where that does not hold it so."""
    item, said = line.item, line.said
    held = isinstance(item, ChunkItem) and not said.row
    if not held or not item.text.startswith(said.quote, said.start):
        return 0, 0
    return said.start, said.start + len(said.quote)


def _meet(one: Candidate, other: Candidate) -> bool:
    (begin, end), (start, stop) = _reach(one), _reach(other)
    return one.item.key == other.item.key and begin < stop and start < end


def _spanning(one: Candidate, other: Candidate) -> Candidate | None:
    reaches = (_reach(one), _reach(other))
    assert isinstance(one.item, ChunkItem)  # others reach nowhere
    begin, end = min(each[0] for each in reaches), max(each[1] for each in reaches)
    return _quoted(one, one.item, begin, end)


def _quoted(line: Candidate, item: ChunkItem, begin: int, end: int) -> Candidate | None:
    wide = item.quoted(item.text[begin:end], begin)
    return replace(line, said=wide) if wide else None
