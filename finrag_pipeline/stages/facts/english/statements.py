"""Which tables of an English filing are its own statements and what repeats them.

Statements are told by their lines, not by titles; summaries and quarters are believed where they
agree with the statements. Tables of affiliates, segments and adjusted figures agree with nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.records import Table
from finrag_pipeline.records.facts import PeriodKind, Scope
from finrag_pipeline.stages.facts.english.lines import Line

Kind = Literal["income_statement", "balance_sheet", "cash_flow_statement", "summary"]
#: Lines of which a statement has some, and how many.
_INCOME_LINES = """
revenue cost_of_sales gross_profit operating_profit profit_before_tax income_tax net_profit
net_profit_attributable eps diluted_eps
"""
_BALANCE_LINES = """
total_assets current_assets current_liabilities total_liabilities liabilities_and_equity equity
equity_attributable retained_earnings fixed_assets inventory receivables payables long_term_debt
cash_and_equivalents
"""
_KEY_LINES = """
revenue gross_profit operating_profit profit_before_tax net_profit net_profit_attributable eps
diluted_eps total_assets operating_cash_flow equity
"""
_INCOME, _BALANCE = frozenset(_INCOME_LINES.split()), frozenset(_BALANCE_LINES.split())
_KEY = frozenset(_KEY_LINES.split())
_EARNED = frozenset(("net_profit", "net_profit_attributable"))
_CASH = frozenset(("operating_cash_flow", "investing_cash_flow", "financing_cash_flow"))
#: What a statement may hold besides the lines that are only its own.
_ALSO: Mapping[Kind, frozenset[str]] = {
    "income_statement": frozenset(
        ("dividends_per_share", "comprehensive_income", "weighted_shares", "diluted_shares")
    ),
    "balance_sheet": frozenset(("cash_and_equivalents",)),
    "cash_flow_statement": frozenset(("net_profit",)),
    "summary": frozenset(),
}
#: Two figures are one where they differ by no more than their rounding.
_SAME = Decimal("0.006")

_OWNERS = re.compile(r"holder|owner|member|parent", re.IGNORECASE)
_Key = tuple[str, Scope, int, PeriodKind, bool]


@dataclass(frozen=True, slots=True)
class Statement:
    """A table that holds figures of the company as a whole.

    Attributes:
        kind: `summary` repeats figures of several statements, or of quarters.
        lines: of the metrics that it can hold, with a period.
        goes_on: whether it stands under the headings of the one before it.
    """

    table: Table
    kind: Kind
    lines: tuple[Line, ...]
    scope: Scope = "consolidated"
    goes_on: bool = False


def kind_of(lines: Sequence[Line]) -> Kind | None:
    """Which statement lines make, by what they count; None where they make none."""
    held = {line.metric.name for line in lines if line.metric}
    earned = {"operating_cash_flow", "net_profit"}
    flows = earned | (held & {"depreciation_alone"} or {"depreciation"})
    if "total_assets" not in held and (len(held & _CASH) > 1 or flows <= held):
        return "cash_flow_statement"
    if "total_assets" not in held or not held & _INCOME - {"revenue"}:
        if len(held & _BALANCE) > 3 and not held & (_EARNED | {"eps", "diluted_eps"}):
            return "balance_sheet"
        beside = held & _INCOME - _EARNED
        if held & _EARNED and len(beside) > 2 and held & {"income_tax", "profit_before_tax"}:
            return "income_statement"
    return "summary" if len(held & _KEY) > 2 else None


def of_kind(kind: Kind, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines that a statement of a kind may hold: receivables in a statement of cash flows are
    what they changed by."""
    metrics = fact_metrics()
    return tuple(
        line
        for line in lines
        if line.metric
        and line.period
        and (
            kind == "summary"
            or line.metric.name in _ALSO[kind]
            or metrics[line.metric.name].statement == kind
        )
    )


def chosen(
    found: Sequence[tuple[Statement, Mapping[Line, Decimal]]],
) -> Iterator[tuple[Statement, Mapping[Line, Decimal]]]:
    """The statements that are the company's own, in the order given.

    Those with most lines are believed first; what repeats their figures is, too, and what has no
    figure in common with them only where it is as whole.

    Args:
        found: tables that may be statements, with the value of each of their lines.
    """
    held: dict[_Key, list[Decimal]] = {}
    believed: set[int] = set()
    whole: set[Kind] = set()
    for at, (statement, values) in sorted(enumerate(found), key=lambda each: _weight(*each)):
        keys = {line: _key(line, statement.scope) for line in values}
        same = sum(
            _agrees(value, held[keys[line]]) for line, value in values.items() if keys[line] in held
        )
        shared = sum(key in held for key in keys.values())
        first = statement.kind not in whole and statement.kind != "summary"
        fits = shared and 3 * same >= 2 * shared
        fits = fits or _adds_up(values, statement.scope, held)
        if fits or (not shared and (first or _is_whole(statement))):
            believed.add(at)
            whole.add(statement.kind)
            for line, value in values.items():
                held.setdefault(keys[line], []).append(value)
    for at, (statement, _) in enumerate(found):
        if statement.goes_on and at and {at, at - 1} & believed:
            believed |= {at, at - 1}
    for at, (statement, values) in enumerate(found):
        if at in believed:
            yield (
                statement,
                {
                    line: value
                    for line, value in values.items()
                    if line.heading.restated or _first_of(line, value, statement, held)
                },
            )


def _first_of(
    line: Line, value: Decimal, statement: Statement, held: Mapping[_Key, Sequence[Decimal]]
) -> bool:
    """Whether a figure is what the table believed first has: net sales are no total revenues."""
    first = held.get(_key(line, statement.scope))
    return first is None or _agrees(value, first[:1])


def _adds_up(
    values: Mapping[Line, Decimal], scope: Scope, held: Mapping[_Key, Sequence[Decimal]]
) -> bool:
    """Whether four quarters side by side add up to what years already have."""
    sums: dict[tuple[str, int], dict[str, Decimal]] = {}
    for line, value in values.items():
        if line.metric and line.period and line.metric.kind == "amount":
            quarters = sums.setdefault((line.metric.name, line.period.fiscal_year), {})
            quarters.setdefault(line.period.kind, value)
    years: dict[tuple[str, int], list[Decimal]] = {}
    for (name, whose, year, kind, _), amounts in held.items():
        if (whose, kind) == (scope, "FY"):
            years.setdefault((name, year), []).extend(amounts)
    told = [
        _agrees(sum(quarters.values(), Decimal(0)), years[key])
        for key, quarters in sums.items()
        if quarters.keys() == {"Q1", "Q2", "Q3", "Q4"} and key in years
    ]
    return len(told) > 1 and 3 * sum(told) >= 2 * len(told)


def _weight(at: int, found: tuple[Statement, Mapping[Line, Decimal]]) -> tuple[bool, int, int]:
    statement = found[0]
    names = {line.metric.name for line in statement.lines if line.metric}
    return statement.kind == "summary", -len(names), at


def _is_whole(statement: Statement) -> bool:
    """Whether a statement stands for itself: another span of an interim report, another quarter."""
    names = {line.metric.name for line in statement.lines if line.metric}
    if statement.kind == "summary":
        return False
    return len(names) >= 5


def _key(line: Line, scope: Scope) -> _Key:
    assert line.metric
    assert line.period
    period = line.period
    return line.metric.name, scope, period.fiscal_year, period.kind, period.first_on is None


def _agrees(value: Decimal, held: Sequence[Decimal]) -> bool:
    return any(abs(value - each) <= _SAME * max(abs(value), abs(each)) for each in held)


def with_equity_of_owners(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines of a balance sheet with the owners' equity told from all equity.

    Total shareholders' equity is all equity unless Total equity stands below it.
    """
    totals = [line for line in lines if line.metric and line.metric.name == "equity"]
    if len({line.figure.row for line in totals}) < 2:
        return tuple(lines)
    last = max(line.figure.row for line in totals)
    own = fact_metrics()["equity_attributable"]
    return tuple(
        replace(line, metric=own)
        if line in totals and line.figure.row != last and _OWNERS.search(line.label)
        else line
        for line in lines
    )


def with_deferred_taxes(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines of a balance sheet with deferred taxes owed told from those that are assets.

    Both are called Deferred income taxes; below what is owed soon, or all assets, they are owed.
    """
    names = ("total_assets", "current_liabilities")
    rows = [line.figure.row for line in lines if line.metric and line.metric.name in names]
    owed = fact_metrics()["deferred_tax_liabilities"]
    return tuple(
        replace(line, metric=owed)
        if line.metric
        and line.metric.name == "deferred_tax_assets"
        and "asset" not in line.label.lower()
        and rows
        and line.figure.row > min(rows)
        else line
        for line in lines
    )


def one_of_each(kind: Kind, lines: Sequence[Line]) -> tuple[Line, ...]:
    """One line of each metric and column: its total where parts of it are printed, else the first.

    Earnings that are told again below are those of the first; shareholders' equity is the owners'
    where all equity follows.
    """
    held = with_equity_of_owners(lines) if kind != "cash_flow_statement" else tuple(lines)
    held = with_deferred_taxes(held) if kind == "balance_sheet" else held
    found: dict[tuple[str, int], Line] = {}
    for line in held:
        assert line.metric
        key = (line.metric.name, line.figure.column)
        before = found.get(key)
        if before is None or (_is_total(line) and not _is_total(before)):
            found[key] = line
    return tuple(sorted(found.values(), key=lambda line: (line.figure.row, line.figure.column)))


def _is_total(line: Line) -> bool:
    return "total" in line.label.lower().split()


def checks(statement: Statement, values: Mapping[Line, Decimal]) -> dict[int, bool]:
    """For each column with sums whether they hold.

    Args:
        values: of its lines, in base units.
    """
    columns: dict[int, dict[str, Decimal]] = {}
    for line, value in values.items():
        assert line.metric
        columns.setdefault(line.figure.column, {})[line.metric.name] = value
    found: dict[int, bool] = {}
    for column, held in columns.items():
        sums = list(_sums(held))
        if sums:
            found[column] = all(_agrees(whole, [part]) for whole, part in sums)
    return found


def _sums(held: Mapping[str, Decimal]) -> Iterator[tuple[Decimal, Decimal]]:
    """Totals with what they must be."""
    if "total_assets" in held and "liabilities_and_equity" in held:
        yield held["total_assets"], held["liabilities_and_equity"]
    if {"total_assets", "total_liabilities", "equity"} <= held.keys():
        rest = held["total_assets"] - held["total_liabilities"]
        # what others may redeem stands between liabilities and equity
        if held["equity"] > rest:
            yield rest, held["equity"]
    if {"revenue", "cost_of_sales", "gross_profit"} <= held.keys():
        yield held["gross_profit"], held["revenue"] - held["cost_of_sales"]
