"""Weekly measures: a week that is measured again is replaced, and each application has its own."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.evaluation import retrieval_evaluations as store
from finrag_pipeline.store.evaluation.retrieval_evaluations import Evaluation

FIRST, SECOND = date(2026, 3, 1), date(2026, 3, 8)


def measured(week: date, recall: float) -> Evaluation:
    values = {"R@10": recall, "MRR@10": recall / 2}
    return Evaluation(week, "q", "as shipped", values, 10, 0, "hash", "1", "space")


def test_a_week_is_replaced_and_apps_stand_apart(database: Database) -> None:
    with database.transaction() as connection:
        store.replace_week(connection, "a", SECOND, [measured(SECOND, 0.8)])
        store.replace_week(connection, "a", FIRST, [measured(FIRST, 0.6)])
        store.replace_week(connection, "b", FIRST, [measured(FIRST, 0.1)])
        store.replace_week(connection, "a", FIRST, [measured(FIRST, 0.7)])
        found = store.history(connection, "a", ["R@10"])
        assert [(row["week"], row["value"]) for row in found] == [(FIRST, 0.7), (SECOND, 0.8)]
        assert store.count_rows(connection, "a") == 4
        store.replace_week(connection, "a", FIRST, [])
        assert store.count_rows(connection, "a") == 2
        assert store.count_rows(connection, "b") == 2
