"""A store with what browsing looks up, and a browser over it.

Two applications hold documents of the same names and ids of their own: what one sees of the other
is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import date
from typing import Any

import pytest

from finrag_pipeline.query.browsing.viewpoint import Browser, Viewpoint
from finrag_pipeline.records.facts import FactPeriod
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.covers import add_report
from finrag_pipeline_tests.query.graph_documents import add_read
from finrag_pipeline_tests.query.weekly_builds import ChainSketch, Sketch, add_build
from finrag_pipeline_tests.store.facts.rows import add_facts, fact

SUPPLY = "星河新材向远岫能源供应固态电池。"
RIVAL = "澄光储能与远岫能源竞争。"
#: Weeks that are built, the second from the first.
WEEKS = (date(2026, 3, 1), date(2026, 3, 8))

View = Callable[..., AbstractContextManager[Viewpoint]]


def year(number: int, part: Any = "FY") -> FactPeriod:
    last = {"FY": (12, 31), "9M": (9, 30), "H1": (6, 30)}[part]
    return FactPeriod(number, part, date(number, *last), date(number, 1, 1))


@pytest.fixture
def browser(reader: Reader) -> Browser:
    return Browser(reader)


@pytest.fixture
def view(browser: Browser) -> View:
    """`view()` looks from today, `view(as_of)` from a day; `app_id=` names another application."""

    def view(
        as_of: date | None = None, app_id: str = "default"
    ) -> AbstractContextManager[Viewpoint]:
        return browser.view(app_id, as_of)

    return view


@pytest.fixture
def figures_held(database: Database) -> None:
    """Revenue and cost of two years and nine months; an express report that says otherwise."""
    cost = {"metric": "cost_of_sales", "label": "营业成本"}
    with database.transaction() as connection:
        table = simple_table("利润表", [["项目", "2024年"], ["营业收入", "1,000"]], "万元")
        annual = [
            fact(1000, period=year(2024)),
            fact(600, period=year(2024), **cost),
            fact(800, period=year(2023), source="annual_prior"),
            fact(520, period=year(2023), source="annual_prior", **cost),
        ]
        told = {"company": "星河新材", "kind": "filing"}
        add_facts(
            connection, "annual", annual, published_on=date(2025, 4, 20), tables=[table], **told
        )
        express = [fact(960, period=year(2024), source="express")]
        add_facts(connection, "express", express, published_on=date(2025, 2, 20), **told)
        parts = [fact(700, period=year(2025, "9M")), fact(450, period=year(2025, "H1"))]
        add_facts(connection, "quarter", parts, published_on=date(2025, 10, 20), **told)


@pytest.fixture
def views_held(database: Database) -> None:
    """Two reports of one house, one of another, on a year that is reported since."""
    with database.transaction() as connection:
        add_report(connection, "one", published_on=date(2025, 5, 1), profit={2025: "10"})
        add_report(
            connection,
            "two",
            published_on=date(2025, 11, 1),
            rating="增持",
            price="31.00",
            profit={2025: "8"},
        )
        add_report(
            connection,
            "other",
            broker="远山证券",
            published_on=date(2025, 9, 1),
            profit={2025: "6"},
        )
        told = {"metric": "net_profit_attributable", "label": "归母净利润"}
        profit = fact(5 * 10**8, period=year(2025), **told)
        add_facts(connection, "annual", [profit], published_on=date(2026, 4, 1), kind="filing")


@pytest.fixture
def graph_held(database: Database) -> Iterator[None]:
    """Two documents that relate companies, on two days, and another application's."""
    supplies = [("星河新材", "supplies", "远岫能源")]
    add_read(database, "d1", [SUPPLY], relations=supplies, published_on=date(2026, 3, 2))
    rivals = [("澄光储能", "competes_with", "远岫能源")]
    add_read(
        database,
        "d2",
        [SUPPLY, RIVAL],
        relations=[*supplies, *rivals],
        published_on=date(2026, 3, 10),
        code="300100.SZ",
        company="远岫能源",
    )
    add_read(database, "x1", [RIVAL], relations=rivals, app_id="other")
    yield


@pytest.fixture
def weeks_held(graph_held: None, database: Database) -> tuple[str, str]:
    """Two weekly builds, the second with a community and a chain more; their ids."""
    one = Sketch("c1", "供应链", [("供货", [("d1", 0, SUPPLY)])], entities=["星河新材", "远岫能源"])
    chain = ChainSketch("k1", "储能产业链", [("星河新材", "远岫能源", [("d1", 0, SUPPLY)])])
    first = add_build(database, WEEKS[0], [one])
    two = Sketch("c2", "竞争", [("竞争", [("d2", 1, RIVAL)])], entities=["澄光储能"])
    second = add_build(database, WEEKS[1], [one, two], [chain])
    with database.transaction() as connection:
        connection.execute(
            "update community_builds set started_from = %s where build_id = %s", (first, second)
        )
        connection.execute(
            "update leiden_communities set entity_count = 2 where build_id = any(%s)",
            ([first, second],),
        )
        connection.execute(
            "update chain_reports set changes = %s where build_id = %s",
            ('{"since": null, "is_new": true, "nodes": {}, "links": {}}', second),
        )
        connection.execute(
            "insert into community_events (build_id, community_id, event, level, entities_before,"
            " entities_after) values (%s, 'c2', 'born', 0, 0, 1)",
            (second,),
        )
    return first, second
