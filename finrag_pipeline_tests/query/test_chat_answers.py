"""Answers from passages with a chat model: a real server that plays it, well, badly and not at all.

Whatever it says, nothing that its passages do not hold is said, and the question is answered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.models.chat import Budget, open_chat_session
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer as Said
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said
from finrag_pipeline_tests.models.sessions import Kept
from finrag_pipeline_tests.query.conftest import AddDocument

QUESTION = "星河新材的退役电池由谁回收处理？"
HELD = "退役电池由子公司星河循环回收处理，2025年处理量为3.2万吨。"
PAGES = [HELD, "公司与汐口物流签订了三年的运输合同，退役电池的运输由其负责。"]
_SHOWN = re.compile(r"^\[(\d+)\] \([^)]*\) (.*)$", re.MULTILINE)

Play = Callable[[Any], Answer]


def reply(
    *sentences: tuple[str, str, int | None], pages: tuple[int, ...] = (), **more: Any
) -> Play:
    """Sentences with what they quote, of the page that has it unless another is named."""

    def play(body: Any) -> Answer:
        shown = [(int(n), text) for n, text in _SHOWN.findall(body["messages"][1]["content"])]
        told = [
            {"text": text, "quotes": [{"page": page or _page(shown, quote), "quote": quote}]}
            for text, quote, page in sentences
        ]
        thoughts = {"step_by_step_analysis": "…", "reasoning_summary": "…", "value": []}
        form = thoughts | {"relevant_pages": list(pages), "final_answer": told} | more
        return said(json.dumps(form, ensure_ascii=False))

    return play


def _page(shown: list[tuple[int, str]], quote: str) -> int:
    return next((n for n, text in shown if quote in text), 1)


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", reply())


def chatting(
    reader: Reader, settings: Settings, url: str, budget: Budget | None = None
) -> QueryEngine:
    of_chat = settings.model_copy(update={"chat_base_url": url, "chat_model": "model"})
    session = open_chat_session(of_chat, Kept(), budget or Budget(), patient=False)
    return QueryEngine(reader, of_chat, session)


@pytest.fixture
def chat(reader: Reader, settings: Settings, host: ModelHost, add: AddDocument) -> QueryEngine:
    add("report", PAGES)
    return chatting(reader, settings, host.url)


def same(answer: Said, offline: Said) -> bool:
    return (answer.answer, answer.evidence) == (offline.answer, offline.evidence)


def reasons(answer: Said) -> str:
    assert all(each["lane"] == "chat" for each in answer.degraded)
    return " ".join(each["reason"] for each in answer.degraded)


def test_what_its_pages_hold_is_said_in_the_model_s_words(
    chat: QueryEngine, host: ModelHost
) -> None:
    host.answer = reply(("星河循环负责回收处理退役电池", "退役电池由子公司星河循环回收处理", None))
    answer = chat.ask(QUESTION)
    assert (answer.status, answer.answer) == ("answered", "星河循环负责回收处理退役电池[1]")
    assert [each.quote for each in answer.evidence] == ["退役电池由子公司星河循环回收处理"]
    assert answer.degraded == () and "model answered" in answer.route["reason"]
    assert all(answer.checks.values())


def test_names_of_an_answer_are_its_value(chat: QueryEngine, host: ModelHost) -> None:
    told = ("星河循环回收处理退役电池", "由子公司星河循环回收处理", None)
    host.answer = reply(told, value=["星河循环", "云岭循环"])
    answer = chat.ask(QUESTION, Options(kind="names"))
    assert answer.value == {"names": ["星河循环"]}


@pytest.mark.parametrize(
    "invented",
    [
        "星河循环回收处理退役电池，占市场的87%",
        "星河循环2031年回收处理退役电池",
        "远大电池与星河循环回收处理退役电池",
        "星河循环与Zyntrex回收处理退役电池",
        "预计行业景气度显著改善，建议关注龙头弹性",
    ],
)
def test_what_no_page_holds_is_told_in_the_words_of_the_page(
    chat: QueryEngine, host: ModelHost, invented: str
) -> None:
    host.answer = reply((invented, HELD, None))
    answer = chat.ask(QUESTION)
    assert (answer.status, answer.answer) == ("answered", f"{HELD}[1]")


@pytest.mark.parametrize(
    ("play", "said_of_it"),
    [
        (reply(("星河循环回收", HELD, 9)), "there is no page 9"),
        (reply(("星河循环回收", HELD, None), pages=(7,)), "there is no page 7"),
        (reply(("云岭循环回收", "由云岭循环回收处理", None)), "does not hold the words"),
        (reply(("星河循环" * 30, HELD, None)), "repeats itself"),
        (lambda _: said('{"final_answer": [{"text": "星河'), "cut off"),
        (lambda _: said("我不知道"), "no JSON object"),
        (lambda _: said("星" * 50, "length"), "needs more than"),
        (lambda _: said(None, refusal="I cannot help with that"), "declines"),
        (lambda _: refusal(400, "context length exceeded"), "context length"),
        (lambda _: refusal(401, "no such key"), "FINRAG_CHAT_API_KEY"),
        (lambda _: refusal(503, "overloaded"), "overloaded"),
    ],
)
def test_a_model_of_no_use_leaves_the_answer_to_the_offline_writer_and_it_is_said(
    chat: QueryEngine, host: ModelHost, engine: QueryEngine, play: Play, said_of_it: str
) -> None:
    host.answer = play
    answer = chat.ask(QUESTION)
    assert answer.status == "answered" and same(answer, engine.ask(QUESTION))
    assert said_of_it in reasons(answer) and "the offline one" in reasons(answer)


def test_a_server_that_cannot_be_reached_is_said(
    reader: Reader, settings: Settings, engine: QueryEngine, add: AddDocument
) -> None:
    add("report", PAGES)
    answer = chatting(reader, settings, "http://127.0.0.1:9/v1").ask(QUESTION)
    assert same(answer, engine.ask(QUESTION)) and "cannot be reached" in reasons(answer)


def test_a_spent_budget_is_said(
    reader: Reader, settings: Settings, engine: QueryEngine, add: AddDocument, host: ModelHost
) -> None:
    add("report", PAGES)
    answer = chatting(reader, settings, host.url, Budget(tokens=10)).ask(QUESTION)
    assert same(answer, engine.ask(QUESTION)) and "FINRAG_CHAT_BUDGET" in reasons(answer)
    assert host.asked == []


def test_where_the_model_finds_no_answer_there_is_none(chat: QueryEngine, host: ModelHost) -> None:
    answer = chat.ask(QUESTION)
    assert (answer.status, answer.evidence) == ("insufficient_evidence", ())
    assert answer.degraded == ()


def test_what_the_gate_does_not_let_pass_is_told_offline(
    chat: QueryEngine, host: ModelHost, engine: QueryEngine
) -> None:
    # the year is the question's, and not that of the contract
    question = f"2023年{QUESTION}"
    quote = "公司与汐口物流签订了三年的运输合同"
    host.answer = reply((f"2023年{quote}", quote, None))
    answer = chat.ask(question)
    assert same(answer, engine.ask(question)) and "does not hold" in reasons(answer)


def test_a_name_that_no_page_has_is_refused_without_the_model(
    chat: QueryEngine, host: ModelHost
) -> None:
    answer = chat.ask("远山格物的退役电池由谁回收处理？")
    assert answer.status == "insufficient_evidence" and host.asked == []


def test_the_model_is_asked_where_only_near_passages_are_quoted(
    engine: QueryEngine, chat: QueryEngine, host: ModelHost, add: AddDocument
) -> None:
    said = "受存量合同取消及金额为负的合同变更影响，净新增合同金额低于新增合同金额。"
    add("near", [said])
    question = "星河新材的订单缩水这么厉害，最后落袋的咋少了一截？"
    offline = engine.ask(question)
    assert offline.status == "insufficient_evidence" and offline.evidence
    host.answer = reply(("净新增合同金额低于新增合同金额，因合同取消和变更。", said, None))
    answer = chat.ask(question)
    assert answer.status == "answered" and "取消" in answer.answer
