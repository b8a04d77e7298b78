"""The periods that running text names, with their first and last days: 2024年前三季度, 3Q24.

Headings of table columns belong to `tables.periods`, titles of documents to `enrichment.periods`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from finrag_pipeline.records.graph import Period

_YEAR = r"(?<![\d.])(?P<year>(?:19|20)\d\d)"
_SHORT = r"(?<![\dA-Za-z.,])(?P<year>\d\d)"
_ORDER = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_ENGLISH_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: First and last months of each form; the first form that matches at a place wins.
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}\s*年?\s*[-–—~至到]\s*(?P<last>(?:20)?\d\d)\s*(?:年|E)",
        rf"{_YEAR}\s*年\s*(?P<from>\d\d?)\s*月?\s*[-–—~至到]\s*(?P<to>\d\d?)\s*月(?!\s*\d)",
        rf"{_YEAR}\s*年?\s*(?P<nine>前三季度|前三季|1\s*-\s*3\s*季度|Q1\s*-\s*Q?3)",
        rf"{_YEAR}\s*年?\s*(?P<half>上半年|下半年|半年度|H1|H2|1H(?!\d)|2H(?!\d))",
        rf"{_YEAR}\s*年?\s*(?:第\s*(?P<quarter>[一二三四1-4])\s*季度?|(?P<quarter2>[一二三四])"
        rf"季[度报]|Q\s*(?P<quarter3>[1-4])(?!\d))",
        rf"{_YEAR}\s*年\s*(?P<month>\d\d?)\s*月(?:\s*(?P<day>\d\d?)\s*日)?",
        r"(?<![\dA-Za-z.])(?P<quarter>[1-4])\s?Q\s?(?P<year>(?:20)?\d\d)(?!\d)",
        rf"{_SHORT}\s?Q(?P<quarter>[1-4])(?![\dA-Za-z])",
        r"(?<![\dA-Za-z])Q(?P<quarter>[1-4])\s?(?:FY)?(?P<year>20\d\d)(?!\d)",
        r"(?<![\dA-Za-z.])(?P<side>[12])\s?H\s?(?P<year>(?:20)?\d\d)(?!\d)",
        rf"{_SHORT}\s?H(?P<side>[12])(?![\dA-Za-z])",
        r"(?:the )?(?P<order>first|second|third|fourth) (?:fiscal )?quarter of (?:fiscal "
        r"(?:year )?)?(?P<year>20\d\d)",
        rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.? (?P<day>\d\d?), (?P<year>(?:19|20)\d\d)",
        rf"{_YEAR}\s?E(?![A-Za-z])",
        r"(?:FY|fiscal (?:year )?)\s?(?P<year>20\d\d)(?!\d)",
        r"FY\s?(?P<year>\d\d)(?!\d)",
        rf"{_YEAR}\s*(?:年度?|财年)(?!\s*(?:\d|[-–~至]\s*(?:19|20)\d\d|代|来))",
        r"(?<![A-Za-z]\s)\b(?:in|for|of|during) (?P<year>(?:19|20)\d\d)(?![\d,.]\d|\d)",
    )
)
_PREPOSITION = re.compile(r"^(?:in|for|of|during|the) (?:the )?", re.IGNORECASE)
_FISCAL = re.compile(r"FY|fiscal|财年", re.IGNORECASE)


#: Before a period: figures are compared with it.
_COMPARED = re.compile(r"(?:同比|环比|较|相比|对比|比|compared (?:to|with)|from)\s*$")
_JOINED = re.compile(
    r"\s*(?:全年|年度|年|单季度?|度)?\s*(?:、|和|与|及|以及|/| and )\s*(?:截至)?\s*"
)


def periods_in(text: str) -> Iterator[tuple[int, int, Period]]:
    """Start, end and period of every time that a text names, in order.

    A fiscal year has no days: when it begins the company decides.

    >>> [(p.text, str(p.first_on), str(p.last_on)) for _, _, p in periods_in("2024年前三季度增长")]
    [('2024年前三季度', '2024-01-01', '2024-09-30')]
    """
    found: list[tuple[int, int, Period]] = []
    taken: set[int] = set()
    for form in _FORMS:
        for match in form.finditer(text):
            if taken.isdisjoint(range(*match.span())):
                period = _read(match)
                if period:
                    taken.update(range(*match.span()))
                    found.append((*match.span(), period))
    yield from sorted(found, key=lambda item: item[:2])


def period_before(text: str, start: int, end: int) -> Period | None:
    """The period that a statement speaks of: the last one printed from `start` to `end`.

    Those that figures are compared with, 同比2023年, do not count.
    """
    said = text[start:end]
    named = [period for at, _, period in periods_in(said) if not _COMPARED.search(said, 0, at)]
    return named[-1] if named else None


def listed_periods(text: str, end: int) -> list[Period]:
    """The periods of the last list of several printed before `end`: 2023年和2024年; else none."""
    groups: list[list[Period]] = []
    last = 0
    for start, stop, period in periods_in(text[:end]):
        if groups and _JOINED.fullmatch(text, last, start):
            groups[-1].append(period)
        else:
            groups.append([period])
        last = stop
    return groups[-1] if groups and len(groups[-1]) > 1 else []


def _read(match: re.Match[str]) -> Period | None:
    found = match.groupdict()
    year = int(found["year"])
    year += 2000 if year < 100 else 0
    first, last, day = 1, 12, None
    if found.get("from"):
        first, last = int(found["from"]), int(found["to"])
    elif found.get("nine"):
        last = 9
    elif half := found.get("half") or found.get("side"):
        second = half in ("下半年", "2") or half.upper() in ("H2", "2H")
        first, last = (7, 12) if second else (1, 6)
    elif quarter := found.get("quarter") or found.get("quarter2") or found.get("quarter3"):
        last = 3 * _ORDER[quarter]
        first = last - 2
    elif found.get("order"):
        last = 3 * _ENGLISH_ORDER[found["order"].lower()]
        first = last - 2
    elif found.get("month") or found.get("name"):
        name = found.get("name")
        first = last = _MONTHS.index(name.lower()) + 1 if name else int(found["month"])
        day = int(found["day"]) if found.get("day") else None
    text = _PREPOSITION.sub("", match.group().strip())
    if found.get("last"):
        end = int(found["last"]) % 100 + 2000
        return Period(text, date(year, 1, 1), date(end, 12, 31)) if year < end else None
    if not 1 <= first <= last <= 12 or (day and day > monthrange(year, first)[1]) or day == 0:
        return None
    if _FISCAL.search(match.group()):
        return Period(text)
    ends = monthrange(year, last)[1]
    return Period(text, date(year, first, day or 1), date(year, last, day or ends))
