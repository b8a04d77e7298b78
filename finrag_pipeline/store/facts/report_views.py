"""What reports expect of their companies and what those told since: typed functions over
`report_views.sql`.

Figures that questions ask for by their names are `query.numbers`'.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("facts/report_views")

#: Metrics of a price that a house expects, whole or by its two ends.
PRICES = ("target_price", "target_price_low", "target_price_high")
#: Metrics by which forecasts are compared.
FORECASTS = ("net_profit_attributable", "revenue", "eps")
#: Days after the end of a fiscal year within which its figures are news.
_TOLD_WITHIN_DAYS = 200


@dataclass(frozen=True, slots=True)
class Expected:
    """A price or a forecast of a whole fiscal year in a report.

    Attributes:
        fact_id: as the views of figures have it.
        fiscal_year: of a price that of its report's day.
    """

    document_id: str
    fact_id: str
    metric: str
    fiscal_year: int
    value: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """The last word of a house on a fiscal year before a day."""

    document_id: str
    fact_id: str
    broker: str
    metric: str
    fiscal_year: int
    value: Decimal
    unit: str
    published_on: date


@dataclass(frozen=True, slots=True)
class Reported:
    """What a company told of a whole fiscal year."""

    document_id: str
    fact_id: str
    company_key: str
    company_name: str | None
    metric: str
    fiscal_year: int
    value: Decimal
    unit: str
    published_on: date


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest figure of a metric; `kind` FY for a whole year, else part."""

    fact_id: str
    metric: str
    fiscal_year: int
    period: str
    last_on: date
    value: Decimal
    unit: str
    kind: str


def views(connection: Connection[Row], document_ids: Collection[str]) -> list[Expected]:
    """The prices and yearly forecasts of some reports, of what is told twice the best first."""
    given = {
        "document_ids": sorted(document_ids),
        "prices": list(PRICES),
        "metrics": list(FORECASTS),
    }
    return [Expected(**row) for row in connection.execute(Q.views, given)]


def said_before(
    connection: Connection[Row], company_key: str, fiscal_years: Collection[int], before: date
) -> list[SaidBefore]:
    """What houses last expected of a company's fiscal years before a day."""
    given = {
        "company_key": company_key,
        "metrics": list(FORECASTS),
        "fiscal_years": sorted(fiscal_years),
        "before": before,
    }
    return [SaidBefore(**row) for row in connection.execute(Q.said_before, given)]


def reported(connection: Connection[Row], document_ids: Collection[str]) -> list[Reported]:
    """What some documents tell first of fiscal years that have just ended, the newest first."""
    given = {
        "document_ids": sorted(document_ids),
        "metrics": list(FORECASTS),
        "within_days": _TOLD_WITHIN_DAYS,
    }
    return [Reported(**row) for row in connection.execute(Q.reported, given)]


def newest_actual(
    connection: Connection[Row], company_key: str, metrics: Collection[str]
) -> list[Newest]:
    """The newest figures of a company, of its last year and of its last part of one."""
    given = {"company_key": company_key, "metrics": list(metrics)}
    return [Newest(**row) for row in connection.execute(Q.newest_actual, given)]
