"""How large one of two figures is beside the other: A的营收是B的几倍, 占B的百分之几.

How it is written is `wording.csv`; ratios of two metrics of one company are `measuring`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from finrag_pipeline.query.numbers.arithmetic import EXACT, shown
from finrag_pipeline.query.numbers.marking import Marked
from finrag_pipeline.query.numbers.records import NumberRow, Operation, Step
from finrag_pipeline.query.numbers.wording import find

_SHARE = 100


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
