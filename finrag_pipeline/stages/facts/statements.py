"""Figures of a filing's statements: which tables are them, of whom, and whether their sums hold.

Notes print tables that look alike: only what a heading names or what has all key lines counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics
from finrag_pipeline.grammar.kinds import kind_of as counted_kind
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records import Region, Table
from finrag_pipeline.records.facts import FinancialFact, Scope
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.facts.above import (
    headings_before,
    lines_before,
    name_before,
    unit_before,
)
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.facts.identities import BALANCE, CASH, INCOME, Row, kind_of, verdicts
from finrag_pipeline.stages.facts.lines import Line, ReadTable, read_table
from finrag_pipeline.stages.facts.making import Counted, Maker
from finrag_pipeline.stages.facts.titles import StatementName, lines_over, statement_named
from finrag_pipeline.stages.tables.counting import Surroundings

_STATEMENTS = {BALANCE: "balance_sheet", INCOME: "income_statement", CASH: "cash_flow_statement"}
#: Lines of its own statement that a named table has at least, and one that goes on unnamed.
_LEAST, _LEAST_MORE = 3, 2
_SHARE_OF_OWN = 0.2
#: What sales are called at the head of an income statement, and nowhere else.
_SALES = ("收入", "收益", "客户合约收益", "客户合同收入")
#: Metrics that are counted as what is spent, also where a statement prints them as deductions.
_SPENT = frozenset(
    (
        "total_costs",
        "cost_of_sales",
        "taxes_and_surcharges",
        "selling_expenses",
        "administrative_expenses",
        "research_expenses",
        "financial_expenses",
        "income_tax",
    )
)
_COMPARED = re.compile(r"变动|增减|原因|比例|占比|比重|同比")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a document: its kind, whose, and its parts in order of print."""

    kind: str
    scope: Scope
    parts: tuple[ReadTable, ...]


def statements_in(
    tables: Sequence[Table],
    around: Sequence[Surroundings],
    regions: Sequence[Region],
    filing: Filing,
) -> list[Statement]:
    """The statements among the tables of a filing, in order of print."""
    found: list[Statement] = []
    last = -1
    for at, (table, surroundings) in enumerate(zip(tables, around, strict=True)):
        named = _named(table, regions)
        read = _read(table, surroundings, regions, filing, named)
        if _compares(read):
            continue
        open_one = found[-1] if found and last == at - 1 else None
        if named is None and not (open_one and _continues(open_one, table, read)):
            named = name_before(lines_before(table, regions))
        if named and _has_lines(read, named.kind, _LEAST):
            if open_one and _goes_on(open_one, named, read):
                found[-1] = replace(open_one, parts=(*open_one.parts, read))
            else:
                scope = named.scope or _next_scope(found, named.kind)
                found.append(Statement(named.kind, scope, (read,)))
            last = at
        elif open_one and _continues(open_one, table, read):
            title = named.text if named else ""
            begun = open_one.parts[-1]
            more = read_table(table, begun.counted(surroundings), filing, title, begun.paths)
            found[-1] = replace(open_one, parts=(*open_one.parts, more))
            last = at
        elif kind := kind_of(_rows(read)):
            found.append(Statement(kind, _next_scope(found, kind), (read,)))
            last = at
    return found


def statement_facts(statement: Statement, filing: Filing) -> Iterator[FinancialFact]:
    """The facts of a statement in order of print, each with whether the sums of its line hold."""
    checked = _checked(statement)
    costs_met = False
    deducted = _deducts([line for part in statement.parts for line in part.lines])
    for part in statement.parts:
        maker = Maker(filing, part.table)
        for line in part.lines:
            costs_met = costs_met or bool(line.metric and line.metric.name in _SPENT)
            if line.column is None:
                continue
            fact = maker.fact(
                line,
                _counted(line, statement.kind, costs_met),
                line.column,
                flow_too=statement.kind != BALANCE,
                scope=statement.scope,
                checked=checked.get((part.table.ordinal, line.figure.row, line.figure.column)),
            )
            if fact and deducted and fact.metric in _SPENT:
                yield replace(fact, value=-fact.value)
            elif fact:
                yield fact


def _deducts(lines: Sequence[Line]) -> bool:
    """Whether a statement prints what is spent as deductions: (1,500) for 销售成本."""
    costs = (line for line in lines if line.metric and line.metric.name == "cost_of_sales")
    numbers = [number for line in costs if (number := number_of(line.figure.text)) is not None]
    return bool(numbers) and max(numbers) < 0


def _read(
    table: Table,
    around: Surroundings,
    regions: Sequence[Region],
    filing: Filing,
    named: StatementName | None,
) -> ReadTable:
    """The lines of a table that may be a statement, under the headings above it if need be."""
    title = named.text if named else ""
    read = read_table(table, around, filing, title)
    if len(read.lines) < _LEAST:
        return read
    dated = 2 * sum(line.column is not None for line in read.lines) > len(read.lines)
    counted = any(line.figure.measure for line in read.lines)
    if dated and counted:
        return read
    lines = lines_before(table, regions)
    if not counted and (unit := unit_before(lines)):
        around = replace(around, amount=unit)
    headings = {} if dated else headings_before(lines, read)
    return read_table(table, around, filing, title, instead=headings)


def _compares(read: ReadTable) -> bool:
    """Whether a table has columns that compare: an analysis of lines of a statement."""
    return any(_COMPARED.search(text) for path in read.paths.values() for text in path)


def _named(table: Table, regions: Sequence[Region]) -> StatementName | None:
    names = (statement_named(text) for text in lines_over(table, regions))
    return next(filter(None, names), None)


def _counted(line: Line, kind: str, costs_met: bool) -> Counted:
    metric = _metric(line, kind, costs_met)
    if metric:
        return Counted(metric.name, metric.kind, metric.timing)
    per_share = counted_kind(line.label) == "per_share"
    return Counted(
        line.bare, "per_share" if per_share else "amount", "instant" if kind == BALANCE else "flow"
    )


def _metric(line: Line, kind: str, costs_met: bool) -> FactMetric | None:
    """What a line is in a statement: a label may be another metric's outside of it."""
    metric = line.metric
    if metric is None and kind == INCOME and not costs_met and line.bare in _SALES:
        return fact_metrics()["revenue"]
    if metric is None or (metric.statement and metric.statement != _STATEMENTS[kind]):
        return None
    if metric.name == "interest_income" and not costs_met:
        return None  # a part of sales, not of financial expenses
    return metric


def _has_lines(read: ReadTable, kind: str, least: int) -> bool:
    names = {line.metric.name for line in read.lines if line.metric and _of(line.metric, kind)}
    return len(names) >= least


def _of(metric: FactMetric, kind: str) -> bool:
    return metric.statement == _STATEMENTS[kind]


def _goes_on(statement: Statement, named: StatementName, read: ReadTable) -> bool:
    """Whether a table named alike is the rest of the statement before it, headed again."""
    same = named.kind == statement.kind and named.scope in (None, statement.scope)
    before = {line.bare for part in statement.parts for line in part.lines}
    again = [line for line in read.lines if line.bare in before]
    return same and len(again) * 4 < len(read.lines)


def _continues(statement: Statement, table: Table, read: ReadTable) -> bool:
    """Whether an unnamed table is the rest of a statement on the next page."""
    end = max((place.page for place in statement.parts[-1].table.places), default=table.page)
    near = table.page - max(end, statement.parts[-1].table.page) <= 1
    if not near or not read.lines:
        return False
    before = {line.bare for part in statement.parts for line in part.lines}
    labels = {line.bare for line in read.lines}
    own = {line.bare for line in read.lines if line.metric and _of(line.metric, statement.kind)}
    fresh = len(labels & before) * 4 < len(labels)
    return (
        fresh
        and len(own) >= min(_LEAST_MORE, len(labels))
        and len(own) >= _SHARE_OF_OWN * len(labels)
    )


def _next_scope(found: Sequence[Statement], kind: str) -> Scope:
    """Whose a statement is that does not say it: filings print the group's before the company's."""
    return "parent" if any(each.kind == kind for each in found) else "consolidated"


def _rows(read: ReadTable) -> list[Row]:
    """The labels of a table's rows, without figures."""
    return [Row(simplified(label), ()) for _, _, label in read.labels]


def _checked(statement: Statement) -> Mapping[tuple[int, int, int], bool]:
    """Whether the sums of each figure hold, by table, row and column of its cell."""
    columns = list(
        dict.fromkeys(line.column for part in statement.parts for line in part.lines if line.column)
    )
    rows: list[Row] = []
    cells: list[dict[int, tuple[int, int, int]]] = []
    for part in statement.parts:
        held: dict[tuple[int, int], dict[int, Line]] = {}
        for line in part.lines:
            if line.column:
                own = held.setdefault((line.figure.row, line.at), {})
                own.setdefault(columns.index(line.column), line)
        for row, at, label in part.labels:
            own = held.get((row, at), {})
            values = (
                number_of(own[n].figure.text) if n in own else None for n in range(len(columns))
            )
            rows.append(Row(simplified(label), tuple(values)))
            cells.append(
                {n: (part.table.ordinal, row, line.figure.column) for n, line in own.items()}
            )
    found: dict[tuple[int, int, int], bool] = {}
    for n in range(len(columns)):
        for at, holds in verdicts(statement.kind, rows, n).items():
            if n in cells[at]:
                found[cells[at][n]] = holds
    return found
