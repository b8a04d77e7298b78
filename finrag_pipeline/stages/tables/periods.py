"""Reads the period that a column heading names, in one spelling for all of them.

``2024`` a fiscal year, ``2025E`` a forecast, ``2025Q1``, ``2025H1``, ``2025-09`` a month,
``2025-09-30`` a day, ``2025-01-01/2025-09-30`` a span: see `grammar.periods`. Headings that name a
period only in relation to the report keep their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from finrag_pipeline.grammar.periods import periods_in

#: Characters from which a text is a sentence rather than a heading.
_LONG = 60
#: Words for periods that only the report's own date tells.
_RELATIVE = re.compile(
    r"(年初至(?:本?报告期末|本?期末)|上年(?:同期|年末|年度末|度末|末|期末|度)|上期期末|"
    r"本报告期末?|本期末|本年末|本期|上期|上年|本年度?|期末|期初|年初|年末|去年同期|"
    r"current (?:period|year)|prior (?:period|year)|previous (?:period|year))",
    re.IGNORECASE,
)
_FISCAL_YEAR = re.compile(r"^(?P<year>(?:19|20)\d\d)E?$")
_SLIP = re.compile(r"^(?P<digits>\d{5})(?P<mark>[AEF]?)$", re.IGNORECASE)


def period_of(text: str) -> str | None:
    """The one period that a heading names; None where it names none, or several.

    >>> [period_of(text) for text in ("2025E", "1H25", "2025年9月30日", "2025年1-9月", "3Q25A")]
    ['2025E', '2025H1', '2025-09-30', '2025-01-01/2025-09-30', '2025Q3']
    >>> period_of("2025年比2024年增减") is None
    True
    """
    found = set(heading_periods(text))
    return found.pop() if len(found) == 1 else None


def year_between(before: str | None, text: str, after: str | None) -> str | None:
    """The year that a heading with a digit too many stands for, by the years on both sides.

    >>> year_between("2025E", "20256E", "2027E"), year_between("2024", "同比", "2026E")
    ('2026E', None)
    """
    sides = [_FISCAL_YEAR.match(side or "") for side in (before, after)]
    slip = _SLIP.match(text.strip())
    if not slip or not sides[0] or not sides[1]:
        return None
    first, last = (int(side["year"]) for side in sides if side)
    year = f"{first + 1}"
    digits = iter(slip["digits"])
    # every digit of the year is there, in order
    if last != first + 2 or not all(digit in digits for digit in year):
        return None
    return f"{year}E" if slip["mark"].upper() in ("E", "F") else year


@lru_cache(maxsize=1 << 14)
def heading_periods(text: str) -> tuple[str, ...]:
    """Every period that a short heading names; several where its cell holds several.

    >>> heading_periods("2024A 2025E"), heading_periods("1,234")
    (('2024', '2025E'), ())
    """
    shown = text.strip()
    return tuple(str(each) for each in periods_in(shown, "heading")) if len(shown) <= _LONG else ()


def relative_period(text: str) -> str | None:
    """The words that name a period in relation to the report, as printed.

    >>> relative_period("年初至报告期末"), relative_period("本报告期比上年同期增减")
    ('年初至报告期末', None)
    """
    found = _RELATIVE.findall(text)
    return str(found[0]) if len(found) == 1 else None


def column_period(path: Sequence[str]) -> str | None:
    """The period of a column by its header path, from the top."""
    whole = period_of(" ".join(path))
    if whole:
        return whole
    for reading in (period_of, relative_period):
        for text in reversed(path):
            found = reading(text)
            if found:
                return found
    return None
