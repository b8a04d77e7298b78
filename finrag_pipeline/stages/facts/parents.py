"""What the notices that open a Chinese filing say of the parent alone: what it earned, and what of
it is not distributed yet. A report that ends before its statements has that nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.grammar.quantities import NUMBER
from finrag_pipeline.records import Region
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.stages.facts.filing import Filing, instant
from finrag_pipeline.stages.facts.making import matched_fact
from finrag_pipeline.stages.facts.notices import notices

_AMOUNT = rf"(?:人民币)?(?P<text>-?{NUMBER})(?P<unit>[万亿]?元)"
_SAID: Mapping[str, re.Pattern[str]] = {
    "net_profit": re.compile(
        r"(?P<label>母公司[）)]?(?:(?P<year>20\d\d)年?度?)?(?:上半年|1[-—~至]6月)?实现的?净利润)为?"
        rf"{_AMOUNT}"
    ),
    "retained_earnings": re.compile(
        r"(?P<label>母公司(?:财务)?(?:报表)?中?(?:(?P<year>20\d\d)年)?(?:12月31日|6月30日)?"
        r"(?:期末|年末|年度末)?(?:未分配利润|可供(?:股东)?分配的?利润)(?:余额)?)为?"
        rf"{_AMOUNT}"
    ),
}


def parent_sentences(regions: Sequence[Region], filing: Filing) -> Iterator[FinancialFact]:
    """The first fact of each metric that the notices state of the parent, for the filing's own
    period alone."""
    flow = filing.year_to_date
    if flow is None:
        return
    periods = {"net_profit": flow, "retained_earnings": instant(flow.last_on)}
    found: set[str] = set()
    for sentences in notices(regions, "母公司"):
        for sentence in sentences:
            text = "".join(sentence.text.split())
            for metric, pattern in _SAID.items():
                match = pattern.search(text)
                if match is None or metric in found or not _is_own(match, flow):
                    continue
                if fact := matched_fact(filing, sentence, metric, periods[metric], match):
                    found.add(metric)
                    yield replace(fact, scope="parent")


def _is_own(match: re.Match[str], period: FactPeriod) -> bool:
    return match["year"] is None or int(match["year"]) == period.fiscal_year
