"""What is left of a question beside what its document and headings say of all their figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.query.answers.passages.saying import blanked
from finrag_pipeline.words import fold

_WORD = re.compile(r"[a-z][a-z0-9-]*|[\u3400-\u9fff]+")
#: Characters of a Chinese word.
_SHORTEST = 2


def left_of(question: str, over: str) -> str:
    """A question without the words that stand over a figure; as it is where they are all of it.

    >>> left_of("医疗IT私募股权成交总金额是多少", "医疗保健信息技术私募股权更新")
    'IT 成交总金额是多少'
    >>> left_of("IT profit", "a profitable unit")
    'IT profit'
    >>> left_of("毛利率", "毛利率")
    '毛利率'
    """
    # folding keeps characters at their places, but for few that no question has
    asked, told = fold(question), fold(over)
    if len(asked) != len(question):
        return question
    spans = {
        (word.start() + start, word.start() + end)
        for word in _WORD.finditer(asked)
        for start, end in _said(word[0], told)
    }
    return " ".join(blanked(question, spans).split()) or question


def _said(word: str, told: str) -> Iterator[tuple[int, int]]:
    """Where a word, or the longest parts of a Chinese one, stand in a text."""
    if word.isascii():
        if re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", told):
            yield 0, len(word)
        return
    start = 0
    while start < len(word):
        end = start
        while end < len(word) and word[start : end + 1] in told:
            end += 1
        if end - start >= _SHORTEST:
            yield start, end
        start = end if end - start >= _SHORTEST else start + 1
