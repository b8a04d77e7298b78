"""What several figures come to together, as a question for each: 甲和乙加起来有多少."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.periods import ReportingPeriod

#: 证券ETF和化工ETF加起来净申购了多少; what is asked of each stands behind, or before the sum.
_TOGETHER = re.compile(
    r"^(?P<one>.+?)(?:和|与|跟|加上?|以及|及|、)(?P<other>[^，,、和与跟及]{2,16}?)"
    r"(?:(?:这?[两二]|一共)[者项块个家类款地只人]?)?的?(?P<what>[^，,、和与跟及]{0,10}?)"
    r"(?:合计|加起来|合起来|加在一起|加总|之和|总和|总共|一共|共计)(?:起来)?(?P<rest>[^，,？?]*)[？?]?$"
)
_ASKS = re.compile(r"多少|几|多大")


def figures_together(
    question: str, periods: Sequence[ReportingPeriod], company: str
) -> tuple[str, str] | None:
    """The questions for two figures whose sum is asked; None where none is.

    Args:
        periods: the times that it names.
        company: as it names it; empty where it names none.

    >>> from finrag_pipeline.grammar.periods import periods_in
    >>> def read(question):
    ...     return figures_together(question, list(periods_in(question, "question")), "星河")
    >>> read("星河2024年铜箔和铝箔加起来卖了多少吨")
    ('星河2024年铜箔卖了多少吨', '星河2024年铝箔卖了多少吨')
    >>> read("星河2024年国内与海外的收入合计是多少？")
    ('星河2024年国内收入是多少', '星河2024年海外收入是多少')
    >>> read("星河2024年流动资产合计是多少"), read("铜箔和铝箔哪个卖得多")
    (None, None)
    """
    match = _TOGETHER.match(question.strip())
    if match is None:
        return None
    what, rest = match["what"], match["rest"]
    asks = rest if _ASKS.search(rest) else f"{rest}是多少"
    named = {each.text for each in periods if each.text and each.text not in match["other"]}
    others = (company, *sorted(named, key=question.find))
    context = "".join(each for each in others if each not in match["other"])
    return f"{match['one']}{what}{asks}", f"{context}{match['other']}{what}{asks}"
