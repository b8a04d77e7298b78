"""The price that a house expects of its report's share: from cover, boxes and sentences.

Prices before a change and tables of earlier opinions are none of today's; ranges have two ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.quantities import NUMBER, number_of
from finrag_pipeline.grammar.units import CURRENCIES, CURRENCY, CURRENCY_BEFORE, unit_of
from finrag_pipeline.records import Metadata, Place, Region, Table
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.stages.facts.report import Report
from finrag_pipeline.stages.tables.figures import Figure, figures
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.stages.tables.surroundings import surroundings

_LABEL = (
    r"(?:目标价(?:格|位)?|目标股价|合理(?:价值|价格|股价|估值)|price target|target price|"
    r"(?<![A-Za-z])(?:TP|PT)(?![A-Za-z]))(?:区间|范围)?"
)
#: A price before a change, or somebody else's.
_EARLIER = re.compile(
    r"(?:上次|前次|此前|之前|历史|[原旧前]|市场|一致|平均|previous|prior|old|consensus|street)\S{0,3}$",
    re.I,
)
_NOTE = r"(?:\s*[(]\s*(?P<note>[^()]{1,14})\s*[)])?"
_HORIZON = r"(?:\s?[(]?(?:6|12|六|十二)\s?(?:个月|M|months?)[)]?)?"
_MONEY = (
    rf"(?P<before>{CURRENCY_BEFORE})?\s*[:：]?\s*(?P<number>{NUMBER})"
    rf"(?:\s?(?:{CURRENCY})?\s?(?:[-–—~]|至|到)\s?(?:{CURRENCY_BEFORE})?(?P<upper>{NUMBER}))?"
    rf"\s*(?P<after>{CURRENCY})?(?!\s?(?:[%％年月倍xX]|/(?!\s?(?:股|{CURRENCY_BEFORE}))|个月|[亿万百千]|\d|[.,]\d))"
)
#: From an old price to the new one, either first.
_FROM = r"(?:(?:由|从|\bfrom\b)[^。；;，,]{1,18}?(?=[升降调至到]|\bto\b))?"
_VERB = (
    r"(?:[上下调提升降修高低订维持给予\s]{0,6}[为至到]|[:：|]|"
    r"每股|\bis\b|\bof\b|\bat\b|\bto\b|\braised to\b|\bcut to\b)*"
)
_LABELLED = re.compile(
    rf"(?P<label>{_LABEL}){_HORIZON}{_NOTE}\s*{_FROM}\s*{_VERB}\s*{_MONEY}", re.IGNORECASE
)
_SECOND = re.compile(rf"\s*[,，、/;；]?\s*(?:[AH]\s?股|港股)?\s*{_MONEY}", re.IGNORECASE)
_PRICE_FIRST = re.compile(
    rf"(?:给予|对应|上调|下调|维持|[至为到])[^。；，]{{0,12}}?{_MONEY}(?:/股)?的?(?P<label>目标价(?:格|位)?)"
)
_LISTINGS = (
    ("HKD", re.compile(r"[Hh港]\s?股|\.?HK\b")),
    ("CNY", re.compile(r"A\s?股|\.?(?:SH|SZ|CH)\b")),
)
_OUT = ("disclaimer", "chart", "page_footer", "sources")
_LABEL_ALONE = re.compile(rf"\W*{_LABEL}{_HORIZON}(?:\W.*)?$", re.IGNORECASE)
_FIRST_PAGES = 3
#: No share costs as much.
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class _Price:
    """A price as printed: one number, or the two ends of a range."""

    low: Decimal
    high: Decimal | None
    currency: str
    texts: tuple[str, ...]
    unit: str
    label: str
    place: Place
    quote: str
    at: tuple[int, int, int] | None = None


def read_target_prices(
    report: Report, metadata: Metadata, tables: Sequence[Table], regions: Sequence[Region]
) -> tuple[FinancialFact, ...]:
    """The target prices of a report, one a currency; none where two contradict each other.

    Args:
        metadata: what its cover says decides between two.
    """
    if report.company is None or report.published_on is None:
        return ()
    found = [*_in_tables(report, tables), *_in_texts(report, regions)]
    cover = metadata.target_price and Decimal(str(metadata.target_price))
    chosen: list[FinancialFact] = []
    for currency in dict.fromkeys(each.currency for each in found):
        prices = [each for each in found if each.currency == currency]
        values = {(each.low, each.high) for each in prices}
        on_cover = [each for each in prices if cover and each.low == cover]
        if len(values) == 1 or on_cover:
            chosen += _facts(report, (on_cover or prices)[0])
    return tuple(chosen)


def _in_tables(report: Report, tables: Sequence[Table]) -> Iterator[_Price]:
    """Prices beside a label in boxes of the first pages."""
    for table, around in zip(tables, surroundings(tables), strict=True):
        if table.page > _FIRST_PAGES:
            continue
        rows = {row.row: row.quote for row in table_rows(table.cells)}
        for figure in figures(table, around):
            label = narrow(figure.labels[-1]) if figure.labels else ""
            if not _LABEL_ALONE.match(label) or _EARLIER.search(label[: _start(label)]):
                continue
            if any(_EARLIER.search(text + " ") for text in figure.columns):
                continue
            number = number_of(figure.text)
            currency = _currency_of(report, figure, label, table.title or "")
            if number and 0 < number < _MOST and currency:
                place = figure.place or Place(table.page, table.bbox)
                at = (table.ordinal, figure.row, figure.column)
                quote = rows.get(figure.row, f"{label} {figure.text}")
                unit = figure.measure.text if figure.measure else ""
                texts = (figure.text,)
                yield _Price(number, None, currency, texts, unit, label, place, quote, at)


def _start(label: str) -> int:
    match = re.search(_LABEL, label, re.IGNORECASE)
    return match.start() if match else 0


def _currency_of(report: Report, figure: Figure, label: str, title: str) -> str:
    if figure.measure and figure.measure.currency and figure.source in ("cell", "row", "column"):
        return figure.measure.currency
    for text in (label, *figure.columns, title):
        for currency, pattern in (*_NAMES, *_LISTINGS):
            if pattern.search(text):
                return currency
    return _listed_in(report)


_NAMES = tuple(
    (code, re.compile(pattern, re.IGNORECASE)) for code, pattern in reversed(CURRENCIES.items())
)


def _listed_in(report: Report) -> str:
    """The currency of the one market on which the company is listed."""
    markets = {"HKD" if code.endswith(".HK") else "CNY" for code in report.codes}
    return markets.pop() if len(markets) == 1 else ""


def _in_texts(report: Report, regions: Sequence[Region]) -> Iterator[_Price]:
    for region in regions:
        if (
            region.page > _FIRST_PAGES
            or region.rule in _OUT
            or region.kind in ("caption", "picture")
        ):
            continue
        prose = region.kept and region.kind not in ("cover", "side", "table")
        lines = [region.text] if prose else region.text.split("\n")
        for line in lines:
            yield from _in_line(report, region, " ".join(line.split()))


def _in_line(report: Report, region: Region, printed: str) -> Iterator[_Price]:
    line = narrow(printed)
    for match in (*_LABELLED.finditer(line), *_PRICE_FIRST.finditer(line)):
        before = line[max(0, match.start("label") - 8) : match.start("label")]
        if _EARLIER.search(before) or region.rule == "table":
            continue
        yield from _price(report, region, printed, match, f"{before}{match[0]}")
        second = _SECOND.match(line, match.end()) if match.re is _LABELLED else None
        if second and (second["before"] or second["after"]):
            yield from _price(report, region, printed, second, second[0])


def _price(
    report: Report, region: Region, printed: str, match: re.Match[str], around: str
) -> Iterator[_Price]:
    note = match.groupdict().get("note") or ""
    units = [unit_of(each or "") for each in (match["before"], match["after"])]
    named = [code for code in units if code in CURRENCIES]
    named += [code for code, pattern in _NAMES if pattern.search(note)]
    named += [code for code, pattern in _LISTINGS if pattern.search(around)] if not named else []
    currency = named[0] if named else _listed_in(report)
    low = number_of(match["number"])
    high = number_of(match["upper"]) if match["upper"] else None
    if low and currency and 0 < low < _MOST and (high is None or low < high < 2 * low):
        place = Place(region.page, region.bbox)
        texts = tuple(filter(None, (match["number"], match["upper"])))
        unit = (match["after"] or match["before"] or note).strip()
        yield _Price(low, high, currency, texts, unit, "", place, _sentence(printed, match))


def _sentence(printed: str, match: re.Match[str]) -> str:
    start = max(printed.rfind(mark, 0, match.start()) for mark in "。；") + 1
    end = re.compile("[。；]").search(printed, match.end())
    return printed[start : end.end() if end else None].strip()


def _facts(report: Report, price: _Price) -> Iterator[FinancialFact]:
    assert report.company is not None and report.published_on is not None
    ends = (("target_price_low", price.low), ("target_price_high", price.high))
    named = ends if price.high else (("target_price", price.low),)
    for (metric, value), text in zip(named, price.texts, strict=True):
        if value is None:
            continue
        yield FinancialFact(
            metric=metric,
            company_key=report.company.key,
            company_code=report.company.code,
            company_name=report.company.name,
            period=FactPeriod(report.published_on.year, "other", report.published_on),
            value=value,
            unit=f"{price.currency}/股",
            text=text,
            printed_unit=price.unit,
            source="report_target_price",
            place=price.place,
            quote=price.quote,
            nature="forecast",
            broker=report.broker,
            table=price.at[0] if price.at else None,
            row=price.at[1] if price.at else None,
            column=price.at[2] if price.at else None,
            label=price.label,
        )
