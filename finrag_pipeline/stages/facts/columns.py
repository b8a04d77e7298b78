"""Which period, scope and version each column of a filing's table is of, by its headings.

Headings name days, or periods by the filing's own: 本报告期, 上年同期, 期末余额, 年初至报告期末.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.records.facts import FactPeriod, Scope
from finrag_pipeline.stages.facts.filing import Filing, instant, span, year_before

#: Columns that compare, divide or explain others.
_NO_FIGURES = re.compile(
    r"增减|增长|变动|变化|同比|环比|比例|占比|比重|幅度|附注|注释|说明|原因|序号|行次|差异|比(?:上|去|年初|期初|$)|占.{0,8}%|影响"
)
_RESTATED, _BEFORE = (
    re.compile(r"调整后|重述后|经重述|经重列|重列后|追溯后"),
    re.compile(r"调整前|重述前"),
)
_VERSION = re.compile(r"\W*(?:调整|重述|重列)[前后]\W*")
_PARENT = re.compile(
    r"母公司|(?:^|[日年度月末初期额数\d）)])(?:本?公司|本行)$|^(?:本?公司|本行)(?=[\d期上本年])"
)
_GROUP = re.compile(r"合并|集团")
_TO_DATE = re.compile(r"年初[至到]|1[-—–~至](?:[369]|12)月|前三季度|累计")
_MONTHS = re.compile(r"(?<![\d年])(?P<first>\d{1,2})[-—–~至](?P<last>\d{1,2})月")
_BEFORE_YEAR = re.compile(r"上年|去年|上期|上一?年度?|前期")
_END = re.compile(
    r"期末|年末|年底|末余额|末数|报告期末|季末|资产负债表日|(?<=\d)\s*年?末|(?<=日)余额"
)
_START = re.compile(r"期初|年初(?![至到])|(?:上年[年度期]?|上期期?|上一?年度?|去年年?)末")
_SAME = re.compile(r"上年同期|去年同期|上年(?:度)?同[期比]|上期同期|上一年同期")
_LAST = re.compile(r"上[年期]|去年|上一?年度?|前期")
_THIS = re.compile(r"本[年期]|本报告期|本季度|报告期|当[年期]|今年")
_QUARTERS = re.compile(
    r"^第?([一二三四1-4])季度?(?:\D*1[-—–~至]3|\D*4[-—–~至]6|\D*7[-—–~至]9|\D*10[-—–~至]12)?"
)
_ORDER = "一二三四"


@dataclass(frozen=True, slots=True)
class Column:
    """What figures of a column are for.

    Attributes:
        flow: the span of what happens in one; None where the heading tells none.
        instant: the point in time of what stands at one.
        scope: whose, where the heading tells it.
        restated: whether they are printed as adjusted afterwards.
        single_quarter: whether it is one of a year's four quarters printed side by side.
    """

    flow: FactPeriod | None = None
    instant: FactPeriod | None = None
    scope: Scope | None = None
    restated: bool = False
    single_quarter: bool = False


def columns_of(
    paths: Mapping[int, tuple[str, ...]], filing: Filing, title: str = ""
) -> dict[int, Column]:
    """The columns whose headings tell a period, by their place in the grid.

    Args:
        paths: header cells over each column, from the top.
        filing: whose own period relative headings count from.
        title: of the table, which may say that this is the single quarter or the year to date.
    """
    found: dict[int, Column] = {}
    current = _own_flow(filing, title)
    for number, path in sorted(paths.items()):
        text = narrow("".join(" ".join(path).split()))
        if not text or _NO_FIGURES.search(text) or kind_of(path[-1]) == "change":
            continue
        column = _explicit(text, filing) or _relative(text, filing, current)
        if column is None and _VERSION.fullmatch(text):
            column = found.get(number - 1)  # 2023年 调整后 | 调整前
        if column is None:
            continue
        if column.flow and not _BEFORE_YEAR.search(text) and not column.single_quarter:
            current = column.flow
        found[number] = replace(
            column,
            scope="consolidated" if _GROUP.search(text) else "parent" if _parent(path) else None,
            restated=bool(_RESTATED.search(text)),
        )
    return found


def _parent(path: tuple[str, ...]) -> bool:
    return any(_PARENT.search(text) for text in path)


def _own_flow(filing: Filing, title: str) -> FactPeriod | None:
    """What 本期 is: the year to date, unless the title says that it is the quarter."""
    if "本报告期" in title and not _TO_DATE.search(title):
        return filing.quarter if filing.report == "quarter" else filing.year_to_date
    return filing.year_to_date


def _explicit(text: str, filing: Filing) -> Column | None:
    quarter = _QUARTERS.match(text)
    if quarter and filing.last_on:
        return _of_quarter(quarter[1], filing.last_on.year)
    named = list(periods_in(text, "heading"))
    if not named or any(each.estimate for each in named):
        return None
    days = [each for each in named if each.kind == "day"]
    spans = [each for each in named if each.kind not in ("day", "years")]
    if len(days) > 1 or len(spans) > 1:
        return None
    if spans:
        return _of_span(spans[0], text, days)
    if not days:
        return None
    return Column(instant=instant(days[0].last_on))


def _of_span(named: ReportingPeriod, text: str, days: list[ReportingPeriod]) -> Column:
    last = named.last_on
    if days:
        return Column(span(named.first_on, last), instant(days[0].last_on))
    rest = text.replace("".join(named.text.split()), "", 1)
    if re.match(r"度?[末底]", rest) or re.match(r"(?:余额|账面|期末)", rest):
        return Column(instant=instant(last))
    if re.match(r"度?[年]?初", rest):
        return Column(instant=instant(date(last.year, 1, 1)))
    if named.kind == "month":  # 2024年12月 over a balance
        return Column(instant=instant(last))
    return Column(span(named.first_on, last), instant(last))


def _of_quarter(written: str, year: int) -> Column:
    quarter = _ORDER.index(written) + 1 if written in _ORDER else int(written)
    first = date(year, 3 * quarter - 2, 1)
    last = date(year, 3 * quarter, 31 if quarter in (1, 4) else 30)
    return Column(span(first, last), instant(last), single_quarter=True)


def _relative(text: str, filing: Filing, current: FactPeriod | None) -> Column | None:
    last, to_date = filing.last_on, filing.year_to_date
    if last is None:
        return None
    opening = instant(date(last.year, 1, 1))
    if months := _of_months(text, last.year):
        return Column(months, None if _BEFORE_YEAR.search(text) else instant(last))
    if _TO_DATE.search(text):
        flow = year_before(to_date) if _BEFORE_YEAR.search(text) else to_date
        return Column(flow, None if _BEFORE_YEAR.search(text) else instant(last))
    if _SAME.search(text):
        flow = year_before(current)
        return Column(flow, instant(date(last.year - 1, 12, 31)) if _is_year(flow) else None)
    if _START.search(text):
        return Column(instant=opening)
    if _END.search(text):
        return Column(instant=instant(last))
    if _LAST.search(text):
        flow = year_before(to_date if current is None else current)
        return Column(flow, opening)
    if "本报告期" in text or "本季度" in text:
        quarterly = filing.report == "quarter"
        return Column(filing.quarter if quarterly else to_date, instant(last))
    if _THIS.search(text):
        return Column(current, instant(last))
    return None


def _of_months(text: str, year: int) -> FactPeriod | None:
    """The months that a heading names without their year: 本期金额（7-9月）, 上期金额（7-9月）."""
    found = _MONTHS.search(text)
    if not found or not 1 <= int(found["first"]) <= int(found["last"]) <= 12:
        return None
    first, last = int(found["first"]), int(found["last"])
    closing = date(year, last, monthrange(year, last)[1])
    period = span(date(year, first, 1), closing)
    return year_before(period) if _BEFORE_YEAR.search(text) else period


def _is_year(period: FactPeriod | None) -> bool:
    return period is not None and period.kind == "FY"
