"""The facts of an English filing: its statements, five-year summaries and quarters, unit by unit.

Which document goes here is decided in `stages.facts.reading`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from finrag_pipeline.records import Metadata, Place, Region, Table
from finrag_pipeline.records.facts import FinancialFact, Scope
from finrag_pipeline.stages.facts.english.fiscal_years import FiscalYears, fiscal_years
from finrag_pipeline.stages.facts.english.lines import Columns, Line, read_table
from finrag_pipeline.stages.facts.english.over import over_table
from finrag_pipeline.stages.facts.english.statements import (
    Kind,
    Statement,
    checks,
    chosen,
    kind_of,
    of_kind,
    one_of_each,
)
from finrag_pipeline.stages.identity.company_keys import company_key, name_of_file
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.stages.tables.surroundings import surroundings

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
#: Forms of the American commission are in its currency where they print none.
_FORM = re.compile(r"\b(?:form )?(?:10-?[KQ]|8-?K)\b", re.IGNORECASE)
_REPORT = re.compile(r"\bform\b|\breport\b|\b(?:10-?[KQ]|20-?F)", re.IGNORECASE)
_ANNOUNCED = re.compile(r"\b8-?K\b|announce|results|earnings|release", re.IGNORECASE)
#: Paid or spent: statements print them in brackets or not, and mean the same.
_SPENT = frozenset(
    [
        "capex",
        "dividends_paid",
        "cost_of_sales",
        "total_costs",
        "selling_expenses",
        "administrative_expenses",
        "sga_expenses",
        "research_expenses",
        "interest_expense",
        "financial_expenses",
    ]
)
_UNITS = {"amount": "{}", "per_share": "{}/股", "shares": "股"}
_EARNED = frozenset(("net_profit", "net_profit_attributable"))
#: Earnings over earnings a share by the number of shares: preferred dividends, rounding.
_NEAR = (Decimal("0.7"), Decimal("1.4"))
_PER_SHARE_MOST = 100_000


@dataclass(frozen=True, slots=True)
class _Filer:
    """Whose document it is and how it counts."""

    key: str
    metadata: Metadata
    name: str
    years: FiscalYears
    currency: str
    report: str


def english_facts(
    source_name: str, metadata: Metadata, tables: Sequence[Table], regions: Sequence[Region]
) -> tuple[FinancialFact, ...]:
    """The figures of a company's own English report, in the order of its tables.

    Empty where the document names no company or no period that it reports on.
    """
    filer = _filer(source_name, metadata, tables)
    if filer is None:
        return ()
    read = list(_statements(tables, regions, filer))
    powers = Counter(power for each in read if (power := _power(each)) is not None)
    usual = max(powers, key=lambda power: powers[power], default=None)
    valued = [(each, _values(each, usual)) for each in read]
    return tuple(
        fact for statement, values in chosen(valued) for fact in _facts_of(statement, values, filer)
    )


def _filer(source: str, metadata: Metadata, tables: Sequence[Table]) -> _Filer | None:
    name = metadata.company_name or name_of_file(source, metadata.kind)
    years = fiscal_years(metadata, tables)
    key = company_key(name, metadata.company_code)
    if not name or not key or years is None:
        return None
    named = f"{metadata.title or ''} {source}"
    currencies = Counter(around.currency for around in surroundings(tables) if around.currency)
    usual = max(currencies, key=lambda code: currencies[code], default="")
    usual = usual or ("USD" if _FORM.search(named) else "")
    if _ANNOUNCED.search(named) and not _REPORT.search(metadata.title or ""):
        report = "express"
    elif years.annual:
        report = "annual"
    else:
        to_date = years.span(years.last_on, 6).kind
        report = "half" if to_date == "H1" else "quarter"
    return _Filer(key, metadata, name, years, usual, report)


def _statements(
    tables: Sequence[Table], regions: Sequence[Region], filer: _Filer
) -> Iterator[Statement]:
    """Tables that may be statements of the company; one may go on in tables without headings."""
    before: Columns | None = None
    going: Kind | None = None
    page = 0
    for table, around in zip(tables, surroundings(tables), strict=True):
        over = over_table(table, regions)
        near = before if 0 <= table.page - page <= 1 else None
        read = read_table(table, around, filer.years, over.text, near)
        kind = kind_of(read.lines)
        if not read.alone and kind not in (None, going):
            # another statement below: what stood over the last one does not hold for it
            read = read_table(table, around, filer.years, over.text)
            kind = kind_of(read.lines)
        elif not read.alone:
            kind = going
        before, going = read.columns, kind
        page = max((place.page for place in table.places), default=table.page)
        held = one_of_each(kind, of_kind(kind, read.lines)) if kind else ()
        if kind and held and not over.hypothetical:
            scope: Scope = "parent" if over.parent else "consolidated"
            yield Statement(table, kind, held, scope, not read.alone)


def _power(statement: Statement) -> int | None:
    """By which power of ten most of its amounts count; None where it does not say."""
    scales = Counter(
        line.figure.measure.power
        for line in statement.lines
        if line.metric
        and line.metric.kind == "amount"
        and line.figure.measure
        and "/" not in line.figure.measure.unit
    )
    return max(scales, key=lambda each: scales[each], default=None)


def _values(statement: Statement, usual: int | None) -> Mapping[Line, Decimal]:
    """The value of each line in base units; those whose unit cannot count them are left out.

    Args:
        usual: power of ten of the document's statements, for one that does not say its own: what
            it repeats of them must agree.
    """
    power = _power(statement)
    power = usual if power is None else power
    found: dict[Line, Decimal] = {}
    for line in statement.lines:
        assert line.metric
        scaled = _scaled(line, power)
        if scaled is not None:
            found[line] = abs(scaled) if line.metric.name in _SPENT else scaled
    return _with_taxes(_with_shares(found, statement.lines))


def _with_shares(values: dict[Line, Decimal], lines: Sequence[Line]) -> dict[Line, Decimal]:
    """Numbers of shares, in the scale by which earnings are so much a share; without it none."""
    for line in lines:
        if line.metric is None or line.metric.kind != "shares":
            continue
        beside = {
            each.metric.name: value
            for each, value in values.items()
            if each.metric and each.figure.column == line.figure.column
        }
        earned = next((beside[name] for name in sorted(_EARNED) if name in beside), None)
        each_earned = beside.get("diluted_eps" if line.metric.name == "diluted_shares" else "eps")
        for power in (0, 3, 6, 9):
            count = line.number.scaleb(power, _EXACT)
            if earned and each_earned and _NEAR[0] < earned / each_earned / count < _NEAR[1]:
                values[line] = count
    return values


def _with_taxes(values: dict[Line, Decimal]) -> dict[Line, Decimal]:
    """Taxes as what earnings lose by them: some print an expense in brackets, some a benefit."""
    columns: dict[int, dict[str, tuple[Line, Decimal]]] = {}
    for line, value in values.items():
        if line.metric:
            columns.setdefault(line.figure.column, {})[line.metric.name] = (line, value)
    for held in columns.values():
        if {"profit_before_tax", "income_tax"} <= held.keys() and _EARNED & held.keys():
            before, (line, tax) = held["profit_before_tax"][1], held["income_tax"]
            net = next(held[name][1] for name in ("net_profit", *_EARNED) if name in held)
            if abs(before + tax - net) < abs(before - tax - net):
                values[line] = -tax
    return values


def _scaled(line: Line, power: int | None) -> Decimal | None:
    assert line.metric
    measure, kind = line.figure.measure, line.metric.kind
    if kind == "amount":
        if measure and line.figure.source in ("block", "metric"):
            measure = None  # of a heading that what is counted per share stands under
        if measure is not None and ("/" in measure.unit or (measure.unit and not measure.currency)):
            return None
        own = measure.power if measure else power
        return None if own is None else line.number.scaleb(own, _EXACT)
    if kind == "per_share":
        cents = measure is not None and measure.power == -2
        value = line.number.scaleb(-2 if cents else 0, _EXACT)
        return value if abs(value) < _PER_SHARE_MOST else None
    return None


def _facts_of(
    statement: Statement, values: Mapping[Line, Decimal], filer: _Filer
) -> Iterator[FinancialFact]:
    quotes = _quotes(statement.table)
    checked = checks(statement, values)
    for line, value in values.items():
        assert line.metric
        assert line.period
        measure = line.figure.measure
        currency = (measure.currency if measure else "") or filer.currency
        if not currency:
            continue
        yield FinancialFact(
            metric=line.metric.name,
            company_key=filer.key,
            company_code=filer.metadata.company_code,
            company_name=filer.name,
            period=line.period,
            value=value,
            unit=_UNITS[line.metric.kind].format(currency),
            text=line.figure.text,
            printed_unit=measure.text if measure else "",
            source=_source(statement, line, filer),
            place=line.figure.place or Place(statement.table.page, statement.table.bbox),
            quote=quotes.get(line.figure.row, ""),
            scope=statement.scope,
            restated=line.heading.restated,
            checked=checked.get(line.figure.column),
            table=statement.table.ordinal,
            row=line.figure.row,
            column=line.figure.column,
            label=" ".join((*line.blocks, line.label)),
            heading=line.heading.text,
        )


def _quotes(table: Table) -> dict[int, str]:
    found: dict[int, str] = {}
    for row in table_rows(table.cells):
        found.setdefault(row.row, row.quote)
    return found


def _source(statement: Statement, line: Line, filer: _Filer) -> str:
    """Kind of document and column, see `sources`."""
    assert line.period
    report, last = filer.report, filer.years.last_on
    if report == "annual" and line.period.kind not in ("FY", "other"):
        return "annual_quarters"
    later = _years_between(line.period.last_on, last)
    if statement.kind == "summary" and report != "express":
        return f"{report}_discussion" + ("_prior" if later else "")
    if later > 1 and report == "annual":
        return "annual_earlier"
    return f"{report}_prior" if later else report


def _years_between(day: date, last: date) -> int:
    return round((last - day).days / 365.25 + 0.2)
