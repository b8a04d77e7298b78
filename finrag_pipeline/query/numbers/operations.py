"""What a question does with figures: tells, adds, orders, filters or counts them.

The words are `wording.csv`; how it is done is `aggregates`.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag_pipeline.query.numbers.marking import Marked
from finrag_pipeline.query.numbers.records import Operation
from finrag_pipeline.query.numbers.times import number_of_words
from finrag_pipeline.query.numbers.wording import has


@dataclass(frozen=True, slots=True)
class Done:
    """What is done, over whom, and how many are told, the greatest first or last."""

    operation: Operation
    everyone: bool
    limit: int | None = None
    descending: bool = True


def read_operation(
    marked: Marked, yearly: bool, companies: int, conditions: bool, periods: int, houses: int = 0
) -> Done:
    """Read and mark what is done with the figures.

    Args:
        yearly: whether a yearly growth over years is asked for.
        companies: how many are named.
        conditions: whether figures must be something.
        periods: how many are named; 0 for none.
        houses: whose forecasts are asked for.
    """
    if companies == 1 and periods > 1:
        marked.take("turned")  # told by the two figures
    forecast = has("forecast", marked.text) or bool(houses)
    if forecast and has("range", marked.text):
        marked.take("range")
        return Done("range", bool(marked.take("everyone")))
    # of one figure there is no order: 应收账款前五名 are somebody's
    alone = companies == 1 and periods == 1 and not forecast
    top = [] if alone else marked.take("top")
    counted = has("count", marked.text)
    everyone = bool(marked.take("everyone"))
    counted = (bool(marked.take("count")) or counted) and (everyone or not companies)
    everyone = everyone or counted or (bool(top) and not companies)
    limit = number_of_words(top[0][1]) if top else None
    ordered_top = any(value == "order" for value, _ in top)
    least, greatest = bool(marked.take("minimum")), bool(marked.take("maximum"))
    up, ranked = bool(marked.take("rank_up")), bool(marked.take("rank"))
    placed = bool(marked.take("place"))
    # 预测最高的是哪家: of one company houses are compared
    among_houses = forecast and companies == 1 and periods < 2 and has("among", marked.text)
    several = everyone or companies > 1 or houses > 1 or among_houses
    many = several or periods != 1
    if has("consensus", marked.text):
        marked.take("consensus")
        return Done("consensus", everyone)
    if yearly and not (least or greatest or ranked):
        return Done("cagr", everyone)
    if counted and conditions:
        return Done("count", everyone)
    if has("whether", marked.text) and not everyone and (conditions or greatest or least):
        marked.take("whether")
        return Done("whether", everyone)
    if placed and companies:
        return Done("rank", True)
    if (greatest or least or ranked or up) and several and limit:
        return Done("rank", everyone, limit, not (least or up))
    if ranked or up or (ordered_top and several and not conditions):
        return Done("rank", everyone, limit if several else None, not (least or up))
    if (greatest or least) and many:
        marked.take("among")
        marked.take("which_period")
        return Done("maximum" if greatest else "minimum", everyone)
    if conditions and several:
        # 平均毛利率是多少？列出低于均值的公司: what all are compared with is told beside
        marked.take("mean")
        marked.take("median")
        return Done("filter", everyone, limit if ordered_top else None)
    if marked.take("median"):
        return Done("median", everyone)
    if forecast and companies == 1 and periods < 2 and not conditions and has("mean", marked.text):
        marked.take("mean")
        return Done("consensus", everyone)
    if many and not conditions and marked.take("mean"):
        return Done("mean", everyone)
    if many and not conditions and (marked.take("sum") or marked.take("whole_ratio")):
        marked.take("whole_ratio")
        return Done("sum", everyone)
    if conditions:
        return Done("whether", everyone)
    return Done("value", everyone)
