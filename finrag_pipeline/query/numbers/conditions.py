"""What a question says that figures must be: over 5000万元, 为负, below the mean, over another.

How it is written is `wording.csv`; which companies meet it is found out by `filters`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from finrag_pipeline.grammar.numerals import chinese_number
from finrag_pipeline.grammar.quantities import Quantity, quantities_in
from finrag_pipeline.query.numbers.growths import changed_measure
from finrag_pipeline.query.numbers.marking import COMPANY, Marked
from finrag_pipeline.query.numbers.records import Comparison, Condition, Measure
from finrag_pipeline.query.numbers.wording import find

_AVERAGE = re.compile(
    r"\s*(?:(?:行业|市场|整体|全部|所有|各)?(?:公司|企业)?的?)?(?P<mean>平均值|均值|平均数|平均水平|平均)|"
    r"\s*(?P<median>中位数值?)|\s*(?:the )?(?:(?P<mean2>average|mean)|(?P<median2>median))\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"^[\s于的了至（(]*(?:of|the|than|to|a|an)?\s*$", re.IGNORECASE)
_MAGNITUDE = re.compile(r"绝对值|absolute", re.IGNORECASE)
_WORDS = re.compile(
    r"[一二三四五六七八九十百千两][一二三四五六七八九十百千万两]*[万亿](?![元美港])"
)
#: Between a measure and what it is compared with.
_REACH = 6


@dataclass(frozen=True, slots=True)
class _Compared:
    """A comparison where it stands, with what stands on its right."""

    start: int
    end: int
    comparison: Comparison
    value: Decimal | None = None
    unit: str = ""
    other: Measure | None = None
    average: str = ""


def mark_conditions(marked: Marked) -> list[Condition]:
    """Mark what figures must be."""
    found = sorted(_compared(marked), key=lambda each: each.start)
    conditions: list[Condition] = []
    spent: set[int] = set()
    for each in found:
        if any(each.start < end and start < each.end for start, end in _spans(conditions, spent)):
            continue
        lefts = [place for place in marked.placed() if place[1] <= each.start]
        rights = [place for place in marked.placed() if place[0] >= each.end]
        if not lefts and not rights:
            continue
        if each.other and not lefts:
            continue
        subjects = _subjects(marked, lefts, each.start) if lefts else [rights[0][2]]
        between = marked.written[(lefts[-1][1] if lefts else 0) : each.end]
        if "增长" in marked.text[each.start : each.end]:
            subjects = [changed_measure(one, "year_on_year", "year") for one in subjects]
        for subject in subjects:
            conditions.append(
                Condition(
                    subject,
                    each.comparison,
                    *_in_units(each, subject),
                    each.other,
                    each.average,  # pyright: ignore[reportArgumentType]
                    bool(_MAGNITUDE.search(between)),
                )
            )
        spent.update(range(each.start, each.end))
    for at in spent:
        if not "\ue000" <= marked.text[at] <= "\ue1ff":
            marked.mark(at, at + 1)
    return conditions


def _spans(conditions: list[Condition], spent: set[int]) -> Iterator[tuple[int, int]]:
    return ((at, at + 1) for at in spent)


def _subjects(marked: Marked, lefts: list[tuple[int, int, Measure]], start: int) -> list[Measure]:
    """The measure before a comparison, and those that are listed with it: A和B均为正."""
    found = [lefts[-1]]
    if re.search("均|都|both", marked.text[lefts[-1][1] : start + 2]):
        for place in reversed(lefts[:-1]):
            between = marked.text[place[1] : found[0][0]]
            if not re.fullmatch(r"(?:[\s、,，和与及]|以及|and|\ue003)*", between):
                break
            found.insert(0, place)
    return [each[2] for each in found]


def _in_units(each: _Compared, subject: Measure) -> tuple[Decimal | None, str]:
    """The value in the units of what is compared: 20% of a plain ratio is 0.2."""
    if each.value is None:
        return None, ""
    if each.unit == "%" and subject.kind == "plain":
        return each.value / 100, ""
    if not each.unit and subject.kind == "percent":
        share = abs(each.value) <= 1 and each.value != 0
        return (each.value * 100 if share else each.value), "%"
    return each.value, each.unit


def _compared(marked: Marked) -> Iterator[_Compared]:
    text = marked.text
    # marks part words as spaces do
    quantities = [each for each in quantities_in(_spaced(text)) if each.upper is None]
    quantities += _in_words(text)
    for value, match in find("compare", text):
        comparison = cast("Comparison", value)
        if quantity := _first(quantities, text, match.end()):
            yield _Compared(
                match.start(), quantity.end, comparison, quantity.value, _unit(quantity)
            )
        elif average := _AVERAGE.match(_after(text, match.end())):
            named = "median" if average["median"] or average["median2"] else "mean"
            start = match.end() + len(text[match.end() :]) - len(_after(text, match.end()))
            yield _Compared(match.start(), start + average.end(), comparison, average=named)
        else:
            others = [each for each in marked.placed() if each[0] >= match.end()]
            between = text[match.end() : others[0][0]] if others else ""
            if others and len(between.strip()) <= _REACH and COMPANY not in between:
                yield _Compared(match.start(), others[0][0], comparison, other=others[0][2])
    for value, match in find("compare_after", text):
        for quantity in quantities:
            if 0 <= match.start() - quantity.end <= 2 and not text[
                quantity.end : match.start()
            ].strip("的 "):
                comparison = cast("Comparison", value)
                yield _Compared(
                    quantity.start, match.end(), comparison, quantity.value, _unit(quantity)
                )
    for value, match in find("sign", text):
        yield _Compared(*match.span(), cast("Comparison", value), Decimal(0))


def _in_words(text: str) -> Iterator[Quantity]:
    """Large numbers in words without a unit: 一百亿, 五千万."""
    for match in _WORDS.finditer(text):
        number = chinese_number(match[0])
        if number:
            value = Decimal(number)
            yield Quantity(value, "", value, None, match[0], *match.span())


def _first(quantities: list[Quantity], text: str, at: int) -> Quantity | None:
    for each in quantities:
        if each.start >= at and _JOIN.match(text[at : each.start]):
            return each
    return None


def _after(text: str, at: int) -> str:
    return text[at:].lstrip("于了的 ")


def _unit(quantity: Quantity) -> str:
    return {"pp": "%", "x": ""}.get(quantity.unit, quantity.unit)


def _spaced(text: str) -> str:
    return re.sub("[\ue000-\ue1ff]", " ", text)
