"""Where names stand in a question: beside capitalised words, before codes, within others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.tagging import tagged
from finrag_pipeline.stages.identity.places import WHOLE_NAME, place_before
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
    """Where a name stands with the capitalised words beside it, which are of it, or a place.

    >>> question = "Did China Resources Sanjiu Medical grow?"
    >>> start, end = whole_name(question, 20, 26)
    >>> question[start:end]
    'China Resources Sanjiu Medical'
    >>> whole_name("江苏恒瑞医药的造影剂", 2, 6)
    (0, 6)
    """
    if not question[start:end].isascii():
        place = place_before(question, start) if end - start >= WHOLE_NAME else 0
        return start - place, end
    before = _CAPITALISED_BEFORE.search(question[:start])
    behind = _CAPITALISED_BEHIND.match(question, end)
    first = before.start() if before else start
    while before and (word := _FIRST_WORD.match(question, first)) and word.end() <= start:
        if word[0].strip().lower() not in FUNCTION_WORDS:
            break
        first = word.end()
    return first, behind.end() if behind else end


def own_names(question: str, companies: Sequence[Named]) -> list[Named]:
    """The names of companies in a question but for one that ends another's name where its company
    is named elsewhere, too: in 世纪金花持有多少金花股份 the first is a holder's."""
    within = {
        (each.start, each.end)
        for each in companies
        if any(each.keys == other.keys and each.start != other.start for other in companies)
    }
    at = 0
    ends: set[tuple[int, int]] = set()
    for word, tag in tagged(question):
        ends |= {
            (start, end)
            for start, end in within
            if tag == "ORG" and at < start and end == at + len(word)
        }
        at += len(word)
    return [each for each in companies if (each.start, each.end) not in ends]


def bare_name(text: str) -> str:
    """A name without words that only open a question; empty where one word is left.

    >>> bare_name("Does Foot Locker"), bare_name("Did Adobe")
    ('footlocker', '')
    """
    words = [each for each in text.split() if each.lower() not in FUNCTION_WORDS]
    return fold("".join(words)) if len(words) > 1 else ""
