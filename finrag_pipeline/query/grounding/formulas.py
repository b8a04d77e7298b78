"""Arithmetic that an answer shows, recomputed: (12,196 − 987) / 12,196 = 91.91%.

Its operands are figures of the answer like others: whether evidence holds them is `matching`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from itertools import pairwise

from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.query.grounding.figures import Stated, stated_in

#: Figures that formulas have of their own: years of a growth, months, days, percent.
CONSTANTS = frozenset(map(Decimal, (1, 2, 3, 4, 5, 10, 12, 100, 360, 365)))
_DIGITS = 40
_EQUALS = re.compile(r"[=＝≈]")
_OPERATORS = {
    "+": "+",
    "−": "-",
    "-": "-",
    "–": "-",
    "×": "*",
    "*": "*",
    "·": "*",
    "÷": "/",
    "/": "/",
}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<unit>\s?(?:[^\d\s()+\-−–×*·÷/^,，]{1,5}))?"
    r"|(?P<sign>[()+\-−–×*·÷/^]))"
)


@dataclass(frozen=True, slots=True)
class Calculation:
    """What is worked out in a text: its operands, its exact result, and the figure shown for it.

    `start` and `end` are those of the operands; `percent` whether the result is told in percent of
    one.
    """

    operands: tuple[Stated, ...]
    value: Decimal
    result: Stated
    start: int
    end: int

    @property
    def holds(self) -> bool:
        """Whether the figure shown is the result at its rounding, as it is or in percent."""
        shares = (Decimal(1), Decimal(100)) if self.result.unit in ("%", "pp") else (Decimal(1),)
        return any(
            abs(self.value * share - self.result.value) <= self.result.half for share in shares
        )


def calculations(text: str) -> Iterator[Calculation]:
    """The calculations of a text: a part between signs of equality that is arithmetic of figures,
    and the figure behind it.

    >>> [(round(each.value, 4), each.holds) for each in calculations("增速 = (12 − 10) / 10 = 20%")]
    [(Decimal('0.2000'), True)]
    """
    bounds = [0, *(match.end() for match in _EQUALS.finditer(text)), len(text) + 1]
    parts = [(bounds[n], bounds[n + 1] - 1) for n in range(len(bounds) - 1)]
    for (start, end), (begun, ended) in pairwise(parts):
        results = stated_in(text[begun:ended])
        read = _read(text[start:end])
        if read is None or not results:
            continue
        value, operands = read
        moved = tuple(_moved(each, start) for each in operands)
        yield Calculation(moved, value, _moved(results[0], begun), start, end)


def evaluate(shown: str) -> tuple[Decimal, tuple[Decimal, ...]] | None:
    """The exact value of arithmetic in plain numbers, and its numbers; None where it is none."""
    read = _read(shown)
    return None if read is None else (read[0], tuple(each.printed for each in read[1]))


def _read(part: str) -> tuple[Decimal, list[Stated]] | None:
    """The value of a part that is arithmetic and nothing else, behind a label and a colon."""
    shown = narrow(part)
    first = re.search(r"[\d(−\-]", shown.rpartition("：")[2].rpartition(": ")[2])
    at = len(shown) - len(shown.rpartition("：")[2].rpartition(": ")[2])
    at += first.start() if first else 0
    tokens: list[str | Stated] = []
    while at < len(shown):
        match = _TOKEN.match(shown, at)
        if match is None:
            if not shown[at:].strip():
                break
            return None
        if match["number"]:
            found = stated_in(shown[match.start("number") : match.end()])
            if len(found) != 1:
                return None
            one = _moved(found[0], match.start("number"))
            if _opens_negative(tokens):
                tokens.pop()
                one = replace(one, value=-one.value)
            tokens.append(one)
        else:
            tokens.append(match["sign"])
        at = match.end()
    if sum(isinstance(each, Stated) for each in tokens) < 2:
        return None
    with localcontext() as context:
        context.prec = _DIGITS
        try:
            value, rest = _sum(tokens)
        except (InvalidOperation, DivisionByZero, IndexError, ValueError, RecursionError):
            return None
    return None if rest else (value, [each for each in tokens if isinstance(each, Stated)])


Tokens = Sequence["str | Stated"]


def _opens_negative(tokens: Tokens) -> bool:
    """Whether a minus before a figure is its sign: behind nothing, a bracket or another sign."""
    if not tokens or _sign(tokens[-1]) != "-":
        return False
    return len(tokens) == 1 or (isinstance(tokens[-2], str) and tokens[-2] != ")")


def _sum(tokens: Tokens) -> tuple[Decimal, Tokens]:
    value, tokens = _product(tokens)
    while tokens and _sign(tokens[0]) in ("+", "-"):
        sign = _sign(tokens[0])
        other, tokens = _product(tokens[1:])
        value = value + other if sign == "+" else value - other
    return value, tokens


def _product(tokens: Tokens) -> tuple[Decimal, Tokens]:
    value, tokens = _power(tokens)
    while tokens and _sign(tokens[0]) in ("*", "/"):
        sign = _sign(tokens[0])
        other, tokens = _power(tokens[1:])
        value = value * other if sign == "*" else value / other
    return value, tokens


def _power(tokens: Tokens) -> tuple[Decimal, Tokens]:
    value, tokens = _atom(tokens)
    if tokens and tokens[0] == "^":
        other, tokens = _atom(tokens[1:])
        value = value**other
    return value, tokens


def _atom(tokens: Tokens) -> tuple[Decimal, Tokens]:
    first = tokens[0]
    if isinstance(first, Stated):
        # 100% is one
        value = first.value / 100 if first.unit == "%" and first.printed == 100 else first.value
        return value, tokens[1:]
    if _sign(first) == "-":
        value, tokens = _atom(tokens[1:])
        return -value, tokens
    if first != "(":
        raise ValueError(first)
    value, tokens = _sum(tokens[1:])
    if not tokens or tokens[0] != ")":
        raise ValueError("an open bracket")
    return value, tokens[1:]


def _sign(token: str | Stated) -> str:
    return _OPERATORS.get(token, "") if isinstance(token, str) else ""


def _moved(one: Stated, by: int) -> Stated:

    return replace(one, start=one.start + by, end=one.end + by)
