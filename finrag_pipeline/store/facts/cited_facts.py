"""What stands behind figures that answers cite: typed functions over `cited_facts.sql`.

Writing figures belongs to `financial_facts`, choosing them to `query.numbers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("facts/cited_facts")
#: Figures that speak of the same, at most.
_MOST = 20


def read(connection: Connection[Row], fact_ids: Sequence[str]) -> list[Row]:
    """The figures of some ids as the views have them, in no particular order.

    What readers do not see has no row. `page` and `bbox` are None for what a user supplied.
    """
    parts = [each.rpartition("/") for each in fact_ids]
    found = {
        "owners": [owner for owner, _, _ in parts],
        "ordinals": [int(ordinal) for _, _, ordinal in parts],
    }
    printed = connection.execute(Q.printed, found).fetchall()
    if len(printed) == len(parts):
        return printed
    return printed + connection.execute(Q.supplied, found).fetchall()


def said_alike(
    connection: Connection[Row],
    *,
    company_key: str,
    metric: str,
    segment: str,
    fiscal_year: int,
    period: str,
    scope: str,
    nature: str,
    broker: str | None,
) -> list[str]:
    """Ids of the figures that speak of the same, the one that is believed first."""
    wanted = {
        "company_key": company_key,
        "metric": metric,
        "segment": segment,
        "fiscal_year": fiscal_year,
        "period": period,
        "scope": scope,
        "nature": nature,
        "broker": broker,
        "most": _MOST,
    }
    return [row["fact_id"] for row in connection.execute(Q.said_alike, wanted)]
