"""Reports on chains over real Postgres: what they hold, week by week, and publication."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta
from typing import Any

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import Reported, report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.weeks import chain_reports, community_builds
from finrag_pipeline.store.weeks.chain_reports import StoredReport
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, Said, publish

DAY = date(2026, 3, 3)
WEEK = week_of(DAY)
NEXT = WEEK + timedelta(weeks=1)


def says(source: str, day: date, *links: tuple[str, str, str]) -> Report:
    """A report with one statement a chunk."""
    chunks = (Said(((one, None), (other, None)), ((0, how, 1),)) for one, how, other in links)
    return Report(source, day, tuple(chunks))


FIRST = says(
    "first.pdf",
    DAY,
    ("锂衡资源公司", "supplies", "星河新材"),
    ("星河新材", "supplies", "澄光储能"),
    ("澄光储能", "supplies", "远岫能源系统公司"),
    ("星河新材", "competes_with", "铄星材料公司"),
)
LATER = says(
    "later.pdf",
    DAY + timedelta(weeks=1),
    ("远岫能源系统公司", "supplies", "汐原电力股份公司"),
    ("锂衡资源公司", "supplies", "星河新材"),
)


@pytest.fixture
def published(database: Database) -> Database:
    publish(database, FIRST)
    return database


def prepare(run: Run, week: date) -> str:
    build_id = cluster_week(run, week).build_id
    summarise_week(run, week)
    return build_id


def weekly(run: Run, week: date) -> tuple[Reported, list[StoredReport]]:
    prepare(run, week)
    reported = report_week(run, week)
    return reported, stored(run.database, reported.build_id)


def stored(database: Database, build_id: str) -> list[StoredReport]:
    with database.connection() as connection:
        return chain_reports.reports(connection, build_id)


def current(database: Database) -> str | None:
    with database.connection() as connection:
        found = community_builds.current(connection, APP)
        return found.build.build_id if found else None


def chain(reports: list[StoredReport]) -> StoredReport:
    (found,) = (each for each in reports if each.kind == "industry_chain")
    return found


def test_a_week_is_reported_embedded_and_published(run: Run, published: Database) -> None:
    reported, reports = weekly(run, WEEK)
    assert reported.chains == 1 and reported.published and reported.embedded > 0
    assert reported.changed == len(reports) == reported.chains + reported.sectors
    found = chain(reports)
    assert [node["name"] for node in found.content["nodes"]] == [
        "锂衡资源公司",
        "星河新材",
        "澄光储能",
        "远岫能源系统公司",
    ]
    assert found.content["nodes"][1]["codes"] == ["688991.SH"]
    assert current(published) == reported.build_id
    with published.connection() as connection:
        for each in found.citations:
            row = connection.execute(
                "select content from clique_chunks where document_id = %s and ordinal = %s",
                (each["document_id"], each["chunk"]),
            ).fetchone()
            assert row is not None
            assert row["content"][each["start"] : each["end"]] == each["quote"] != ""
            assert (each["source"], each["published_on"]) == ("first.pdf", "2026-03-03")
        count = "select count(*)::int as n from graph_embeddings where kind = 'chain'"
        row = connection.execute(count).fetchone()
    assert row is not None and row["n"] == len(reports)


def test_a_rerun_writes_nothing(run: Run, published: Database) -> None:
    reported, reports = weekly(run, WEEK)
    rows = (
        "select xmin::text, ctid::text from chain_reports union all "
        "select xmin::text, ctid::text from community_builds order by 1, 2"
    )

    def versions() -> list[dict[str, Any]]:
        with published.connection() as connection:
            return connection.execute(rows).fetchall()

    before = versions()
    again = report_week(run, WEEK)
    assert (again.embedded, again.published) == (0, False)
    assert (again.chains, again.changed) == (reported.chains, reported.changed)
    assert versions() == before and stored(published, reported.build_id) == reports


def test_the_next_week_tells_what_changed(run: Run, published: Database) -> None:
    first = chain(weekly(run, WEEK)[1])
    publish(published, LATER)
    _, reports = weekly(run, NEXT)
    found = chain(reports)
    assert found.chain_id == first.chain_id
    changes = found.changes
    assert changes["since"]["week"] == WEEK.isoformat()
    assert [each["name"] for each in changes["nodes"]["new"]] == ["汐原电力股份公司"]
    (link,) = changes["links"]["new"]
    assert (link["src_name"], link["dst_name"]) == ("远岫能源系统公司", "汐原电力股份公司")
    assert "新增主体：汐原电力股份公司" in found.text
    third = chain(weekly(run, NEXT + timedelta(weeks=1))[1])
    assert third.chain_id == first.chain_id
    assert f"与 {NEXT} 起的一周相比没有变化" in third.text


def test_an_older_week_leaves_later_ones_alone(run: Run, published: Database) -> None:
    publish(published, LATER)
    later, reports = weekly(run, NEXT)
    older, _ = weekly(run, WEEK)
    assert older.published
    assert current(published) == later.build_id
    assert stored(published, later.build_id) == reports
    # what was published later is not in it
    assert "汐原电力" not in chain(stored(published, older.build_id)).text


def test_what_is_withdrawn_is_not_told(run: Run, published: Database) -> None:
    document = publish(published, LATER)
    prepare(run, NEXT)
    withdraw_document(published, APP, document.document_id)
    report_week(run, NEXT)
    found = chain(stored(published, current(published) or ""))
    assert {each["source"] for each in found.citations} == {"first.pdf"}
    assert "汐原电力" not in found.text


def test_earlier_steps_must_have_been_done(run: Run, published: Database) -> None:
    with pytest.raises(ConfigurationError, match=r"leiden_communities .*finrag rebuild --week"):
        report_week(run, WEEK)
    cluster_week(run, WEEK)
    with pytest.raises(ConfigurationError, match=r"community_summaries .*finrag rebuild --week"):
        report_week(run, WEEK)


class Crashed(Exception):
    pass


@pytest.mark.parametrize("step", ["chain_reports", "entity_graph"])
def test_a_crash_leaves_the_old_build_serving(run: Run, published: Database, step: str) -> None:
    first, _ = weekly(run, WEEK)
    publish(published, LATER)
    build_id = prepare(run, NEXT)

    def crash(stage: str, done: int, total: int) -> None:
        if stage == step:
            raise Crashed

    with pytest.raises(Crashed):
        report_week(dataclasses.replace(run, progress=crash), NEXT)
    assert current(published) == first.build_id
    assert report_week(run, NEXT).published
    assert current(published) == build_id
    with published.connection() as connection:
        row = connection.execute(
            "select count(*)::int as n from chain_reports where build_id <> all(%s)",
            ([first.build_id, build_id],),
        ).fetchone()
    assert row is not None and row["n"] == 0
