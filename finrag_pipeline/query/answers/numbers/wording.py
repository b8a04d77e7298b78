"""What periods, measures and workings are called in answers, in Chinese and in English.

Values are told by `amounts`; which of them stand in a line is `lines`'.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.answers.numbers.amounts import grouped
from finrag_pipeline.query.numbers.expressions import (
    Combined,
    Constant,
    Expression,
    Figure,
    figures_of,
)
from finrag_pipeline.query.numbers.records import AskedPeriod, Measure

_PATH = Path(__file__).with_name("phrases.csv")
_PARTS_ZH = {
    "FY": "年",
    "H1": "年上半年",
    "H2": "年下半年",
    "9M": "年前三季度",
    "Q1": "年第一季度",
    "Q2": "年第二季度",
    "Q3": "年第三季度",
    "Q4": "年第四季度",
    "other": "年（非完整期间）",
}
_PARTS_EN = {
    "FY": "FY{}",
    "H1": "H1 {}",
    "H2": "H2 {}",
    "9M": "nine months of {}",
    "Q1": "Q1 {}",
    "Q2": "Q2 {}",
    "Q3": "Q3 {}",
    "Q4": "Q4 {}",
    "other": "part of {}",
}
_SHIFTS_ZH = {"": "", "year": "上年", "quarter": "上季度", "opening": "年初", "earlier": "上年年初"}
_SHIFTS_EN = {
    "": "",
    "year": "prior-year ",
    "quarter": "prior-quarter ",
    "opening": "opening ",
    "earlier": "prior-year opening ",
}
_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}
_NUMBER = re.compile(r"\d{5,}(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something that is said in both languages, with places for what it is said of."""

    zh: str
    en: str

    def told(self, chinese: bool, **parts: object) -> str:
        """It in one language."""
        return (self.zh if chinese else self.en).format(**parts)


@cache
def phrases() -> Mapping[str, Phrase]:
    """Every phrase by its name.

    Raises:
        ValueError: one stands twice; with file and line.
    """
    found: dict[str, Phrase] = {}
    for row in data_rows(_PATH, ("phrase", "zh", "en")):
        if row["phrase"] in found:
            row.wrong(f"{row['phrase']} stands twice")
        found[row["phrase"]] = Phrase(row["zh"], row["en"])
    return found


def say(phrase: str, chinese: bool, **parts: object) -> str:
    """A phrase of the list in one language; its own name where the list has none."""
    held = phrases().get(phrase)
    return held.told(chinese, **parts) if held else phrase.replace("_", " ")


def at_end(measure: Measure) -> bool:
    """Whether all that is measured stands at a point in time."""
    metrics = [fact_metrics().get(each.metric) for each in figures_of(measure.expression)]
    return all(each is not None and each.timing == "instant" for each in metrics)


def period_told(period: AskedPeriod, instant: bool, chinese: bool) -> str:
    """A period, or the end of it.

    >>> year, months = AskedPeriod(2024, "FY"), AskedPeriod(2024, "9M")
    >>> period_told(year, True, True), period_told(months, False, True)
    ('2024年末', '2024年前三季度')
    >>> period_told(year, False, False), period_told(months, True, False)
    ('FY2024', 'end of nine months of 2024')
    """
    if chinese:
        return f"{period.fiscal_year}{_PARTS_ZH[period.kind]}{'末' if instant else ''}"
    told = _PARTS_EN[period.kind].format(period.fiscal_year)
    return f"end of {told}" if instant else told


def day_told(day: date, chinese: bool) -> str:
    """A day, of what is no part of a fiscal year: a price that a house expects.

    >>> day_told(date(2025, 3, 9), True), day_told(date(2025, 3, 9), False)
    ('2025年3月9日', '2025-03-09')
    """
    return f"{day.year}年{day.month}月{day.day}日" if chinese else day.isoformat()


def measure_told(measure: Measure, chinese: bool) -> str:
    """What is measured, as the vocabulary calls it."""
    return measure.name_zh if chinese else measure.name_en


def metric_told(metric: str, chinese: bool) -> str:
    """A metric as the vocabulary calls it; its own name where it has none there."""
    known = fact_metrics().get(metric)
    if known is None:
        return metric
    return known.name_zh if chinese else known.name_en


def formula_told(expression: Expression, chinese: bool, since: str = "") -> str:
    """An expression with the names of its metrics.

    Args:
        since: when what it is compared with is of, where that is not the year before.

    >>> from finrag_pipeline.query.numbers.expressions import parse_expression
    >>> formula_told(parse_expression("(revenue - cost_of_sales) / revenue"), True)
    '(营业收入 − 营业成本) / 营业收入'
    """
    match expression:
        case Figure():
            shift = (_SHIFTS_ZH if chinese else _SHIFTS_EN)[expression.shift]
            if since and expression.shift == "year":
                shift = since if chinese else f"{since} "
            nature = expression.nature or ""
            nature = say(f"of_{nature}", chinese) if nature not in ("", "actual") else ""
            return f"{shift}{metric_told(expression.metric, chinese)}{nature}"
        case Constant():
            return f"{expression.value:f}"
        case Combined(operator=operator, left=left, right=right):
            parts = (
                _inner(left, operator, False, chinese, since),
                _inner(right, operator, True, chinese, since),
            )
            return f" {_SIGNS[operator]} ".join(parts)


def shown_told(shown: str) -> str:
    """A calculation with marks between thousands.

    >>> shown_told("(189163654064.64 - 95.2) / 12345")
    '(189,163,654,064.64 − 95.2) / 12,345'
    """
    text = _NUMBER.sub(lambda match: _grouped(match[0]), shown)
    return text.replace(" - ", " − ").replace(" * ", " × ")


def _grouped(number: str) -> str:
    return grouped(Decimal(number), len(number.partition(".")[2]))


def _inner(expression: Expression, outer: str, right: bool, chinese: bool, since: str) -> str:
    told = formula_told(expression, chinese, since)
    if not isinstance(expression, Combined):
        return told
    sums = expression.operator in "+-"
    needed = (sums and outer in "*/") or (right and outer in "-/")
    return f"({told})" if needed else told
