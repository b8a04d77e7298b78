"""What kind of quantity the name of a figure means: an amount, a share of a hundred, days, times.

One row of `kinds.csv` a kind, the first whose pattern a label holds; in what a kind is counted is
said here, in what a table counts it is decided in `stages.tables.figures`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.measures import Measure, bare_label, printed_measure
from finrag_pipeline.grammar.metrics import labelled

#: `change` is a share that compares with another period, `ratio` one of two figures, in percent or
#: times; `rank`, an age too, is told without a unit.
Kind = Literal[
    "change",
    "days",
    "multiple",
    "per_share",
    "holders",
    "people",
    "shares",
    "price",
    "rank",
    "share",
    "ratio",
    "amount",
]

_PATH = Path(__file__).with_name("kinds.csv")
_COLUMNS = ("kind", "zh", "en")
_SHARES = frozenset(("%", "pp", "bp", "‰"))
#: Units by kind; amounts and prices are counted in currencies.
_UNITS: Mapping[str, frozenset[str]] = {
    "change": _SHARES,
    "share": _SHARES,
    "days": frozenset(("天", "小时", "月", "年")),
    "multiple": frozenset(("x", "次")),
    "ratio": frozenset(("%", "x")),
    "holders": frozenset(("户", "人")),
    "people": frozenset("人"),
    "shares": frozenset("股"),
    "rank": frozenset(),
}
_IN_BRACKETS = re.compile(r"\([^()]*\)")
#: What compares where it is in percent or points; else it may be the difference of two amounts.
_COMPARES = re.compile(r"增减|变动|变化|差值|差异|\b(?:change|chg|var(?:iance)?|difference)\b")
#: Labels of rows that say only how the row above them changed, or which share of a total it is.
_DEPENDENT = re.compile(
    r"(?:\W|同比|环比|增长率?|增速|增幅|增减|变动|变化|幅度?|比例|年|较上年同?期?|"
    r"yoy|qoq|mom|growth|change|chg|rate|y/y|q/q)+|"
    r"\W*占(?:总|营业)*(?:收入|营收)?的?比[例重]?\W*|"
    r"[%％] ?(?:of )?(?:同比增速|(?:总|营业)*(?:收入|营收)|(?:total |net )?(?:revenues?|sales))",
    re.IGNORECASE,
)


@lru_cache(maxsize=50_000)
def kind_of(label: str) -> Kind | None:
    """The kind of quantity that a label or heading names; None where its words do not tell.

    >>> [kind_of(label) for label in ("毛利率", "存货周转天数", "存货周转率", "EPS growth", "试剂")]
    ['share', 'days', 'multiple', 'change', None]
    >>> [kind_of(label) for label in ("基本每股收益（元）", "P/E", "总股本", "净利润", "汇率")]
    ['per_share', 'multiple', 'shares', 'amount', None]
    """
    metric = labelled(label)
    if metric and len(metric.kinds) == 1:
        return cast("Kind", metric.kinds[0])
    bare = bare_label(label).lower()
    bare = _IN_BRACKETS.sub(" ", bare).strip() or bare
    printed = printed_measure(label)
    if printed and printed.unit in _SHARES and _COMPARES.search(bare):
        return "change"
    for kind, pattern in _patterns().items():
        if pattern.search(bare):
            return kind
    return None


def counts(kind: Kind | None, measure: Measure) -> bool:
    """Whether figures of a kind can be counted in a measure."""
    if kind is None:
        return True
    if kind in ("amount", "price"):
        return bool(measure.currency) or (not measure.unit and measure.power > 0)
    if kind == "per_share":
        # nothing a share is counted in thousands, but much in cents
        return measure.power <= 0 and bool(measure.currency or (measure.power and not measure.unit))
    if kind == "shares" and not measure.unit:
        return measure.power > 0
    return measure.unit in _UNITS[kind]


def depends(label: str) -> bool:
    """Whether a label only says how what stands above it changed, or its share of a total.

    >>> [depends(label) for label in ("增长率(%)", "YoY %", "％营业收入", "毛利率", "营业收入")]
    [True, True, True, False, False]
    """
    return bool(_DEPENDENT.fullmatch(label)) and any(
        char.isalpha() or char in "%％" for char in label
    )


@cache
def _patterns() -> Mapping[Kind, re.Pattern[str]]:
    """Patterns by kind, in order: Chinese words anywhere, English ones where they begin and end."""
    return {
        cast("Kind", row.choice("kind", get_args(Kind))): re.compile(
            rf"{row['zh']}|(?<![a-z])(?:{row['en']})(?![a-z])"
        )
        for row in data_rows(_PATH, _COLUMNS)
    }
