"""The graph follows documents: in whatever order they come and go, it is what is built afresh."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from psycopg import Connection

from finrag_pipeline.errors import NotFound
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph import entity_decisions as decisions
from finrag_pipeline.pipelines.graph import entity_graph
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.sql_files import sql_directory
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.graph import entity_graph as graph
from finrag_pipeline.store.graph import graph_check
from finrag_pipeline.store.search import embeddings
from finrag_pipeline_tests.pipelines.graph.edge_model import assert_edges_are_as_modelled
from finrag_pipeline_tests.pipelines.graph_documents import (
    APP,
    Report,
    Said,
    graph_rows,
    publish,
)

DAY = date(2026, 3, 2)
FULL = ("星河新材", "澄光储能", "远岫能源系统公司", "汐原电力股份公司", "锂衡资源公司")
SHORT = ("远岫", "汐原", "锂衡", "澄光")


@pytest.fixture
def embedder(database: Database) -> OfflineEmbedder:
    embedder = OfflineEmbedder()
    with database.transaction() as connection:
        embeddings.ensure_space(connection, embedder.space)
    return embedder


def said() -> SearchStrategy[Said]:
    names = st.lists(
        st.tuples(st.sampled_from(FULL + SHORT), st.sampled_from((None, None, *SHORT))),
        min_size=1,
        max_size=4,
    ).map(tuple)

    def relate(given: tuple[tuple[str, str | None], ...]) -> SearchStrategy[Said]:
        place = st.integers(0, len(given) - 1)
        relation = st.sampled_from(("supplies", "cooperates_with", "supplies"))
        relations = st.lists(st.tuples(place, relation, place), max_size=2).map(tuple)
        modality = st.sampled_from(("asserted", "asserted", "conditional", "negated"))
        return st.builds(Said, st.just(given), relations, modality)

    return names.flatmap(relate)


def reports() -> SearchStrategy[Report]:
    return st.builds(
        Report,
        st.integers(0, 11).map("{}.pdf".format),
        st.integers(0, 4).map(lambda days: DAY + timedelta(days)),
        st.lists(said(), min_size=1, max_size=3).map(tuple),
    )


def empty(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute("truncate documents, entities, entity_members, entity_edges cascade")
        connection.execute("truncate entity_neighbours, entity_summaries, graph_embeddings")
        connection.execute("truncate name_descriptions, name_variants, entity_descriptions")
        connection.execute("truncate edge_documents, edge_descriptions, alias_links")
        connection.execute("truncate document_sources, entity_decisions")


def finish(database: Database, embedder: OfflineEmbedder) -> dict[str, list[str]]:
    write_summaries(Run(database, Settings(_env_file=None), Scope(APP)))
    embed_graph(database, APP, embedder)
    return graph_rows(database)


def held(database: Database) -> dict[str, str]:
    """Which content of each file readers see: source to document."""
    with database.connection() as connection:
        rows = connection.execute("select source, document_id from current_documents").fetchall()
    return {row["source"]: row["document_id"] for row in rows}


def every_name(connection: Connection[dict[str, Any]]) -> set[str]:
    """Every name that is used, declared or decided on: at some time it was an entity."""
    rows = connection.execute(
        "select name_id from entity_names union select name_id from entity_members"
    )
    return {row["name_id"] for row in rows}


many = settings(
    max_examples=12,
    deadline=None,
    # a failing example is short enough as it is; making it shorter takes minutes
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@many
@given(st.data())
def test_in_any_order_the_graph_is_the_one_built_afresh(
    database: Database, embedder: OfflineEmbedder, data: st.DataObject
) -> None:
    empty(database)
    last: dict[str, tuple[str, Report]] = {}
    for report in data.draw(st.lists(reports(), min_size=3, max_size=14)):
        document = publish(database, report)
        last[report.source] = (document.document_id, report)
        if data.draw(st.integers(0, 3)) == 0:
            source = data.draw(st.sampled_from(sorted(last)))
            withdraw_document(database, APP, last.pop(source)[0])
        if data.draw(st.integers(0, 3)) == 0:
            finish(database, embedder)  # what a night in between leaves
    grown = finish(database, embedder)
    left = held(database)
    with database.connection() as connection:
        assert_edges_are_as_modelled(connection, APP)
        ids = [row["entity_id"] for row in connection.execute("select entity_id from entities")]
        stored = graph_check.entities(connection, APP, ids)
        assert stored == graph.describe_entities(connection, APP, ids)
    assert differences(database, APP, most=99) == []
    chosen = [report for _, report in last.values() if report.source in left]

    with database.transaction() as connection:
        entity_graph.rebuild(connection, APP)
    assert finish(database, embedder) == grown

    empty(database)
    for report in data.draw(st.permutations(chosen)):
        publish(database, report)
    assert held(database) == left
    assert finish(database, embedder) == grown


@many
@given(st.lists(reports(), min_size=4, max_size=10), st.integers(0, 4))
def test_as_of_a_day_the_graph_is_that_of_what_was_published(
    database: Database, given: list[Report], days: int
) -> None:
    empty(database)
    day = DAY + timedelta(days)
    unique = {report.source: report for report in given}.values()
    for report in unique:
        publish(database, report)
    with database.connection() as connection:
        ids = every_name(connection)
        then = graph.describe_entities(connection, APP, ids, day)
        steps = neighbours(connection, day)
    empty(database)
    for report in unique:
        if report.published_on <= day:
            publish(database, report)
    with database.connection() as connection:
        now = graph.describe_entities(connection, APP, ids)
        assert then == now
        assert steps == neighbours(connection, date.max)
        stored = connection.execute("select entity_id, name from entities order by 1").fetchall()
    assert stored == [{"entity_id": row["entity_id"], "name": row["name"]} for row in now]


def neighbours(connection, day: date) -> list[dict[str, object]]:  # type: ignore[no-untyped-def]
    return connection.execute(
        "select entity_id, neighbour_id, edge_type, outgoing, weight from entity_neighbours "
        "where since <= %(day)s and %(day)s < until order by 1, 2, 3, 4",
        {"day": day},
    ).fetchall()


@settings(many, max_examples=4)
@given(st.lists(reports(), min_size=8, max_size=12, unique_by=lambda report: report.source))
def test_two_ingests_at_once_leave_the_graph_of_one_after_the_other(
    database: Database, embedder: OfflineEmbedder, given: list[Report]
) -> None:
    empty(database)
    half = len(given) // 2
    changed = [replace(report, published_on=DAY) for report in given[:2]]

    def one() -> None:
        for report in given[:half]:
            publish(database, report)
        for report in changed:
            publish(database, report)

    def other() -> None:
        for report in given[half:]:
            document = publish(database, report)
            if report is given[-1]:
                withdraw_document(database, APP, document.document_id)

    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(one), threads.submit(other)]:
            done.result()
    at_once = finish(database, embedder)
    assert not differences(database, APP, most=99)
    assert not differences(database, APP, most=3)
    empty(database)
    for report in [*changed, *given[2:-1]]:
        publish(database, report)
    assert finish(database, embedder) == at_once


def entity_names(database: Database) -> dict[str, list[str]]:
    """Names of every entity, by how it is called."""
    with database.connection() as connection:
        rows = connection.execute("select name, aliases from entities").fetchall()
    return {row["name"]: [alias["name"] for alias in row["aliases"]] for row in rows}


def report(source: str, *chunks: Said, days: int = 0) -> Report:
    return Report(source, DAY + timedelta(days), chunks)


def test_an_alias_that_one_document_declares_holds_for_others_whichever_comes_first(
    database: Database,
) -> None:
    publish(database, report("a.pdf", Said((("远岫", None),))))
    assert entity_names(database) == {"远岫": ["远岫"]}
    full = "远岫能源系统公司"
    publish(database, report("b.pdf", Said(((full, "远岫"),)), days=1))
    assert entity_names(database) == {full: ["远岫", full]}
    with database.connection() as connection:
        ids = every_name(connection)
        before = graph.describe_entities(connection, APP, ids, DAY)
    assert [row["name"] for row in before] == ["远岫"]


def test_an_alias_declared_for_two_names_tells_neither(database: Database) -> None:
    publish(database, report("a.pdf", Said((("远岫能源公司", "远岫"), ("远岫电气公司", "远岫")))))
    publish(database, report("b.pdf", Said((("远岫", None),))))
    assert set(entity_names(database)) == {"远岫能源公司", "远岫电气公司", "远岫"}


def test_what_a_document_does_not_assert_makes_no_edge(database: Database) -> None:
    pair = (("星河新材", None), ("澄光储能", None))
    for modality in ("conditional", "negated", "forecast"):
        publish(database, report(f"{modality}.pdf", Said(pair, ((0, "supplies", 1),), modality)))
    with database.connection() as connection:
        edges = connection.execute("select edge_type, weight from entity_edges").fetchall()
        stated = connection.execute(
            "select count(*) as n from relation_evidence where relation = 'supplies'"
        ).fetchone()
    assert edges == [{"edge_type": "co_occurs", "weight": 3.0}]
    assert stated == {"n": 3}


def test_merges_and_splits_by_hand_survive_a_rebuild_and_are_undone(database: Database) -> None:
    publish(database, report("a.pdf", Said((("远岫能源公司", None), ("汐原电力公司", None)))))
    publish(database, report("b.pdf", Said((("星河新材", None),))))
    before = graph_rows(database)
    with database.transaction() as connection:
        merged = decisions.merge(connection, APP, "远岫能源公司", "汐原电力公司", "renamed")
    assert sorted(map(len, entity_names(database).values())) == [1, 2]
    with database.transaction() as connection:
        parted = decisions.split(connection, APP, "星河新材", "688991.SH", "another firm")
    after = graph_rows(database)
    assert after["entities"] != before["entities"]
    with database.transaction() as connection:
        entity_graph.rebuild(connection, APP)
    assert graph_rows(database) == after
    # what comes later is read in the light of them
    publish(database, report("c.pdf", Said((("星河新材", None),))))
    with database.connection() as connection:
        codes = connection.execute("select codes from entities where name = '星河新材'").fetchall()
    assert codes == [{"codes": []}]
    withdraw_document(database, APP, held(database)["c.pdf"])
    with database.transaction() as connection:
        decisions.undo(connection, APP, merged)
        decisions.undo(connection, APP, parted)
    assert graph_rows(database) == before
    with database.transaction() as connection, pytest.raises(NotFound, match="decisions"):
        decisions.undo(connection, APP, merged)


#: Something wrong in each table of the graph, of what every document says.
WRONG = {
    "entities": "update entities set mention_count = mention_count + 1",
    "entity_edges": "update entity_edges set weight = 7",
    "entity_neighbours": "update entity_neighbours set weight = 9 where until < 'infinity'",
    "entity_names": "update entity_names set spelling = 'x'",
    "entity_chunks": "update entity_chunks set page_no = 9",
    "entity_descriptions": "update entity_descriptions set published_on = published_on - 1",
    "entity_members": "insert into entity_members select app_id, name_id, 'e', '-infinity', "
    "'infinity' from entity_names limit 1",
    "name_descriptions": "update name_descriptions set kind = 3",
    "name_variants": "delete from name_variants",
    "edge_documents": "update edge_documents set chunks = '{7}'",
    "edge_descriptions": "update edge_descriptions set first = false",
}


@pytest.mark.parametrize("most", [1, 9])
@pytest.mark.parametrize("table", WRONG)
def test_a_graph_that_is_out_of_step_is_told(database: Database, table: str, most: int) -> None:
    said = Said((("星河新材", None), ("澄光储能", None)), ((0, "supplies", 1),))
    publish(database, report("a.pdf", said))
    publish(database, report("b.pdf", said, days=1))
    assert differences(database, APP, most) == []
    with database.transaction() as connection:
        connection.execute(WRONG[table].encode())
    wrong = graph_rows(database)
    assert table in differences(database, APP, most)
    assert graph_rows(database) == wrong  # it tells, and mends nothing
    with database.transaction() as connection:
        entity_graph.rebuild(connection, APP)
    assert differences(database, APP, most) == []


def test_what_a_document_does_not_touch_stays_as_it_stands(
    database: Database, embedder: OfflineEmbedder
) -> None:
    said = Said((("星河新材", None), ("澄光储能", None)), ((0, "supplies", 1),))
    publish(database, report("a.pdf", said))
    publish(database, report("b.pdf", Said((("远岫能源系统公司", None),))))
    finish(database, embedder)

    def versions() -> dict[str, str]:
        with database.connection() as connection:
            rows = connection.execute(
                "select entity_id as id, xmin::text from entities union all "
                "select src_entity_id || edge_type, xmin::text from entity_edges union all "
                "select entity_id || since, xmin::text from entity_neighbours union all "
                "select src_entity_id || kind, xmin::text from graph_embeddings"
            )
            return {row["id"]: row["xmin"] for row in rows}

    before = versions()
    other = publish(database, report("c.pdf", Said((("汐原电力股份公司", None),)), days=1))
    withdraw_document(database, APP, other.document_id)
    assert versions() == before


def test_a_store_of_an_earlier_release_gets_the_contributions_that_publishing_writes(
    database: Database,
) -> None:
    full, short = "远岫能源系统公司", "远岫"
    pair = ((full, short), ("星河新材", None))
    publish(database, report("a.pdf", Said(pair, ((0, "supplies", 1),)), Said(((short, None),))))
    publish(database, report("b.pdf", Said(pair, ((0, "supplies", 1),)), days=1))
    publish(database, report("c.pdf", Said((("星河新材", None), (short, None))), days=2))
    with database.transaction() as connection:
        decisions.merge(connection, APP, "星河新材", full, "one group")
    withdraw_document(database, APP, held(database)["c.pdf"])
    published = graph_rows(database)
    assert all(published[table] for table in NEW)
    migration = sql_directory() / "migrations" / "0010_graph_contributions.sql"
    with database.transaction() as connection:
        connection.execute(f"drop table {', '.join(NEW)} cascade".encode())
        connection.execute("drop view entity_names_afresh, entity_chunks_afresh")
        connection.execute("drop view name_descriptions_afresh, edge_documents_afresh")
        connection.execute("drop view edge_descriptions_afresh, alias_links_afresh")
        connection.execute("drop view name_variants_afresh")
        connection.execute("create index on entity_aliases (app_id, alias_id)")
        connection.execute("create index on entity_aliases (app_id, name_id)")
        connection.execute(migration.read_bytes())
    assert graph_rows(database) == published
    assert differences(database, APP, most=9) == []


NEW = (
    "name_descriptions",
    "edge_documents",
    "edge_descriptions",
    "name_variants",
    "entity_descriptions",
    "alias_links",
)
