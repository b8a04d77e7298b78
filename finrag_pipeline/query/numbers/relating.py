"""How large one of two figures is beside the other: A的营收是B的几倍, 占B的百分之几.

How it is written is `wording.csv`; ratios of two metrics of one company are `measuring`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from finrag_pipeline.query.numbers.arithmetic import EXACT, shown
from finrag_pipeline.query.numbers.marking import PERIOD, Marked
from finrag_pipeline.query.numbers.records import NumberRow, Operation, Step
from finrag_pipeline.query.numbers.times import Times
from finrag_pipeline.query.numbers.wording import find

_SHARE = 100
#: The year that a part of it is held against: 四季度的净利占全年多少.
_WHOLE_YEAR = re.compile(r"(?<=占)(?:了)?(?:当年|该年|这一?年)?(?:全年|整年|年度|当年|该年)(?:度)?")


def with_whole_year(marked: Marked, times: Times) -> Times:
    """The times of a question, with the year of its only one where its figure is held against
    that of the whole year, which is marked."""
    match = _WHOLE_YEAR.search(marked.text)
    if match is None or len(times.periods) != 1 or times.periods[0].kind == "FY":
        return times
    marked.mark(*match.span(), PERIOD)
    return replace(times, periods=(*times.periods, replace(times.periods[0], kind="FY")))


def mark_related(marked: Marked, compared: int) -> Operation | None:
    """Mark what asks how large a figure is beside that of another company or time.

    Args:
        compared: how many companies, or times of one, are named.
    """
    if compared != 2 or len({measure.name for _, _, measure in marked.placed()}) != 1:
        return None
    for value, match in find("related", marked.text):
        if len(marked.placed()) == 1 and marked.inside(*match.span()):
            continue  # the figure itself stands behind both
        marked.mark(*match.span())
        return cast("Operation", value)
    return None


def related(rows: Sequence[NumberRow], operation: Operation) -> NumberRow | None:
    """The first of two figures by the second, or as a share of it; None where that says nothing:
    of figures in other units, or where the second is nothing or less."""
    if len(rows) != 2 or len({row.unit for row in rows}) > 1:
        return None
    first, second = rows
    if first.value is None or second.value is None or second.value <= 0:
        return None
    left = shown(first.value)
    text = f"{f'({left})' if left.startswith('-') else left} / {shown(second.value)}"
    value = EXACT.divide(first.value, second.value)
    share = operation == "share_of"
    value, unit = (EXACT.multiply(value, _SHARE), "%") if share else (value, "")
    facts = {fact.fact_id: fact for row in rows for fact in row.facts}
    step = Step(operation, text, value, unit, tuple(facts))
    return replace(
        first, value=value, unit=unit, facts=tuple(facts.values()), steps=(step,), notes=()
    )
