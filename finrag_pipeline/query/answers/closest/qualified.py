"""What a question says of a figure beside its metric: a bound, where, what is left out. Where a
text does not say so, it tells of another figure."""

from __future__ import annotations

import re

from finrag_pipeline.query.answers.passages.wanted import Wanted

#: A number that is no time: a threshold.
NUMBER = re.compile(r"-?\d+\.\d+")
#: Where something was, which is a part of all, or of the parent alone.
_WHERE = re.compile(
    r"海外|境外|国外|国内|境内|出口|内销|外销|(?<!归属)(?<!归属于)母公司(?!股东|所有者)"
)
#: What is asked of all but some.
_LESS = re.compile(r"除了?(?![以外了])|剔除|扣除|不含|不包括|不算")


def lacks_bound(wanted: Wanted, text: str) -> bool:
    """Whether a text lacks a number of the question that is no time, WACC取7.39%, or where
    something was."""
    numbers = all(each in text for each in NUMBER.findall(wanted.bare))
    return not numbers or lacks_place(wanted, text)


def lacks_place(wanted: Wanted, text: str) -> bool:
    """Whether a text lacks where something was: what is sold abroad is not what is sold."""
    return not all(map(wanted.text(text).has, _WHERE.findall(wanted.bare)))


def leaves_in(wanted: Wanted, text: str) -> bool:
    """Whether something is asked to be left out of a figure, and a text does not say so."""
    return bool(_LESS.search(wanted.question)) and not _LESS.search(text)
