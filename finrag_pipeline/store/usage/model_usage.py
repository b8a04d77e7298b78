"""What runs spent on chat models: typed functions over `model_usage.sql`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("usage/model_usage")


@dataclass(frozen=True, slots=True)
class Spent:
    """Requests that a model answered, those that stored replies answered, tokens and money."""

    calls: int
    cached_calls: int
    tokens: int
    cost: float


@dataclass(frozen=True, slots=True)
class SpentByRun(Spent):
    """What one run spent, and when it last asked."""

    run_id: str
    ended_at: datetime


def add(
    connection: Connection[Row],
    *,
    app_id: str,
    run_id: str,
    asset: str,
    document_id: str | None,
    model: str,
    calls: int,
    cached_calls: int,
    prompt_tokens: int,
    completion_tokens: int,
    counted_prompt_tokens: int,
    cost: float,
) -> None:
    """Add to what an asset of a run spent on a document, or on none in particular.

    Args:
        prompt_tokens: as the server counts them; `counted_prompt_tokens` as we do.
        cost: in the currency of the prices.
    """
    connection.execute(
        Q.add_usage,
        {
            "app_id": app_id,
            "run_id": run_id,
            "asset": asset,
            "document_id": document_id,
            "model": model,
            "calls": calls,
            "cached_calls": cached_calls,
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "counted_prompt_tokens": counted_prompt_tokens,
            "cost": cost,
        },
    )


def spent(connection: Connection[Row], app_id: str, run_id: str) -> tuple[int, float]:
    """Tokens and money that a run has spent so far, all its assets together."""
    row = connection.execute(Q.spent_by_run, {"app_id": app_id, "run_id": run_id}).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row["tokens"], row["cost"]


def spent_by_asset(connection: Connection[Row], app_id: str, run_id: str, asset: str) -> Spent:
    """What an asset of a run has spent so far."""
    given = {"app_id": app_id, "run_id": run_id, "asset": asset}
    row = connection.execute(Q.spent_by_asset, given).fetchone()
    assert row is not None  # an aggregate
    return Spent(**row)


def spent_since(connection: Connection[Row], app_id: str, days: int | None = None) -> Spent:
    """What runs and questions of an app have spent, within so many days or in all."""
    row = connection.execute(Q.spent_since, {"app_id": app_id, "days": days}).fetchone()
    assert row is not None  # an aggregate
    return Spent(**row)


def last_runs(
    connection: Connection[Row], app_id: str, questions: str, runs: int
) -> list[SpentByRun]:
    """What the last runs of an app have spent, the newest first.

    Args:
        questions: what stands for a run where questions were accounted.
    """
    given = {"app_id": app_id, "questions": questions, "runs": runs}
    return [SpentByRun(**row) for row in connection.execute(Q.last_runs, given)]
