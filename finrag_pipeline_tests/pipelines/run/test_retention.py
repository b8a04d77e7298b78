"""What goes by its age, where settings say so, and what stays."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

from finrag_pipeline.pipelines.run.retention import Forgotten, forget_old
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import model_replies
from finrag_pipeline.store.weeks import community_builds
from finrag_pipeline_tests.pipelines.communities import WEEK, publish_groups
from finrag_pipeline_tests.pipelines.graph_documents import APP


def keeping(run: Run, **kept: int) -> Run:
    return dataclasses.replace(run, settings=run.settings.model_copy(update=kept))


def build_weeks(run: Run, weeks: int) -> list[str]:
    """Weekly builds, the oldest first, as the schedule makes them."""
    made: list[str] = []
    for number in range(weeks):
        week = WEEK + timedelta(weeks=number)
        made.append(cluster_week(run, week).build_id)
        summarise_week(run, week)
        report_week(run, week)
    return made


def rows(database: Database, statement: str) -> list[str]:
    with database.connection() as connection:
        return [str(row["v"]) for row in connection.execute(statement)]  # pyright: ignore


def test_by_default_everything_stays(run: Run, database: Database) -> None:
    publish_groups(database)
    made = build_weeks(run, 2)
    with database.transaction() as connection:
        model_replies.keep(connection, "old", "s", "m", "reply")
        connection.execute("update model_replies set replied_at = now() - interval '9 years'")
    assert forget_old(run) == Forgotten()
    assert sorted(rows(database, "select build_id v from community_builds")) == sorted(made)
    assert rows(database, "select request_sha256 v from model_replies") == ["old"]


def test_the_last_builds_stay_with_all_that_is_theirs(run: Run, database: Database) -> None:
    publish_groups(database)
    first, second, third = build_weeks(keeping(run, keep_builds=2), 3)
    assert set(rows(database, "select build_id v from community_builds")) == {second, third}
    for table in ("leiden_communities", "community_members", "chain_reports"):
        left = rows(database, f"select distinct build_id v from {table}")
        assert first not in left and third in rows(database, f"select build_id v from {table}")
    vectors = "select distinct src_entity_id v from graph_embeddings where kind = 'chain'"
    assert first not in rows(database, vectors)
    assert first in rows(database, "select document_id v from index_changes")
    # reports that the builds share are the later ones' too
    lost = "select l.report_id v from leiden_communities l left join community_summaries s"
    assert (
        rows(database, f"{lost} using (report_id) where s.report_id is null and l.report_id > ''")
        == []
    )
    with database.connection() as connection:
        serving = community_builds.current(connection, APP)
    assert serving is not None and serving.build.build_id == third


def test_replies_of_long_ago_go(run: Run, database: Database) -> None:
    with database.transaction() as connection:
        for name in ("old", "new"):
            model_replies.keep(connection, name, "s", "m", "reply")
        connection.execute(
            "update model_replies set replied_at = now() - interval '31 days'"
            " where request_sha256 = 'old'"
        )
    assert forget_old(keeping(run, keep_replies_days=30)) == Forgotten(replies=1)
    assert rows(database, "select request_sha256 v from model_replies") == ["new"]
