"""What a filing proposes to pay its shareholders for its period: 每10股派息数, 现金分红金额.

Annual reports print a form of it; where a filing has none, its first pages say it in a sentence.
What was paid for years before stands in either, too, and is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.grammar.measures import Measure
from finrag_pipeline.grammar.quantities import NUMBER
from finrag_pipeline.records import Region
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.facts.lines import Line, ReadTable, form_lines
from finrag_pipeline.stages.facts.making import Counted, Maker, matched_fact
from finrag_pipeline.stages.facts.notices import notices

PER_TEN, _ALL = "dividends_per_ten", "cash_dividends"
_REPORTS = frozenset(("annual", "annual_summary", "half", "half_summary"))
_UNIT = r"(?:[（(](?:含税|[万亿]?元)[)）])*"
_LABELS: Mapping[str, re.Pattern[str]] = {
    PER_TEN: re.compile(rf"^每(?:10|十)股(?:派息(?:数|额)?|派发现金(?:红利|股利)){_UNIT}$"),
    _ALL: re.compile(rf"^现金分红(?:的?金额|总额){_UNIT}$"),
    "printed_dividend_payout": re.compile(
        r"^(?:现金分红(?:的?金额|总额))?占(?:分红年度)?合并报表中归属于上市公司"
        r"(?:普通股)?股东的净利润的(?:比率|比例)(?:[（(][%％][)）])?$"
    ),
}
#: What ten shares are paid is told in yuan, whatever the rest of the form is counted in.
_YUAN = Measure("元", "CNY", 0)
_PROPOSAL = re.compile(r"利润分配|权益分派|分红|拟向全体股东")
_PAID = re.compile(
    r"(?P<label>每(?:10|十)股(?:股份)?派(?:发|送)?(?:现金)?(?:红利|股利|股息|红股)?(?:现金)?)"
    rf"(?:人民币)?(?P<text>{NUMBER})元"
)
#: What all shares together are paid, behind what ten of them are.
_ALL_PAID = re.compile(
    r"(?P<label>(?:合计|共计|总计|共|总额)(?:拟|将|预计|约)?(?:派发|派送|分配|派现|派)?(?:现金)?"
    rf"(?:红利|股利|股息)?(?:总额)?为?)(?:人民币)?(?P<text>{NUMBER})(?P<unit>[万亿]?元)"
)
#: Lines that only a form of this year's payment has, wherever a page parts it.
_FORM = re.compile(r"^(?:每(?:10|十)股(?:送红股|转增)|分配预案的股本基数)")
#: Shares that come with it, or another period's, make of a sentence none on this one's.
_OTHERS = re.compile(r"中期|半年度|前三季度|特别")


def dividend_facts(read: ReadTable, filing: Filing) -> Iterator[FinancialFact]:
    """The facts of such a form; none of another table."""
    column = _column(filing)
    if column is None:
        return
    lines = [*form_lines(read)]
    labelled = [(name, line) for label, line in lines if (name := _named(label))]
    of_form = any(_FORM.match(label) for label, _ in lines)
    if not of_form and PER_TEN not in {name for name, _ in labelled}:
        return  # of three years together, or of what was paid to repurchase
    maker = Maker(filing, read.table)
    for name, line in labelled:
        metric = fact_metrics()[name]
        counted = Counted(name, metric.kind, metric.timing)
        if fact := maker.fact(_counted_in(line, name), counted, column):
            yield fact


def dividend_sentences(regions: Sequence[Region], filing: Filing) -> Iterator[FinancialFact]:
    """The facts of the first sentence that proposes a payment, of a filing that has no form: for
    ten shares, and for all where it or the next one says so."""
    column = _column(filing)
    if column is None or column.flow is None:
        return
    for sentences in notices(regions, "股派"):
        for sentence, following in pairwise([*sentences, None]):
            assert sentence is not None  # only what follows the last one is none
            text = "".join(sentence.text.split())
            paid = _PAID.search(text)
            if paid is None or not _PROPOSAL.search(text):
                continue
            if "annual" in filing.report and _OTHERS.search(text[: paid.start()]):
                continue
            facts = [matched_fact(filing, sentence, PER_TEN, column.flow, paid, _YUAN)]
            if whole := _ALL_PAID.search(text, paid.end()):
                facts += [matched_fact(filing, sentence, _ALL, column.flow, whole)]
            elif following and (whole := _ALL_PAID.match("".join(following.text.split()))):
                facts += [matched_fact(filing, following, _ALL, column.flow, whole)]
            yield from filter(None, facts)
            return


def _column(filing: Filing) -> Column | None:
    if filing.report not in _REPORTS or filing.year_to_date is None:
        return None
    return Column(flow=filing.year_to_date)


def _named(label: str) -> str | None:
    """The metric that a label of the form names, without white space.

    >>> _named("每10股派息数（元）（含税）"), _named("现金分红金额（含税）")
    ('dividends_per_ten', 'cash_dividends')
    >>> _named("最近三个会计年度累计现金分红金额(含税)"), _named("每10股送红股数（股）")
    (None, None)
    """
    return next((name for name, each in _LABELS.items() if each.match(label)), None)


def _counted_in(line: Line, name: str) -> Line:
    """A line with what it is counted in where its form does not say that of it."""
    if name == PER_TEN or (name == _ALL and line.figure.measure is None):
        return replace(line, figure=replace(line.figure, measure=_YUAN))
    if name == "printed_dividend_payout":
        return replace(line, figure=replace(line.figure, measure=Measure("%", "%", 0)))
    return line
