"""Which figures a list shows, in parts, and what they say side by side: over `fact_lists.sql`.

Every function is for a reader's connection: the views know no application but the one it is set to.
What is told of each figure is `cited_facts.read`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("facts/fact_lists")

#: Figures of one matter that are shown side by side, at most.
_ALIKE = 20


@dataclass(frozen=True, slots=True)
class FigureFilter:
    """What figures of a list have; None for any.

    Attributes:
        company_keys: those of all listings of a company.
        period: FY, H1, Q3 …
        segment: empty for the whole company.
        document_id: that prints them.
        published_from: with `published_to` the days of publication.
    """

    company_keys: tuple[str, ...] | None = None
    metric: str | None = None
    fiscal_year_from: int | None = None
    fiscal_year_to: int | None = None
    period: str | None = None
    scope: str | None = None
    nature: str | None = None
    broker: str | None = None
    segment: str | None = None
    document_id: str | None = None
    published_from: date | None = None
    published_to: date | None = None


@dataclass(frozen=True, slots=True)
class HeldMetric:
    """A metric that figures of a company are held of."""

    metric: str
    figures: int
    first_fiscal_year: int
    last_fiscal_year: int


@dataclass(frozen=True, slots=True)
class HeldCompany:
    """A company as the best source of its figures names it."""

    company_key: str
    company_code: str | None
    company_name: str | None


@dataclass(frozen=True, slots=True)
class Disputed:
    """Figures that speak of the same and differ beyond rounding, the one believed first."""

    company_key: str
    metric: str
    fiscal_year: int
    period: str
    scope: str
    unit: str
    fact_ids: list[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A house's last forecast of a year before the year was reported, and what came true."""

    forecast_id: str
    actual_id: str


def matching(
    connection: Connection[Row], wanted: FigureFilter, limit: int, offset: int, *, best: bool
) -> tuple[list[str], int]:
    """Ids of a part of the figures that a filter leaves, the newest period first, and their number.

    Args:
        best: of figures that speak of the same only the one that is believed.
    """
    given = asdict(wanted) | {"limit": limit, "offset": offset}
    keys = wanted.company_keys
    given["company_keys"] = list(keys) if keys is not None else None
    row = connection.execute(Q.matching_best if best else Q.matching, given).fetchone()
    assert row is not None  # of aggregates
    return row["fact_ids"], row["total"]


def metrics_of(connection: Connection[Row], company_keys: Collection[str]) -> list[HeldMetric]:
    """The metrics of a company, those with the most figures first."""
    rows = connection.execute(Q.metrics_of, {"company_keys": sorted(company_keys)})
    return [HeldMetric(**row) for row in rows]


def periods_of(
    connection: Connection[Row], company_keys: Collection[str], metrics: Collection[str]
) -> list[tuple[int, str]]:
    """Fiscal years and their parts that a company reports some metrics of, or a house expects
    them of, in order of time."""
    given = {"company_keys": sorted(company_keys), "metrics": sorted(metrics)}
    rows = connection.execute(Q.periods_of, given)
    return [(row["fiscal_year"], row["period"]) for row in rows]


def companies(connection: Connection[Row], company_keys: Collection[str]) -> list[HeldCompany]:
    """Those of some companies that figures are held of."""
    rows = connection.execute(Q.companies, {"company_keys": sorted(company_keys)})
    return [HeldCompany(**row) for row in rows]


def disputed(
    connection: Connection[Row],
    company_keys: Collection[str],
    metrics: Collection[str] | None,
    fiscal_year: int | None,
    *,
    but: Collection[str] = (),
) -> list[Disputed]:
    """What sources on a company contradict each other in, the newest period first.

    Args:
        metrics: only these; None: all.
        but: not these.
    """
    given: Row = {"company_keys": sorted(company_keys), "alike": _ALIKE, "but": sorted(but)}
    given |= {"metrics": sorted(metrics) if metrics is not None else None}
    given |= {"fiscal_year": fiscal_year}
    return [Disputed(**row) for row in connection.execute(Q.disputed, given)]


def outcomes(
    connection: Connection[Row],
    metrics: Collection[str],
    company_keys: Collection[str] | None,
    broker: str | None,
    most: int,
) -> list[Outcome]:
    """What houses expected of fiscal years that are reported since, the newest year first."""
    keys = sorted(company_keys) if company_keys is not None else None
    given = {"metrics": sorted(metrics), "company_keys": keys, "broker": broker, "most": most}
    return [Outcome(**row) for row in connection.execute(Q.outcomes, given)]
