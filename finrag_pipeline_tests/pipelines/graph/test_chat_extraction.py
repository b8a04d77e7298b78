"""The chat extractor over real HTTP and Postgres: resumed, stopped, killed, and accounted for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ConfigurationError, ModelUnavailable
from finrag_pipeline.models.chat import ChatRequest, Purpose
from finrag_pipeline.pipelines.graph.chat_extraction import ASSET, ChatExtractor
from finrag_pipeline.pipelines.run.chat_session import IN_FLIGHT, chat_session, question_session
from finrag_pipeline.records import Chunk, Document, Metadata, Place
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.models.servers import (
    Answer,
    ModelHost,
    first_words,
    passage_of,
    refusal,
    said,
    tell_waits,
)

METADATA = Metadata(title="衡宇电气点评", company_name="衡宇电气", published_on=date(2026, 3, 9))
TELLING = (
    "第{n}条：衡宇电气今年扩建生产基地，储能电池出货同比增长，海外客户订单饱满，"
    "原料价格回落带动盈利改善，管理层上调全年目标。"
)


def document(name: str = "d1") -> Document:
    return Document(name, "default", name, 1, date(2026, 3, 9), f"{name}.pdf", (), "r1")


def chunks(count: int) -> list[Chunk]:
    place = Place(1, (0, 0, 1, 1))
    return [Chunk(n, TELLING.format(n=n), (place,)) for n in range(count)]


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", first_words)


class Desk:
    """Opens extractors over one store, as runs do."""

    def __init__(self, database: Database, settings: Settings, host: ModelHost) -> None:
        self._database = database
        self._settings = settings
        self._host = host

    def extractor(self, run_id: str = "run", **more: Any) -> ChatExtractor:
        chat = {"chat_base_url": self._host.url, "chat_model": "qwen"} | more
        settings = self._settings.model_copy(update=chat)
        session = chat_session(self._database, settings, "default", run_id)
        assert session is not None
        return ChatExtractor(session, "full")

    def usage(self) -> list[dict[str, Any]]:
        with self._database.connection() as connection:
            return connection.execute(
                "select * from model_usage order by run_id, asset, document_id"
            ).fetchall()


@pytest.fixture
def desk(database: Database, settings: Settings, host: ModelHost) -> Desk:
    return Desk(database, settings, host)


def asked_about(host: ModelHost) -> Counter[str]:
    return Counter(passage_of(body) for body in host.asked)


def test_every_chunk_is_read_once_in_order(desk: Desk, host: ModelHost) -> None:
    extractor = desk.extractor()
    found = extractor.extract(document(), METADATA, chunks(20))
    assert [each.chunk for each in found] == list(range(20))
    assert all(each.mentions and each.problem is None for each in found)
    assert set(asked_about(host).values()) == {1} and len(host.asked) == 20
    # the next run, whoever does it, pays nothing
    assert desk.extractor("later").extract(document(), METADATA, chunks(20)) == found
    assert len(host.asked) == 20 and extractor.stopped is None


def test_usage_is_told_by_asset_run_and_document(desk: Desk, host: ModelHost) -> None:
    host.answer = lambda body: (
        first_words(body)
        | {"usage": {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}}
    )
    desk.extractor("a").extract(document("d1"), METADATA, chunks(3))
    desk.extractor("a").extract(document("d2"), METADATA, chunks(5))
    desk.extractor("b").extract(document("d2"), METADATA, chunks(5))
    told = [
        (
            row["app_id"],
            row["run_id"],
            row["asset"],
            row["document_id"],
            row["model"],
            row["calls"],
            row["cached_calls"],
            row["prompt_tokens"],
            row["completion_tokens"],
        )
        for row in desk.usage()
    ]
    assert told == [
        ("default", "a", ASSET, "d1", "qwen", 3, 0, 2700, 120),
        ("default", "a", ASSET, "d2", "qwen", 2, 3, 1800, 80),
        ("default", "b", ASSET, "d2", "qwen", 0, 5, 0, 0),
    ]
    assert all(row["counted_prompt_tokens"] > 0 for row in desk.usage() if row["calls"])


def test_a_chunk_that_fails_has_a_problem_and_costs_no_other(desk: Desk, host: ModelHost) -> None:
    def sometimes(body: Any) -> Answer:
        if passage_of(body).startswith("第3条"):
            return refusal(400, "not this content")
        if passage_of(body).startswith("第5条"):
            return said(None, refusal="I would rather not")
        if passage_of(body).startswith("第7条"):
            return said("I see a company.")
        return first_words(body)

    host.answer = sometimes
    found = desk.extractor().extract(document(), METADATA, chunks(10))
    problems = {each.chunk: each.problem for each in found if each.problem}
    assert sorted(problems) == [3, 5, 7]
    assert "not this content" in str(problems[3]) and "rather not" in str(problems[5])
    assert "no JSON object" in str(problems[7])
    assert all(bool(each.mentions) == (each.problem is None) for each in found)
    # what failed is asked again by the next run, and nothing else
    host.answer = first_words
    before = len(host.asked)
    found = desk.extractor().extract(document(), METADATA, chunks(10))
    assert all(each.problem is None for each in found) and len(host.asked) == before + 3


def empty(_: Any) -> Answer:
    return said('{"entities": [], "relations": [], "claims": []}')


def invented(_: Any) -> Answer:
    return said('{"entities": [{"text": "苍梧药业", "type": "company"}]}')


@pytest.mark.parametrize("nothing", [empty, invented])
def test_nothing_from_a_chunk_that_says_something_is_never_done(
    desk: Desk, host: ModelHost, nothing: Any
) -> None:
    host.answer = nothing
    extractor = desk.extractor()
    found = extractor.extract(document(), METADATA, chunks(12))
    assert all("没有一个实体" in str(each.problem) for each in found)
    assert set(asked_about(host).values()) == {2} and extractor.stopped is None
    host.answer = first_words
    found = desk.extractor().extract(document(), METADATA, chunks(12))
    assert all(each.mentions for each in found) and set(asked_about(host).values()) == {3}


def test_nothing_from_a_chunk_that_says_nothing_is_done(desk: Desk, host: ModelHost) -> None:
    host.answer = empty
    stub = [Chunk(0, "目 录", (Place(1, (0, 0, 1, 1)),))]
    (found,) = desk.extractor().extract(document(), METADATA, stub)
    assert found.problem is None and found.mentions == () and len(host.asked) == 1
    desk.extractor().extract(document(), METADATA, stub)
    assert len(host.asked) == 1


def test_what_the_chunk_does_not_print_is_counted(desk: Desk, host: ModelHost) -> None:
    entities = [{"text": "衡宇电气", "type": "company"}, {"text": "苍梧药业", "type": "company"}]
    host.answer = lambda _: said(json.dumps({"entities": entities}))
    extractor = desk.extractor()
    found = extractor.extract(document(), METADATA, chunks(4))
    assert {m.text for each in found for m in each.mentions} == {"衡宇电气"}
    assert extractor.dropped == {"entities": 4}


def test_a_server_that_is_down_is_given_up(
    desk: Desk, host: ModelHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_waits(monkeypatch)
    host.answer = lambda _: refusal(503, "overloaded")
    extractor = desk.extractor()
    found = extractor.extract(document(), METADATA, chunks(60))
    assert extractor.stopped and "503 (overloaded)" in extractor.stopped
    assert all(each.problem for each in found)
    # each is asked five times; after eight in a row only those under way end
    assert len(host.asked) <= 2 * IN_FLIGHT * 5
    before = len(host.asked)
    assert extractor.extract(document("d2"), METADATA, chunks(3))[0].problem
    assert len(host.asked) == before


def test_a_key_that_is_refused_ends_the_run(desk: Desk, host: ModelHost) -> None:
    host.answer = lambda _: refusal(401, "who are you")
    with pytest.raises(ConfigurationError, match="FINRAG_CHAT_API_KEY"):
        desk.extractor().extract(document(), METADATA, chunks(60))
    assert len(host.asked) <= IN_FLIGHT


def test_a_budget_ends_a_run_and_the_next_one_goes_on(desk: Desk, host: ModelHost) -> None:
    host.answer = lambda body: (
        first_words(body)
        | {"usage": {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1000}}
    )
    budget = 30_000
    runs = 0
    while True:
        extractor = desk.extractor(f"run {runs}", chat_budget_tokens=budget)
        found = extractor.extract(document(), METADATA, chunks(40))
        runs += 1
        if not extractor.stopped:
            break
        assert "FINRAG_CHAT_BUDGET_TOKENS=30000" in extractor.stopped
        assert any(each.mentions for each in found) and any(each.problem for each in found)
    assert all(each.mentions for each in found) and runs > 1
    assert set(asked_about(host).values()) == {1} and len(host.asked) == 40
    for row in desk.usage():
        assert row["prompt_tokens"] + row["completion_tokens"] <= budget


def test_assets_of_one_run_share_its_budget(desk: Desk, host: ModelHost) -> None:
    host.answer = lambda body: (
        first_words(body)
        | {"usage": {"prompt_tokens": 9000, "completion_tokens": 1000, "total_tokens": 10_000}}
    )
    desk.extractor("one").extract(document("d1"), METADATA, chunks(2))
    later = desk.extractor("one", chat_budget_tokens=20_001)
    later.extract(document("d2"), METADATA, chunks(4))
    assert "has spent 20,000" in str(later.stopped) and len(host.asked) == 2
    other = desk.extractor("other", chat_budget_tokens=90_001)
    other.extract(document("d2"), METADATA, chunks(4))
    assert other.stopped is None and len(host.asked) == 4


def test_questions_are_asked_with_less_patience_and_beside_every_budget(
    database: Database,
    settings: Settings,
    host: ModelHost,
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits = tell_waits(monkeypatch)
    chat = {"chat_base_url": host.url, "chat_model": "qwen", "chat_budget_tokens": 1}
    session = question_session(database, settings.model_copy(update=chat), "default")
    assert session is not None
    host.faults = [lambda _: refusal(503, "busy")] * 2
    host.answer = lambda _: said("好")
    request = ChatRequest("s", "u", 9)
    with pytest.raises(ModelUnavailable):
        session.ask(Purpose("ask"), request, str)
    assert len(waits) == 1 and session.ask(Purpose("ask"), request, str) == "好"
    assert [(row["run_id"], row["asset"]) for row in desk.usage()] == [("questions", "ask")]


def test_an_extractor_is_told_by_model_prompts_and_profile(desk: Desk) -> None:
    one, other = desk.extractor(), desk.extractor(chat_model="other")
    assert one.name == "chat:qwen" and one.fingerprint == desk.extractor().fingerprint
    assert one.fingerprint != other.fingerprint
