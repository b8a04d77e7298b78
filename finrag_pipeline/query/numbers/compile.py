"""A question for figures as a tree of SQL over the views of facts.

What it needs of them is worked out here; the gate runs it, arithmetic follows in `arithmetic`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.numbers.expressions import Figure, figures_of
from finrag_pipeline.query.numbers.records import AskedPeriod, HeldFact, Measure, NumberQuestion
from finrag_pipeline.query.numbers.times import QUARTERS, quarter_before, year_before
from finrag_pipeline.records.facts import PeriodKind

if TYPE_CHECKING:
    from sqlglot import exp

View = Literal["facts", "best_facts"]
COLUMNS = tuple(each.name for each in fields(HeldFact))
#: What a part of a year is the rest of: the sum up to its end less the sum up to its start.
REST: dict[PeriodKind, tuple[PeriodKind, PeriodKind]] = {
    "Q2": ("H1", "Q1"),
    "Q3": ("9M", "H1"),
    "Q4": ("FY", "9M"),
    "H2": ("FY", "H1"),
}
#: The period that a balance at the end of a part of a year closes.
CLOSES: dict[PeriodKind, PeriodKind] = {"Q2": "H1", "Q3": "9M", "Q4": "FY", "H2": "FY"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The facts that a question is worked out of; None or empty where anything goes.

    Attributes:
        companies: keys; None for all.
        years: fiscal years; None for any.
        kinds: parts of them; None for any.
        whole: whether only figures of whole companies.
    """

    metrics: tuple[str, ...]
    companies: tuple[str, ...] | None
    years: tuple[int, ...] | None
    kinds: tuple[PeriodKind, ...] | None
    natures: tuple[str, ...]
    scope: str = "consolidated"
    brokers: tuple[str, ...] = ()
    whole: bool = True


def all_measures(question: NumberQuestion) -> tuple[Measure, ...]:
    """The measures that a question asks for or compares."""
    compared = [each.measure for each in question.conditions]
    compared += [each.other for each in question.conditions if each.other]
    named = {each.name: each for each in (*question.measures, *compared)}
    return tuple(named.values())


def wanted_facts(question: NumberQuestion, natures: Collection[str]) -> Wanted:
    """The facts that a question needs."""
    measures = all_measures(question)
    figures = [
        figure
        for each in measures
        for expression in (each.expression, *each.alternatives)
        for figure in figures_of(expression)
    ]
    metrics = {figure.metric for figure in figures}
    metrics |= {metric for each in measures for metric in each.printed}
    years: set[int] = set()
    kinds: set[PeriodKind] = set()
    for period in needed_periods(question, figures):
        years.add(period.fiscal_year)
        kinds |= {period.kind, *REST.get(period.kind, ()), *QUARTERS.get(period.kind, ())}
        kinds.add(CLOSES.get(period.kind, period.kind))
    priced = any(fact_metrics()[each].kind == "price" for each in metrics)
    keys = [key for each in question.companies for key in (*each.keys, *each.also)]
    return Wanted(
        tuple(sorted(metrics)),
        None if question.everyone else tuple(dict.fromkeys(keys)),
        tuple(sorted(years)) if years and not priced else None,
        tuple(sorted(kinds)) if kinds and not priced else None,
        ("actual", "forecast", "guidance") if priced else tuple(sorted(natures)),
        question.scope,
        tuple(dict.fromkeys(each.name for each in question.houses))
        if priced or "actual" not in natures
        else (),
        not question.segments,
    )


def needed_periods(question: NumberQuestion, figures: Iterable[Figure]) -> Iterable[AskedPeriod]:
    """The periods of a question and those that its figures go back to."""
    shifts = {each.shift for each in figures}
    for period in question.periods:
        yield period
        for shift in shifts - {""}:
            if before := at_shift(period, shift, question.base):
                yield before


def at_shift(period: AskedPeriod, shift: str, base: AskedPeriod | None) -> AskedPeriod | None:
    """The period that a figure of an expression is of; None where there is no such one."""
    if shift in ("year", "quarter") and base is not None:
        return base
    match shift:
        case "year":
            return year_before(period)
        case "quarter":
            return quarter_before(period)
        case "opening":
            return AskedPeriod(period.fiscal_year - 1, "FY")
        case "earlier":  # where the year before began
            return AskedPeriod(period.fiscal_year - 2, "FY")
        case _:
            return period


def facts_select(view: View, wanted: Wanted) -> exp.Select:
    """The SQL of the facts that are wanted, in no order.

    >>> facts_select("facts", Wanted(("eps",), ("600519.SH",), (2024,), None, ("actual",))).sql(
    ...     "postgres").partition(" FROM ")[2]
    "facts WHERE metric IN ('eps') AND company_key IN ('600519.SH') AND fiscal_year IN (2024) \
AND nature IN ('actual') AND scope = 'consolidated' AND segment = ''"
    """
    from sqlglot import exp

    conditions: list[exp.Expr] = [_among("metric", wanted.metrics)]
    if wanted.companies is not None:
        conditions.append(_among("company_key", wanted.companies))
    if wanted.years is not None:
        conditions.append(_among("fiscal_year", wanted.years))
    if wanted.kinds is not None:
        conditions.append(_among("period", wanted.kinds))
    conditions.append(_among("nature", wanted.natures))
    conditions.append(exp.column("scope").eq(wanted.scope))
    if wanted.whole:
        conditions.append(exp.column("segment").eq(""))
    if wanted.brokers:
        conditions.append(_among("broker", wanted.brokers))
    return exp.select(*COLUMNS).from_(view).where(*conditions)


def newest_year_select(metrics: Collection[str], kind: PeriodKind) -> exp.Select:
    """The SQL of the newest fiscal year that anyone's figures are held of."""
    from sqlglot import exp

    return (
        exp.select(exp.alias_(exp.Max(this=exp.column("fiscal_year")), "newest"))
        .from_("facts")
        .where(
            _among("metric", sorted(metrics)),
            exp.column("period").eq(kind),
            exp.column("nature").eq("actual"),
        )
    )


def _among(column: str, values: Collection[str] | Collection[int]) -> exp.Expr:
    from sqlglot import exp

    return exp.In(
        this=exp.column(column),
        expressions=[
            exp.Literal.number(each) if isinstance(each, int) else exp.Literal.string(each)
            for each in values
        ],
    )
