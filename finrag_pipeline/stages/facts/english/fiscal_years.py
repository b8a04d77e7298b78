"""Which part of its fiscal year a filer means by a day, a length and a year's name.

How headings write them is `headings`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.grammar.periods import months_before
from finrag_pipeline.records import Metadata, Table
from finrag_pipeline.records.facts import FactPeriod, PeriodKind

#: Days of a mean month: years of 52 weeks drift by a week, never by half a month.
_MONTH_DAYS = 30.44
_YEAR_MONTHS = 11
_INSTANTS: dict[int, PeriodKind] = {3: "Q1", 6: "H1", 9: "9M", 12: "FY"}
_QUARTERS: tuple[PeriodKind, ...] = ("Q1", "Q2", "Q3", "Q4")
_TO_DATE = re.compile(
    r"\b(?:(?P<six>six|6|26|27|twenty-(?:six|seven))|(?P<nine>nine|9|39|40|thirty-nine|forty)|"
    r"(?P<year>twelve|12|52|53|fifty-(?:two|three)))[\s-](?:months?|weeks?)\b|"
    r"\b(?P<half>first half|half[\s-]year|1H|H1)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\b(first|second|third|fourth)[\s-](?:fiscal )?quarter", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class FiscalYears:
    """The fiscal years of one filer, as one of its documents has them.

    Attributes:
        closes_on: last day of one of them.
        fiscal_year: what the filer calls that one.
        last_on: the last day that the document reports on.
        annual: whether it reports on a whole year.
    """

    closes_on: date
    fiscal_year: int
    last_on: date
    annual: bool

    def end_of(self, fiscal_year: int) -> date:
        """The last day of a fiscal year; exact for years of the calendar's months."""
        return moved(self.closes_on, 12 * (fiscal_year - self.fiscal_year))

    def span(self, last_on: date, months: int) -> FactPeriod:
        """So many months that end on a day.

        >>> years = FiscalYears(date(2023, 6, 30), 2023, date(2023, 6, 30), True)
        >>> [(years.span(day, months).fiscal_year, years.span(day, months).kind) for day, months in
        ...  ((date(2022, 12, 31), 6), (date(2022, 9, 30), 3), (date(2022, 6, 30), 12))]
        [(2023, 'H1'), (2023, 'Q1'), (2022, 'FY')]
        """
        year, month = self._at(last_on)
        first = months_before(last_on, months)
        kind: PeriodKind = "other"
        if months == 3 and month % 3 == 0:
            kind = _QUARTERS[month // 3 - 1]
        elif months == month and month in _INSTANTS:
            kind = _INSTANTS[month]
        elif (months, month) == (6, 12):
            kind = "H2"
        return FactPeriod(year, kind, last_on, first)

    def instant(self, day: date) -> FactPeriod:
        """A point in time, by the part of the year that it closes."""
        year, month = self._at(day)
        return FactPeriod(year, _INSTANTS.get(month, "other"), day)

    def quarter(self, fiscal_year: int, number: int) -> FactPeriod:
        """A quarter, 1 to 4, of a fiscal year."""
        last = moved(self.end_of(fiscal_year), 3 * number - 12)
        return FactPeriod(fiscal_year, _QUARTERS[number - 1], last, months_before(last, 3))

    def _at(self, day: date) -> tuple[int, int]:
        """Fiscal year and month of it that a day closes, 1 to 12."""
        before = round((self.closes_on - day).days / _MONTH_DAYS)
        return self.fiscal_year - before // 12, 12 - before % 12


def fiscal_years(metadata: Metadata, tables: Sequence[Table]) -> FiscalYears | None:
    """The fiscal years of the filer of a document; None where it does not say on what it reports.

    Args:
        tables: of the document; headings of an interim report tell how far into its year it is.
    """
    last, first = metadata.period_last_on, metadata.period_first_on
    if last is None:
        return None
    year = metadata.fiscal_year or last.year
    months = round((last - first).days / _MONTH_DAYS) if first else 12
    if months < _YEAR_MONTHS:
        months = max(months, _to_date(metadata, tables))
    if months >= _YEAR_MONTHS:
        return FiscalYears(last, year, last, True)
    return FiscalYears(moved(last, 12 - months), year, last, False)


def moved(day: date, months: int) -> date:
    """A day so many months later; the end of a month stays one."""
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    end = monthrange(year, month + 1)[1]
    whole = day.day == monthrange(day.year, day.month)[1]
    return date(year, month + 1, end if whole else min(day.day, end))


def _to_date(metadata: Metadata, tables: Sequence[Table]) -> int:
    """Months of the year that an interim report covers, by its title, else by its headings.

    Twelve months beside three may be the last ones of any quarter: longer spans count only where
    tables of the document often have them.
    """
    if match := _ORDINAL.search(metadata.title or ""):
        return 3 * (_ORDINALS.index(match[1].lower()) + 1)
    spans: Counter[int] = Counter()
    quarters: Counter[int] = Counter()
    for table in tables:
        heads = (cell.text for cell in table.cells if cell.header)
        text = " ".join(filter(None, (table.title, *heads)))
        for match in _TO_DATE.finditer(text):
            spans[9 if match["nine"] else 12 if match["year"] else 6] += 1
        for match in _ORDINAL.finditer(text):
            quarters[3 * (_ORDINALS.index(match[1].lower()) + 1)] += 1
    if spans:
        return max(spans, key=lambda months: (spans[months], -months))
    return max(quarters, key=lambda months: quarters[months], default=3)
