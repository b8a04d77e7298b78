"""How a sentence says right behind a figure how far it has grown: 208亿元（+20.6%）.

What no figure stands before, and lists of growths, are not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from finrag_pipeline.grammar.numerals import narrow

_UNIT = (
    r"\s*(?:[百千万亿]{0,2}\s?(?:元人民币|人民币|美元|港元|港币|元)?(?:/股)?|[%％]|"
    r"(?:million|billion|mn|bn)\b(?: (?:yuan|dollars))?)\s*"
)
_FALLS = "下降|下滑|减少|降低|下跌|回落|降|减|跌|[-－−]|down|decreased?|declined?|fell"
_RISES = "增长|增加|提升|提高|上升|上涨|增|升|涨|[+＋]|up|increased?|grew|rose"
_YEAR = r"同比|yoy|y/y|较?上年同期|较?去年同期"
_QUARTER = r"环比|qoq|q/q|较?上(?:一)?季度?"
_GROWTH = re.compile(
    rf"{_UNIT}(?P<open>[（(]\s*)?(?:[，,]\s*)?(?P<by>(?P<year>{_YEAR})|(?P<quarter>{_QUARTER}))?"
    rf"\s*(?:变动|变化|大幅|略有?|小幅)?(?:(?P<falls>{_FALLS})|(?P<rises>{_RISES}))?"
    rf"(?:了|约|为|幅度?|by|\s)*(?P<minus>[-－−])?[+＋]?(?P<number>\d+(?:\.\d+)?)\s*"
    r"(?P<unit>[%％]|个?百分点|pcts?|pp[ts]?)(?:\s*(?P<behind>yoy|y/y|同比|year[- ]on[- ]year))?",
    re.IGNORECASE,
)
#: What makes a growth one of a list, of which each is of another figure.
_LIST = re.compile(r"\s*(?:[、/]|和|及|与)\s*[-+＋－−]?\d+(?:\.\d+)?\s*(?:[%％]|个?百分点|pct|pp)")


@dataclass(frozen=True, slots=True)
class Growth:
    """How far a figure has grown, as its sentence says.

    Attributes:
        value: in `unit`, negative for a fall.
        unit: `%`, `pp` for points.
        since: what it is counted from.
        start: of the number; `end` behind it.
    """

    value: Decimal
    unit: Literal["%", "pp"]
    since: Literal["year", "quarter"]
    start: int
    end: int


def growth_behind(text: str, figure: str) -> Growth | None:
    """The growth that a text says right behind a figure that it prints once; None if it says none.

    A signed share in brackets is by custom on the year before.

    >>> growth_behind("实现营收207.99亿元（+20.6%），", "207.99").value
    Decimal('20.6')
    >>> growth_behind("毛利率42.9%，同比下降0.5pct", "42.9").value
    Decimal('-0.5')
    >>> growth_behind("营收和利润分别为9.1亿元和3亿元，同比增长2%、3%", "3") is None
    True
    """
    shown = narrow(text)
    places = [
        match.end()
        for match in re.finditer(rf"(?<![\d.,]){re.escape(narrow(figure))}(?![\d]|[.,]\d)", shown)
    ]
    if len(places) != 1:
        return None
    match = _GROWTH.match(shown, places[0])
    if match is None or _LIST.match(shown, match.end()):
        return None
    signed = match["falls"] or match["rises"] or match["minus"]
    if not (match["by"] or match["behind"] or (match["open"] and signed)):
        return None
    value = Decimal(match["number"])
    if match["minus"] or match["falls"]:
        value = -value
    unit = "%" if match["unit"] in "%％" else "pp"
    since = "quarter" if match["quarter"] else "year"
    return Growth(value, unit, since, match.start("number"), match.end("number"))
