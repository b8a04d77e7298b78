"""Community modes with a chat model: a real server that plays it, well, badly and not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.pipelines.run.chat_session import question_session
from finrag_pipeline.query.answers.map_reduce import MAP_TOKENS
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said
from finrag_pipeline_tests.query.storage_reports import (
    CATHODE,
    CELLS,
    CHAIN,
    PRICE,
    RISKS,
    TARIFF,
    WEEK,
    add_library,
    add_week,
)
from finrag_pipeline_tests.query.weekly_builds import Sketch, add_build

LOCAL = "澄光储能与谁有供应关系？"
_NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def reply(value: Any) -> dict[str, Any]:
    return said(json.dumps(value, ensure_ascii=False))


def plays(body: Any) -> Answer:
    """Points on risks help, others do not; the answer says the points; chunks are quoted whole."""
    message = body["messages"][1]["content"]
    numbered = [(int(n), text) for n, text in _NUMBERED.findall(message)]
    if "<reports>" in message:
        points = [
            {"text": text[:60], "score": 80 if "风险" in text else 0, "findings": [n]}
            for n, text in numbered
        ]
        return reply({"points": points})
    if "<points>" in message:
        sentences = [{"text": f"要点：{text}。", "points": [n]} for n, text in numbered]
        return reply({"sentences": sentences})
    texts = [(n, text.partition(") ")[2]) for n, text in numbered]
    quotes = [{"page": n, "quote": text} for n, text in texts if "供应" in text]
    told = [{"text": "星河新材供应澄光储能，占98%。", "quotes": quotes[:1]}]
    return written([*told, {"text": "它再供应远岫能源。", "quotes": quotes}])


def written(sentences: list[Any], pages: tuple[int, ...] = ()) -> Answer:
    """A reply of the writer's form."""
    thoughts = {"step_by_step_analysis": "…", "reasoning_summary": "…", "value": []}
    return reply(thoughts | {"relevant_pages": list(pages), "final_answer": sentences})


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", plays)


@pytest.fixture
def engine(database: Database, settings: Settings, host: ModelHost, reader: Reader) -> QueryEngine:
    chatting = settings.model_copy(update={"chat_base_url": host.url, "chat_model": "model"})
    return QueryEngine(reader, chatting, question_session(database, chatting, "default"))


def messages(host: ModelHost, tag: str) -> list[str]:
    told = [body["messages"][1]["content"] for body in host.asked]
    return [each for each in told if f"<{tag}>" in each]


def test_points_are_mapped_dropped_and_reduced(
    database: Database, engine: QueryEngine, host: ModelHost
) -> None:
    add_week(database)
    answer = engine.ask(RISKS)
    assert answer.status == "answered" and all(answer.checks.values())
    assert {each.quote for each in answer.evidence} == {PRICE, TARIFF}
    assert re.fullmatch(r"(?:要点：[^\[]+(?:\[\d\])+)+", answer.answer)
    (mapped,), (reduced,) = messages(host, "reports"), messages(host, "points")
    assert CHAIN.title in mapped and CHAIN.title not in reduced
    assert all("风险" in text for _, text in _NUMBERED.findall(reduced))
    assert answer.degraded == () and "model made" in answer.route["reason"]
    asked = len(host.asked)
    assert engine.ask(RISKS).answer == answer.answer
    assert len(host.asked) == asked  # replies are kept


def test_a_sentence_with_a_number_of_its_own_becomes_a_quote(
    database: Database, engine: QueryEngine, host: ModelHost
) -> None:
    add_week(database)

    def invents(body: Any) -> Answer:
        if "<points>" in body["messages"][1]["content"]:
            return reply({"sentences": [{"text": "风险占98%。", "points": [1]}]})
        return plays(body)

    host.answer = invents
    answer = engine.ask(RISKS)
    assert answer.answer in (f"{PRICE}[1]", f"{TARIFF}[1]")
    assert answer.checks["numbers_grounded"]


def test_unknown_numbers_are_sent_back_with_the_reason(
    database: Database, engine: QueryEngine, host: ModelHost
) -> None:
    add_week(database)
    host.faults = [lambda _: reply({"points": [{"text": "无", "score": 9, "findings": [99]}]})]
    assert engine.ask(RISKS).degraded == ()
    again = messages(host, "reports")[1]
    assert "there are no findings [99]" in again


def test_a_failed_batch_is_told_and_the_others_answer(
    database: Database, engine: QueryEngine, host: ModelHost
) -> None:
    add_library(database)
    long = "材料供应情况。" * 250
    findings = [(f"{n}号{long}", [("cathode", 0, CATHODE)]) for n in range(8)]
    risk = ("关税风险", [("cells", 1, TARIFF)])
    add_build(database, WEEK, [Sketch("c0", "风险与材料", [risk, *findings])])

    def fails(body: Any) -> Answer:
        message = body["messages"][1]["content"]
        if "<reports>" in message and "关税风险" not in message:
            return reply({"points": [{"text": "?", "score": 1, "findings": []}]})
        return plays(body)

    host.answer = fails
    answer = engine.ask(RISKS, Options(mode="community_global"))
    batches = {re.sub(r"\n\nYour last.*", "", each) for each in messages(host, "reports")}
    assert len(batches) > 1
    assert all(count_tokens(each) < MAP_TOKENS + 100 for each in batches)
    assert {each.quote for each in answer.evidence} == {TARIFF}
    (told,) = answer.degraded
    assert told["lane"] == "community" and told["reason"].startswith("a batch of reports was not")


@pytest.mark.parametrize("where", ["reports", "points"])
def test_without_the_model_the_offline_way_answers_and_says_so(
    database: Database,
    engine: QueryEngine,
    host: ModelHost,
    settings: Settings,
    where: str,
    reader: Reader,
) -> None:
    add_week(database)
    offline = QueryEngine(reader, settings).ask(RISKS)

    def fails(body: Any) -> Answer:
        broken = f"<{where}>" in body["messages"][1]["content"]
        return refusal(503, "overloaded") if broken else plays(body)

    host.answer = fails
    answer = engine.ask(RISKS)
    assert (answer.answer, answer.evidence) == (offline.answer, offline.evidence)
    reasons = " ".join(each["reason"] for each in answer.degraded)
    assert "overloaded" in reasons and "the answer is the offline one" in reasons


def test_a_model_that_finds_no_answer_gives_none(
    database: Database, engine: QueryEngine, host: ModelHost
) -> None:
    add_week(database)
    host.answer = lambda _: reply({"points": [], "sentences": []})
    answer = engine.ask(RISKS, Options(mode="community_global"))
    assert (answer.status, answer.degraded) == ("insufficient_evidence", ())
    assert len(host.asked) == 1


@pytest.mark.parametrize("mode", ["community_global", "community_local"])
def test_a_wrong_key_is_told_and_the_offline_way_answers(
    database: Database,
    engine: QueryEngine,
    host: ModelHost,
    settings: Settings,
    mode: str,
    reader: Reader,
) -> None:
    add_week(database)
    host.answer = lambda _: refusal(401, "no such key")
    answer = engine.ask(LOCAL, Options(mode=mode))
    plain = QueryEngine(reader, settings).ask(LOCAL, Options(mode=mode))
    assert (answer.answer, answer.evidence) == (plain.answer, plain.evidence)
    assert "FINRAG_CHAT_API_KEY" in " ".join(each["reason"] for each in answer.degraded)


def test_a_local_answer_quotes_chunks_and_has_no_number_of_its_own(
    database: Database, engine: QueryEngine, host: ModelHost
) -> None:
    add_week(database)
    answer = engine.ask(LOCAL, Options(mode="community_local"))
    assert answer.status == "answered" and all(answer.checks.values())
    assert {each.quote for each in answer.evidence} == {CATHODE, CELLS}
    first, second = answer.answer.split("]", 1)
    assert first.removesuffix("[1") in (CATHODE, CELLS)
    assert second.startswith("它再供应远岫能源。[1][2]")
    (message,) = messages(host, "pages")
    assert "<context>" in message and "海外业务：关税风险" in message
    assert answer.route["build"] and answer.degraded == ()


def test_a_quote_that_no_chunk_has_is_sent_back_and_then_given_up(
    database: Database, engine: QueryEngine, host: ModelHost, settings: Settings, reader: Reader
) -> None:
    add_week(database)
    made_up = {"text": "…", "quotes": [{"page": 1, "quote": "没有这句话"}]}
    host.answer = lambda _: written([made_up])
    answer = engine.ask(LOCAL, Options(mode="community_local"))
    assert len(host.asked) == 2 and "does not hold the words" in messages(host, "pages")[1]
    (told,) = answer.degraded
    assert "the chat model gave none" in told["reason"]
    plain = QueryEngine(reader, settings).ask(LOCAL, Options(mode="community_local"))
    assert (answer.answer, answer.evidence) == (plain.answer, plain.evidence)
