"""What is worked out of figures: expressions over metrics, as formulas and questions write them.

Their values are `arithmetic`'s; which formulas there are is `formulas.csv`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

Operator = Literal["+", "-", "*", "/"]
#: Which period a figure is of: the one asked for, the same part of the year before, the quarter
#: before, the end of the year before (what a balance opens with), one that the question names.
Shift = Literal["", "year", "quarter", "opening", "earlier", "base"]
Nature = Literal["actual", "forecast", "guidance"]

_OPERATORS: dict[type[ast.operator], Operator] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_FUNCTIONS: dict[str, Shift] = {"before": "year", "opening": "opening"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric at the period asked for, or at another one that follows from it.

    `nature` is None where the question's decides.
    """

    metric: str
    shift: Shift = ""
    nature: Nature | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that a formula has."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Combined:
    """Two expressions and what is done with them."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Figure | Constant | Combined


@lru_cache(maxsize=1_000)
def parse_expression(text: str) -> Expression:
    """Read an expression of the formulas' file.

    ``before(x)`` is the same part of the year before, ``opening(x)`` what the year before closed
    with, ``average(x)`` the mean of the closing and the opening figure.

    Raises:
        ValueError: it has anything but metrics, numbers, the four operations and these functions.

    >>> [each.metric for each in figures_of(parse_expression("net_profit / average(equity)"))]
    ['net_profit', 'equity', 'equity']
    """
    return _read(ast.parse(text.strip(), mode="eval").body, text)


def figures_of(expression: Expression) -> Iterator[Figure]:
    """The figures of an expression, from left to right."""
    if isinstance(expression, Figure):
        yield expression
    elif isinstance(expression, Combined):
        yield from figures_of(expression.left)
        yield from figures_of(expression.right)


def shifted(expression: Expression, shift: Shift) -> Expression:
    """An expression of another period; ValueError where a part of it is of one already."""
    if isinstance(expression, Figure):
        if expression.shift == "opening" and shift == "year":
            return replace(expression, shift="earlier")  # an average of the year before
        if expression.shift:
            raise ValueError(f"{expression.metric} is shifted already")
        return replace(expression, shift=shift)
    if isinstance(expression, Combined):
        left, right = shifted(expression.left, shift), shifted(expression.right, shift)
        return replace(expression, left=left, right=right)
    return expression


def replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    """An expression with another in place of one that it holds, wherever it does."""
    if expression == old:
        return new
    if isinstance(expression, Combined):
        left, right = replaced(expression.left, old, new), replaced(expression.right, old, new)
        return replace(expression, left=left, right=right)
    return expression


def ratio(left: Expression, right: Expression) -> Combined:
    """One expression over another."""
    return Combined("/", left, right)


def difference(left: Expression, right: Expression) -> Combined:
    """One expression less another."""
    return Combined("-", left, right)


def growth(expression: Expression, shift: Shift = "year") -> Combined:
    """How far an expression has grown, in shares of what it was.

    >>> growth(Figure("revenue")).operator
    '/'
    """
    before = shifted(expression, shift)
    return ratio(difference(expression, before), before)


def _read(node: ast.expr, text: str) -> Expression:
    match node:
        case ast.Name(id=name):
            return Figure(name)
        case ast.Constant(value=int() | float() as number):
            return Constant(Decimal(str(number)))
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return Combined(_OPERATORS[type(operator)], _read(left, text), _read(right, text))
        case ast.Call(func=ast.Name(id="average"), args=[of], keywords=[]):
            inner = _read(of, text)
            both = Combined("+", inner, shifted(inner, "opening"))
            return Combined("/", both, Constant(Decimal(2)))
        case ast.Call(func=ast.Name(id=name), args=[of], keywords=[]) if name in _FUNCTIONS:
            return shifted(_read(of, text), _FUNCTIONS[name])
        case _:
            raise ValueError(f"{text!r} is no expression of metrics")
