"""The graph as it is browsed, by day: entities, neighbours, and who says so where."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.query.browsing import days, graph
from finrag_pipeline_tests.documents import BBOX
from finrag_pipeline_tests.query.browsing.conftest import SUPPLY
from finrag_pipeline_tests.query.graph_documents import entity

STAR, FAR, CLEAR = (entity(name) for name in ("星河新材", "远岫能源", "澄光储能"))


def stated(found):
    return {(each.src, each.relation, each.dst, each.weight) for each in found.edges}


def test_neighbours_come_with_every_edge_among_them(graph_held, view):
    with view() as seen:
        near = graph.neighbours(seen, [STAR], hops=2, relations=["supplies", "competes_with"])
        assert [(each.name, each.hops) for each in near.nodes] == [
            ("星河新材", 0),
            ("远岫能源", 1),
            ("澄光储能", 2),
        ]
        edges = {(each.src, each.relation): each for each in near.edges}
        supply = edges[STAR, "supplies"]
        assert (supply.dst, supply.relation_zh, supply.directed) == (FAR, "供应", True)
        rivals = next(each for each in near.edges if each.relation == "competes_with")
        assert not rivals.directed
        assert len(graph.neighbours(seen, [STAR], limit=1).nodes) == 2


def test_an_edge_has_its_quotes_with_page_and_box(graph_held, view):
    with view() as seen:
        said = graph.evidence(seen, STAR, "supplies", FAR)
        assert [each.quote.document_id for each in said] == ["d2", "d1"]
        first = said[0].quote
        assert (first.text, first.page, first.source) == (SUPPLY, 1, "d2.pdf")
        assert first.places[0].bbox == BBOX
        assert graph.evidence(seen, FAR, "supplies", STAR) == ()


def test_an_entity_is_found_by_name_code_and_id(graph_held, view):
    with view() as seen:
        for name in ("星河新材", "688991.SH", STAR):
            assert graph.entity(seen, name).entity_id == STAR
        (found,) = graph.find_entities(seen, "远岫能源")
        assert found.entity_id == FAR
        assert graph.find_entities(seen, "没有") == ()
        for call in (
            lambda: graph.entity(seen, "没有"),
            lambda: graph.neighbours(seen, ["no-entity"]),
            lambda: graph.neighbours(seen, [STAR], relations=["likes"]),
        ):
            with pytest.raises(NotFound):
                call()
        for wrong in ({"hops": 4}, {"limit": 0}):
            with pytest.raises(InvalidQuestion):
                graph.neighbours(seen, [STAR], **wrong)


def test_two_days_differ_by_what_came_between(graph_held, view):
    with view(date(2026, 3, 10)) as now:
        found = days.changes_since(now, date(2026, 3, 5))
        about = days.changes_since(now, date(2026, 3, 5), about="300100")
        with pytest.raises(InvalidQuestion):
            days.changes_since(now, date(2026, 3, 11))
    assert [each.document_id for each in found.documents] == ["d2"]
    changed = {
        (each.edge.src, each.edge.relation): (each.weight_before, each.edge.weight)
        for each in found.edges
    }
    assert len(changed) == found.edges_total == 2
    before, now = changed[STAR, "supplies"]
    assert 0 < before < now
    assert {each.name for each in found.nodes} == {"星河新材", "远岫能源", "澄光储能"}
    assert about.edges_total == 2
    with view() as undated, pytest.raises(InvalidQuestion):
        days.changes_since(undated, date(2026, 3, 5))


def test_nothing_of_another_application_or_a_later_day(graph_held, view):
    with view(date(2026, 3, 5)) as then:
        near = graph.neighbours(then, [STAR], hops=3)
        assert "澄光储能" not in {each.name for each in near.nodes}
        assert [each.quote.document_id for each in graph.evidence(then, STAR, "supplies", FAR)] == [
            "d1"
        ]
        with pytest.raises(NotFound):
            graph.entity(then, "澄光储能")
    with view(app_id="other") as theirs:
        assert graph.evidence(theirs, STAR, "supplies", FAR) == ()
        with pytest.raises(NotFound):
            graph.neighbours(theirs, [STAR])
        with pytest.raises(NotFound):
            graph.entity(theirs, "星河新材")
        own = graph.neighbours(theirs, [entity("澄光储能", "other")])
        assert len(own.nodes) == 2
