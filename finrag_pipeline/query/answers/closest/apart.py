"""Drafts that leave open how two figures stand to each other, where a question asks for that."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.query.answers.passages.mentions import mentions_in
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.table import TABLE
from finrag_pipeline.query.numbers.records import NumberResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.differing import compares_things, figures_apart
from finrag_pipeline.query.question.relating import asks_multiple, figures_related

#: What is asked of two figures in other words than `differing` reads.
_OF_TWO = re.compile(
    r"相差|差了?(?:多少|几)|加起来|合起来|之和|之差|[砍削](?:掉|去|减)?了?(?:多少|几)|剔除.{2,12}(?:以?后|之后)|"
    r"\bhow much did .{2,40} (?:cut|reduce|lower|raise)\b|\bput together\b|\bmidpoint\b",
    re.IGNORECASE,
)
#: What is said of a part of a whole, and of another rate it is not.
_OF_A_WHOLE = re.compile(
    r"占|比[重例]|份额|\bshare\b|\bpercent(?:age)? of\b|%\s?of\b", re.IGNORECASE
)
#: How far a number may be from one that is read of a quote.
_SAME = 1e-6


def tells_one_of_two(asked: Asked, draft: Draft) -> bool:
    """Whether a draft tells a single level where a question asks how far two figures lie apart, or
    what they are together; a change that a quote prints is one."""
    number = (draft.value or {}).get("number")
    if number is None or (draft.numbers and not _is_one_level(draft.numbers)):
        return False
    question = asked.question
    of_two = _OF_TWO.search(question) or compares_things(question) or asks_multiple(question)
    if not (of_two or figures_apart(question, asked.scope.reading.periods)):
        return False
    return not any(_prints_change(each.quote, float(number)) for each in draft.citations)


def _is_one_level(result: NumberResult) -> bool:
    return len(result.rows) == 1 and not result.rows[0].steps


def leaves_related_open(asked: Asked, draft: Draft) -> bool:
    """Whether a draft only quotes where a question asks for a growth, a share, a sum or how one
    figure stands to another's that may be worked out, or tells a rate that is no share where a
    share of a whole is asked for."""
    if draft.status or draft.numbers is not None or not draft.citations:
        return False
    number = (draft.value or {}).get("number")
    if asks_multiple(asked.question) or compares_things(asked.question):
        return number is None
    related = figures_related(asked.question, asked.scope.reading.periods, "")
    if related is None:
        return False
    if related.how != "share":
        return number is None
    if any(each.kind == TABLE for each in draft.citations):
        return False  # the head of a column says that it is a share
    if number is None:
        return True
    told = "\n".join([draft.text, *(each.quote for each in draft.citations)])
    return not _OF_A_WHOLE.search(told)


def _prints_change(quote: str, number: float) -> bool:
    """Whether a quote prints a number as how far something changed."""
    return any(
        each.role in ("change", "growth")
        and abs(abs(float(each.quantity.value)) - abs(number)) <= _SAME * max(abs(number), 1)
        for each in mentions_in(quote, list(periods_in(quote)))
    )
