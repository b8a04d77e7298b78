"""Figures in the store: as they were read, the one that is believed, who sees which on what day."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Document
from finrag_pipeline.records.facts import FactPeriod
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import documents
from finrag_pipeline.store.facts import financial_facts
from finrag_pipeline_tests.documents import publish
from finrag_pipeline_tests.store.facts.rows import RANKS, add_facts, fact

DAY = date(2025, 4, 20)


def best(reader: Reader, app_id: str = "default", as_of: date | None = None) -> list[Decimal]:
    with reader.reading(app_id, as_of) as connection:
        return [
            row["value"]
            for row in connection.execute("select value from best_facts order by metric, value")
        ]


def seen(reader: Reader) -> list[Any]:
    """Everything that the views show, byte for byte."""
    with reader.reading("default") as connection:
        return [
            connection.execute(f"select v::text from {view} v order by 1".encode()).fetchall()
            for view in ("facts", "best_facts", "companies")
        ]


def test_figures_come_back_as_they_were_read(database: Database) -> None:
    told = [
        fact("12345678901234567890.1234"),
        fact(
            -3,
            metric="其中:利息",
            period=FactPeriod(2024, "H1", date(2024, 6, 30)),
            nature="forecast",
            scope="parent",
            segment="境外",
            restated=True,
            broker="澄光证券",
            checked=None,
            table=None,
            row=None,
            column=None,
            company_code=None,
            company_name=None,
        ),
    ]
    with database.transaction() as connection:
        document = add_facts(connection, "d1", told)
        assert financial_facts.read(connection, "d1", "r1") == told
        financial_facts.replace(connection, document, told[:1], RANKS)
        assert financial_facts.read(connection, "d1", "r1") == told[:1]


@pytest.mark.parametrize(
    ("believed", "other"),
    [
        ({"source": "annual"}, {"source": "annual_prior", "restated": True}),
        ({"source": "annual_prior"}, {"source": "express"}),
        ({"source": "annual_prior"}, {"source": "annual", "checked": False}),
        ({"checked": None}, {"checked": False}),
        ({"source": "annual_prior", "restated": True}, {"source": "annual_prior"}),
    ],
)
def test_of_two_figures_the_better_one_is_believed(
    database: Database, reader: Reader, believed: dict[str, Any], other: dict[str, Any]
) -> None:
    with database.transaction() as connection:
        # the other one is the later, and the last to come
        add_facts(connection, "d1", [fact(1, **believed)], published_on=DAY)
        add_facts(connection, "d2", [fact(2, **other)], published_on=date(2026, 1, 1))
    assert best(reader) == [1]


def test_what_differs_in_anything_is_no_contradiction(database: Database, reader: Reader) -> None:
    half = FactPeriod(2024, "H1", date(2024, 6, 30), date(2024, 1, 1))
    apart = [
        fact(1),
        fact(2, period=half),
        fact(3, scope="parent"),
        fact(4, segment="境外"),
        fact(5, nature="forecast", broker="甲证券"),
        fact(6, nature="forecast", broker="乙证券"),
        fact(7, metric="total_revenue"),
        fact(8, company_key="600001.SH"),
    ]
    with database.transaction() as connection:
        add_facts(connection, "d1", apart)
    assert sorted(best(reader)) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_readers_see_their_app_their_day_and_current_revisions(
    database: Database, reader: Reader
) -> None:
    with database.transaction() as connection:
        add_facts(connection, "d1", [fact(1)], published_on=DAY)
        add_facts(connection, "d2", [fact(2, source="annual_prior")], published_on=date(2026, 1, 1))
        add_facts(connection, "x", [fact(9)], app_id="other")
        add_facts(connection, "d1", [fact(3)], published_on=DAY, revision="r2")
        publish(connection, "d1", "r1")
    assert best(reader) == [1] and best(reader, "other") == [9] and best(reader, "none") == []
    assert best(reader, as_of=date(2025, 4, 19)) == []
    with database.transaction() as connection:
        publish(connection, "d1", "r2")
    assert best(reader) == [3]
    with database.transaction() as connection:
        # another day of a revision is that of its figures, too
        connection.execute(
            "update document_revisions set published_on = '2026-02-02' where document_id = 'd1'"
        )
    assert best(reader, as_of=DAY) == [] and best(reader, as_of=date(2026, 1, 1)) == [2]
    with database.transaction() as connection:
        documents.withdraw(connection, "default", "d1")
    assert best(reader) == [2]
    with reader.reading("default") as connection:
        row = connection.execute("select * from companies").fetchone()
    assert row == {
        "company_key": "300999.SZ", "company_code": "300999.SZ", "company_name": "星河新材"
    }  # fmt: skip


#: Documents that contradict each other in every way that ranks decide.
_TOLD = {
    "d1": [fact(1), fact(5, metric="eps")],
    "d2": [fact(2, source="annual_prior", restated=True), fact(6, metric="eps", checked=False)],
    "d3": [fact(3, source="annual"), fact(7, nature="forecast", broker="甲证券")],
    "d4": [fact(4, source="express"), fact(8, nature="forecast", broker="甲证券")],
}
_STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(_TOLD)), st.sampled_from(["read", "again", "withdraw"])),
    max_size=12,
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=_STEPS)
def test_any_order_of_changes_shows_what_a_clean_store_shows(
    steps: list[tuple[str, str]], database: Database, reader: Reader
) -> None:
    _empty(database)
    held: set[str] = set()
    for number, (document_id, step) in enumerate(steps):
        with database.transaction() as connection:
            if step == "withdraw":
                documents.withdraw(connection, "default", document_id)
                held.discard(document_id)
            elif document_id not in held:
                _add(connection, document_id, f"r{number}")
                held.add(document_id)
            else:
                revision = _revision(connection, document_id)
                document = Document(document_id, "default", "", 1, DAY, "", (), revision)
                financial_facts.replace(connection, document, _TOLD[document_id][:1], RANKS)
                financial_facts.replace(connection, document, _TOLD[document_id], RANKS)
    grown = seen(reader)
    _empty(database)
    with database.transaction() as connection:
        for document_id in sorted(held, reverse=True):
            _add(connection, document_id, "clean")
    assert seen(reader) == grown


def test_the_order_of_arrival_decides_nothing(database: Database, reader: Reader) -> None:
    shown: list[Any] = []
    for order in list(permutations(_TOLD))[::5]:
        _empty(database)
        with database.transaction() as connection:
            for document_id in order:
                _add(connection, document_id, "r")
        shown.append(seen(reader))
    assert len(shown[0][0]) == 8 and all(each == shown[0] for each in shown)


def _add(connection: Any, document_id: str, revision: str) -> None:
    day = date(2025, 4, int(document_id[1:]))
    add_facts(connection, document_id, _TOLD[document_id], revision=revision, published_on=day)


def _revision(connection: Any, document_id: str) -> str:
    row = connection.execute(
        "select current_revision from documents where document_id = %s", (document_id,)
    ).fetchone()
    return row["current_revision"]


def _empty(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute("truncate documents cascade")
