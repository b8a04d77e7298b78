"""Reads the period that a column heading names, in one spelling for all of them.

``2024`` a fiscal year, ``2025E`` a forecast, ``2025Q1``, ``2025H1``, ``2025-09`` a month,
``2025-09-30`` a day, ``2025-01-01/2025-09-30`` a span. Headings that name a period only in
relation to the report keep their words.
"""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Sequence

_Y = r"(?<!\d)(?P<y>(?:19|20)\d\d)"
_YY = r"(?<![\d.,])(?P<y>\d\d)"
_ORDINAL = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<m>{'|'.join(_MONTHS)})[a-z]*\.?"

#: Words for periods that only the report's own date tells.
_RELATIVE = re.compile(
    r"(年初至(?:本?报告期末|本?期末)|上年(?:同期|年末|年度末|度末|末|期末|度)|上期期末|"
    r"本报告期末?|本期末|本年末|本期|上期|上年|本年度?|期末|期初|年初|年末|去年同期|"
    r"current (?:period|year)|prior (?:period|year)|previous (?:period|year))",
    re.IGNORECASE,
)


def _year(text: str) -> int:
    value = int(text)
    return value if value > 99 else 2000 + value if value < 80 else 1900 + value


def _day(m: re.Match[str]) -> str | None:
    month, day = int(m["m"]), int(m["d"])
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    return f"{_year(m['y'])}-{month:02}-{day:02}"


def _english_day(m: re.Match[str]) -> str | None:
    month, day = _MONTHS.index(m["m"].lower()[:3]) + 1, int(m["d"])
    return f"{m['y']}-{month:02}-{day:02}" if 1 <= day <= 31 else None


def _span(m: re.Match[str]) -> str | None:
    first, last, year = int(m["a"]), int(m["b"]), _year(m["y"])
    if not 1 <= first <= last <= 12:
        return None
    if (first - 1) % 3 == 0 and last == first + 2:
        return f"{year}Q{last // 3}"
    if (first, last) in ((1, 6), (7, 12)):
        return f"{year}H{last // 6}"
    if (first, last) == (1, 12):
        return str(year)
    return f"{year}-{first:02}-01/{year}-{last:02}-{monthrange(year, last)[1]}"


def _nine_months(m: re.Match[str]) -> str:
    return f"{_year(m['y'])}-01-01/{_year(m['y'])}-09-30"


def _quarter(m: re.Match[str]) -> str:
    return f"{_year(m['y'])}Q{_ORDINAL[m['q']]}{_forecast(m)}"


def _half(m: re.Match[str]) -> str:
    return f"{_year(m['y'])}H{2 if m['h'] in '2下' else 1}{_forecast(m)}"


def _month(m: re.Match[str]) -> str | None:
    return f"{_year(m['y'])}-{int(m['m']):02}" if 1 <= int(m["m"]) <= 12 else None


def _english_month(m: re.Match[str]) -> str:
    return f"{_year(m['y'])}-{_MONTHS.index(m['m'].lower()[:3]) + 1:02}"


def _plain(m: re.Match[str]) -> str:
    return f"{_year(m['y'])}{_forecast(m)}"


def _forecast(m: re.Match[str]) -> str:
    return "E" if (m.groupdict().get("e") or "").upper() in ("E", "F", "预测", "预计") else ""


_E = r"\s*[（(]?(?P<e>[AEF]|预测|预计|实际)?(?![a-z])[)）]?"
#: Tried in this order: what says more comes first.
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str | None]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (rf"{_Y}\s*年\s*(?P<a>\d\d?)\s*月?\s*[-–—~至到]\s*(?P<b>\d\d?)\s*月", _span),
        (rf"{_Y}\s*年?\s*(?:前三季度|1\s*-\s*3\s*季度|Q1\s*-\s*Q?3|[-]?9M)", _nine_months),
        (r"9M\s*(?:20(?=\d\d))?(?P<y>\d\d)(?!\d)", _nine_months),
        (rf"{_Y}\s*年\s*(?P<m>\d\d?)\s*月\s*(?P<d>\d\d?)\s*日", _day),
        (rf"{_Y}(?P<s>[-/.])(?P<m>\d\d?)(?P=s)(?P<d>\d\d?)(?!\d)", _day),
        (r"(?<!\d)(?P<m>\d\d?)/(?P<d>\d\d?)/(?P<y>(?:19|20)\d\d)", _day),
        (rf"{_MONTH}\s*(?P<d>\d\d?)\s*,?\s*{_Y}", _english_day),
        (rf"(?<!\d)(?P<d>\d\d?)\s*{_MONTH},?\s*{_Y}", _english_day),
        (rf"{_Y}\s*年?\s*(?:第?\s*(?P<q>[一二三四1-4])\s*季度?)", _quarter),
        (rf"{_Y}\s*年?\s*Q\s*(?P<q>[1-4]){_E}", _quarter),
        (rf"Q\s*(?P<q>[1-4])\s*(?:FY)?\s*[']?{_Y}{_E}", _quarter),
        (rf"(?<!\d)(?P<q>[1-4])Q\s*(?:FY)?\s*[']?(?P<y>20\d\d|\d\d)(?!\d){_E}", _quarter),
        (rf"{_YY}Q(?P<q>[1-4]){_E}", _quarter),
        (
            rf"{_Y}\s*年?\s*(?:半年度|(?P<h>[上下])半年)",
            lambda m: f"{m['y']}H{2 if m['h'] == '下' else 1}",
        ),
        (rf"{_Y}\s*年?\s*H(?P<h>[12]){_E}", _half),
        (rf"(?<!\d)(?P<h>[12])H\s*(?:FY)?\s*[']?(?P<y>20\d\d|\d\d)(?!\d){_E}", _half),
        (rf"{_YY}H(?P<h>[12]){_E}", _half),
        (rf"{_Y}\s*年\s*(?P<m>\d\d?)\s*月", _month),
        (rf"{_Y}[-/.](?P<m>0[1-9]|1[0-2])(?!\d)", _month),
        (rf"\b{_MONTH}\s*[-']?\s*(?P<y>(?:19|20)\d\d|\d\d)(?!\d)", _english_month),
        (rf"{_Y}(?!\d|\.\d|,\d)\s*(?:年度?)?{_E}", _plain),
        (rf"(?:FY|')\s*{_YY}(?!\d){_E}", _plain),
        (rf"^{_YY}(?P<e>[AEF])$", _plain),
    )
)


def period_of(text: str) -> str | None:
    """The one period that a heading names; None where it names none, or several.

    >>> [period_of(text) for text in ("2025E", "1H25", "2025年9月30日", "2025年1-9月", "3Q25A")]
    ['2025E', '2025H1', '2025-09-30', '2025-01-01/2025-09-30', '2025Q3']
    >>> period_of("2025年比2024年增减") is None
    True
    """
    shown = unicodedata.normalize("NFKC", text).strip()
    if len(shown) > 60:
        return None
    found: set[str] = set()
    for pattern, read in _FORMS:
        while match := pattern.search(shown):
            period = read(match)
            if period is not None:
                found.add(period)
            shown = f"{shown[: match.start()]} \x00 {shown[match.end() :]}"
    return found.pop() if len(found) == 1 else None


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
