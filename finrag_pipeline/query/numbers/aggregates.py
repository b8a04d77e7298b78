"""What is made of many figures: sums, means, orders, and which of them meet a condition.

Values in, values out; each figure is worked out in `rows`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne

from finrag_pipeline.query.numbers.arithmetic import (
    EXACT,
    Unavailable,
    Worked,
    mean,
    measured,
    median,
    shown,
    total,
    work_out,
)
from finrag_pipeline.query.numbers.expressions import Figure
from finrag_pipeline.query.numbers.operands import Held, Point
from finrag_pipeline.query.numbers.records import (
    AskedPeriod,
    Condition,
    NumberQuestion,
    NumberResult,
    NumberRow,
    Step,
)
from finrag_pipeline.query.numbers.relating import related

_COMPARED: dict[str, Callable[[Decimal, Decimal], bool]] = {
    ">": gt,
    ">=": ge,
    "<": lt,
    "<=": le,
    "=": eq,
    "!=": ne,
}
#: Of everyone's figures so many are told beside the greatest.
_FIRST = 10
#: Figures whose calculation is shown in full; of more only how many.
_SHOWN = 12


def made_of_all(question: NumberQuestion, rows: Sequence[NumberRow], held: Held) -> NumberResult:
    """The result of a question whose figures are worked out.

    Over everyone what is missing is left out and told; of those named it is refused to make one
    figure of some.
    """
    asked = {each.name for each in question.measures}
    own = [row for row in rows if _base_name(row, asked)]
    found = [row for row in own if row.value is not None]
    without = tuple(row for row in own if row.value is None) if question.everyone else ()
    kept = found if question.everyone else own
    match question.operation:
        case "filter" | "count":
            return _filtered(question, rows, without)
        case "rank" | "maximum" | "minimum" | "apart":
            result = _ordered(question, kept, without)
            return replace(result, summary=_apart(result.rows)) if question.apart else result
        case "sum" | "mean" | "median" | "consensus":
            return _summarised(question, kept, without, held)
        case "times" | "share_of":
            return NumberResult(question, tuple(own), related(own, question.operation))
        case "range":
            ordered = sorted(found, key=_value)
            ends = [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered or own
            return NumberResult(question, tuple(ends), without=without)
        case "whether":
            # what is compared with is told, too
            return NumberResult(question, tuple(rows))
        case _:
            return NumberResult(question, tuple(kept), without=without)


def _base_name(row: NumberRow, asked: set[str]) -> bool:
    name = row.measure.name
    return name in asked or any(name.startswith(f"{each}_") for each in asked)


def _value(row: NumberRow) -> Decimal:
    assert row.value is not None
    return row.value


def _ordered(
    question: NumberQuestion, rows: Sequence[NumberRow], without: tuple[NumberRow, ...]
) -> NumberResult:
    """Figures in order; equal ones share a place, and the last place is told whole."""
    first = question.measures[0]
    if any(row.value is None for row in rows) or not _same_unit(_of(rows, first.name)):
        return NumberResult(question, tuple(rows), without=without)

    def size(row: NumberRow) -> Decimal:
        return abs(_value(row)) if question.magnitude else _value(row)

    least = question.operation == "minimum" or (
        question.operation == "rank" and not question.descending
    )
    ordered = sorted(_of(rows, first.name), key=size, reverse=not least)
    limit = question.limit
    if question.operation in ("maximum", "minimum", "apart"):
        # of those named all are told, of everyone the first few
        limit = _FIRST if question.everyone else None
    keys: set[str] = set()
    if question.companies and question.everyone:
        keys = {key for each in question.companies for key in each.keys}
        limit = None
    kept: list[NumberRow] = []
    place, before = 0, None
    for at, row in enumerate(ordered):
        place = place if size(row) == before else at + 1
        before = size(row)
        if limit is not None and place > limit:
            break
        if not keys or row.company_key in keys:
            kept.append(replace(row, rank=place))
    beside = [
        other
        for row in kept
        for other in rows
        if other.measure.name != row.measure.name
        and (other.company_key, other.period) == (row.company_key, row.period)
    ]
    return NumberResult(question, (*kept, *beside), without=without)


def _apart(rows: Sequence[NumberRow]) -> NumberRow | None:
    """How far the greatest of some figures lies from the least; None of one or of unlike ones."""
    found = [row for row in rows if row.value is not None]
    if len(found) < 2 or len(found) < len(rows) or not _same_unit(found):
        return None
    least, greatest = min(found, key=_value), max(found, key=_value)
    right = shown(_value(least))
    text = f"{shown(_value(greatest))} - {f'({right})' if right.startswith('-') else right}"
    value = EXACT.subtract(_value(greatest), _value(least))
    facts = {fact.fact_id: fact for row in (greatest, least) for fact in row.facts}
    unit = "pp" if greatest.unit == "%" else greatest.unit
    step = Step("apart", text, value, unit, tuple(facts))
    return replace(
        greatest, value=value, unit=unit, facts=tuple(facts.values()), steps=(step,), notes=()
    )


def _summarised(
    question: NumberQuestion,
    rows: Sequence[NumberRow],
    without: tuple[NumberRow, ...],
    held: Held,
) -> NumberResult:
    """One figure made of all."""
    first = _of(rows, question.measures[0].name)
    if not first:
        return NumberResult(question, tuple(rows), without=without)
    summary = replace(
        first[0], company_key="", company_name=None, company_code=None, broker=None, value=None
    )
    periods = {row.period for row in first}
    summary = replace(summary, period=first[0].period if len(periods) == 1 else None)
    summary = replace(summary, steps=(), notes=())
    try:
        if missing := [row for row in first if row.value is None]:
            raise Unavailable("missing", missing[0].reason)
        if not _same_unit(first):
            raise Unavailable("units_differ", "the figures are in different units")
        summary = replace(summary, **_made(question, first, held))
    except Unavailable as unavailable:
        summary = replace(summary, facts=(), status=unavailable.status, reason=unavailable.reason)
    return NumberResult(question, tuple(rows), summary, without=without)


def _made(question: NumberQuestion, rows: Sequence[NumberRow], held: Held) -> dict[str, object]:
    measure = question.measures[0]
    if question.operation == "sum" and measure.kind in ("percent", "plain"):
        # the ratio of sums, not the sum of ratios
        worked = measured(measure, work_out(measure.expression, _summed(rows, held)))
        return {"value": worked.value, "facts": worked.facts, "steps": worked.steps}
    values = [_value(row) for row in rows]
    made = {
        "sum": lambda: total([Worked(each, "", "") for each in values]),
        "median": lambda: median(values),
    }.get(question.operation, lambda: mean(values))()
    facts = {fact.fact_id: fact for row in rows for fact in row.facts}
    listed = ", ".join(map(shown, values[:_SHOWN])) + (", …" if len(values) > _SHOWN else "")
    name = "mean" if question.operation == "consensus" else question.operation
    text = f"{name} of {len(values)}: {listed}"
    step = Step(f"{name} of {measure.name}", text, made, rows[0].unit, tuple(facts))
    return {"value": made, "facts": tuple(facts.values()), "steps": (step,)}


def _summed(rows: Sequence[NumberRow], held: Held) -> Callable[[Figure], Worked]:
    def summed(figure: Figure) -> Worked:
        each_of = [
            held.work_out(figure, Point(row.company_key, row.period, segment=row.segment))
            for row in rows
            if isinstance(row.period, AskedPeriod)
        ]
        if len({each.unit for each in each_of}) != 1:
            raise Unavailable("units_differ", "the figures are in different units")
        value = total(each_of)
        facts = tuple({fact.fact_id: fact for each in each_of for fact in each.facts}.values())
        return Worked(value, each_of[0].unit, shown(value), facts)

    return summed


def _filtered(
    question: NumberQuestion, rows: Sequence[NumberRow], without: tuple[NumberRow, ...]
) -> NumberResult:
    """The companies whose figures meet every condition in every period."""
    by_company: defaultdict[str, list[NumberRow]] = defaultdict(list)
    for row in rows:
        by_company[row.company_key].append(row)
    thresholds = {at: _threshold(each, rows) for at, each in enumerate(question.conditions)}
    met = [
        company
        for company, own in by_company.items()
        if all(
            _meets(condition, thresholds[at], own)
            for at, condition in enumerate(question.conditions)
        )
    ]
    kept = [row for row in rows if row.company_key in set(met)]
    first = question.conditions[0].measure.name if question.conditions else ""
    kept.sort(key=lambda row: (met.index(row.company_key), row.measure.name != first))
    compared = next((each for each in thresholds.values() if each is not None), None)
    summary = None
    if question.operation == "count":
        facts = {fact.fact_id: fact for row in kept for fact in row.facts}
        summary = NumberRow(
            "",
            None,
            None,
            question.measures[0],
            question.periods[0] if question.periods else None,
            Decimal(len(met)),
            "家",
            tuple(facts.values()),
        )
    if question.limit:
        kept = [row for row in kept if row.company_key in met[: question.limit]]
    return NumberResult(question, tuple(kept), summary, compared, without)


def _threshold(condition: Condition, rows: Sequence[NumberRow]) -> Decimal | None:
    """What all are compared with; None where each is compared with a figure of its own."""
    if condition.average:
        own = [row for row in _of(rows, condition.measure.name) if row.value is not None]
        values = [_value(row) for row in own]
        if not values or not _same_unit(own):
            return None
        return mean(values) if condition.average == "mean" else median(values)
    return condition.value


def _meets(condition: Condition, threshold: Decimal | None, own: Sequence[NumberRow]) -> bool:
    figures = _of(own, condition.measure.name)
    if not figures:
        return False
    compare = _COMPARED[condition.comparison]
    for row in figures:
        against = threshold
        if condition.other is not None:
            name = condition.other.name
            others = [each for each in _of(own, name) if each.period == row.period]
            against = others[0].value if others and others[0].unit == row.unit else None
        if row.value is None or against is None or not _comparable(condition, row):
            return False
        if not compare(abs(row.value) if condition.magnitude else row.value, against):
            return False
    return True


def _comparable(condition: Condition, row: NumberRow) -> bool:
    """Whether a threshold of a currency stands against a figure of the same one."""
    unit = condition.unit
    return not unit or unit == row.unit or unit in ("%", "pp") or "/" in row.unit


def _of(rows: Sequence[NumberRow], name: str) -> list[NumberRow]:
    return [row for row in rows if row.measure.name == name or row.measure.name == f"{name}_cagr"]


def _same_unit(rows: Sequence[NumberRow]) -> bool:
    return len({row.unit for row in rows}) <= 1
