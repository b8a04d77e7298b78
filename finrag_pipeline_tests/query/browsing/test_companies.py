"""Companies as they are browsed: found by any name, told whole, with what houses said of them."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.browsing import companies
from finrag_pipeline_tests.query.graph_documents import entity


def test_companies_are_found_by_codes_and_parts_of_names(figures_held, graph_held, view):
    with view() as seen:
        every = companies.list_companies(seen)
        assert [(each.company_key, each.documents) for each in every.items] == [
            ("300999.SZ", 4),
            ("300100.SZ", 1),
        ]
        for text, found in (("300999", "300999.SZ"), ("远岫", "300100.SZ"), ("星河", "300999.SZ")):
            (one,) = companies.list_companies(seen, text).items
            assert one.company_key == found, text
        assert companies.list_companies(seen, "没有").total == 0


def test_a_company_is_told_whole(views_held, view):
    with view() as seen:
        told = companies.company(seen, "星河新材")
    assert (told.company_keys, told.codes, told.name) == (
        ("300999.SZ",),
        ("300999.SZ",),
        "星河新材",
    )
    assert told.houses == ("长风证券", "远山证券")
    assert (told.first_published_on, told.last_published_on) == (
        date(2025, 5, 1),
        date(2026, 4, 1),
    )
    assert [(each.metric, each.figures) for each in told.metrics] == [
        ("net_profit_attributable", 4),
        ("target_price", 1),
    ]
    assert {(each.kind, each.documents) for each in told.documents} == {
        ("company", 3),
        ("filing", 1),
    }


def test_a_company_of_the_graph_has_its_names_over_time(graph_held, view):
    with view() as seen:
        told = companies.company(seen, "300100.SZ")
        assert told.entity_id == entity("远岫能源")
        (name,) = told.names
        assert (name.name, name.since, name.until) == (
            "远岫能源",
            date(2026, 3, 2),
            date(2026, 3, 10),
        )


def test_views_of_houses_say_what_changed(views_held, view):
    with view() as seen:
        listed = companies.house_views(seen, company="300999")
        assert [(each.house, each.document_id) for each in listed.items] == [
            ("长风证券", "two"),
            ("远山证券", "other"),
            ("长风证券", "one"),
        ]
        newest = listed.items[0]
        assert (newest.rating, newest.rating_class, newest.analysts) == (
            "增持",
            "outperform",
            ("林望舒",),
        )
        assert [each.printed for each in newest.prices] == ["31.00"]
        assert [(each.field, each.direction, each.before, each.now) for each in newest.changes] == [
            ("rating", -1, "买入", "增持"),
            ("net_profit_attributable", -1, "10", "8"),
        ]
        assert newest.rating_places[0].page == 1
        assert companies.house_views(seen, broker="远山证券").total == 1
        assert companies.house_views(seen, company="300999", limit=1).next_offset == 1


def test_nothing_of_another_application_or_a_later_day(views_held, view):
    with view(date(2025, 9, 30)) as then:
        assert companies.company(then, "300999").houses == ("远山证券", "长风证券")
        assert [each.document_id for each in companies.house_views(then).items] == ["other", "one"]
    with view(app_id="other") as theirs:
        assert companies.list_companies(theirs).total == 0
        assert companies.house_views(theirs).total == 0
        with pytest.raises(NotFound):
            companies.company(theirs, "300999")
