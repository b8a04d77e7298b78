"""A figure as the `value` of an answer has it, whichever writer found it: its number and unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.records.facts import FinancialFact

Json = dict[str, Any]

MONEY_ZH = {
    "CNY": "元",
    "USD": "美元",
    "HKD": "港元",
    "EUR": "欧元",
    "JPY": "日元",
    "GBP": "英镑",
    "TWD": "新台币元",
    "SGD": "新加坡元",
}
COUNTED_EN = {
    "人": "people",
    "股": "shares",
    "户": "shareholders",
    "天": "days",
    "家": "companies",
}

#: How an answer came about that works out a figure of two.
WORKED_OUT = "each of two figures is looked up, and how they stand to each other shown"
#: Who asks by how much it fell is given how much, and not a minus.
_FALLS = re.compile(
    r"(?:[少降跌]了?|减少|削减|下降|下滑|降低|缩[水减小]|收窄|回落|萎缩|掉)(?:了|出)?(?:多[少大]|几|百分之几)|"
    r"[降跌]幅|"
    r"\b(?:fall|fell|drop|dropped|decline|declined|decrease|decreased|shrink|shrank)\b",
    re.IGNORECASE,
)


#: Who asks how much was lost.
_LOST = re.compile(
    r"亏(?:损|了|掉|空)*(?:额|金额)?(?:是|有|到)?(?:多少|几)|how much (?:did|was|has) .*\blos[st]",
    re.I,
)


def as_asked(question: str, value: Json, *, changed: bool) -> Json:
    """A figure as it is asked for: by how much something fell, and how much was lost, is no minus.

    Args:
        changed: whether it tells how far something changed.

    >>> fallen = {"number": -8}
    >>> [as_asked(each, fallen, changed=True)["number"] for each in ("少了多少钱", "变动多少")]
    [8, -8]
    >>> as_asked("这块亏了多少", fallen, changed=False)["number"]
    8
    """
    if value["number"] < 0 and (_FALLS if changed else _LOST).search(question):
        return {**value, "number": -value["number"]}
    return value


def is_rounded(one: Json | None, other: Json | None) -> bool:
    """Whether a value is another one rounded: 0.38亿元 of 3,810万元.

    >>> rounded, exact = {"number": 38000000, "unit": "元"}, {"number": 38100000, "unit": "元"}
    >>> is_rounded(rounded, exact), is_rounded(exact, rounded), is_rounded(None, exact)
    (True, False, False)
    """
    if one is None or other is None or one["unit"] != other["unit"]:
        return False
    left, right = (Decimal(str(each["number"])).normalize() for each in (one, other))
    last, finer = (int(each.as_tuple().exponent) for each in (left, right))
    return finer < last and abs(left - right) <= Decimal(1).scaleb(last) / 2


def printed_value(
    value: Decimal,
    unit: str,
    chinese: bool,
    *,
    companies: Collection[str],
    metric: str,
    periods: Collection[ReportingPeriod] = (),
) -> Json:
    """A figure as a sentence or a row prints it, in base units; `metric` as it is called there.

    Args:
        companies: whom it may be of; told where that is one.
        periods: what it may be of; told where that is one.
    """
    times = {str(each) for each in periods}
    return {
        "number": plain_number(value),
        "unit": unit_told(unit, chinese),
        "currency": FinancialFact.currency_of(unit),
        "period": times.pop() if len(times) == 1 else None,
        "company_code": next(iter(companies)) if len(companies) == 1 else None,
        "metric": metric,
    }


def name_value(names: Sequence[str]) -> Json:
    """One name; several where they share the place."""
    return {"name": names[0]} if len(names) == 1 else {"names": list(names)}


def unit_told(unit: str, chinese: bool) -> str:
    """A unit as the value of an answer has it.

    >>> unit_told("CNY", True), unit_told("USD/股", False), unit_told("x", True)
    ('元', 'USD/share', '倍')
    """
    money = FinancialFact.currency_of(unit)
    if money:
        per = unit.partition("/")[2]
        if chinese:
            return f"{MONEY_ZH.get(money, money)}{f'/{per}' if per else ''}"
        return f"{money}{'/share' if per else ''}"
    if unit == "pp":
        return "个百分点" if chinese else "percentage points"
    if unit == "x":
        return "倍" if chinese else "x"
    return unit if chinese else COUNTED_EN.get(unit, unit)


def plain_number(value: Decimal) -> int | float:
    """A JSON number: whole where it is.

    >>> plain_number(Decimal("5.20")), plain_number(Decimal("1E+3"))
    (5.2, 1000)
    """
    return int(value) if value == value.to_integral_value() else float(value)
