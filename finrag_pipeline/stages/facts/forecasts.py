"""What brokers expect: the figures of their forecast tables by year, with the years before them.

Rows of other companies are `peers`, target prices `target_prices`, sentences `sentences`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.fact_metrics import FactMetric
from finrag_pipeline.grammar.measures import measure_of
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records import Place, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.forecast_tables import (
    contradicts,
    in_one_currency,
    printed_key,
    settled,
)
from finrag_pipeline.stages.facts.measured import measured
from finrag_pipeline.stages.facts.parent_profit import (
    with_parent_profit,
)
from finrag_pipeline.stages.facts.report import Company, Report, company_in, squeezed
from finrag_pipeline.stages.facts.report_labels import report_metric
from finrag_pipeline.stages.facts.years import NamedYear, ends_in, fiscal_year, year_in
from finrag_pipeline.stages.tables.figures import Figure, figures
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.stages.tables.surroundings import surroundings

#: Headings of figures that are others', earlier ones, or compare.
NOT_OWN = re.compile(
    r"调整前|修[订正]前|[原旧]|前值|此前|[上前]次|上期|一致|市场|彭博|共识|预期差|万得|wind|差[异值额]|变[动化]|幅|"
    r"增[速长]|同比|环比|占比|比例|同业|行业|可比|平均|yoy|qoq|consensus|street|\bold\b|prior|previous|"
    r"diff|ch(?:an)?ge?\b|growth|\bvs\b|margin|[%％]$",
    re.IGNORECASE,
)
#: Titles of tables that divide a company, weigh assumptions or value it.
_NOT_WHOLE = re.compile(
    r"拆分|分业务|分产品|分部|分地区|分项|收入结构|收入构成|业务.{0,4}预测|收入(?:及毛利率?)?预测|假设|敏感|"
    r"DCF|FCF|自由现金流|绝对估值|可比|同业|segment|breakdown|assumption|sensitivit|peer|comparable",
    re.IGNORECASE,
)
_NOT_THE_HOUSES = re.compile(
    r"一致|市场预[期测]|彭博|万得|wind|前次|上次|此前|^原|[调修][整正订]前|consensus|bloomberg|prior|previous",
    re.I,
)
#: Headings that group metrics of the whole company.
_GROUP = re.compile(
    r"指标|比率|能力|估值|每股|报表|利润表|损益|资产|负债|权益|流量|现金|盈利|偿债|营运|运营|效率|资本|结构|"
    r"股东|回报|财务|会计|杠杆|流动|周转|年度|预测|摘要|业绩|概览|人民币|美元|单位|合计|"
    r"新|本次|[调修]\w后|\bnew\b|current|revised|latest|"
    r"per share|ratio|valuation|balance|income|cash|statement|profitab|return|liquidity|leverage|"
    r"key|summary|assets|liabilit|equity|financ|forecast|year|RMB|USD|HKD",
    re.IGNORECASE,
)
_PARTS = re.compile(r"业务|板块|产品|地区|事业部|分部|segment|division", re.IGNORECASE)
_AMOUNT = re.compile(r"金额|数值|绝对[值额]|amount|value", re.IGNORECASE)
_GROWTH = re.compile(r"成长|增[长速幅]|growth", re.IGNORECASE)
#: So many years ahead a house forecasts; further ones belong to models of value.
_AHEAD = 4


@dataclass(frozen=True, slots=True)
class _Told:
    """What a figure's labels and headings tell: its metric, its year, the texts beside them."""

    metric: FactMetric
    year: NamedYear
    beside: tuple[str, ...]


def read_forecasts(report: Report, tables: Sequence[Table]) -> tuple[FinancialFact, ...]:
    """The figures of a report's forecast tables in order, each metric and year once.

    A year is expected where its heading is marked so, or where it ends after the report's day.
    Of tables that print a figure alike, the first counts.
    """
    found: list[FinancialFact] = []
    for table, around in zip(tables, surroundings(tables), strict=True):
        if not _NOT_WHOLE.search(squeezed(table.title or "")) and not _others(table):
            meant = list(_of_table(report, table, list(figures(table, around))))
            facts = settled(meant)
            found += [] if contradicts(facts, found) else facts
    found = in_one_currency(found)
    first: dict[tuple[object, ...], FinancialFact] = {}
    for fact in with_parent_profit(found):
        first.setdefault(printed_key(fact), fact)
    return tuple(first.values())


def _others(table: Table) -> bool:
    """Whether title or corner say that a table is everybody's expectation, or an earlier one."""
    corner = [cell.text for cell in table.cells if cell.header and cell.column == 0]
    return any(_NOT_THE_HOUSES.search(text) for text in (table.title or "", *corner))


def _of_table(report: Report, table: Table, meant: Sequence[Figure]) -> Iterator[FinancialFact]:
    told = [(figure, each) for figure in meant if (each := _told(figure))]
    years = {each.year for _, each in told}
    if not any(expected(report, year, years) for year in years):
        return
    heads = [cell.text for cell in table.cells if cell.header or cell.column == 0]
    month = ends_in([table.title or "", table.unit or "", *heads])
    quotes = {row.row: row.quote for row in table_rows(table.cells, meant)}
    for figure, each in told:
        owner = _owner(report, table, each.beside)
        future = expected(report, each.year, years)
        number = number_of(figure.text)
        if owner is None or future is None or number is None or not _is_own(owner, each.beside):
            continue
        value = measured(each.metric.kind, number, figure.measure, report.currency)
        if value is None or _too_far(report, each.year):
            continue
        instant = each.metric.timing == "instant"
        yield FinancialFact(
            metric=each.metric.name,
            company_key=owner.key,
            company_code=owner.code,
            company_name=owner.name,
            period=fiscal_year(each.year.year, month, instant=instant),
            value=value[0],
            unit=value[1],
            text=figure.text,
            printed_unit=figure.measure.text if figure.measure else "",
            source="report_forecast" if future else "report_actual",
            place=figure.place or Place(table.page, table.bbox),
            quote=quotes.get(figure.row, ""),
            nature="forecast" if future else "actual",
            broker=report.broker if future else None,
            table=table.ordinal,
            row=figure.row,
            column=figure.column,
            label=" ".join(figure.labels),
            heading=" ".join(figure.columns),
        )


def _told(figure: Figure) -> _Told | None:
    """A metric beside and a year above, or a year beside and a metric above."""
    if not figure.labels:
        return None
    label, over = figure.labels[-1], figure.labels[:-1]
    metric = report_metric(label)
    if metric:
        years = [(text, year) for text in figure.columns if (year := year_in(text))]
        if len({year for _, year in years}) != 1 or any(_GROWTH.search(text) for text in over):
            return None
        beside = tuple(text for text in figure.columns if text not in dict(years))
        return _Told(metric, years[0][1], (*over, *beside))
    year = year_in(label)
    if year is None or not figure.columns:
        return None
    heads = [text for text in figure.columns if not _AMOUNT.fullmatch(text)]
    above = report_metric(heads[-1]) if heads else None
    return _Told(above, year, (*over, *heads[:-1])) if above else None


def expected(report: Report, named: NamedYear, beside: set[NamedYear]) -> bool | None:
    """Whether a year's figures are forecasts; None where nothing tells.

    Args:
        beside: all years of the table: where some are marked, the others are over.
    """
    if named.estimate is not None:
        return named.estimate
    if report.published_on is None:
        return False if any(each.estimate for each in beside) else None
    if named.year >= report.published_on.year:
        return True
    if named.year < report.published_on.year - 1 or any(each.estimate for each in beside):
        return False
    # the accounts of the year before may still be to come
    return False if report.published_on.month > 4 else None


def _too_far(report: Report, named: NamedYear) -> bool:
    return bool(report.published_on and named.year > report.published_on.year + _AHEAD)


def _owner(report: Report, table: Table, beside: Sequence[str]) -> Company | None:
    """Whose figures: those of the company that title or heading name with a code, else its own."""
    for text in (table.title or "", *beside):
        named = company_in(text)
        if named is None or named.code in report.codes:
            continue
        if report.company is None or named.name != report.company.name:
            return named
    return report.company


def _is_own(owner: Company, beside: Sequence[str]) -> bool:
    """Whether all texts beside a metric and a year leave the figure the whole company's own."""
    return all(_allows(owner, text) for text in beside if text.strip())


def _allows(owner: Company, text: str) -> bool:
    if NOT_OWN.search(text) or _PARTS.search(text):
        return False
    shown = squeezed(text)
    named = any(
        each and each in shown for each in (owner.name, (owner.code or "").partition(".")[0])
    )
    return named or bool(_GROUP.search(text) or measure_of(text) or not re.search(r"\w", text))
