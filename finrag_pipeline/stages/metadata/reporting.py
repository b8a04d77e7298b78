"""Reads which period a document reports on, by its filer's own calendar and name of the year.

How periods are written is `grammar.periods`; the day of publication is `dates`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.grammar.numerals import DIGITS
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.stages.metadata.front import Block, Found

_PERIODS = ("quarter", "half", "year", "span", "years")
_ENDED = re.compile(r"ended|ending|止", re.IGNORECASE)
#: Covers of older reports write the year in characters: 二〇二四年年度报告.
_NUMERAL_YEAR = re.compile(r"二[〇○零Oo][〇○零一二三四五六七八九]{2}(?=\s*年)")
_FISCAL_YEAR = re.compile(r"\b(?:fiscal(?:\s+year)?|FY)\s*'?((?:19|20)\d\d)\b", re.IGNORECASE)
#: Nothing is filed on years before: they name laws, like the Securities Exchange Act of 1934.
_FIRST_YEAR = 1990
#: Pages on which a filer calls its fiscal year by name often enough.
_NAMING_PAGES = 40
#: A year of 52 or 53 weeks that ends on one of the first days of January is the year before.
_LATE_DAYS = 7


@dataclass(frozen=True, slots=True)
class Reported:
    """A reported period: its days, and the fiscal year that the filer counts it to."""

    first_on: date
    last_on: date
    fiscal_year: int


def read_filed_period(
    title: Found[str], front: Sequence[Block], blocks: Sequence[Block]
) -> Found[Reported] | None:
    """The period of a filing: what has ended by its cover, else what its title or heads name.

    Args:
        title: as `filing_title` gives it.
        front: blocks of the cover.
        blocks: of the whole document, for the name of a fiscal year that ends early in another.
    """
    found = _ended(front) or _named([title], alone=True) or _named(_heads(front), alone=False)
    if found is None:
        return None
    period, places = found.value, found.places
    year = _fiscal_year(period, blocks)
    return Found(Reported(period.first_on, period.last_on, year), places)


def read_discussed_period(title: Found[str], source_name: str) -> Found[Reported] | None:
    """The reported period that a report comments on by its title, else by the name of its file.

    A year alone is what it looks forward to, unless an annual report is named.
    """
    found = _named([title, Found(source_name)], alone=False)
    if found is None:
        return None
    period = found.value
    return Found(Reported(period.first_on, period.last_on, period.last_on.year), found.places)


def _ended(front: Sequence[Block]) -> Found[ReportingPeriod] | None:
    """The first period of a cover that is said to have ended on a day."""
    whole = Block("", None, front[0].place, tuple(row for b in front for row in b.rows[:8]))
    for block in (*front, whole) if front else ():
        if _ENDED.search(block.passage):
            for period in periods_in(block.passage, "question"):
                if _ENDED.search(period.text) and period.kind in _PERIODS:
                    return Found(period, (block.place,))
    return None


def _named(texts: Iterable[Found[str]], *, alone: bool) -> Found[ReportingPeriod] | None:
    """The first period that some texts name, years without a word beside them only if `alone`."""
    for text in texts:
        written = _NUMERAL_YEAR.sub(_in_digits, text.value)
        reports = {each.first_on.year for each in periods_in(written, "title")}
        for period in periods_in(written, "question"):
            bare = period.kind in ("year", "years") and period.first_on.year not in reports
            told = period.kind in _PERIODS and not period.estimate and (alone or not bare)
            if told and period.last_on.year >= _FIRST_YEAR:
                return Found(period, text.places)
    return None


def _heads(front: Sequence[Block]) -> list[Found[str]]:
    """What the cover prints large or in short lines, then its first sentences."""
    short = [block for block in front if not block.prose]
    long = [block for block in front if block.prose][:2]
    return [Found(block.passage[:300], (block.place,)) for block in (*short, *long)]


def _fiscal_year(period: ReportingPeriod, blocks: Sequence[Block]) -> int:
    """The year that a filer counts a period to: the neighbouring one only where it says so more."""
    last = period.last_on
    if period.fiscal:
        return last.year
    own = last.year - 1 if last.month == 1 and last.day <= _LATE_DAYS else last.year
    if last.month == 12:
        return own
    said = Counter(
        int(year)
        for block in blocks
        if block.page <= _NAMING_PAGES
        for year in _FISCAL_YEAR.findall(block.passage)
    )
    near = (own, last.year - 1, last.year + 1)
    # an annual report speaks of next year and of last year too, but less; nobody's fiscal year
    # ends more than a year after the quarter, so the year after is a quarter's only
    annual = (last - period.first_on).days > 300
    return max(near[:2] if annual else near, key=lambda year: said[year])


def _in_digits(match: re.Match[str]) -> str:
    return "".join(str(DIGITS.get(character, 0)) for character in match[0])
