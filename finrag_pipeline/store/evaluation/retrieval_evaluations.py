"""Measures of search by week: typed functions over `retrieval_evaluations.sql`.

What is measured, and how, belongs to `evaluation.retrieval`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("evaluation/retrieval_evaluations")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One variant of search on one question file in one week; values by measure, 0 to 1.

    Attributes:
        questions: the file's name with its folder; `questions_sha256` of its bytes.
        error_count: questions that raised an error, which count 0.
        space: of the vectors that were searched.
    """

    week: date
    questions: str
    variant: str
    values: Mapping[str, float]
    question_count: int
    error_count: int
    questions_sha256: str
    release: str
    space: str


def replace_week(
    connection: Connection[Row], app_id: str, week: date, evaluations: Sequence[Evaluation]
) -> None:
    """Store what was measured of a week, in place of what was before."""
    connection.execute(Q.forget, {"app_id": app_id, "week": week})
    for each in evaluations:
        shared = {name: value for name, value in asdict(each).items() if name != "values"}
        for measure, value in each.values.items():
            connection.execute(
                Q.add, {"app_id": app_id, **shared, "measure": measure, "value": value}
            )


def history(connection: Connection[Row], app_id: str, measures: Sequence[str]) -> list[Row]:
    """Some measures of all weeks, oldest first."""
    return connection.execute(Q.history, {"app_id": app_id, "measures": list(measures)}).fetchall()


def count_rows(connection: Connection[Row], app_id: str) -> int:
    """Rows of all weeks of an app."""
    row = connection.execute(Q.count_rows, {"app_id": app_id}).fetchone()
    assert row is not None  # of an aggregate
    return row["rows"]
