"""Which metric a label of a broker's table is: the vocabulary's, and what houses write beside it.

A house's 摊薄 counts a profit by the latest number of shares: that is its EPS, no diluted one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import (
    FactMetric,
    bare_label,
    fact_metrics,
    metric_of_label,
)
from finrag_pipeline.grammar.measures import bare_label as without_measure
from finrag_pipeline.grammar.measures import measure_of

_PATH = Path(__file__).with_name("report_labels.csv")
_COLUMNS = ("metric", "labels")
#: Metrics of a day that a column of years does not give.
_OF_A_DAY = frozenset(("closing_price", "market_cap", "target_price", "shares_outstanding"))
#: A narrow column cuts the last characters off a label as long as this.
_LONG, _CUT = 6, 2
#: Brackets that make another metric of the label before them.
_ANOTHER = re.compile(
    r"[(（](?:(?P<of>归母|归属\S*?|扣非\S*?)|[^()（）]*(?:non|调整|剔除|一致|持续经营|备考)[^()（）]*)[)）]",
    re.I,
)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SIGNS = re.compile(r"[()（）\-/\s、·]+")


@lru_cache(maxsize=20_000)
def report_metric(label: str) -> FactMetric | None:
    """The metric that a label or heading of a broker's table is; None where it is none for years.

    >>> [each.name if (each := report_metric(label)) else None for label in (
    ...     "EPS(摊薄/元)", "归属母公司股东权", "净利润增长率", "一致预期净利润", "市盈率（P/E）")]
    ['eps', 'equity_attributable', None, None, 'pe']
    """
    metric = _metric(_without_unit(label)) or _in_two_languages(label)
    return None if metric is None or metric.name in _OF_A_DAY else metric


def _metric(label: str) -> FactMetric | None:
    shown = without_measure(label) or label
    if told := _ANOTHER.search(shown):
        # 净利润（归母） is 归母净利润, 净利润（Non-GAAP） no metric at all
        shown = f"{told['of']}{shown[: told.start()]}" if told["of"] else ""
    key = _key(shown)
    name = _labels().get(key)
    return fact_metrics()[name] if name else metric_of_label(shown) or _cut(key) if key else None


def _without_unit(label: str) -> str:
    """A label without the unit that a column of its own prints behind it: 每股盈余 RMB 元."""
    words = label.split()
    at = next((n for n in range(1, len(words)) if measure_of(" ".join(words[n:]))), len(words))
    return " ".join(words[:at])


def _in_two_languages(label: str) -> FactMetric | None:
    """The metric that both halves of a label name: 营业收入 Revenue."""
    chinese = "".join(_HAN.findall(label))
    english = " ".join(_HAN.sub(" ", label).split())
    if not chinese or not english:
        return None
    metric = _metric(chinese)
    return metric if metric and metric == _metric(english) else None


def _cut(key: str) -> FactMetric | None:
    if len(key) < _LONG or not _HAN.fullmatch(key):
        return None
    meant = {
        name
        for label, name in _labels().items()
        if label.startswith(key) and 0 < len(label) - len(key) <= _CUT
    }
    return fact_metrics()[meant.pop()] if len(meant) == 1 else None


def _key(label: str) -> str:
    return _SIGNS.sub("", bare_label(label))


@cache
def _labels() -> Mapping[str, str]:
    """Metrics by label; what houses write comes before the vocabulary."""
    found = {_key(label): each.name for each in fact_metrics().values() for label in each.labels}
    for row in data_rows(_PATH, _COLUMNS):
        row.choice("metric", tuple(fact_metrics()))
        own = {_key(label): row["metric"] for label in row.listed("labels")}
        found |= own
    return found
