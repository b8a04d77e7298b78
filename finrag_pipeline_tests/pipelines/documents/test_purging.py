"""A document that is purged leaves none of its words: in tables, keyword copies, weekly builds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from finrag_pipeline.pipelines.documents.indexed_documents import (
    purge_document,
    withdraw_document,
)
from finrag_pipeline.pipelines.graph.graph_rebuild import settle_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.usage import model_replies
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

KEPT = (
    "锂衡资源股份有限公司向星河新材料股份有限公司供应碳酸锂。"
    "星河新材料股份有限公司向澄光储能股份有限公司供应正极材料。",
    "澄光储能股份有限公司与远岫能源股份有限公司竞争，双方都向汐原电力供应储能系统。",
)
PURGED = (
    "紫曜超导股份有限公司向星河新材料股份有限公司供应钇钡母线，合同金额为7.913亿元。",
    "星河新材料股份有限公司向紫曜超导股份有限公司采购钇钡母线，紫曜超导的主要风险是液氦短缺。",
)
WORDS = ("紫曜超导", "钇钡", "7.913", "液氦短缺")
WEEKS = (week_of(DAY), week_of(DAY) + timedelta(weeks=1))


@pytest.fixture
def held(run: Run, inbox: Path) -> str:
    """Two documents and two weeks over them, and a reply made of the second; its id."""
    make_pdf(inbox / "kept.pdf", *KEPT)
    make_pdf(inbox / "purged.pdf", *PURGED)
    ingest(run, [inbox])
    for week in WEEKS:
        build(run, week)
    with run.database.transaction() as connection:
        model_replies.keep(connection, "0" * 64, "http://127.0.0.1", "m", f"关于{WORDS[0]}的背景")
    with run.database.connection() as connection:
        row = connection.execute(
            "select document_id from document_sources where name = 'purged.pdf'"
        ).fetchone()
    return row["document_id"]


def build(run: Run, week: date) -> None:
    cluster_week(run, week)
    summarise_week(run, week)
    report_week(run, week)


def tables_with_words(database: Database) -> dict[str, list[str]]:
    """By table, the words of the purged document that any of its rows holds."""

    def held_words(table: str) -> Iterator[str]:
        for word in WORDS:
            found = connection.execute(
                f'select from "{table}" t where strpos(t::text, %s) > 0', [word]
            )
            if found.fetchone() is not None:
                yield word

    with database.connection() as connection:
        names = connection.execute(
            "select relname from pg_class where relkind = 'r'"
            " and relnamespace = current_schema::regnamespace"
        ).fetchall()
        found = {name["relname"]: [*held_words(name["relname"])] for name in names}
    return {table: words for table, words in found.items() if words}


def test_a_withdrawn_document_stays_in_what_older_weeks_tell(run, held, database):
    """Else the test below would show nothing."""
    withdraw_document(database, "default", held)
    settle_graph(run)
    left = tables_with_words(database)
    assert set(left) == {"chain_reports", "community_summaries", "model_replies"}


def test_no_table_holds_a_word_of_a_purged_document(run, held, database):
    purged = purge_document(database, "default", held)
    assert purged.builds == 2
    assert purged.communities >= 2
    assert purged.chains >= 1
    assert purged.replies == 1
    settle_graph(run)
    assert tables_with_words(database) == {}


def test_the_next_rebuild_writes_what_the_others_say(run, held, database):
    purge_document(database, "default", held)
    settle_graph(run)
    build(run, WEEKS[1])
    assert tables_with_words(database) == {}
    with database.connection() as connection:
        row = connection.execute(
            "select count(*) filter (where c.no_report like '%%purged%%') as without,"
            " count(c.report_id) as reports"
            " from leiden_communities c join community_builds b using (build_id)"
            " where b.week = %s and b.published_at is not null",
            [WEEKS[1]],
        ).fetchone()
    assert row["without"] == 0
    assert row["reports"] > 0


def test_another_app_keeps_its_own(run, other_app, inbox, held, database):
    ingest(other_app, [inbox])
    purge_document(database, "default", held)
    with database.connection() as connection:
        rows = connection.execute(
            "select distinct app_id from cleaned_text where strpos(text, %s) > 0", [WORDS[1]]
        ).fetchall()
    assert [row["app_id"] for row in rows] == ["other"]


def test_keyword_copies_lose_their_files(held, database, reader: Reader, tmp_path):
    """A deleted entry stays in the files of a copy until they are merged: they go as a whole."""
    index = KeywordIndex(tmp_path, reader)
    where = Filter("default")
    assert index.search(WORDS[1], 5, where)
    (before,) = tmp_path.rglob("g-*")
    purge_document(database, "default", held)
    assert not index.search(WORDS[1], 5, where)
    (after,) = tmp_path.rglob("g-*")
    assert after != before
    # once is enough
    index.search(WORDS[1], 5, where)
    assert [*tmp_path.rglob("g-*")] == [after]
