"""Periods as vendors write them: FY, Q3, 2024H1, 2024-09-30, 年报, with the year or without.

A code that means a quarter to one vendor and nine months to another means nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from finrag_pipeline.grammar.fact_metrics import Timing
from finrag_pipeline.grammar.periods import months_before
from finrag_pipeline.records.facts import FactPeriod, PeriodKind
from finrag_pipeline.stages.structured.mapping import FileMapping

#: Codes that mean the same to everybody.
_CODES: Mapping[str, PeriodKind] = {
    **{"FY": "FY", "H1": "H1", "H2": "H2", "9M": "9M", "Q1": "Q1", "A": "FY", "ANNUAL": "FY"},
    **{"年报": "FY", "年度": "FY", "半年报": "H1", "中报": "H1", "半年度": "H1", "一季报": "Q1"},
    **{"上半年": "H1", "下半年": "H2", "前三季度": "9M", "一季度": "Q1"},
}
_KINDS_BY_MONTHS: Mapping[int, PeriodKind] = {3: "Q1", 6: "H1", 9: "9M", 12: "FY"}
#: Month of the fiscal year in which a kind ends, and how many months it has.
_ENDS = {"Q1": 3, "Q2": 6, "H1": 6, "Q3": 9, "9M": 9, "Q4": 12, "H2": 12, "FY": 12}
_LENGTHS = {"H1": 6, "H2": 6, "9M": 9, "FY": 12}
_QUARTER = 3
_YEAR = re.compile(r"(?:FY)?((?:19|20)\d\d)(?:年|\.0)?$", re.IGNORECASE)
_YEAR_AND_CODE = re.compile(r"((?:19|20)\d\d)年?[-_ ]?(\D.*|9M)$", re.IGNORECASE)
_DAY = re.compile(r"((?:19|20)\d\d)[-/.年]?([01]?\d)[-/.月]?([0-3]?\d)日?(?:[ T]00:00:00)?$")


class UnclearPeriod(ValueError):
    """A period that cannot be told for certain; the line says why."""


def period_of(year: Any, period: Any, timing: Timing, mapping: FileMapping) -> FactPeriod:
    """The period of a figure.

    Args:
        year: the cell of the column of years, None where there is none.
        period: the cell of the column of periods, None where there is none.
        timing: what stands at a point in time stands at the end of its period.

    Raises:
        UnclearPeriod: one line on why it cannot be told.
    """
    if isinstance(period, datetime | date) or (period is not None and _DAY.match(str(period))):
        return _by_day(_day(period), timing, mapping)
    code = "" if period is None else str(period).strip()
    if year is None and (whole := _YEAR_AND_CODE.match(code)):
        year, code = whole[1], whole[2]
    elif year is None and _YEAR.match(code):
        year, code = code, "FY"
    found = None if year is None else _YEAR.match(str(year).strip())
    if found is None:
        raise UnclearPeriod(f"{year if year is not None else code!r} is no year")
    return _by_kind(int(found[1]), _kind(code or "FY", mapping), timing, mapping)


def _kind(code: str, mapping: FileMapping) -> PeriodKind:
    name = code.strip().upper()
    if kind := mapping.period_codes.get(name) or _CODES.get(name):
        return kind
    if name in _ENDS or name in ("三季报", "三季度", "二季度", "四季度"):
        raise UnclearPeriod(
            f"{code} may be a quarter or all months up to its end: say which below "
            f"`period_codes`, e.g. `{code}: 9M`"
        )
    raise UnclearPeriod(f"{code!r} is no period: say what it means below `period_codes`")


def _by_kind(year: int, kind: PeriodKind, timing: Timing, mapping: FileMapping) -> FactPeriod:
    if kind == "other":
        raise UnclearPeriod("a period of another kind has no last day")
    ends = _ENDS[kind]
    last = _year_end(year, mapping)
    if ends < 12:
        last = months_before(last, 12 - ends) - timedelta(days=1)
    if timing == "instant":
        return FactPeriod(year, _KINDS_BY_MONTHS[ends], last)
    first = months_before(last, _LENGTHS.get(kind, _QUARTER))
    return FactPeriod(year, kind, last, first)


def _by_day(day: date, timing: Timing, mapping: FileMapping) -> FactPeriod:
    year = next(each for each in (day.year, day.year + 1) if _year_end(each, mapping) >= day)
    for months, kind in _KINDS_BY_MONTHS.items():
        found = _by_kind(year, kind, timing, mapping)
        if found.last_on == day:
            if timing == "flow" and not mapping.cumulative:
                raise UnclearPeriod(
                    f"{day} closes a quarter and {months} months: say `dates: cumulative` if "
                    "figures are counted from the beginning of the year, else name periods"
                )
            return found
    if timing == "instant":
        return FactPeriod(year, "other", day)
    raise UnclearPeriod(f"{day} closes no quarter of a year that ends on {mapping.year_end}")


def _year_end(year: int, mapping: FileMapping) -> date:
    month, day = mapping.year_end
    try:
        return date(year, month, day)
    except ValueError:  # 29 February of most years
        return date(year, month, day - 1)


def _day(cell: Any) -> date:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    match = _DAY.match(str(cell))
    assert match is not None
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        raise UnclearPeriod(f"{cell!r} is no day") from None


def day_of(cell: Any) -> date:
    """The day that a cell writes.

    Raises:
        UnclearPeriod: it writes none.
    """
    if not isinstance(cell, date) and not _DAY.match(str(cell)):
        raise UnclearPeriod(f"{cell!r} is no day such as 2025-04-30")
    return _day(cell)
