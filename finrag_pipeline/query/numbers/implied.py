"""What words of a question imply without naming it: 赚了多少, 盈利的, healthy by a ratio, 增长了吗.

How they are written is `wording.csv`; conditions that are written out are `conditions`'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import cast

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.numbers.expressions import figures_of
from finrag_pipeline.query.numbers.formulas import metric_measure
from finrag_pipeline.query.numbers.growths import changed_measure
from finrag_pipeline.query.numbers.marking import Marked
from finrag_pipeline.query.numbers.records import Comparison, Condition, Measure
from finrag_pipeline.query.numbers.wording import find, has


def mark_gained(marked: Marked) -> list[Condition]:
    """盈利 and 亏损 where no figure is named are of the net profit, and 赚了多少 asks for what
    belongs to the shareholders."""
    if marked.placed():
        return []
    for _, match in find("earned", marked.text):
        profit = replace(metric_measure("net_profit_attributable"), text=match[0])
        marked.mark_measure(*match.span(), profit)
        return []
    for value, match in marked.take("gain"):
        profit = replace(metric_measure("net_profit"), text=match[0])
        marked.mark_measure(*match.span(), profit)
        return [Condition(profit, cast("Comparison", value), Decimal(0))]
    return []


def mark_sound(marked: Marked) -> list[Condition]:
    """Healthy by a ratio asks whether it reaches what is held to be sound."""
    if not has("whether", marked.text):
        return []
    found: list[Condition] = []
    for value, match in find("healthy", marked.text):
        least = dict(each.split(":") for each in value.split("|"))
        for _, _, measure in marked.placed():
            if measure.name in least:
                found.append(Condition(measure, ">=", Decimal(least[measure.name])))
        if found:
            marked.mark(*match.span())
    return found


def mark_risen(marked: Marked) -> list[Condition]:
    """增长了吗 asks whether a growth is over nothing."""
    if not has("whether", marked.text):
        return []
    found: list[Condition] = []
    for value, _ in marked.take("risen")[:1]:
        for start, end, measure in marked.placed():
            grown = changed_measure(measure, "year_on_year", "year")
            marked.mark_measure(start, end, grown)
            found.append(Condition(grown, cast("Comparison", value), Decimal(0)))
    return found


def of_parent(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Measures of the parent alone: its staff has a figure of its own."""
    return tuple(
        metric_measure("parent_employees") if each.name == "employees" else each
        for each in measures
    )


def within_staff(measures: Sequence[Measure], question: str) -> tuple[Measure, ...]:
    """What is counted within the research staff: 研发人员里博士有几个; empty where nothing is."""
    counted = tuple(each for each in measures if each.name != "research_staff")
    people = all(
        fact_metrics()[figure.metric].kind == "people"
        for each in counted
        for figure in figures_of(each.expression)
    )
    within = len(counted) < len(measures) and has("within_staff", question)
    return counted if within and people else ()
