"""Rows of other companies in a report, by their codes: comparable ones and whom a house covers.

A row counts where its figures agree: price by EPS, or market value by profit, is its PE.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from finrag_pipeline.grammar.measures import Measure, measure_of, printed_measure
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.records import Place, Table
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.stages.facts.forecasts import NOT_OWN, expected
from finrag_pipeline.stages.facts.measured import measured
from finrag_pipeline.stages.facts.report import Company, Report, squeezed
from finrag_pipeline.stages.facts.report_labels import report_metric
from finrag_pipeline.stages.facts.years import NamedYear, fiscal_year, year_in
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.stages.tables.body import BodyRow, body_rows
from finrag_pipeline.stages.tables.figures import Figure, figures
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.stages.tables.surroundings import surroundings

_METRICS = frozenset(("eps", "net_profit_attributable", "revenue", "pe"))
_PRICE = re.compile(r"股价|收盘价|现价|price", re.IGNORECASE)
_VALUE = re.compile(r"市值|market cap", re.IGNORECASE)
_TARGET = re.compile(r"^\W*(?:目标价(?:格|位)?|target price|TP)(?:\W.*)?$", re.IGNORECASE)
#: Whose expectations a table prints: everybody's, or those of the house for whom it covers.
_CONSENSUS = re.compile(r"一致|consensus", re.IGNORECASE)
_COVERED = re.compile(
    r"重点公司|覆盖|推荐公司|关注公司|股票池|盈利预测[与和及、]|coverage|our universe", re.I
)
_CODE_WORDS = re.compile(
    r"(?<![A-Za-z])(?:Equity|HK|CH|US|SH|SZ|SS|BJ|TT|JP)(?![A-Za-z])|[\d.()（）:：]+"
)
_UNIT_BEHIND = re.compile(r"(?:人民币)?(?:百万|亿|万|千)?(?:元|美元|港元)$")
#: A PE is printed with so little that its product may be this far off.
_OFF = Decimal("0.04")
_MARKETS = ((".HK", "HKD"), (".SH", "CNY"), (".SZ", "CNY"), (".BJ", "CNY"))


def read_peers(report: Report, tables: Sequence[Table]) -> tuple[FinancialFact, ...]:
    """Figures of the companies whose codes rows of a report's tables print, in order.

    Those of its own company are left to `forecasts`. Consensus has no broker.
    """
    found: list[FinancialFact] = []
    for table, around in zip(tables, surroundings(tables), strict=True):
        rows = {row.row: each for row in body_rows(table) if (each := _company(report, row))}
        if len(rows) > 1:
            found += _of_table(report, table, rows, figures(table, around))
    return tuple(found)


def _company(report: Report, row: BodyRow) -> Company | None:
    """The other company that a row's label is, by its one code."""
    label = " ".join(row.names)
    codes = {each.code for each in code_mentions(f"代码 {label}")}
    if len(codes) != 1 or codes & report.codes:
        return None
    code = codes.pop()
    name = "".join(_CODE_WORDS.sub(" ", label).split()) or None
    if report.company and name == report.company.name:
        return None
    return Company(company_key(name, code), code, name)


def _of_table(
    report: Report, table: Table, rows: Mapping[int, Company], meant: Sequence[Figure]
) -> Iterator[FinancialFact]:
    said = f"{table.title or ''} {table.footnote or ''}"
    house = (
        report.broker
        if _COVERED.search(table.title or "") and not _CONSENSUS.search(said)
        else None
    )
    quotes = {row.row: row.quote for row in table_rows(table.cells, meant)}
    by_row: dict[int, list[Figure]] = defaultdict(list)
    for figure in meant:
        if figure.row in rows:
            by_row[figure.row].append(figure)
    years = {year for figure in meant for text in figure.columns if (year := year_in(text))}
    for row, held in by_row.items():
        company = rows[row]
        for fact, figure in (
            *_forecasts(report, company, held, years, house),
            *_targets(report, company, held, house),
        ):
            yield replace(
                fact,
                place=figure.place or Place(table.page, table.bbox),
                quote=quotes.get(row, ""),
                table=table.ordinal,
                row=figure.row,
                column=figure.column,
            )


def _forecasts(
    report: Report,
    company: Company,
    held: Sequence[Figure],
    years: set[NamedYear],
    house: str | None,
) -> Iterator[tuple[FinancialFact, Figure]]:
    told: dict[tuple[str, int], tuple[Figure, NamedYear, Decimal, str]] = {}
    for figure in held:
        named = [year for text in figure.columns if (year := year_in(text))]
        metrics = {m for text in figure.columns if (m := report_metric(_bare(text)))}
        number = number_of(figure.text)
        if len(named) != 1 or len(metrics) != 1 or number is None:
            continue
        if any(NOT_OWN.search(text) for text in figure.columns):
            continue
        metric = metrics.pop()
        value = measured(metric.kind, number, _measure(figure), _currency(company))
        if metric.name in _METRICS and value:
            told[metric.name, named[0].year] = (figure, named[0], *value)
    price, worth = _beside(held, _PRICE), _beside(held, _VALUE)
    for (metric, year), (_, named_year, value, _) in told.items():
        multiple = told.get(("pe", year))
        future = expected(report, named_year, years)
        base = price if metric == "eps" else worth
        if metric in ("pe", "revenue") or future is None or multiple is None or base is None:
            continue
        if not value or not multiple[2] or not _agree(base, value, multiple[2]):
            continue
        for name, (at, _, number, counted) in ((metric, told[metric, year]), ("pe", multiple)):
            yield _fact(report, company, name, fiscal_year(year, 12, instant=name == "pe"), number,
                        counted, at, future=future, house=house), at  # fmt: skip


def _bare(heading: str) -> str:
    """A heading without the unit that stands right behind it: 归母净利润亿元."""
    return _UNIT_BEHIND.sub("", heading)


def _measure(figure: Figure) -> Measure | None:
    behind = [match[0] for text in figure.columns if (match := _UNIT_BEHIND.search(text))]
    return figure.measure or (measure_of(behind[-1]) if behind else None)


def _agree(base: Decimal, value: Decimal, multiple: Decimal) -> bool:
    """Whether a price, or a market value in whole units, is so many times what is earned."""
    return abs(base / value / multiple - 1) <= _OFF + abs(Decimal("0.5") / multiple / 10)


def _beside(held: Sequence[Figure], pattern: re.Pattern[str]) -> Decimal | None:
    """The one price or market value of a row, in whole units."""
    found: set[Decimal] = set()
    for figure in held:
        text = "".join(figure.columns)
        number = number_of(figure.text)
        if pattern.search(text) and not _TARGET.search(text) and number is not None:
            measure = figure.measure or printed_measure(text)
            found.add(number.scaleb(measure.power if measure else 0))
    return found.pop() if len(found) == 1 else None


def _targets(
    report: Report, company: Company, held: Sequence[Figure], house: str | None
) -> Iterator[tuple[FinancialFact, Figure]]:
    """Target prices of whom the house covers, in the currency of their market."""
    day = report.published_on
    for figure in held if house and day else ():
        number = number_of(figure.text)
        heading = squeezed(figure.columns[-1]) if figure.columns else ""
        if number and number > 0 and _TARGET.match(heading) and _currency(company):
            assert day is not None
            period = FactPeriod(day.year, "other", day)
            unit = f"{_currency(company)}/股"
            yield _fact(report, company, "target_price", period, number, unit, figure,
                        future=True, house=house), figure  # fmt: skip


def _currency(company: Company) -> str:
    return next((money for end, money in _MARKETS if (company.code or "").endswith(end)), "")


def _fact(
    report: Report,
    company: Company,
    metric: str,
    period: FactPeriod,
    value: Decimal,
    unit: str,
    figure: Figure,
    *,
    future: bool,
    house: str | None,
) -> FinancialFact:
    return FinancialFact(
        metric=metric,
        company_key=company.key,
        company_code=company.code,
        company_name=company.name,
        period=period,
        value=value,
        unit=unit,
        text=figure.text,
        printed_unit=figure.measure.text if figure.measure else "",
        source="report_peers",
        place=figure.place or Place(1, (0, 0, 0, 0)),
        quote="",
        nature="forecast" if future else "actual",
        broker=house if future else None,
        label=" ".join(figure.labels),
        heading=" ".join(figure.columns),
    )
