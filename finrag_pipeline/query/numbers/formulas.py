"""Formulas that are worked out of metrics, one row of `formulas.csv` each: 毛利率, ROE, DSO.

Ratios as documents print them are metrics; how expressions are worked out is `arithmetic`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.numbers.expressions import figures_of, parse_expression
from finrag_pipeline.query.numbers.records import Measure

_PATH = Path(__file__).with_name("formulas.csv")
_COLUMNS = (
    "formula",
    "kind",
    "name_zh",
    "name_en",
    "expressions",
    "printed",
    "preferred",
    "pattern_zh",
    "pattern_en",
)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula and how it is written."""

    measure: Measure
    pattern: re.Pattern[str]


@cache
def formulas() -> Mapping[str, Formula]:
    """Every formula by its name.

    Raises:
        ValueError: one stands twice, or is of metrics that there are not; with file and line.
    """
    found: dict[str, Formula] = {}
    for row in data_rows(_PATH, _COLUMNS):
        name = row["formula"]
        expressions = [parse_expression(each) for each in row.listed("expressions")]
        named = {figure.metric for each in expressions for figure in figures_of(each)}
        if unknown := (named | set(row.listed("printed"))) - fact_metrics().keys():
            row.wrong(f"there is no metric {', '.join(sorted(unknown))}")
        if name in found or not expressions:
            row.wrong(f"{name} stands twice or has no expression")
        kind = row.choice("kind", ("figure", "percent", "plain", "days"))
        measure = Measure(
            name,
            expressions[0],
            kind,  # pyright: ignore[reportArgumentType]
            row["name_zh"],
            row["name_en"],
            alternatives=tuple(expressions[1:]),
            printed=row.listed("printed"),
            prefers_printed=row.choice("preferred", ("", "printed")) == "printed",
        )
        found[name] = Formula(measure, _pattern(row["pattern_zh"], row["pattern_en"]))
    return found


def formulas_in(text: str) -> Iterator[tuple[Measure, int, int]]:
    """The formulas that a text names, with where; they may overlap each other.

    >>> [each.name for each, _, _ in formulas_in("毛利率与 quick ratio")]
    ['gross_margin', 'quick_ratio']
    """
    for each in formulas().values():
        for match in each.pattern.finditer(text):
            yield each.measure, *match.span()


def metric_measure(name: str) -> Measure:
    """A metric of the vocabulary as what a question measures."""
    metric = fact_metrics()[name]
    return Measure(name, parse_expression(name), "figure", metric.name_zh, metric.name_en)


def _pattern(chinese: str, english: str) -> re.Pattern[str]:
    whole = rf"(?<![a-zA-Z])(?:{english})(?![a-zA-Z])" if english else ""
    return re.compile("|".join(filter(None, (chinese, whole))), re.IGNORECASE)
