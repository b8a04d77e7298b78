"""What is held that only resembles a figure that is not: another year, scope or metric.

It is named in refusals and never told for what was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from finrag_pipeline.query.numbers.compile import View, Wanted, wanted_facts
from finrag_pipeline.query.numbers.records import HeldFact, NumberQuestion

#: Metrics that are taken for one another.
_ALIKE = (
    ("revenue", "total_revenue"),
    ("net_profit", "net_profit_attributable", "adjusted_net_profit"),
    ("eps", "diluted_eps", "adjusted_eps"),
    ("equity", "equity_attributable"),
    ("cash", "cash_and_equivalents"),
    ("research_expenses", "research_investment"),
    ("cost_of_sales", "total_costs"),
    ("operating_profit", "profit_before_tax"),
    ("printed_roe", "weighted_roe", "adjusted_weighted_roe"),
    ("long_term_loans", "long_term_debt"),
    ("share_capital", "shares_outstanding"),
    ("masters", "doctors", "bachelors"),
)
#: Facts that a refusal may name.
_MOST = 5

Read = Callable[[View, Wanted], tuple[HeldFact, ...]]


def nearest_facts(question: NumberQuestion, read: Read) -> tuple[HeldFact, ...]:
    """Facts that resemble a question: the same metric of other times, others of the same time."""
    wanted = wanted_facts(question, {"actual", "forecast"})
    metrics = set(wanted.metrics)
    alike = {each for group in _ALIKE if metrics & set(group) for each in group} | metrics
    found = read(
        "best_facts",
        replace(
            wanted,
            metrics=tuple(sorted(alike)),
            years=None,
            kinds=None,
            whole=not question.segments,
        ),
    )
    years = {each.fiscal_year for each in question.periods}
    kinds = {each.kind for each in question.periods}

    houses = {each.name for each in question.houses}

    def distance(fact: HeldFact) -> tuple[object, ...]:
        apart = min((abs(fact.fiscal_year - year) for year in years), default=-fact.fiscal_year)
        return (
            apart,
            fact.period not in kinds if kinds else fact.period != "FY",
            fact.metric not in metrics,
            bool(houses) and fact.broker not in houses,
            fact.nature != "actual",
            fact.source_rank,
            fact.fact_id,
        )

    return tuple(sorted(found, key=distance)[:_MOST])
