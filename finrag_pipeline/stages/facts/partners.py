"""What the five largest customers and suppliers of an annual report stand for, and the largest of
them: amount and share.

Filings in Shanghai print both of all five in one sentence, those in Shenzhen in a table; many list
the five in a table of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.grammar.measures import measure_of
from finrag_pipeline.grammar.quantities import NUMBER, number_of
from finrag_pipeline.records import Region
from finrag_pipeline.records import Sentence as Printed
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.stages.chunking.sentences import read_sections
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.facts.lines import Line, ReadTable
from finrag_pipeline.stages.facts.making import Counted, Maker, sentence_fact
from finrag_pipeline.stages.facts.measured import measured

_FIVE = r"前[五5][名大家](?:合计)?"
_WHO = rf"{_FIVE}(?P<who>客户|供应商)(?:合计)?(?:销售|采购)(?:总?额|金额)(?:合计)?"
_WHOLE = (
    r"占(?:公司)?(?:当?年度?|报告期内?)?(?:主营业务|营业)?(?:销售|采购|收入|成本)"
    r"(?:总额|金额|收入)?(?:的)?(?:比例)?"
)
_AMOUNT = rf"(?P<amount>{NUMBER})\s*(?P<unit>[百千]?[万亿]?元)"
_SHARE = rf"(?P<share>{NUMBER})\s*[%％]"
#: 前五名客户销售额1,762,423.77万元，占年度销售总额55.72%; of a part of the whole (占境内…) the
#: amount alone.
_BOTH = re.compile(rf"{_WHO}[为共是]?{_AMOUNT}(?:[，,、（(]*{_WHOLE}[为约的]*{_SHARE})?")
#: 最大客户及前五名客户销售额分别占年度主营业务收入的8.1%和36.0%
_SECOND = re.compile(
    rf"(?:[大一]名?(?:客户|供应商)|第一名)[及和与]{_WHO}分别{_WHOLE}[为约的]*"
    rf"(?P<largest>{NUMBER})\s*[%％][和及与、]{_SHARE}"
)
_LABEL = re.compile(rf"^{_WHO}(?P<of>{_WHOLE})?(?:[（(][^（）()]*[)）])*$")
_NAMES: Mapping[str, tuple[str, str]] = {
    "客户": ("top_customers_sales", "top_customers_share"),
    "供应商": ("top_suppliers_purchases", "top_suppliers_share"),
}
_LARGEST: Mapping[str, tuple[str, str]] = {
    "客户": ("largest_customer_sales", "largest_customer_share"),
    "供应商": ("largest_supplier_purchases", "largest_supplier_share"),
}
#: Headings of a list of them: who, how much, which part.
_LISTED = re.compile(r"^(?P<who>客户|供应商)(?:名称|单位)?$")
_AMOUNTS = {
    "客户": re.compile(r"^(?:销售(?:总?额|金额|收入)|营业收入)"),
    "供应商": re.compile(r"^采购(?:总?额|金额)"),
}
_SHARES = re.compile(r"^占.*(?:比例|比重|百分比)|^比例")
_WHOLE_ROW = re.compile(r"合\s*计|小\s*计|总\s*计|其他")


def partner_sentences(regions: Sequence[Region], filing: Filing) -> Iterator[FinancialFact]:
    """The facts of sentences of an annual report, in order; none of other filings."""
    period = filing.year_to_date
    if filing.report != "annual" or period is None:
        return
    near = [each for each in regions if "前五" in each.text or "前5" in each.text]
    if not near:
        return
    for section in read_sections(regions):
        for sentence in section.sentences:
            text = "".join(sentence.text.split())
            for match in (*_BOTH.finditer(text), *_SECOND.finditer(text)):
                yield from _of_sentence(match, sentence, filing, period)


def partner_facts(read: ReadTable, filing: Filing) -> Iterator[FinancialFact]:
    """The facts of a table of them; none of another."""
    if filing.report != "annual" or filing.year_to_date is None:
        return
    maker, column = Maker(filing, read.table), Column(flow=filing.year_to_date)
    for line in read.lines:
        match = _LABEL.match("".join(line.label.split()))
        if match is None:
            continue
        if fact := _of_line(maker, line, _NAMES[match["who"]][bool(match["of"])], column):
            yield fact
    heads = ("".join(cell.text.split()) for cell in read.table.cells if cell.header)
    listed = next(filter(None, map(_LISTED.match, heads)), None)
    if listed:
        yield from _of_list(read, maker, listed["who"], column)


def _of_list(read: ReadTable, maker: Maker, who: str, column: Column) -> Iterator[FinancialFact]:
    """The facts of the largest one of a list."""
    largest: FinancialFact | None = None
    shares: dict[int, Line] = {}
    for line in read.lines:
        heading = "".join("".join(line.heading).split())
        if _WHOLE_ROW.search(line.label) or any(map(_WHOLE_ROW.search, line.blocks)):
            continue
        if _AMOUNTS[who].search(heading):
            fact = _of_line(maker, line, _LARGEST[who][0], column)
            if fact and (largest is None or fact.value > largest.value):
                largest = fact
        elif _SHARES.search(heading):
            shares[line.figure.row] = line
    if largest is None:
        return
    yield largest
    beside = shares.get(largest.row) if largest.row is not None else None
    if beside and (fact := _of_line(maker, beside, _LARGEST[who][1], column)):
        yield fact


def _of_line(maker: Maker, line: Line, name: str, column: Column) -> FinancialFact | None:
    metric = fact_metrics()[name]
    counted = Counted(metric.name, metric.kind, metric.timing)
    return maker.fact(replace(line, metric=metric), counted, column)


def _of_sentence(
    match: re.Match[str], sentence: Printed, filing: Filing, period: FactPeriod
) -> Iterator[FinancialFact]:
    found = match.groupdict()
    amount, share = _NAMES[match["who"]]
    for name, text, unit in (
        (amount, found.get("amount"), found.get("unit")),
        (share, found.get("share"), "%"),
        (_LARGEST[match["who"]][1], found.get("largest"), "%"),
    ):
        number = number_of(text) if text else None
        measure = measure_of(unit) if unit else None
        metric = fact_metrics()[name]
        if text is None or number is None or measure is None:
            continue
        value = measured(metric.kind, number, measure, "CNY")
        if value is None:
            continue
        yield sentence_fact(filing, sentence, name, period, value, text, measure.text)
