"""Reading the graph as of a day: names, neighbours and their limits, chunks, vectors."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from psycopg import Connection

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.graph import graph_chunks, graph_search
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.query.graph_documents import EMBEDDER, add_read, entity, withdraw

EARLY, LATE = date(2026, 1, 5), date(2026, 3, 9)
DAY = date(2026, 2, 1)
SUPPLIES = ("星河新材", "supplies", "远岫能源")


@pytest.fixture
def two_days(database: Database) -> Database:
    """Three documents of January, two of March that change what all is known of January's names."""
    add_read(
        database,
        "early",
        ["星河新材向远岫能源供应固态电池。", "星河新材毛利率回升。"],
        relations=[SUPPLIES],
        published_on=EARLY,
    )
    add_read(database, "price", ["碳酸锂价格回落，固态电池受益。"], published_on=EARLY)
    add_read(database, "short", ["远岫发布新品。"], published_on=EARLY)
    add_read(
        database,
        "late",
        ["远岫能源（以下简称远岫）与澄光储能共同投资固态电池。"],
        relations=[("远岫能源", "cooperates_with", "澄光储能")],
        aliases={"远岫能源": "远岫"},
        published_on=LATE,
    )
    add_read(
        database,
        "again",
        ["星河新材仍向远岫能源供应固态电池。"],
        relations=[SUPPLIES],
        published_on=LATE,
    )
    return database


def read_all(connection: Connection[Any], as_of: date | None) -> dict[str, Any]:
    """Everything that the lanes read, from the names of a question on."""
    app = "default"
    spellings = ["星河新材", "远岫能源", "远岫", "澄光储能", "固态电池", "碳酸锂"]
    found = graph_search.spelled(connection, app, spellings, as_of)
    ids = sorted({each.entity_id for each in found})
    names = graph_search.names_of(connection, app, ids, as_of)
    near = {
        hops: graph_search.neighbours(connection, app, ids[:2], as_of, hops=hops, k=50)
        for hops in (1, 2, 3)
    }
    edges = sorted({each.key for each in near[3]})
    where = Filter(app, as_of)
    vector = EMBEDDER.embed_questions(["固态电池 供应"])[0]
    entities = graph_search.nearest_entities(connection, app, EMBEDDER.space, vector, 50, as_of)
    relations = graph_search.nearest_relations(connection, app, EMBEDDER.space, vector, 50, as_of)
    rows = graph_search.describe(connection, app, ids, as_of)
    return {
        "spelled": found,
        "coded": graph_search.coded(connection, app, ["688991.SH"], as_of),
        "existing": graph_search.existing(connection, app, [*ids, entity("远岫"), "e0"], as_of),
        "names": names,
        "neighbours": near,
        "anchors": graph_chunks.anchors(connection, names, where, 50),
        "statements": graph_chunks.statements(
            connection, edges, [edge[1] != "supplies" for edge in edges], names, where
        ),
        "nearest": sorted(entity_id for entity_id, _ in entities),
        "relations": sorted((key, weight) for key, weight, _ in relations),
        "rows": {
            entity_id: {key: row[key] for key in sorted(row) if key != "aliases"}
            | {"aliases": [alias["name"] for alias in row["aliases"]]}
            for entity_id, row in rows.items()
        },
    }


def test_as_of_a_day_the_graph_is_what_was_published_by_then(two_days: Database) -> None:
    with two_days.connection() as connection:
        then, today = read_all(connection, DAY), read_all(connection, None)
    assert then != today
    for document_id in ("late", "again"):
        withdraw(two_days, document_id)
    with two_days.connection() as connection:
        alone = read_all(connection, None)
        assert read_all(connection, DAY) == alone
    for part in then:
        assert then[part] == alone[part], part
    assert entity("澄光储能") not in then["names"]
    # an alias that a later document declares joins nothing before
    assert then["names"][entity("远岫")] == (entity("远岫"),)
    assert today["names"][entity("远岫能源")] == tuple(sorted([entity("远岫能源"), entity("远岫")]))


def test_an_edge_weighs_what_was_published_by_the_day(two_days: Database) -> None:
    def weight(as_of: date | None) -> dict[tuple[str, str, str], float]:
        with two_days.connection() as connection:
            near = graph_search.neighbours(
                connection, "default", [entity("星河新材")], as_of, edge_types=["supplies"]
            )
            return {each.key: each.weight for each in near}

    edge = (entity("星河新材"), "supplies", entity("远岫能源"))
    assert weight(DAY) == weight(EARLY) == {edge: 1.0}
    assert weight(LATE) == weight(None) == {edge: 2.0}


def test_before_everything_there_is_nothing(two_days: Database) -> None:
    with two_days.connection() as connection:
        nothing = read_all(connection, date(2025, 12, 31))
    assert not any(
        value if part != "neighbours" else any(value.values()) for part, value in nothing.items()
    )


def test_another_app_sees_nothing_of_it(two_days: Database) -> None:
    with two_days.connection() as connection:
        assert graph_search.spelled(connection, "other", ["星河新材"], None) == []
        assert graph_search.neighbours(connection, "other", [entity("星河新材")], None) == []
        names = {entity("星河新材"): (entity("星河新材"),)}
        assert graph_chunks.anchors(connection, names, Filter("other"), 9) == []


def link(
    connection: Connection[Any],
    one: str,
    other: str,
    weight: float = 1.0,
    edge_type: str = "supplies",
) -> None:
    for entity_id, neighbour, outgoing in ((one, other, True), (other, one, False)):
        connection.execute(
            "insert into entity_neighbours values"
            " ('default', %s, %s, %s, %s, '2026-01-01', 'infinity', %s)",
            (entity_id, neighbour, edge_type, outgoing, weight),
        )


def test_hops_end_where_they_are_asked_to_and_never_go_round(database: Database) -> None:
    with database.transaction() as connection:
        for one, other in ("ab", "bc", "cd", "da", "de"):
            link(connection, one, other)

        def reached(hops: int) -> dict[str, int]:
            found = graph_search.neighbours(connection, "default", ["a"], None, hops=hops, k=99)
            return {each.entity_id: each.hops for each in found}

        assert reached(1) == {"b": 1, "d": 1}
        assert reached(2) == {"b": 1, "c": 2, "d": 1, "e": 2}
        assert reached(5) == reached(2)
        first = graph_search.neighbours(connection, "default", ["a"], None, hops=2, k=99)
        assert [each.score for each in first] == sorted((e.score for e in first), reverse=True)
        assert {each.key for each in first if each.hops == 1} == {
            ("a", "supplies", "b"),
            ("d", "supplies", "a"),
        }


def test_a_node_leads_to_its_heaviest_edges_alone_and_ties_go_by_id(database: Database) -> None:
    with database.transaction() as connection:
        for n in range(50):
            link(connection, "hub", f"n{n:02}", weight=2.0 if n >= 48 else 1.0)

        def reached(**limits: Any) -> set[str]:
            found = graph_search.neighbours(connection, "default", ["hub"], None, **limits)
            return {each.entity_id for each in found}

        assert reached(fan_out=4) == {"n48", "n49", "n00", "n01"}
        assert len(reached(k=99)) == graph_search.FAN_OUT
        assert len(reached(k=7)) == 7


def test_what_everybody_is_linked_to_counts_less(database: Database) -> None:
    with database.transaction() as connection:
        link(connection, "a", "hub")
        link(connection, "a", "rare")
        link(connection, "hub", "behind_hub")
        link(connection, "rare", "behind_rare")
        for n in range(60):
            link(connection, "hub", f"n{n:02}", weight=0.1)
        found = graph_search.neighbours(connection, "default", ["a"], None, hops=2, k=99)
    order = [each.entity_id for each in found]
    assert order.index("rare") < order.index("hub")
    assert order.index("behind_rare") < order.index("behind_hub")


def test_only_edges_of_some_relations_are_walked(database: Database) -> None:
    with database.transaction() as connection:
        link(connection, "a", "b")
        link(connection, "a", "c", edge_type="competes_with")
        link(connection, "b", "d", edge_type="competes_with")

        def reached(*edge_types: str) -> list[str]:
            found = graph_search.neighbours(
                connection, "default", ["a"], None, hops=2, edge_types=edge_types
            )
            return sorted(each.entity_id for each in found)

        assert reached("supplies") == ["b"]
        assert reached("competes_with") == ["c"]
        assert reached("supplies", "competes_with") == ["b", "c", "d"]


def test_chunks_that_name_more_of_the_entities_come_first(two_days: Database) -> None:
    with two_days.connection() as connection:
        ids = [entity("星河新材"), entity("毛利率")]
        names = graph_search.names_of(connection, "default", ids, None)
        found = graph_chunks.anchors(connection, names, Filter("default"), 9)
        assert (found[0].document_id, found[0].ordinal, found[0].entities) == ("early", 1, 2)
        assert {(each.document_id, each.ordinal) for each in found[1:]} == {
            ("early", 0),
            ("again", 0),
        }
        only = Filter("default", document_ids=("again",))
        assert [each.document_id for each in graph_chunks.anchors(connection, names, only, 9)] == [
            "again"
        ]
        both = Filter("default", entity=(entity("固态电池"),))
        assert {
            (each.document_id, each.ordinal)
            for each in graph_chunks.anchors(connection, names, both, 9)
        } == {("early", 0), ("again", 0)}
