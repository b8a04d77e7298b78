"""What the words of a question say: metrics with those near them, times, and what only asks.

What a question wants of a passage is `wanted`'s.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.question.reading import in_titles
from finrag_pipeline.words import fold

#: Words of documents and of asking that say nothing of what is asked.
_FORMS = Path(__file__).with_name("forms.csv")
#: Metrics that passages say for each other: who asks for profit is told that of the shareholders.
_NEAR = (
    frozenset({"revenue", "total_revenue"}),
    frozenset({"net_profit", "net_profit_attributable"}),
    frozenset({"gross_margin", "gross_profit", "printed_gross_margin"}),
    frozenset({"total_costs", "cost_of_sales"}),
    frozenset({"top_customers_sales", "top_customers_share"}),
    frozenset({"top_suppliers_purchases", "top_suppliers_share"}),
    frozenset({"largest_customer_sales", "largest_customer_share"}),
    frozenset({"largest_supplier_purchases", "largest_supplier_share"}),
)
#: A figure of a metric that stands in a question, and a clause behind it that asks.
_GIVEN = re.compile(
    r"[^，,。；;？?\d]{0,8}\d[\d.,]*\s*(?:[万亿]|元|港[元币]|美[元金]|块|[%％倍]|个?百分点)+[^，,；;？?]{0,6}(?=[，,；;])"
)
_ASKS_BEHIND = re.compile(r"什么|为何|哪|怎么|如何|是否|吗|\b(?:why|what|how)\b", re.IGNORECASE)
_PLURAL = re.compile(r"(?<=[a-z]{3})(?<!s)s\b")


@cache
def _forms() -> re.Pattern[str]:
    rows = data_rows(_FORMS, ("language", "pattern", "meaning"))
    return re.compile("|".join(row["pattern"] for row in rows), re.IGNORECASE)


def without_asking(text: str) -> str:
    """A text without the words of documents and of asking."""
    return _forms().sub(" ", text)


def with_near(metrics: Iterable[str]) -> frozenset[str]:
    """Metrics with those that passages say for them.

    >>> sorted(with_near(["revenue"]))
    ['revenue', 'total_revenue']
    """
    own = frozenset(metrics)
    return own | {name for near in _NEAR if near & own for name in near}


def metrics_named(text: str) -> frozenset[str]:
    """The names of the metrics that a text names, in the singular or the plural.

    >>> sorted(metrics_named("inventories rose, 营收增长")), metrics_named("产能")
    (['inventory', 'revenue'], frozenset())
    """
    bare = fold(text)
    texts = {bare, _PLURAL.sub("", bare)}
    return frozenset(each.metric.name for text in texts for each in fact_metrics_in(text))


def other_metrics(asked: Collection[str], named: frozenset[str]) -> bool:
    """Whether a text names metrics, and none that is asked for, nor one near it, where one is.

    >>> other_metrics(["revenue"], frozenset(["total_revenue"])), other_metrics([], frozenset("x"))
    (False, False)
    """
    return bool(asked and named) and not named & with_near(asked)


def weighed(shares: Sequence[tuple[float, float]]) -> float:
    """The share, 0 to 1, of a weight that is said: of pairs of a weight and how far each is."""
    whole = sum(weight for weight, _ in shares)
    return sum(weight * said for weight, said in shares) / whole if whole else 0.0


#: A plan that goes by the year in which it was made.
OF_PLAN = re.compile(
    r"\s*度?的?(?:[那这][期次个批份]的?)?(?:A股)?(?:第[一二三]期)?"
    r"(?:限制性股票|股权激励|员工持股|股票期权|期权激励|激励计划|定增|非公开发行|可转债|配股)"
)


def meant_times(question: str, periods: Sequence[ReportingPeriod]) -> tuple[ReportingPeriod, ...]:
    """The times that are asked for, without those that they are compared with: 同比, those of the
    report on which a house writes, and those by which a plan is called: 2021年那期股权激励."""
    titles = in_titles(question, periods)
    written: dict[tuple[int, int], ReportingPeriod] = {}
    named = [each for each in periods if each.text and OF_PLAN.match(question, each.end)]
    for each in periods:
        if each.text and each.start not in titles and each not in named:
            written.setdefault((each.start, each.end), each)
    return tuple(written.values()) or (() if named else tuple(periods[:1]))


def gives(question: str, end: int) -> bool:
    """Whether a question itself gives the figure of a metric whose name ends at a place, and asks
    for something else.

    >>> gives("目标价调到63港币，理由是什么", 3), gives("目标价是多少", 3)
    (True, False)
    """
    given = _GIVEN.match(question, end)
    return bool(given and _ASKS_BEHIND.search(question, given.end()))


def blanked(text: str, spans: Collection[tuple[int, int]]) -> str:
    """A text, as long as it is, with some places blank."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
