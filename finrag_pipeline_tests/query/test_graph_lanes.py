"""The graph lanes through the real engine: what they find, and when they have nothing to say."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.context import Budgets, entity_item
from finrag_pipeline.query.lanes.entities import MOST_ENTITIES, find_seeds
from finrag_pipeline.query.lanes.light import LightLane
from finrag_pipeline.query.lanes.lite import NO_ENTITY, LiteLane
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import COMMUNITY_MODES, Options
from finrag_pipeline.query.question.options import MODES as EVERY_MODE
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline_tests.query.graph_documents import EMBEDDER, add_read, entity, withdraw

EARLY, LATE = date(2026, 1, 5), date(2026, 3, 9)
SUPPLY = "星河新材向远岫能源供应固态电池，合同期三年。"
MARGIN = "星河新材毛利率回升，产能利用率超过九成。"
PRICE = "碳酸锂价格回落，固态电池的成本下降。"
JOINT = "远岫能源（以下简称远岫）与澄光储能共同投资固态电池产线。"
WEATHER = "本周天气晴朗，仓库盘点照常进行。"
#: Those that need no weekly build.
MODES = tuple(mode for mode in EVERY_MODE if mode not in COMMUNITY_MODES)
HOSTILE = ["？！…，。", "%(x)s'; --", "固" * 4000, "星河新材" * 1000, "\ud800\0 远岫", "𠮷" * 50]


@pytest.fixture
def store(database: Database) -> Database:
    add_read(
        database,
        "early",
        [SUPPLY, MARGIN, WEATHER],
        relations=[("星河新材", "supplies", "远岫能源")],
        published_on=EARLY,
    )
    add_read(database, "price", [PRICE], published_on=EARLY, company=None, code=None, title="周报")
    add_read(
        database,
        "late",
        [JOINT],
        relations=[("远岫能源", "cooperates_with", "澄光储能")],
        aliases={"远岫能源": "远岫"},
        published_on=LATE,
        company="远岫能源",
        code=None,
    )
    return database


def asked(question: str, as_of: date | None = None) -> Asked:
    return Asked(question, Filter("default", as_of), lambda: EMBEDDER)


def seeds(store: Database, question: str, as_of: date | None = None) -> list[str]:
    with store.connection() as connection:
        found = find_seeds(connection, asked(question, as_of), EMBEDDER.space)
    return [seed.entity_id for seed in found]


def test_the_entities_of_a_question(store: Database) -> None:
    assert seeds(store, "星河新材的毛利率为什么回升？") == [entity("星河新材"), entity("毛利率")]
    assert seeds(store, "６８８９９１．ＳＨ的客户") == [entity("星河新材")]
    # the alias that a document declares, and the longer name before the one inside it
    assert seeds(store, "远岫投资了什么？") == [entity("远岫能源")]
    assert seeds(store, "远岫投资了什么？", EARLY) == []
    assert seeds(store, "远岫能源投资了什么？") == [entity("远岫能源")]
    assert seeds(store, "今天吃什么？") == []
    every = "星河新材、远岫能源、澄光储能、固态电池、毛利率、碳酸锂"
    assert len(seeds(store, every)) == MOST_ENTITIES
    assert entity("毛利率") not in seeds(store, every)


def test_a_name_that_is_nearly_written_is_found_and_another_company_is_not(
    store: Database,
) -> None:
    assert seeds(store, "星河新才的客户是谁？") == []
    assert seeds(store, "星河新材料的客户是谁？") == [entity("星河新材")]


def test_the_lite_lane_puts_chunks_of_the_entities_first(
    store: Database, engine: QueryEngine
) -> None:
    found = engine.search("星河新材的毛利率为什么回升？", Options(lane="graph")).to_dict()
    json.dumps(found)
    assert [each["text"] for each in found["results"]][:2] == [MARGIN, SUPPLY]
    assert {each["kind"] for each in found["results"]} == {"chunk"}
    assert found["degraded"] == []
    names = {item["name"] for item in found["graph_context"] if item["kind"] == "entity"}
    assert names == {"星河新材", "毛利率"}
    stated = {
        (item["source"], item["relation"], item["target"]): item["description"]
        for item in found["graph_context"]
        if item["kind"] == "relation"
    }
    assert stated["星河新材", "supplies", "远岫能源"] == SUPPLY.rstrip("。")
    assert all(item["citable"] is False for item in found["graph_context"])


def test_codes_are_told_once() -> None:
    names = ("星河新材", "688991.SH", "688991", "星河新材料科技", "AAPL")
    row = {
        "entity_id": "e1",
        "name": "星河新材",
        "type": "company",
        "aliases": [{"name": name} for name in names],
        "codes": ["688991.SH", "AAPL"],
        "mention_count": 1,
        "description": "",
    }
    assert entity_item(row)["aliases"] == ["星河新材料科技"]


def test_without_an_entity_the_other_lanes_answer_alone(
    store: Database, engine: QueryEngine
) -> None:
    question = "仓库盘点照常吗？"
    alone = engine.search(question, Options(lane="graph"))
    assert (alone.results, alone.graph_context) == ((), ())
    assert alone.degraded == ({"lane": "graph", "reason": NO_ENTITY},)
    for mode in ("lite", "light_local", "light_mix"):
        answer = engine.ask(question, Options(mode=mode))
        assert [each.quote for each in answer.evidence] == [WEATHER], mode
        assert [each["lane"] for each in answer.degraded] == ["graph"], mode
        assert answer.route["lanes"] == ["keyword", "vector"], mode
    quiet = engine.ask(question)
    assert quiet.degraded == ()
    assert NO_ENTITY in quiet.route["reason"]


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "number"])
def test_every_mode_cites_chunks_and_never_the_graph(
    store: Database, engine: QueryEngine, mode: str
) -> None:
    answer = engine.ask("星河新材向谁供应固态电池？", Options(mode=mode))
    assert answer.status == "answered"
    assert SUPPLY in {each.quote for each in answer.evidence}
    assert all(answer.checks.values())
    # of a relation that was looked up in the graph no more is told beside the answer
    assert bool(answer.graph_context) == (mode != "auto")
    told = {item.get("name") or item["relation"] for item in answer.graph_context}
    assert not told & {each.quote for each in answer.evidence}
    why = "whom a company deals with" if mode == "auto" else mode
    assert why in answer.route["reason"]
    assert ("graph" in answer.route["lanes"]) == (mode != "auto")
    only = {"light_local", "light_global", "light_hybrid", "local", "global"}
    assert (answer.route["lanes"] == ["graph"]) == (mode in only)
    assert answer.degraded == ()


def test_a_question_on_what_is_not_there_stays_unanswered(
    store: Database, engine: QueryEngine
) -> None:
    for mode in MODES:
        answer = engine.ask("远山格物向谁供应固态电池？", Options(mode=mode))
        assert (answer.status, answer.evidence) == ("insufficient_evidence", ()), mode


@pytest.mark.parametrize("mode", ["numbers", "community", "texts", "locally", ""])
def test_a_mode_that_does_not_exist_is_refused(engine: QueryEngine, mode: str) -> None:
    with pytest.raises(InvalidQuestion, match="use one of auto, lite, light_local"):
        engine.ask("星河新材向谁供应？", Options(mode=mode))


def search_all(engine: QueryEngine, as_of: date | None) -> dict[str, Any]:
    questions = ["星河新材的客户是谁？", "远岫与谁合作？", "固态电池成本下降"]
    found: dict[str, Any] = {}
    for question in questions:
        for mode in MODES:
            answer = engine.ask(question, Options(mode=mode, as_of=as_of)).to_dict()
            del answer["latency_ms"]
            found[f"{mode} {question}"] = answer
        for lane in ("graph", None):
            result = engine.search(question, Options(lane=lane, as_of=as_of)).to_dict()
            del result["latency_ms"]
            found[f"{lane} {question}"] = result
    return found


def test_no_lane_looks_ahead(store: Database, engine: QueryEngine) -> None:
    then = search_all(engine, date(2026, 2, 1))
    withdraw(store, "late")
    assert search_all(engine, date(2026, 2, 1)) == then
    alone = search_all(engine, None)
    for key, value in then.items():
        # scores of lanes may differ where the store's vectors lie in another order; nothing does
        assert alone[key] == value, key
    assert "late" not in json.dumps(then)


def test_entities_filter_every_lane(store: Database, engine: QueryEngine) -> None:
    def texts(**values: Any) -> set[str]:
        return {each.text for each in engine.search("固态电池产线", Options(**values)).results}

    for lane in ("keyword", "vector", None):
        assert texts(lane=lane, entity="碳酸锂") == {PRICE}
        assert texts(lane=lane, entity="远岫") == texts(lane=lane, entity=entity("远岫能源"))
        assert JOINT in texts(lane=lane, entity="远岫能源")
        assert texts(lane=lane, entity="688991.SH") <= {SUPPLY, MARGIN}
        assert texts(lane=lane, entity="远岫能源", as_of=EARLY) <= {SUPPLY}
    assert texts(lane="graph", entity="远岫能源") == {SUPPLY, JOINT}
    with pytest.raises(NotFound, match="no entity is named '远岫'"):
        texts(entity="远岫", as_of=EARLY)
    with pytest.raises(NotFound, match="no entity is named"):
        texts(entity="没有这个")


def test_a_merge_changes_the_filter_without_the_copy(
    store: Database, engine: QueryEngine, settings: Settings, reader: Reader
) -> None:
    """Entries hold the ids of names: which names are one entity is asked anew each time."""
    index = KeywordIndex(settings.home / "keyword", reader)
    index.of("default").sync()
    before = (settings.home / "keyword").rglob("state.json").__next__().read_text()
    with store.transaction() as connection:
        connection.execute(
            "insert into entity_members values ('default', %s, %s, '-infinity', 'infinity')",
            (entity("碳酸锂"), entity("固态电池")),
        )
    found = engine.search("碳酸锂", Options(lane="keyword", entity="固态电池")).results
    assert PRICE in {each.text for each in found}
    assert (settings.home / "keyword").rglob("state.json").__next__().read_text() == before
    assert index.of("default").verify(date(2026, 3, 2)).equal


def test_with_the_graph_off_nothing_else_changes(
    store: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    question = "星河新材的毛利率为什么回升？"

    def plain(engine: QueryEngine, lane: str | None) -> list[dict[str, Any]]:
        return [each.to_dict() for each in engine.search(question, Options(lane=lane)).results]

    on = QueryEngine(reader, settings)
    with_rows = {lane: plain(on, lane) for lane in ("keyword", "vector")}
    off = QueryEngine(reader, settings.model_copy(update={"graph": "off"}))
    assert {lane: plain(off, lane) for lane in ("keyword", "vector")} == with_rows
    fused = off.search(question)
    lanes = ("keyword", "vector", "table", "fact")
    assert set(fused.latency_ms) == {*lanes, "rerank", "evidence", "total"}
    assert fused.graph_context == off.ask(question).graph_context == ()
    for refused in (
        lambda: off.search(question, Options(lane="graph")),
        lambda: off.ask(question, Options(mode="lite")),
        lambda: off.search(question, Options(entity="星河新材")),
        lambda: off.ask(question, Options(entity="星河新材")),
    ):
        with pytest.raises(InvalidQuestion, match="FINRAG_GRAPH"):
            refused()
    with store.transaction() as connection:
        connection.execute("truncate entities, entity_names, entity_members, entity_neighbours")
        connection.execute("truncate entity_edges, graph_embeddings, entity_summaries")
    assert {lane: plain(on, lane) for lane in ("keyword", "vector")} == with_rows
    assert plain(on, None) == [each.to_dict() for each in fused.results]


@pytest.mark.parametrize("question", HOSTILE)
def test_hostile_questions_are_answered_by_every_mode(
    store: Database, engine: QueryEngine, question: str
) -> None:
    for mode in MODES:
        assert engine.ask(question, Options(mode=mode)).status in (
            "answered",
            "insufficient_evidence",
        )
    engine.search(question, Options(lane="graph"))


def test_budgets_bound_what_is_handed_on(store: Database, reader: Reader) -> None:
    question = asked("星河新材与远岫能源、澄光储能的固态电池")

    def found(**budgets: int) -> tuple[int, int, int]:
        lane = LightLane(reader, "hybrid", budgets=Budgets(**budgets))
        said = lane.search(question, 50)
        kinds = [item["kind"] for item in said.context]
        return kinds.count("entity"), kinds.count("relation"), len(said.hits)

    whole = found()
    assert min(whole) > 1
    assert found(entities=0) == (0, *whole[1:])
    assert found(relations=0) == (whole[0], 0, whole[2])
    entities, relations, chunks = found(entities=60, relations=30, total=120)
    assert 0 < entities < whole[0] and 0 < relations < whole[1] and 0 < chunks < whole[2]
    assert LiteLane(reader, Budgets(entities=0, relations=0)).search(question, 50).context == ()


def test_levels_of_lightrag(store: Database, reader: Reader) -> None:
    def documents(level: Any, question: str) -> set[tuple[str, int]]:
        hits = LightLane(reader, level).search(asked(question), 50).hits
        return {(hit.key.id[0], hit.key.id[2]) for hit in hits}

    question = "碳酸锂价格与供应合同"
    local, world = documents("local", question), documents("global", question)
    assert ("price", 0) in local and ("early", 0) in world
    assert documents("hybrid", question) == local | world
