"""Formulas that a question writes out: （营业收入-营业成本）/营业收入*100, "defined as A / B".

Formulas that have a name are `formulas.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from finrag_pipeline.query.numbers.expressions import (
    Combined,
    Constant,
    Expression,
    Operator,
    figures_of,
    shifted,
)
from finrag_pipeline.query.numbers.marking import PERIOD, Marked
from finrag_pipeline.query.numbers.records import Measure

_OPERATORS: dict[str, Operator] = {
    "+": "+",
    "-": "-",
    "－": "-",
    "–": "-",
    "−": "-",
    "*": "*",
    "×": "*",
    "/": "/",
    "÷": "/",
}
_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<measure>[\ue100-\ue1ff]\ue00f*)(?:\s*(?:{PERIOD}+|in|for|the|between|and|of))*
    | (?P<average>平均|期初期末平均|average(?:\s+of)?)
    | (?P<change>change\s+in|increase\s+in)
    | (?P<number>\d+(?:\.\d+)?)(?P<percent>\s*%)?
    | (?P<operator>[-+*/×÷－–−])
    | (?P<open>[(（\[])
    | (?P<close>[)）\]])
    | (?P<period>{PERIOD}+|(?:total|the|its)\b)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
#: What a definition begins with, and what ties it to the name before it.
_DEFINES = re.compile(
    r"(?:(?:defined|calculated|computed) as|\bas|equals?|=|＝|即|按|公式(?:为|是)?|定义为)"
    r"\s*[:：]?\s*$",
    re.IGNORECASE,
)
_HUNDRED = Decimal(100)
_SIGNS = re.compile(r"[-+*/×÷－–−]")
#: Between what is told one by one a stroke is no division.
_LISTED = re.compile(r"分别|各(?:自|是|为)|respectively", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Written:
    start: int
    end: int
    expression: Expression
    names: tuple[str, ...]


def mark_written(marked: Marked) -> None:
    """Mark formulas that are written out; one behind the name of a formula says what it means."""
    if not _SIGNS.search(marked.text) or _LISTED.search(marked.text):
        return
    while found := next(_written(marked), None):
        before = [each for each in marked.placed() if each[1] <= found.start]
        expression, percent = _without_hundred(found.expression)
        text = marked.written[found.start : found.end]
        name = before[-1][2] if before else None
        if name and _defines(marked.text[before[-1][1] : found.start], name):
            start = before[-1][0]
            defined = replace(name, expression=expression, alternatives=(), printed=(), text=text)
            marked.mark_measure(start, found.end, defined)
            continue
        names = "".join(found.names)
        spoken = text.strip()
        kind = "percent" if percent else "plain" if _divides(expression) else "figure"
        made = Measure(names, expression, kind, spoken, spoken, text=text)
        marked.mark_measure(found.start, found.end, made)


def _defines(between: str, name: Measure) -> bool:
    """Whether what stands between a name and a written formula ties them."""
    if len(between) > 40 or len(list(figures_of(name.expression))) < 2:
        return False
    return bool(_DEFINES.search(between)) or len(re.sub(r"[\W\ue000-\ue1ff]", "", between)) <= 8


def _divides(expression: Expression) -> bool:
    return isinstance(expression, Combined) and expression.operator == "/"


def _without_hundred(expression: Expression) -> tuple[Expression, bool]:
    if (
        isinstance(expression, Combined)
        and expression.operator == "*"
        and isinstance(expression.right, Constant)
        and expression.right.value == _HUNDRED
    ):
        return expression.left, True
    return expression, False


def _written(marked: Marked) -> Iterator[_Written]:
    """Runs of the text that are formulas of two measures at least."""
    at = 0
    text = marked.text
    while at < len(text):
        tokens = list(_tokens(text, at))
        for until in range(len(tokens), 2, -1):
            run = tokens[:until]
            measures = [each for each in run if each.lastgroup in ("measure",)]
            if len(measures) < 2 or not any(each["operator"] for each in run):
                continue
            reader = _Reader(marked, run)
            expression = reader.read()
            if expression is not None:
                start, end = run[0].start(), run[-1].end()
                start += len(text[start:end]) - len(text[start:end].lstrip())
                yield _Written(start, end, expression, tuple(reader.names))
                break
        at += 1


def _tokens(text: str, at: int) -> Iterator[re.Match[str]]:
    if at and text[at] == "\ue00f":
        return
    while match := _TOKEN.match(text, at):
        if match.end() == match.start():
            return
        yield match
        at = match.end()


class _Reader:
    """Reads tokens by precedence; None for what is no whole formula."""

    def __init__(self, marked: Marked, tokens: list[re.Match[str]]) -> None:
        self._marked = marked
        self._tokens = [each for each in tokens if not each["period"]]
        self._at = 0
        self.names: list[str] = []

    def read(self) -> Expression | None:
        found = self._sum()
        return found if self._at == len(self._tokens) else None

    def _peek(self, group: str) -> str | None:
        return self._tokens[self._at][group] if self._at < len(self._tokens) else None

    def _sum(self) -> Expression | None:
        return self._chain(self._product, "+-")

    def _product(self) -> Expression | None:
        return self._chain(self._atom, "*/")

    def _chain(self, part, signs: str) -> Expression | None:  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]
        left: Expression | None = part()
        while left is not None and (sign := self._peek("operator")):
            operator = _OPERATORS[sign]
            if operator not in signs:
                break
            self._at += 1
            self.names.append(operator)
            right = part()
            if right is None:
                return None
            left = Combined(operator, left, right)
        return left

    def _atom(self) -> Expression | None:
        if self._at >= len(self._tokens):
            return None
        token = self._tokens[self._at]
        self._at += 1
        if token["measure"]:
            (measure,) = self._marked.inside(token.start("measure"), token.end("measure"))
            self.names.append(measure.name)
            return measure.expression
        if token["average"]:
            inner = self._atom()
            if inner is None:
                return None
            both = Combined("+", inner, shifted(inner, "opening"))
            return Combined("/", both, Constant(Decimal(2)))
        if token["change"]:
            inner = self._atom()
            return Combined("-", inner, shifted(inner, "opening")) if inner else None
        if token["number"]:
            value = Decimal(token["number"])
            return Constant(value / _HUNDRED if token["percent"] and value != _HUNDRED else value)
        if token["open"]:
            inner = self._sum()
            if self._peek("close"):
                self._at += 1
                return inner
        return None
