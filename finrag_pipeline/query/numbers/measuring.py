"""What a question measures: metrics, formulas, and what it makes of them (A占B的比例, A比B多多少).

How it is written is `wording.csv` and `formulas.csv`; growths are `growths`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from finrag_pipeline.grammar.fact_metrics import NamedMetric, fact_metrics_in, metric_of_label
from finrag_pipeline.query.numbers.expressions import Combined, Expression, difference, ratio
from finrag_pipeline.query.numbers.formulas import formulas_in, metric_measure
from finrag_pipeline.query.numbers.marking import STATEMENT, Marked
from finrag_pipeline.query.numbers.records import Measure
from finrag_pipeline.query.numbers.wording import find, wordings
from finrag_pipeline.query.numbers.written import mark_written

_TOTAL = "合计"
#: Metrics of all of what others are parts of.
_WHOLES = frozenset(("employees",))
_PART_OF = re.compile("[之当]?中的?|里的?")


def mark_measures(marked: Marked) -> None:
    """Mark what a question measures; of names that overlap the longest, formulas first."""
    for _, match in find("statement", marked.text):
        marked.mark(*match.span(), STATEMENT)
    marked.take("prefix")
    found = [*formulas_in(marked.text)]
    found += [
        (metric_measure(each.metric.name), each.start, _without_total(each, marked.text))
        for each in fact_metrics_in(marked.text)
    ]
    # 在职员工中生产人员的人数: only the part is measured
    starts = {start for _, start, _ in found}
    wholes = [
        each
        for each in found
        if each[0].name in _WHOLES and _opens_part(marked.text, each[2], starts)
    ]
    for _, start, end in wholes:
        marked.mark(start, end + 1, STATEMENT)
    found = [each for each in found if each not in wholes]
    found.sort(key=lambda each: (each[1] - each[2], each[1]))
    taken: set[int] = set()
    for measure, start, end in found:
        place = range(start, end)
        if taken.isdisjoint(place):
            taken.update(place)
            marked.mark_measure(start, end, replace(measure, text=marked.written[start:end]))
    mark_written(marked)
    for role, make in _MADE.items():
        _combine(marked, role, make)


def _opens_part(text: str, end: int, starts: Collection[int]) -> bool:
    """Whether what ends at a place is the whole of which a part is named right behind it."""
    part = _PART_OF.match(text, end)
    return part is not None and part.end() in starts


def _without_total(named: NamedMetric, text: str) -> int:
    """Where a metric ends: 合计 is what a statement's line says, and what a question asks to do."""
    shorter = named.end - len(_TOTAL)
    if text[shorter : named.end] != _TOTAL:
        return named.end
    same = metric_of_label(text[named.start : shorter])
    return shorter if same == named.metric else named.end


def of_two(sign: str, left: Measure, right: Measure, expression: Expression, kind: str) -> Measure:
    """What is made of two measures, named after both."""
    return Measure(
        f"{left.name}{sign}{right.name}",
        expression,
        kind,  # pyright: ignore[reportArgumentType]
        f"{left.name_zh}{_SPOKEN_ZH[sign]}{right.name_zh}",
        f"{left.name_en} {_SPOKEN_EN[sign]} {right.name_en}",
        alternatives=(),
    )


_SPOKEN_ZH = {"/": "/", "-": "减", "+": "加"}
_SPOKEN_EN = {"/": "to", "-": "less", "+": "plus"}


def _percent(left: Measure, right: Measure) -> Measure:
    return of_two("/", left, right, ratio(left.expression, right.expression), "percent")


def _plain(left: Measure, right: Measure) -> Measure:
    return of_two("/", left, right, ratio(left.expression, right.expression), "plain")


def _minus(left: Measure, right: Measure) -> Measure:
    made = difference(left.expression, right.expression)
    return of_two("-", left, right, made, left.kind)


def _plus(left: Measure, right: Measure) -> Measure:
    made = Combined("+", left.expression, right.expression)
    return of_two("+", left, right, made, left.kind)


_MADE: dict[str, Callable[[Measure, Measure], Measure]] = {
    "ratio_percent": _percent,
    "ratio_plain": _plain,
    "minus": _minus,
    "plus": _plus,
}


def _combine(marked: Marked, role: str, make: Callable[[Measure, Measure], Measure]) -> None:
    for _, pattern in wordings(role):
        while match := pattern.search(marked.text):
            inner = marked.inside(*match.span())
            # "the percentage of revenue that is spent on R&D" names the whole first
            turned = pattern.pattern.startswith("(?:percentage")
            left, right = (inner[1], inner[0]) if turned else (inner[0], inner[1])
            text = marked.written[slice(*match.span())]
            marked.mark_measure(*match.span(), replace(make(left, right), text=text))
