"""What one table of a forecast says, put in order: costs as amounts, changes and doubles left out.

Which figures are forecasts is read in `forecasts`; whose profit 净利润 is in `parent_profit`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.parent_profit import with_profit_after_minorities

#: Costs that some houses print as what is subtracted, and payments likewise.
_COSTS = frozenset(
    ("cost_of_sales", "total_costs", "taxes_and_surcharges", "selling_expenses", "income_tax",
     "administrative_expenses", "research_expenses", "financial_expenses", "sga_expenses")
)  # fmt: skip
_FLOWS = frozenset(("operating_cash_flow", "investing_cash_flow"))
_TOTALS = frozenset(("total_assets", "total_liabilities", "equity", "equity_attributable"))
_BALANCES = _TOTALS | {"total_revenue", "revenue"}
_EARNED = frozenset(
    ("operating_profit", "net_profit", "net_profit_attributable", "profit_before_tax")
)
_MAIN = frozenset(("revenue", "total_revenue", "net_profit_attributable", "eps"))
#: Two prints of one main figure differ by less, rounding of small ones included.
_OFF = Decimal("0.06")
_BARE_REVENUE = re.compile(r"收入\W*(?:[(（].*)?")
_PROFITS = frozenset(("net_profit", "net_profit_attributable", "profit_before_tax"))
_PAYMENTS = frozenset(("capex", "dividends_paid"))


def settled(facts: Sequence[FinancialFact]) -> list[FinancialFact]:
    """Facts of one table without what is no level, or printed twice with two values."""
    return _agreed(_signed(_paid(_of_statement(with_profit_after_minorities(facts)))))


def contradicts(facts: Sequence[FinancialFact], before: Sequence[FinancialFact]) -> bool:
    """Whether a table's main figures are others than those before it: an earlier forecast's, or
    those of a company that only its title names."""
    held = {printed_key(each): each.value for each in before if each.metric in _MAIN}
    apart = [
        abs(each.value - held[key]) > _OFF * max(abs(each.value), abs(held[key]))
        for each in facts
        if each.metric in _MAIN and (key := printed_key(each)) in held
    ]
    return 2 * sum(apart) > len(apart)


def printed_key(fact: FinancialFact) -> tuple[object, ...]:
    """What two prints of one figure share."""
    return (fact.company_key, fact.metric, fact.period, fact.unit)


def _of_statement(facts: list[FinancialFact]) -> list[FinancialFact]:
    """Facts of a table without lines of a cash flow that only add back or change: 财务费用."""
    held = {each.metric for each in facts}
    if "revenue" in held and held.isdisjoint(_TOTALS):
        facts = [each for each in facts if each.metric != "minority_equity"]
    if held.isdisjoint(_EARNED):
        # 收入 alone may be that of a business
        facts = [each for each in facts if not _BARE_REVENUE.fullmatch(each.label)]
    if not (held >= _FLOWS and held.isdisjoint(_BALANCES)):
        return facts
    return [
        each
        for each in facts
        if fact_metrics()[each.metric].statement in ("", "cash_flow_statement")
        or each.metric in _PROFITS
    ]


def _paid(facts: list[FinancialFact]) -> list[FinancialFact]:
    """Facts of a table without dividends of nothing in every year, which a template prints where
    nobody filled it in."""
    shares = [each for each in facts if each.metric == "dividends_per_share"]
    if len(shares) < 2 or any(each.value for each in shares):
        return facts
    return [each for each in facts if each not in shares]


def in_one_currency(facts: list[FinancialFact]) -> list[FinancialFact]:
    """Facts without tables that print 元 over figures that others print in a foreign currency."""
    printed: dict[tuple[object, ...], set[str]] = {}
    for each in facts:
        if each.currency:
            printed.setdefault(_printed(each), set()).add(each.unit)
    slips = {each.table for each in facts if len(printed.get(_printed(each), ())) > 1}
    foreign = {each.unit for each in facts if each.currency not in (None, "CNY")}
    if not slips or not foreign:
        return facts
    return [each for each in facts if each.table not in slips or each.currency != "CNY"]


def _printed(fact: FinancialFact) -> tuple[object, ...]:
    return (fact.company_key, fact.metric, fact.period, fact.text)


def _agreed(facts: list[FinancialFact]) -> list[FinancialFact]:
    """Facts of a table without those of which it prints two: of two listings, or two cases."""
    values: dict[tuple[object, ...], set[Decimal]] = {}
    for each in facts:
        values.setdefault(printed_key(each), set()).add(each.value)
    return [each for each in facts if len(values[printed_key(each)]) == 1]


def _signed(facts: list[FinancialFact]) -> list[FinancialFact]:
    """Facts of a table with costs and payments as amounts, where it prints what is subtracted."""
    subtracts = any(each.metric == "cost_of_sales" and each.value < 0 for each in facts)
    return [
        replace(each, value=abs(each.value))
        if each.value < 0 and ((subtracts and each.metric in _COSTS) or each.metric in _PAYMENTS)
        else each
        for each in facts
    ]
