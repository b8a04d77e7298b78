"""Frozen values of single figures: what is counted, of whom, for when, who says so and where.

Money is in whole units of its currency, shares of a hundred in percent, days are `datetime.date`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from finrag_pipeline.records.documents import Place

#: Parts of a fiscal year that figures are reported for: `9M` are its first nine months, `Q1` its
#: first quarter, which is no other alone than from the start; `other` is any other span.
PeriodKind = Literal["FY", "H1", "H2", "9M", "Q1", "Q2", "Q3", "Q4", "other"]
#: First and last month of each part in a fiscal year that is a calendar's, and parts by these.
MONTHS: dict[PeriodKind, tuple[int, int]] = {
    "FY": (1, 12),
    "H1": (1, 6),
    "H2": (7, 12),
    "9M": (1, 9),
    "Q1": (1, 3),
    "Q2": (4, 6),
    "Q3": (7, 9),
    "Q4": (10, 12),
}
KINDS: dict[tuple[int, int], PeriodKind] = {months: kind for kind, months in MONTHS.items()}
Scope = Literal["consolidated", "parent"]
#: `guidance` is what a company expects of itself, `forecast` what somebody else does.
Nature = Literal["actual", "forecast", "guidance"]


@dataclass(frozen=True, slots=True)
class FactPeriod:
    """The part of a fiscal year that a figure is of, or at whose end it stands.

    Attributes:
        fiscal_year: as its filer calls it.
        kind: which part.
        last_on: its last day.
        first_on: its first day; None for what stands at a point in time.
    """

    fiscal_year: int
    kind: PeriodKind
    last_on: date
    first_on: date | None = None


@dataclass(frozen=True, slots=True)
class FinancialFact:
    """One figure of a document with all that it takes to answer by it.

    Attributes:
        metric: of `grammar.fact_metrics`; the folded label of a statement's line that it lacks.
        company_key: whose figure, see `stages.identity.company_keys`.
        company_code: securities code of that company, None where none is known.
        company_name: as its document writes it.
        value: exact, in `unit`.
        unit: `CNY`, `USD` … for money, `CNY/股` for money per share, `%`, `x`, `人`, `股`, `天`;
            empty where nothing is counted.
        text: the figure as printed.
        printed_unit: the unit as printed, empty where none is.
        segment: of the business, region, product or customer that it is of; empty for the whole.
        restated: whether it is printed as adjusted afterwards.
        broker: whose forecast or target price; None for what the company says.
        source: kind of document and column, a name of `stages/facts/sources.csv`, which ranks them.
        checked: whether the sums of its statement hold; None where nothing could be added up.
        place: the box of its cell, or of its sentence.
        table: ordinal of its table, with `row` and `column` of the grid; None for a sentence.
        label: of its row, block headings first.
        heading: of its column, from the top.
        quote: the row or sentence as it is stored.
    """

    metric: str
    company_key: str
    company_code: str | None
    company_name: str | None
    period: FactPeriod
    value: Decimal
    unit: str
    text: str
    printed_unit: str
    source: str
    place: Place
    quote: str
    nature: Nature = "actual"
    scope: Scope = "consolidated"
    segment: str = ""
    restated: bool = False
    broker: str | None = None
    checked: bool | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None
    label: str = ""
    heading: str = ""

    @property
    def currency(self) -> str | None:
        """ISO code of its money; None for what is none.

        >>> FinancialFact.currency_of("CNY/股"), FinancialFact.currency_of("%")
        ('CNY', None)
        """
        return self.currency_of(self.unit)

    @staticmethod
    def currency_of(unit: str) -> str | None:
        """The currency of a unit; None for what is no money."""
        code = unit.partition("/")[0]
        return code if len(code) == 3 and code.isascii() and code.isupper() else None


@dataclass(frozen=True, slots=True)
class SuppliedFact:
    """One figure of a file that a data vendor supplied; what is named as there is of a document.

    Attributes:
        label: heading or word that the file has for its metric.
        quote: the row's cells that it was read from, with their headings.
        sheet: of a workbook, empty elsewhere.
        line: of the file or sheet, from 1.
        published_on: the day from which it may be told.
    """

    metric: str
    company_key: str
    company_code: str | None
    company_name: str | None
    period: FactPeriod
    value: Decimal
    unit: str
    text: str
    printed_unit: str
    source: str
    label: str
    quote: str
    sheet: str
    line: int
    published_on: date
    nature: Nature = "actual"
    scope: Scope = "consolidated"
    segment: str = ""
    restated: bool = False
    broker: str | None = None

    @property
    def currency(self) -> str | None:
        """ISO code of its money; None for what is none."""
        return FinancialFact.currency_of(self.unit)
