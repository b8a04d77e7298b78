"""Local search over the communities of a question's entities, without a chat model."""

from __future__ import annotations

import json
from datetime import date

import pytest

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence import builds
from finrag_pipeline.query.lanes.lite import NO_ENTITY
from finrag_pipeline.query.lanes.local import LocalLane, Shares
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.query.graph_documents import EMBEDDER, withdraw
from finrag_pipeline_tests.query.storage_reports import CATHODE, CELLS, MARGIN, add_week

QUESTION = "星河新材供应什么？"


@pytest.fixture(autouse=True)
def build_id(database: Database) -> str:
    return add_week(database)


def relations(engine: QueryEngine, hops: int | None) -> set[tuple[str, str]]:
    told = engine.ask(QUESTION, Options(mode="community_local", hops=hops)).graph_context
    stated = [each for each in told if each["kind"] == "relation"]
    return {(e["source"], e["target"]) for e in stated if e["relation"] == "supplies"}


def test_what_surrounds_an_entity(engine: QueryEngine, build_id: str) -> None:
    answer = engine.ask(QUESTION, Options(mode="community_local")).to_dict()
    json.dumps(answer)
    assert answer["status"] == "answered" and answer["evidence"][0]["quote"] == CATHODE
    assert all(answer["checks"].values()) and answer["degraded"] == []
    assert answer["route"]["lanes"] == ["community"]
    assert answer["route"]["build"]["build_id"] == build_id
    told = answer["graph_context"]
    report = told[0]
    assert (report["kind"], report["id"], report["citable"]) == ("report", "c1", False)
    assert report["citations"][0]["source"] == "cathode.pdf"
    assert {each["kind"] for each in told} == {"report", "entity", "relation"}


def test_hops(engine: QueryEngine) -> None:
    near = {("星河新材", "澄光储能")}
    assert relations(engine, 1) == near
    assert relations(engine, None) == relations(engine, 3) == near | {("澄光储能", "远岫能源")}
    for hops in (0, 4):
        with pytest.raises(InvalidQuestion, match="1 to 3"):
            engine.ask(QUESTION, Options(mode="community_local", hops=hops))
    with pytest.raises(InvalidQuestion, match="community_local"):
        engine.ask(QUESTION, Options(hops=2))


def test_without_an_entity_the_other_lanes_answer(engine: QueryEngine) -> None:
    answer = engine.ask("产能利用率超过多少？", Options(mode="community_local"))
    assert [each.quote for each in answer.evidence] == [MARGIN]
    assert answer.degraded == ({"lane": "community", "reason": NO_ENTITY},)
    assert answer.route["lanes"] == ["keyword", "vector"]


def test_filters_days_and_withdrawals_hold(engine: QueryEngine, database: Database) -> None:
    ours = engine.ask(QUESTION, Options(mode="community_local", company="688991"))
    assert {each.document_id for each in ours.evidence} <= {"cathode", "margin"}
    early = engine.ask(QUESTION, Options(mode="community_local", as_of=date(2026, 3, 6)))
    assert early.status == "insufficient_evidence" and "--week" in early.warnings[0]
    withdraw(database, "cells")
    told = json.dumps(
        engine.ask("澄光储能的供应", Options(mode="community_local")).to_dict(), ensure_ascii=False
    )
    assert CELLS not in told and "cells" not in told


def test_shares_bound_what_is_handed_on(reader: Reader) -> None:
    with reader.reading("default") as connection:
        build = builds.serving(connection, "default", None)
    where = Filter("default")
    asked = Asked("星河新材、澄光储能与毛利率", where, lambda: EMBEDDER, build=build)

    def counts(**tokens: int) -> tuple[int, int, int, int]:
        found = LocalLane(reader, shares=Shares(**tokens)).search(asked, 50)
        kinds = [each["kind"] for each in found.context]
        told = (kinds.count(kind) for kind in ("report", "entity", "relation"))
        reports, entities, stated = told
        return reports, entities, stated, len(found.hits)

    whole = counts()
    assert min(whole) > 1
    assert counts(reports=0) == (0, *whole[1:])
    assert counts(entities=0) == (whole[0], 0, *whole[2:])
    assert counts(relations=0)[2] == 0
    assert 0 < counts(chunks=40)[3] < whole[3]
