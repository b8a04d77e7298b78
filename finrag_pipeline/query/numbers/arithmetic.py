"""Exact arithmetic on figures with their units, and the steps that it took.

Which figure stands for what is `operands`; nothing is rounded here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation

from finrag_pipeline.query.numbers.expressions import Combined, Constant, Expression, Figure
from finrag_pipeline.query.numbers.records import HeldFact, Measure, Status, Step

#: Digits that quotients are worked out to: enough for any figure in yuan and its growth.
EXACT = Context(prec=40)
_HUNDRED = Decimal(100)
_PEOPLE = "人"


class Unavailable(Exception):
    """A figure that is not held or cannot be worked out; kept within this room.

    Args:
        status: why.
        reason: for a person.
    """

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Worked:
    """A value with what it stands on; `shown` is how it reads in a calculation."""

    value: Decimal
    unit: str
    shown: str
    facts: tuple[HeldFact, ...] = ()
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()


FigureOf = Callable[[Figure], Worked]


def work_out(expression: Expression, figure_of: FigureOf) -> Worked:
    """The value of an expression.

    Raises:
        Unavailable: a figure is missing, units do not go together, or what divides is nothing.
    """
    if isinstance(expression, Figure):
        return figure_of(expression)
    if isinstance(expression, Constant):
        return Worked(expression.value, "", shown(expression.value))
    left = work_out(expression.left, figure_of)
    right = work_out(expression.right, figure_of)
    notes = (*left.notes, *right.notes)
    match expression.operator:
        case "+" | "-":
            if left.unit != right.unit:
                raise _apart(left, right)
            add = EXACT.add if expression.operator == "+" else EXACT.subtract
            value, unit = add(left.value, right.value), left.unit
        case "*":
            value, unit = EXACT.multiply(left.value, right.value), _product(left, right)
        case "/":
            if not right.value:
                raise Unavailable("not_derivable", f"{right.shown} is nothing to divide by")
            value, unit = EXACT.divide(left.value, right.value), _quotient(left, right)
            if right.value < 0 and _is_growth(expression):
                notes = (*notes, "negative_base")
    text = f"{_bracketed(left, expression.left, expression)} {expression.operator} " + _bracketed(
        right, expression.right, expression, last=True
    )
    facts = tuple({each.fact_id: each for each in (*left.facts, *right.facts)}.values())
    steps = tuple(dict.fromkeys((*left.steps, *right.steps)))
    return Worked(value, unit, text, facts, steps, tuple(dict.fromkeys(notes)))


def measured(measure: Measure, worked: Worked) -> Worked:
    """A value as its measure is told: shares of a hundred, days, points."""
    value, unit = worked.value, worked.unit
    if measure.kind in ("percent", "plain", "days") and unit:
        raise Unavailable("units_differ", f"{measure.name} would be in {unit}")
    if measure.kind == "percent":
        value = EXACT.multiply(value, _HUNDRED)
        unit = "pp" if measure.change == "difference" else "%"
    elif measure.kind == "days":
        unit = "天"
    elif measure.change == "difference" and unit == "%":
        unit = "pp"
    steps = worked.steps
    if isinstance(measure.expression, Combined):
        text = f"({worked.shown}) * 100" if measure.kind == "percent" else worked.shown
        ids = tuple(each.fact_id for each in worked.facts)
        steps = (*steps, Step(measure.name, text, value, unit, ids))
    return Worked(value, unit, worked.shown, worked.facts, steps, worked.notes)


def yearly_growth(first: Worked, last: Worked, years: int) -> Worked:
    """The yearly growth in percent that leads from one value to another.

    Raises:
        Unavailable: units differ, no year lies between, or one of them is not over nothing.

    >>> one, other = Worked(Decimal(100), "CNY", "100"), Worked(Decimal(121), "CNY", "121")
    >>> round(yearly_growth(one, other, 2).value, 9)
    Decimal('10.000000000')
    """
    if first.unit != last.unit:
        raise _apart(first, last)
    if years < 1 or first.value <= 0 or last.value <= 0:
        raise Unavailable("not_derivable", "yearly growth is of what is over nothing, over years")
    try:
        root = EXACT.power(
            EXACT.divide(last.value, first.value), EXACT.divide(Decimal(1), Decimal(years))
        )
    except (InvalidOperation, DivisionByZero):
        raise Unavailable("not_derivable", "the growth is out of range") from None
    value = EXACT.multiply(EXACT.subtract(root, Decimal(1)), _HUNDRED)
    text = f"(({last.shown} / {first.shown}) ^ (1 / {years}) - 1) * 100"
    facts = tuple({each.fact_id: each for each in (*first.facts, *last.facts)}.values())
    step = Step("cagr", text, value, "%", tuple(each.fact_id for each in facts))
    return Worked(value, "%", text, facts, (*first.steps, *last.steps, step))


def total(values: Sequence[Worked]) -> Decimal:
    """The sum of values of one unit."""
    return _added([each.value for each in values])


def mean(values: Sequence[Decimal]) -> Decimal:
    """The mean of one value at least."""
    return EXACT.divide(_added(values), Decimal(len(values)))


def median(values: Sequence[Decimal]) -> Decimal:
    """The middle value, or the mean of the two in the middle.

    >>> median([Decimal(3), Decimal(1), Decimal(2)]), median([Decimal(1), Decimal(2)])
    (Decimal('2'), Decimal('1.5'))
    """
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else mean(ordered[half - 1 : half + 1])


def shown(value: Decimal) -> str:
    """A value in digits, without the zeros that say nothing.

    >>> shown(Decimal("1.50E+3")), shown(Decimal("0.10"))
    ('1500', '0.10')
    """
    return format(value, "f")


def rounded(value: Decimal, decimals: int) -> Decimal:
    """A value as it is told: half of the last digit goes up, away from nothing.

    >>> rounded(Decimal("2.345"), 2), rounded(Decimal("-2.345"), 2), rounded(Decimal("1e3"), 0)
    (Decimal('2.35'), Decimal('-2.35'), Decimal('1000'))
    """
    return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def _added(values: Sequence[Decimal]) -> Decimal:
    found = Decimal(0)
    for each in values:
        found = EXACT.add(found, each)
    return found


def _is_growth(expression: Combined) -> bool:
    """Whether it divides a difference by what was subtracted in it."""
    left = expression.left
    return isinstance(left, Combined) and left.operator == "-" and left.right == expression.right


def _product(left: Worked, right: Worked) -> str:
    if not left.unit or not right.unit:
        return left.unit or right.unit
    for one, other in ((left.unit, right.unit), (right.unit, left.unit)):
        whole, _, per = one.partition("/")
        if per == other:
            return whole
    raise _apart(left, right)


def _quotient(left: Worked, right: Worked) -> str:
    if left.unit == right.unit:
        return ""
    if not right.unit:
        return left.unit
    if right.unit == _PEOPLE and left.unit and "/" not in left.unit:
        return f"{left.unit}/{_PEOPLE}"
    raise _apart(left, right)


def _apart(left: Worked, right: Worked) -> Unavailable:
    units = f"{left.unit or 'a plain number'} and {right.unit or 'a plain number'}"
    return Unavailable("units_differ", f"{units} do not go together")


def _bracketed(worked: Worked, expression: Expression, outer: Combined, last: bool = False) -> str:
    """A part of a calculation, in brackets where it would read otherwise without."""
    if not isinstance(expression, Combined):
        return f"({worked.shown})" if worked.shown.startswith("-") and last else worked.shown
    weak = expression.operator in "+-" and (
        outer.operator in "*/" or (last and outer.operator == "-")
    )
    same = last and outer.operator == "/"
    return f"({worked.shown})" if weak or same else worked.shown
