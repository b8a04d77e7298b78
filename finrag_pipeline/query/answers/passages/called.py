"""Where names stand in an English question: with capitalised words beside them, before codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.words import FUNCTION_WORDS, fold

_FULL_NAME = re.compile(r"(?:[A-Z][\w&'’-]*[ ]){1,4}[A-Z][\w&'’-]*[a-z]")
#: A name before the code of its company, or before what that is called in Chinese.
_NAMED_BY_CODE = re.compile(
    r"(?:[A-Z][A-Za-z0-9&.'’-]*[ ]?)+\s?[（(](?:\d{4,6}(?:\.[A-Z]{2})?|[\u3400-\u9fff]{2,})[)）]"
)
#: Capitalised words before and behind a name, which are of it.
_CAPITALISED_BEFORE = re.compile(r"(?:\b[A-Z][\w&.'’-]*\s+)+$")
_CAPITALISED_BEHIND = re.compile(r"(?:\s+[A-Z][a-z][\w&.-]*)+")
_FIRST_WORD = re.compile(r"\S+\s+")


def named_by_code(question: str) -> set[tuple[int, int]]:
    """Where names stand before the codes or the Chinese names of their companies.

    >>> named_by_code("How did HitGen (成都先导) do?"), named_by_code("25H1毛利率（国信点评）")
    ({(8, 21)}, set())
    """
    return {match.span() for match in _NAMED_BY_CODE.finditer(question)}


def full_names(text: str) -> Iterator[str]:
    """Names of several words, folded: WuXi Biologics."""
    return filter(None, (bare_name(match[0]) for match in _FULL_NAME.finditer(text)))


def whole_name(question: str, start: int, end: int) -> tuple[int, int]:
    """Where a name stands with the capitalised words beside it, which are of it.

    >>> question = "Did China Resources Sanjiu Medical grow?"
    >>> start, end = whole_name(question, 20, 26)
    >>> question[start:end]
    'China Resources Sanjiu Medical'
    """
    if not question[start:end].isascii():
        return start, end
    before = _CAPITALISED_BEFORE.search(question[:start])
    behind = _CAPITALISED_BEHIND.match(question, end)
    first = before.start() if before else start
    while before and (word := _FIRST_WORD.match(question, first)) and word.end() <= start:
        if word[0].strip().lower() not in FUNCTION_WORDS:
            break
        first = word.end()
    return first, behind.end() if behind else end


def bare_name(text: str) -> str:
    """A name without words that only open a question; empty where one word is left.

    >>> bare_name("Does Foot Locker"), bare_name("Did Adobe")
    ('footlocker', '')
    """
    words = [each for each in text.split() if each.lower() not in FUNCTION_WORDS]
    return fold("".join(words)) if len(words) > 1 else ""
