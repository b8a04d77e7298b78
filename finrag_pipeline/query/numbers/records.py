"""A question for figures as it is understood, and what was found and worked out for it.

Frozen values; how questions are read is `reading`, how they are worked out `execute`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from finrag_pipeline.query.numbers.expressions import Expression, Nature
from finrag_pipeline.records.facts import PeriodKind, Scope

#: What is done with the figures: each told by itself; one made of all; the greatest or least of
#: them; all in order; those that meet a condition; how many do; `whether` they do, each told with
#: its figure. `consensus` is the mean over brokers, `range` what they span, `apart` how far the
#: greatest lies from the least, `cagr` the yearly growth from the first period to the last, `times`
#: and `share_of` the first of two figures by the second.
Operation = Literal[
    "value",
    "sum",
    "mean",
    "median",
    "maximum",
    "minimum",
    "rank",
    "filter",
    "count",
    "whether",
    "cagr",
    "consensus",
    "range",
    "apart",
    "times",
    "share_of",
]
Comparison = Literal[">", ">=", "<", "<=", "=", "!="]
#: Why there is no value: a figure is not held; it cannot be worked out of those held; its parts
#: are in different units; sources of one rank contradict each other.
Status = Literal["found", "missing", "not_derivable", "units_differ", "conflicting"]


@dataclass(frozen=True, slots=True)
class AskedCompany:
    """A company that a question names.

    Attributes:
        keys: whom it may mean, each a `company_key`; more than one is to be asked back.
        text: as the question writes it.
        name: of the first of them, as its documents have it.
        also: other keys of the same company: those of its other listings.
    """

    keys: tuple[str, ...]
    text: str
    name: str = ""
    also: tuple[str, ...] = ()

    @property
    def key(self) -> str | None:
        """Its key where it means one company alone."""
        return self.keys[0] if len(self.keys) == 1 else None


@dataclass(frozen=True, slots=True)
class AskedHouse:
    """A house whose figures a question asks for.

    Attributes:
        name: under which its documents are kept.
        published: first and last day of the document that is meant; None for its newest.
        notes: those of its notes on the report that is named, 一季报点评; None where none is.
    """

    name: str
    published: tuple[date, date] | None = None
    notes: tuple[date, date] | None = None


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """A part of a fiscal year that is asked for; 9M is the sum up to its end, Q3 the quarter alone.

    >>> str(AskedPeriod(2024, "FY")), str(AskedPeriod(2024, "9M"))
    ('2024', '2024-9M')
    """

    fiscal_year: int
    kind: PeriodKind

    def __str__(self) -> str:
        """One spelling for all: 2024, 2024H1, 2024Q3, 2024-9M."""
        if self.kind == "FY":
            return str(self.fiscal_year)
        return f"{self.fiscal_year}{'-' if self.kind == '9M' else ''}{self.kind}"


@dataclass(frozen=True, slots=True)
class Measure:
    """What a question measures: a metric of the vocabulary, a formula, or a ratio that it writes.

    Attributes:
        name: of the metric or formula; of what is written out, its metrics and signs.
        expression: how it is worked out; one `Figure` for a metric.
        alternatives: how else, in order, where figures of it are not held.
        kind: what its value is counted in: that of its figures, a share of a hundred, a plain
            number, days.
        name_zh: as answers in Chinese call it.
        name_en: as answers in English call it.
        text: as the question writes it.
        printed: metrics that documents print the same under, told where it cannot be worked out.
        prefers_printed: whether what is printed is told before what would be worked out.
        change: whether it is a growth on the year or quarter before, or the difference to it.
        grown: of a change the metrics that it may be printed behind.
        since: of a change the period that it is counted from, where the question names another than
            the one a year or a quarter before.
        decimals: digits after the point that it is told with; None: as its figures have them.
    """

    name: str
    expression: Expression
    kind: Literal["figure", "percent", "plain", "days"]
    name_zh: str
    name_en: str
    text: str = ""
    alternatives: tuple[Expression, ...] = ()
    printed: tuple[str, ...] = ()
    prefers_printed: bool = False
    change: Literal["", "year_on_year", "quarter_on_quarter", "difference"] = ""
    grown: tuple[str, ...] = ()
    since: AskedPeriod | None = None
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """What a figure must be: over 5000万元, below the mean, over another measure.

    Attributes:
        measure: of the question's measures, the one that is compared.
        value: in base units, 20 for 20%; None where it is compared with `other` or `average`.
        unit: of the value as facts have it; empty for a plain number.
        average: `mean` or `median` of all that is asked over.
        magnitude: whether its sign is left out.
    """

    measure: Measure
    comparison: Comparison
    value: Decimal | None = None
    unit: str = ""
    other: Measure | None = None
    average: Literal["", "mean", "median"] = ""
    magnitude: bool = False


@dataclass(frozen=True, slots=True)
class NumberQuestion:
    """A question for figures as the grammar reads it.

    Attributes:
        text: as asked.
        operation: what is done with the figures.
        companies: whom it names, in order; empty with `everyone`, or where it names none.
        everyone: whether it asks over all companies held.
        yearly: whether the yearly growth over its periods is asked for.
        recent: so many years up to the latest; 0 where it names times or none.
        measures: what it asks for, in order; never empty.
        periods: for which it asks, in order; empty for the latest held.
        latest: whether it names the latest; also true where it names no period.
        conditions: what figures must be; all of them.
        natures: of the figures asked for; two for forecast against actual.
        houses: whose forecasts; empty for those of all.
        every_house: whether it asks for those of all.
        apart: whether it asks how far those that are compared lie from each other.
        segments: the business, region or product whose figures it asks for; as written.
        limit: how many of an order; None for all.
        descending: whether the greatest come first.
        unit: `万元`, `亿元`, `million` … that the answer is asked in; empty as is.
        decimals: digits after the point that the answer is asked with.
        currency: ISO code that the question names.
        base: the period that growths and differences are counted from, where it is not the one
            before.
        magnitude: whether greatest and least go by size without sign.
        not_understood: words that nothing explains; what is not empty must not be answered as if
            it were not there.
    """

    text: str
    operation: Operation
    companies: tuple[AskedCompany, ...]
    measures: tuple[Measure, ...]
    periods: tuple[AskedPeriod, ...] = ()
    everyone: bool = False
    yearly: bool = False
    recent: int = 0
    latest: bool = False
    conditions: tuple[Condition, ...] = ()
    natures: tuple[Nature, ...] = ("actual",)
    scope: Scope = "consolidated"
    houses: tuple[AskedHouse, ...] = ()
    every_house: bool = False
    apart: bool = False
    segments: tuple[str, ...] = ()
    limit: int | None = None
    descending: bool = True
    magnitude: bool = False
    unit: str = ""
    decimals: int | None = None
    currency: str | None = None
    base: AskedPeriod | None = None
    not_understood: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldFact:
    """A row of the view `best_facts`, as far as numbers need it."""

    fact_id: str
    company_key: str
    company_code: str | None
    company_name: str | None
    metric: str
    segment: str
    fiscal_year: int
    period: PeriodKind
    first_on: date | None
    last_on: date
    value: Decimal
    unit: str
    currency: str | None
    scope: Scope
    nature: Nature
    restated: bool
    broker: str | None
    source: str
    source_rank: int
    checked: bool | None
    published_on: date | None
    document_id: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: what was put in, and what came out.

    Attributes:
        name: of what is worked out: a metric's name, a formula's, `revenue 2024Q3`.
        shown: the calculation with its figures, exact: `(100 - 80) / 80`.
        value: what came out, unrounded up to 40 digits.
        fact_ids: facts whose figures stand in it.
    """

    name: str
    shown: str
    value: Decimal
    unit: str
    fact_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One figure of an answer.

    Attributes:
        company_key: empty where it is over several companies.
        period: it is of; None where it is over several.
        value: unrounded, in `unit`; None where `status` is not found.
        unit: as facts have them: `CNY`, `CNY/股`, `%`, `x`, `人`; empty for a plain number.
        facts: rows that it stands on, in order of first use; their `fact_id`s are cited.
        steps: how it was worked out, in order; empty for a figure as held.
        status: found, or why not.
        reason: for a person, in English, where it is not found.
        notes: what must be said beside it: `only_cumulative_held`, `negative_base`,
            `statement_does_not_add_up`, `restated`, `as_printed`.
        otherwise: the same figure where the base of a growth is read the other way: as it was told
            at first or as it was adjusted later; None where both are one.
        rank: its place in an order, from 1; equal values share one.
        broker: whose forecast.
        published: first and last day of the document that is meant of it; None for the newest.
    """

    company_key: str
    company_name: str | None
    company_code: str | None
    measure: Measure
    period: AskedPeriod | None
    value: Decimal | None
    unit: str
    facts: tuple[HeldFact, ...] = ()
    steps: tuple[Step, ...] = ()
    status: Status = "found"
    reason: str = ""
    notes: tuple[str, ...] = ()
    nature: Nature = "actual"
    broker: str | None = None
    published: tuple[date, date] | None = None
    segment: str = ""
    otherwise: NumberRow | None = None
    rank: int | None = None

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """The facts that it stands on."""
        return tuple(each.fact_id for each in self.facts)


@dataclass(frozen=True, slots=True)
class NumberResult:
    """What was found for a question.

    Attributes:
        rows: the answer's figures in order; for a count, those that are counted.
        summary: the one figure made of all: a sum, a mean, a count; None where there is none.
        compared: what a condition on the mean compared with.
        without: companies or periods left out since a figure of them is missing.
        nearest: facts held of what only resembles the question: another period, scope or metric.
        sql: the statements that were run, in order, with their parameters in place.
        cut: whether there were more figures than may be read: nothing made of all is told then.
    """

    question: NumberQuestion
    rows: tuple[NumberRow, ...] = ()
    summary: NumberRow | None = None
    compared: Decimal | None = None
    without: tuple[NumberRow, ...] = ()
    nearest: tuple[HeldFact, ...] = ()
    sql: tuple[str, ...] = ()
    cut: bool = False
