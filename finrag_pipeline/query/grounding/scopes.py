"""Whose accounts a text speaks of: the group's or the parent company's alone."""

from __future__ import annotations

import re
from typing import Literal

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in

Scope = Literal["consolidated", "parent"]

#: 归属于母公司股东 and 归母 are of the group's accounts.
_PARENT = re.compile(
    r"(?<!归属于)(?<!归属)(?<!归)母公司(?!所有者|股东|普通股|拥有人|[及和与])|"
    r"单体口径|[非不]合并|parent[\s-](?:company(?! shareholders|'s shareholders)|only)|"
    r"company[\s-]only",
    re.IGNORECASE,
)
_CONSOLIDATED = re.compile(
    r"(?<![非不])合并(?:报表|口径|资产负债表|利润表|范围内)|（合并）|\(合并\)|"
    r"(?<![非不])合并(?=营业|净利|总资产|收入|利润)|consolidated",
    re.IGNORECASE,
)


def scope_in(text: str) -> Scope | None:
    """The scope that a text names; None where it names none, or both.

    >>> scope_in("母公司营业收入"), scope_in("归属于母公司股东的净利润"), scope_in("合并口径")
    ('parent', None, 'consolidated')
    >>> scope_in("母公司及主要子公司需承担费用的离退休职工人数") is None
    True
    """
    parent = bool(_PARENT.search(text))
    if parent == bool(_CONSOLIDATED.search(text)):
        return None
    return "parent" if parent else "consolidated"


def without_metrics(text: str) -> str:
    """A text without names of metrics that have such a word in them: 母公司在职员工数量."""
    if scope_in(text) is None:
        return text
    for each in reversed(list(fact_metrics_in(text))):
        text = text[: each.start] + " " + text[each.end :]
    return text
