"""Keywords of a question: by its words, and as a chat model gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.run.chat_session import chat_session, question_session
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.lanes.entities import Seed
from finrag_pipeline.query.lanes.light_keywords import Keywords, chat_keywords, offline_keywords
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import ModelHost, said
from finrag_pipeline_tests.query.graph_documents import add_read

QUESTION = "星河新材的固态电池受益于哪些政策？"
SEEDS = [Seed("e1", "company", "星河新材"), Seed("e2", "concept", "政策")]


@pytest.fixture
def host() -> Iterator[ModelHost]:
    """A chat model that answers everything alike."""
    reply = json.dumps({"low": ["固态电池", " "], "high": ["政策支持"]}, ensure_ascii=False)
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", lambda _: said(reply))


@pytest.fixture
def chatting(settings: Settings, host: ModelHost) -> Settings:
    return settings.model_copy(update={"chat_base_url": host.url, "chat_model": "model"})


def test_named_entities_are_low_and_topics_high() -> None:
    found = offline_keywords(QUESTION, SEEDS)
    assert found.low[0] == "星河新材"
    assert found.high[0] == "政策"
    assert not set(found.high) & {"星河", "新材"}
    assert offline_keywords("？？", []) == Keywords((), ())
    many = offline_keywords("、".join(f"Zyntrex{n}" for n in range(99)), [])
    assert 0 < len(many.low) < 20 and len(many.high) < 20


def test_a_chat_model_gives_them_beside_the_entities_of_the_question(
    database: Database, chatting: Settings, host: ModelHost
) -> None:
    session = chat_session(database, chatting, "default")
    assert session is not None
    found = chat_keywords(session)(QUESTION, SEEDS)
    assert found == Keywords(("星河新材", "固态电池"), ("政策支持",))
    chat_keywords(session)("Who supplies Zyntrex?", [])
    instructions = [body["messages"][0]["content"] for body in host.asked]
    # what they are told holds nothing that could come back as a keyword
    assert len(instructions) == 2 and "星河" not in instructions[0]
    assert instructions[1].isascii()
    chat_keywords(session)(QUESTION, SEEDS)
    assert len(host.asked) == 2, "the same question was paid for twice"


def _for_keywords(host: ModelHost) -> list[Any]:
    """What the model was asked for keywords, and not for an answer."""
    return [each for each in host.asked if "final_answer" not in str(each)]


def test_the_modes_of_lightrag_ask_it_and_no_other_does(
    database: Database, chatting: Settings, host: ModelHost, reader: Reader
) -> None:
    said_there = "星河新材的固态电池获得政策支持。"
    add_read(database, "d1", [said_there])
    engine = QueryEngine(reader, chatting, chat_session(database, chatting, "default"))
    for mode in ("auto", "lite"):
        engine.ask(QUESTION, Options(mode=mode))
    assert not _for_keywords(host)
    assert engine.ask(QUESTION, Options(mode="light_local")).evidence[0].quote == said_there
    assert len(_for_keywords(host)) == 1
    host.answer = lambda _: said("no keywords today")
    question = "星河新材的固态电池有哪些政策支持？"
    for mode in ("light_local", "light_global", "light_hybrid", "light_mix"):
        found = engine.ask(question, Options(mode=mode))
        reasons = {each["lane"]: each["reason"] for each in found.degraded}
        assert set(reasons) == {"graph", "chat"}, mode
        assert "own words, not a chat model's" in reasons["graph"], mode
        assert found.evidence[0].quote == said_there, mode


@pytest.mark.parametrize("failure", ["gone", "spent"])
def test_without_its_chat_model_a_question_gives_its_own_keywords(
    database: Database, chatting: Settings, host: ModelHost, failure: str
) -> None:
    if failure == "gone":
        gone = chatting.model_copy(update={"chat_base_url": "http://127.0.0.1:9/v1"})
        session = question_session(database, gone, "default")
    else:
        poor = chatting.model_copy(update={"chat_budget_tokens": 1})
        session = chat_session(database, poor, "default")
    assert session is not None
    found = chat_keywords(session)(QUESTION, SEEDS)
    assert replace(found, reason="") == offline_keywords(QUESTION, SEEDS)
    assert {"gone": "127.0.0.1:9", "spent": "FINRAG_CHAT_BUDGET_TOKENS=1"}[failure] in found.reason
    assert host.asked == []


def test_a_wrong_key_stops_a_question(
    database: Database, chatting: Settings, host: ModelHost, reader: Reader
) -> None:
    add_read(database, "d1", ["星河新材的固态电池获得政策支持。"])
    host.answer = lambda _: Response("no such key", status=401)
    engine = QueryEngine(reader, chatting, chat_session(database, chatting, "default"))
    with pytest.raises(ConfigurationError):
        engine.ask(QUESTION, Options(mode="light_mix"))
