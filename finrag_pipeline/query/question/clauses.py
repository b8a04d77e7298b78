"""Clauses of a question that ask for a figure beside something else: 评级呢，预计净利润多少.

Each is made a question of its own: whom, whose and when it leaves out the whole question says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.houses import find_houses
from finrag_pipeline.query.question.reading import Reading, read_question
from finrag_pipeline.query.question.signals import asks_figure, asks_reason

_PARTED = re.compile(
    r"[，,；;？?。！!]+\s*|\s+and\s+(?=(?:what|how|who|when|why)\b)", re.IGNORECASE
)
_RATING = re.compile(r"评[级等]|\brat(?:ed|ings?)\b", re.IGNORECASE)
#: What is expected is some house's.
_EXPECTS = re.compile(r"预[计测期]|forecast|expect|estimate", re.IGNORECASE)


def figure_clauses(
    question: str, said: Reading, catalogue: Catalogue, day: date | None = None
) -> Iterator[str]:
    """Questions for figures out of the clauses of one that asks for several things.

    Args:
        said: what the whole question says of whom and when.
        day: from which relative times are counted.
    """
    clauses = [each.strip() for each in _PARTED.split(question) if each.strip()]
    if len(clauses) < 2:
        return
    houses = find_houses(question, catalogue, said.companies)
    for clause in clauses:
        if not asks_figure(clause) or asks_reason(clause):
            continue
        own = read_question(clause, catalogue, day)
        lacks = [each.text for each in said.companies[:1] if not own.companies]
        if not own.periods:
            when = [each.text for each in said.periods[:1]]
            lacks += [each for each in when if _same_nature(each, clause, clauses)]
        own_houses = find_houses(clause, catalogue, own.companies)
        if _EXPECTS.search(clause) and houses and not own_houses:
            lacks.insert(0, houses[0].text)
        yield " ".join([*lacks, clause])


def asks_rating(question: str) -> bool:
    """Whether a clause of a question asks for a rating beside why something is so.

    >>> asks_rating("目标价上调的理由是什么，评级有没有变"), asks_rating("为什么给买入评级")
    (True, False)
    """
    clauses = _PARTED.split(question)
    return any(_RATING.search(each) and not asks_reason(each) for each in clauses)


def _same_nature(when: str, clause: str, clauses: list[str]) -> bool:
    """Whether a time is of what the clause asks for: that of a forecast is of forecasts alone."""
    donor = next((each for each in clauses if when and when in each), "")
    return bool(donor) and bool(_EXPECTS.search(donor)) == bool(_EXPECTS.search(clause))
