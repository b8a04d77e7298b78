"""Makes a fact of a line: its period by what is counted, its value in base units, its quote.

A line whose unit cannot count its metric, or that no heading gives a period, makes none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from finrag_pipeline.grammar.fact_metrics import MetricKind, Timing
from finrag_pipeline.grammar.measures import Measure, measure_of
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records import Place, Sentence, Table
from finrag_pipeline.records.facts import FactPeriod, FinancialFact, Scope
from finrag_pipeline.stages.facts.cells import is_broken
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.facts.lines import Line
from finrag_pipeline.stages.facts.measured import UNITS
from finrag_pipeline.stages.tables.row_quotes import table_rows

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
#: No share of a hundred is as large: an amount under a heading that was taken for one.
_NO_SHARE = 100_000
#: Money a share is less: more is an amount in a line that was taken for one a share.
_NO_PER_SHARE = 10_000


@dataclass(frozen=True, slots=True)
class Counted:
    """What a line counts: its metric's name, what that is counted in, and when."""

    metric: str
    kind: MetricKind
    timing: Timing


@dataclass
class Maker:
    """Makes the facts of one table of a filing."""

    filing: Filing
    table: Table
    currency: str = "CNY"
    _quotes: dict[int, str] = field(default_factory=dict[int, str])

    def __post_init__(self) -> None:
        for row in table_rows(self.table.cells):
            self._quotes.setdefault(row.row, row.quote)

    def fact(
        self,
        line: Line,
        counted: Counted,
        column: Column,
        *,
        flow_too: bool = False,
        discussion: bool = False,
        scope: Scope | None = None,
        segment: str = "",
        checked: bool | None = None,
    ) -> FinancialFact | None:
        """The fact of a line.

        Args:
            column: what its figures are for.
            flow_too: whether what is of a span may stand under a day that closes it: in statements.
            discussion: whether the table only discusses what the statements print.
            scope: whose, where the column does not tell it.
        """
        period = period_of(counted.timing, column, flow_too=flow_too, filing=self.filing)
        number = number_of(line.figure.text)
        place = line.figure.place or self._place()
        measured = _measured(counted.kind, line.figure.measure, self.currency)
        if period is None or number is None or measured is None or is_broken(line.figure.text):
            return None
        unit, power, factor = measured
        value = number.scaleb(power, _EXACT) * factor
        if (counted.kind == "share" and abs(value) >= _NO_SHARE) or (
            counted.kind == "per_share" and abs(value) >= _NO_PER_SHARE
        ):
            return None
        measure = line.figure.measure
        return FinancialFact(
            metric=counted.metric,
            company_key=self.filing.company_key,
            company_code=self.filing.company_code,
            company_name=self.filing.company_name,
            period=period,
            value=value,
            unit=unit,
            text=line.figure.text,
            printed_unit=measure.text if measure else "",
            source=source_of(self.filing, period, column, discussion=discussion),
            place=place,
            quote=self._quotes.get(line.figure.row, ""),
            scope=column.scope or scope or "consolidated",
            segment=segment,
            restated=column.restated,
            checked=checked,
            table=self.table.ordinal,
            row=line.figure.row,
            column=line.figure.column,
            label=" ".join((*line.blocks, line.label)),
            heading=" ".join(line.heading),
        )

    def _place(self) -> Place:
        return Place(self.table.page, self.table.bbox)


def period_of(
    timing: Timing, column: Column, *, flow_too: bool, filing: Filing
) -> FactPeriod | None:
    """The period of what is counted under a heading; None where that is of another kind."""
    if timing == "instant":
        return column.instant
    if column.flow or not flow_too or column.instant is None:
        return column.flow
    # an income statement headed by the day on which its period ends
    own = filing.year_to_date
    closes = own and (column.instant.last_on.month, column.instant.last_on.day) == (
        own.last_on.month,
        own.last_on.day,
    )
    if not own or not closes or own.first_on is None:
        return None
    year = column.instant.last_on.year
    return FactPeriod(year, own.kind, column.instant.last_on, own.first_on.replace(year=year))


def source_of(filing: Filing, period: FactPeriod, column: Column, *, discussion: bool) -> str:
    """The name of the kind of document and column, see `sources`."""
    report: str = filing.report
    if column.single_quarter:
        return "annual_quarters"
    if discussion and report in ("annual", "half", "quarter"):
        report += "_discussion"
    last = filing.last_on
    if last is None or period.last_on == last:
        return report
    years = last.year - period.last_on.year
    if years > 1 and report in ("annual", "annual_summary"):
        return f"{report}_earlier"
    return f"{report}_prior"


def sentence_fact(
    filing: Filing,
    sentence: Sentence,
    metric: str,
    period: FactPeriod,
    value: tuple[Decimal, str],
    text: str,
    printed_unit: str,
) -> FinancialFact:
    """The fact that a sentence of a filing states of its own period.

    Args:
        value: in base units, and what it is counted in.
        text: its figure as printed.
    """
    return FinancialFact(
        metric=metric,
        company_key=filing.company_key,
        company_code=filing.company_code,
        company_name=filing.company_name,
        period=period,
        value=value[0],
        unit=value[1],
        text=text,
        printed_unit=printed_unit,
        source=source_of(filing, period, Column(), discussion=False),
        place=sentence.places[0],
        quote=sentence.text,
    )


def matched_fact(
    filing: Filing,
    sentence: Sentence,
    metric: str,
    period: FactPeriod,
    match: re.Match[str],
    measure: Measure | None = None,
) -> FinancialFact | None:
    """The fact of an amount that a pattern finds in a sentence; None where it is none.

    Args:
        match: with groups `label`, `text` and, where no measure is given, `unit`.
    """
    measure = measure or measure_of(match["unit"])
    number = number_of(match["text"])
    if measure is None or number is None:
        return None
    value = (number.scaleb(measure.power), measure.unit)
    fact = sentence_fact(filing, sentence, metric, period, value, match["text"], measure.text)
    return replace(fact, label=match["label"])


def _measured(
    kind: MetricKind, measure: Measure | None, currency: str
) -> tuple[str, int, Decimal] | None:
    """Unit, power of ten and factor of a figure of a kind; None where they do not fit."""
    if measure is None:
        return (UNITS["people"], 0, Decimal(1)) if kind == "people" else None
    unit, power = measure.unit, measure.power
    if kind == "amount":
        if "/" in unit or (unit and not measure.currency):
            return None
        return unit or currency, power, Decimal(1)
    if kind in ("per_share", "price"):
        money = measure.currency or ("" if unit else currency)
        if not money or power > 0:
            return None
        return f"{money}/股", power, Decimal(1)
    wanted = UNITS[kind]
    if kind == "share" and unit == "x":
        return wanted, 0, Decimal(100)
    if unit == wanted or (not unit and kind in ("shares", "people")):
        return wanted, power, Decimal(1)
    return None
