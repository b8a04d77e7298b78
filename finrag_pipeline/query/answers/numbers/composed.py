"""An answer out of what was found, by what is done with it: told, compared, ordered, counted.

Lines are `lines`', what is not found `refusals`'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.pairs import held_against, working
from finrag_pipeline.query.answers.numbers.values import number_value, numbers_value
from finrag_pipeline.query.answers.numbers.wording import (
    at_end,
    day_told,
    period_told,
    say,
)
from finrag_pipeline.query.answers.values import as_asked, name_value
from finrag_pipeline.query.numbers.records import Condition, NumberResult, NumberRow
from finrag_pipeline.query.numbers.wording import has
from finrag_pipeline.query.question.signals import asks_figure

Json = dict[str, Any]

#: Figures that are listed; of more the number is told.
_LISTED = 30
_FIRST = ("maximum", "minimum")
_HELD_AGAINST = ("apart", "times", "share_of")
#: What says how figures relate, and what is made of it.
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}


@dataclass(slots=True)
class Composed:
    """An answer's lines, its kind and its value."""

    lines: list[str] = field(default_factory=list[str])
    kind: str = "text"
    value: Json | None = None


def compose(lines: Lines, result: NumberResult, grown: NumberRow | None, kind: str) -> Composed:
    """The answer of what was found; one row at least is.

    Args:
        grown: how far the one figure asked for has grown.
        kind: of the answer, as it is asked for or guessed.
    """
    rows = [row for row in result.rows if row.value is not None]
    operation = lines.question.operation
    if operation in _FIRST:
        answer = _first(lines, rows, operation, kind)
        if lines.question.apart:
            answer.lines += working(lines, result)
    elif operation in _HELD_AGAINST and result.summary is not None:
        answer = _paired(lines, result, rows)
    elif operation == "filter":
        answer = _matching(lines, result, rows)
    elif result.summary is not None and result.summary.value is not None:
        answer = _summary(lines, result.summary, rows)
    elif operation == "rank":
        answer = _ranked(lines, rows)
    else:
        answer = _told(lines, rows, grown)
    if left := [lines.name(row) for row in result.without]:
        answer.lines.append(say("left_out", lines.chinese, names=lines.listed(left[:_LISTED])))
    if result.cut:
        answer.lines.append(say("cut", lines.chinese))
    return answer


def compose_whether(lines: Lines, rows: Sequence[NumberRow]) -> Composed | None:
    """Yes or no, with the figures that say so; None where that cannot be decided."""
    conditions = lines.question.conditions
    decided = [holds(row, rows, each) for row, each in _compared(rows, conditions)]
    if not conditions:
        decided = [_before(rows, greater=lines.question.descending)]
    if not decided or None in decided:
        return None
    yes = all(decided)
    joined = "；" if lines.chinese else "; "
    figures = joined.join(lines.figure(row) for row in rows)
    answer = Composed([say("yes" if yes else "no", lines.chinese, figures=figures)])
    answer.lines += [step for row in rows for step in lines.working(row)]
    answer.kind, answer.value = "boolean", {"boolean": yes}
    return answer


def _before(rows: Sequence[NumberRow], *, greater: bool) -> bool | None:
    """Whether the first of two figures is the greater, or the less; None if there are not two."""
    values = [row.value for row in rows if row.value is not None]
    if len(values) != 2 or len({row.unit for row in rows}) > 1:
        return None
    return values[0] > values[1] if greater else values[0] < values[1]


def holds(row: NumberRow, rows: Sequence[NumberRow], condition: Condition) -> bool | None:
    """Whether a figure meets a condition; None where there is nothing to compare it with."""
    right = condition.value
    if condition.other is not None:
        right = next(
            (
                each.value
                for each in rows
                if each.measure.name == condition.other.name
                and (each.company_key, each.period) == (row.company_key, row.period)
            ),
            None,
        )
    if row.value is None or right is None or (condition.unit and condition.unit != row.unit):
        return None
    left = abs(row.value) if condition.magnitude else row.value
    return _COMPARED[condition.comparison](left, right)


def _compared(
    rows: Sequence[NumberRow], conditions: Sequence[Condition]
) -> list[tuple[NumberRow, Condition]]:
    return [
        (row, each) for each in conditions for row in rows if row.measure.name == each.measure.name
    ]


def _told(lines: Lines, rows: Sequence[NumberRow], grown: NumberRow | None) -> Composed:
    """Each figure by itself, with its working."""
    answer = Composed()
    for row in rows[:_LISTED]:
        answer.lines.append(lines.figure(row, grown if len(rows) == 1 else None))
    for row in rows[:_LISTED]:
        answer.lines += lines.working(row)
    answer.lines += [lines.otherwise(row) for row in rows[:_LISTED] if row.otherwise]
    if has("turned", lines.question.text) and (turned := _turned(rows)):
        answer.lines.append(say(turned, lines.chinese) + "".join(map(lines.mark, rows)))
    _more(answer, lines, len(rows))
    decimals = lines.decimals(rows[0])
    if len(rows) == 1:
        value = number_value(rows[0], lines.chinese, decimals)
        changed = rows[0].measure.name.endswith(("_growth", "_difference"))
        answer.kind = "number"
        answer.value = as_asked(lines.question.text, value, changed=changed)
    else:
        answer.value = numbers_value(rows, lines.chinese, decimals)
    return answer


def _turned(rows: Sequence[NumberRow]) -> str:
    """Whether the figure of two times crossed nothing; empty where they are not two."""
    ordered = sorted((row for row in rows if row.period), key=lambda row: _end(row))
    if len(ordered) != 2 or len({row.measure.name for row in rows}) > 1:
        return ""
    earlier, later = (row.value or 0 for row in ordered)
    if earlier < 0 < later:
        return "turned_profit"
    return "turned_loss" if later < 0 < earlier else "not_turned"


def _end(row: NumberRow) -> tuple[int, str]:
    period = row.period
    return (period.fiscal_year, period.kind) if period else (0, "")


def _summary(lines: Lines, summary: NumberRow, rows: Sequence[NumberRow]) -> Composed:
    """What is made of all, then what it is made of."""
    chinese, operation = lines.chinese, lines.question.operation
    if operation == "count":
        unit = say(_counted(rows), chinese)
        count = int(summary.value or 0)
        answer = Composed([say("counted", chinese, count=count, unit=unit)])
        answer.lines[0] += lines.mark(summary)
    else:
        many = say("of_figures", chinese, count=len(rows)) if len(rows) > 1 else ""
        name = f"{say(operation, chinese)}{'' if chinese else ' '}{many}".strip()
        behind = [lines.amount(summary).exact, *lines.notes(summary)]
        told = lines.with_behind(lines.amount(summary).text, behind)
        whole = lines.name(replace(summary, company_name=_whose(rows)))
        lead = f"{whole}{'，' if chinese else ', '}" if whole else ""
        colon = "：" if chinese else ": "
        answer = Composed([f"{lead}{name}{colon}{told}{lines.mark(summary)}"])
    for row in rows[:_LISTED]:
        answer.lines.append(f"· {lines.figure(row)}")
    _more(answer, lines, len(rows))
    answer.kind = "number"
    answer.value = number_value(summary, chinese, lines.decimals(summary))
    return answer


def _paired(lines: Lines, result: NumberResult, rows: Sequence[NumberRow]) -> Composed:
    """How two figures relate, then each: those that lie apart from the greatest on."""
    assert result.summary is not None
    ordered = list(rows)
    if lines.question.operation == "apart":
        ordered.sort(key=lambda row: row.value or 0, reverse=True)
    high, low = (_who(lines, row, rows) for row in (ordered[0], ordered[-1]))
    answer = Composed([held_against(lines, result, high, low)])
    answer.lines += [f"· {lines.figure(row)}" for row in ordered[:_LISTED]]
    answer.lines += [step for row in ordered[:_LISTED] for step in lines.working(row)]
    answer.lines += working(lines, result)
    _more(answer, lines, len(ordered))
    answer.kind = "number"
    answer.value = number_value(result.summary, lines.chinese, lines.decimals(result.summary))
    return answer


def _first(lines: Lines, rows: Sequence[NumberRow], operation: str, kind: str) -> Composed:
    """The greatest or least with its name, then the others in their order."""
    greatest = operation == "maximum"
    best = (max if greatest else min)(row.value for row in rows if row.value is not None)
    winners = [row for row in rows if row.value == best]
    names = list(dict.fromkeys(_who(lines, row, rows) for row in winners))
    phrase = f"{'highest' if greatest else 'lowest'}{'_tied' if len(names) > 1 else ''}"
    if phrase == "highest" and has("speed", lines.question.text):
        phrase = "faster" if len(rows) == 2 else "fastest"
    marks = "".join(dict.fromkeys(lines.mark(row) for row in winners[1:]))
    answer = Composed()
    asked = lines.question
    several = max(len(asked.companies), len(asked.periods), len(asked.measures)) > 1
    named = asked.everyone or several or len({_who(lines, row, rows) for row in rows}) > 1
    if named:
        figure = lines.figure(winners[0]) + marks
        answer.lines.append(say(phrase, lines.chinese, name=lines.listed(names), figure=figure))
    else:
        answer.lines.append(lines.figure(winners[0]))
    answer.lines += lines.working(winners[0])
    others = [row for row in rows if row not in winners]
    others.sort(key=lambda row: row.value or 0, reverse=greatest)
    answer.lines += [f"· {lines.figure(row)}" for row in others[:_LISTED]]
    _more(answer, lines, len(others))
    value = number_value(winners[0], lines.chinese, lines.decimals(winners[0]))
    if kind == "number" or not named:
        answer.kind, answer.value = "number", value
    else:
        answer.kind = "name" if len(names) == 1 else "names"
        # 哪年最高，多少 asks for both
        answer.value = {**(value if asks_figure(asked.text) else {}), **name_value(names)}
    return answer


def _matching(lines: Lines, result: NumberResult, rows: Sequence[NumberRow]) -> Composed:
    """Those that meet the conditions, by name."""
    chinese = lines.chinese
    unit = say(_counted(rows), chinese)
    names = list(dict.fromkeys(_who(lines, row, rows) for row in rows))
    told = say("matching", chinese, count=len(names), unit=unit, names=lines.listed(names))
    answer = Composed([told], "names", {"names": names})
    answer.lines += [f"· {lines.figure(row)}" for row in rows[:_LISTED]]
    _more(answer, lines, len(rows))
    return answer


def _ranked(lines: Lines, rows: Sequence[NumberRow]) -> Composed:
    """All in order, those of the same figure on the same place."""
    answer = Composed()
    for n, row in enumerate(rows[:_LISTED], 1):
        answer.lines.append(f"{row.rank or n}. {lines.figure(row)}")
    _more(answer, lines, len(rows))
    names = list(dict.fromkeys(_who(lines, row, rows) for row in rows))
    answer.kind, answer.value = "names", {"names": names}
    return answer


def _whose(rows: Sequence[NumberRow]) -> str:
    """The company that all figures are of; empty where they are of several."""
    names = {row.company_name or row.company_key for row in rows}
    return names.pop() if len(names) == 1 else ""


def _more(answer: Composed, lines: Lines, count: int) -> None:
    if count > _LISTED:
        answer.lines.append(say("more", lines.chinese, count=count - _LISTED))


def _who(lines: Lines, row: NumberRow, rows: Sequence[NumberRow]) -> str:
    """What tells a row from the others: its company, its broker, its period or what it measures."""
    if len({each.company_key for each in rows}) > 1:
        return row.company_name or row.company_key
    if len({each.broker for each in rows}) > 1 and row.broker:
        return row.broker
    days = {each.facts[0].published_on for each in rows if each.broker and each.facts}
    if len(days) > 1 and row.broker and (day := row.facts[0].published_on):
        return say("on_day", lines.chinese, name=row.broker, day=day_told(day, lines.chinese))
    if len({each.measure.name for each in rows}) > 1:
        return row.measure.name_zh if lines.chinese else row.measure.name_en
    if len({each.period for each in rows}) > 1 and row.period:
        return period_told(row.period, at_end(row.measure), lines.chinese)
    return row.company_name or row.company_key


def _counted(rows: Sequence[NumberRow]) -> str:
    several = len({row.company_key for row in rows}) > 1 or not rows
    return "companies" if several else "periods"
