"""Excerpts: a line that answers with what its passage says around it.

What a question asks for is seldom said in one sentence: its other half or its figures stand
next to it. Which line answers is `choosing`; what a line cannot be understood without is `joining`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import (
    LIST_MARKS,
    is_question,
    is_sentence,
    placed,
)
from finrag_pipeline.words import is_chinese

#: Characters before a line, and from its beginning on, that are told; those of Latin letters say
#: less.
_BEFORE, _BEHIND = 100, 250
_LATIN = 2.5
#: The mark of a point, or a heading in its line that numbers no point: another thing begins.
_BEGINS = re.compile(rf"\s*(?:[{LIST_MARKS}◆]|[^\W\d][^，。；、,.;：:]{{1,13}}[：:])")


def excerpts(lines: Iterable[Candidate]) -> list[Candidate]:
    """Lines with the whole sentences around them in their passages, in the same order; those that
    reach into each other are one. Rows of tables, and what no passage holds, stay as they are."""
    told: list[Candidate] = []
    for line in lines:
        wide = _excerpt(line)
        met = next((n for n, other in enumerate(told) if _meet(wide, other)), None)
        if met is None:
            told.append(wide)
        else:
            told[met] = _spanning(told[met], wide) or told[met]
    return told


def _excerpt(line: Candidate) -> Candidate:
    item, (begin, end) = line.item, _reach(line)
    if not isinstance(item, ChunkItem) or begin == end:
        return line
    share = 1 if is_chinese(line.said.quote) else _LATIN
    first, last = max(begin - int(_BEFORE * share), 0), max(begin + int(_BEHIND * share), end)
    text, sentences = item.text, list(placed(item.text))
    for start, sentence in reversed(sentences):
        if (reached := start + len(sentence)) <= begin:
            if start < first or _is_apart(sentence, text[reached:]):
                break
            begin = start
    for start, sentence in sentences:
        if start >= end:
            if start + len(sentence) > last or _is_apart(sentence, text[end:]):
                break
            end = start + len(sentence)
    return _quoted(line, item, begin, end) or line


def _is_apart(sentence: str, behind: str) -> bool:
    """Whether a sentence belongs to nothing beside it, being a heading, a caption, what somebody
    asks, or something else begins there.

    Args:
        behind: the text from where what is told meets what stands beside it.
    """
    return bool(_BEGINS.match(behind)) or is_question(sentence) or not is_sentence(sentence)


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
