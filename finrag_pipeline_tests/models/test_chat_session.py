"""A session over real HTTP with a server that misbehaves: nothing asked twice, nothing unchecked,
nothing over the budget, all of it accounted for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import (
    FinragError,
    ModelReplyRefused,
    ModelReplyRejected,
    ModelReplyUnusable,
    ModelUnavailable,
)
from finrag_pipeline.models.chat import (
    ChatRequest,
    Rejected,
    Usage,
)
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said
from finrag_pipeline_tests.models.sessions import (
    ASKED,
    GOOD,
    PURPOSE,
    Fruit,
    Kept,
    fruit,
    session_of,
)


@pytest.fixture
def host(http_server: HTTPServer) -> ModelHost:
    """A server that names two fruits."""
    return ModelHost(http_server, "/chat/completions", lambda body: said(GOOD))


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"<think>two of them {{}}</think>\n{GOOD}",
        f"Sure! Here it is:\n```json\n{GOOD}\n```\nAnything else?",
        "{'names': ['苹果', '梨',], // both\n}",
        '{"names": ["苹果", "梨"], "more": {"a": "}"}}',
    ],
)
def test_a_reply_is_read_however_it_is_wrapped(host: ModelHost, kept: Kept, text: str) -> None:
    host.faults = [lambda _: said(text)]
    assert fruit(session_of(host, kept)) == ["苹果", "梨"]
    assert len(host.asked) == 1


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("[]", "no JSON object"),
        ("", "it is empty"),
        ("I see apples and pears.", "no JSON object"),
        ('{"names": ["苹果", "梨', "cut off"),
        ('{"names": "苹果"}', "names: Input should be a valid list"),
        ('{"names": [], "mood": "sad"}', "mood: Input should be 'calm' or 'merry'"),
    ],
)
def test_a_reply_that_does_not_fit_is_asked_for_once_more(
    host: ModelHost, kept: Kept, bad: str, told: str
) -> None:
    host.faults = [lambda _: said(bad)]
    assert fruit(session_of(host, kept)) == ["苹果", "梨"]
    first, second = (body["messages"][1]["content"] for body in host.asked)
    assert second.startswith(first) and told in second
    # the next run finds it under what it asks first
    assert fruit(session_of(host, kept)) == ["苹果", "梨"]
    assert len(host.asked) == 2


def test_a_second_reply_that_does_not_fit_is_the_last(host: ModelHost, kept: Kept) -> None:
    host.faults = [lambda _: said("no")] * 9
    with pytest.raises(ModelReplyUnusable, match=r"asked twice, .*: there is no JSON object"):
        fruit(session_of(host, kept))
    assert len(host.asked) == 2 and kept.replies == {}
    assert [usage.calls for _, _, usage in kept.usage] == [1, 1]


def test_a_reply_that_cannot_be_right_is_never_kept(host: ModelHost, kept: Kept) -> None:
    host.faults = [lambda _: said('{"names": []}')] * 2

    def some(reply: Fruit) -> None:
        if not reply.names:
            raise Rejected("there must be some")

    session = session_of(host, kept)
    with pytest.raises(ModelReplyRejected, match="there must be some"):
        session.structured(PURPOSE, ASKED, Fruit, some)
    assert len(host.asked) == 2 and kept.replies == {}
    assert session.structured(PURPOSE, ASKED, Fruit, some).names == ["苹果", "梨"]


@pytest.mark.parametrize(
    "answer", [said(None, refusal="not this"), said(GOOD, "content_filter", refusal="not this")]
)
def test_a_refusal_is_final_for_its_request_alone(
    host: ModelHost, kept: Kept, answer: Answer
) -> None:
    host.faults = [lambda _: answer]
    session = session_of(host, kept)
    with pytest.raises(ModelReplyRefused, match=r"qwen of localhost:\d+ declines .*not this"):
        fruit(session)
    assert len(host.asked) == 1 and kept.replies == {}
    assert fruit(session) == ["苹果", "梨"]


def test_a_reply_that_is_cut_is_asked_for_with_more_room(host: ModelHost, kept: Kept) -> None:
    # what is there would pass for whole
    host.faults = [lambda _: said('{"names": ["苹果"]}', "length")] * 2
    assert fruit(session_of(host, kept)) == ["苹果", "梨"]
    assert [body["max_tokens"] for body in host.asked] == [100, 200, 400]
    host.faults = [lambda _: said('{"names": ["苹果"', "length")] * 9
    with pytest.raises(ModelReplyUnusable, match="needs more than 400 tokens"):
        fruit(session_of(host, Kept()))
    assert len(host.asked) == 6


def test_a_server_that_knows_no_schema_gives_the_same(http_server: HTTPServer, kept: Kept) -> None:
    def plain(body: Any) -> Answer:
        if "response_format" in body:
            return refusal(400, "unknown parameter", param="response_format")
        return said(GOOD)

    host = ModelHost(http_server, "/chat/completions", plain)
    session = session_of(host, kept)
    assert fruit(session) == ["苹果", "梨"]
    fruit(session, ChatRequest("Name the fruit as JSON.", "桃", 100))
    assert len(host.asked) == 4  # three ways to ask, then the one that it takes


def test_the_same_request_is_sent_once(host: ModelHost, kept: Kept) -> None:
    for _ in range(3):
        assert fruit(session_of(host, kept)) == ["苹果", "梨"]
    assert len(host.asked) == 1
    assert [(usage.calls, usage.cached_calls) for _, _, usage in kept.usage] == [
        (1, 0),
        (0, 1),
        (0, 1),
    ]


@pytest.mark.parametrize(
    "other",
    [
        ChatRequest("Name the fruit as JSON!", "苹果和梨", 100),
        ChatRequest("Name the fruit as JSON.", "苹果", 100),
        ChatRequest("Name the fruit as JSON.", "苹果和梨", 101),
    ],
)
def test_another_request_is_another(host: ModelHost, kept: Kept, other: ChatRequest) -> None:
    session = session_of(host, kept)
    fruit(session)
    fruit(session, other)
    assert len(host.asked) == len(kept.replies) == 2


def test_threads_that_ask_the_same_ask_once(host: ModelHost, kept: Kept) -> None:
    asking = threading.Barrier(6)

    def slow(_: Any) -> Answer:
        host.release.wait(10)
        return said(GOOD)

    host.faults = [slow]
    session = session_of(host, kept)

    def ask(_: int) -> list[str]:
        asking.wait(10)
        return fruit(session)

    with ThreadPoolExecutor(6) as threads:
        replies = threads.map(ask, range(6))
        asking_done = threading.Timer(0.2, host.release.set)
        asking_done.start()
        assert list(replies) == [["苹果", "梨"]] * 6
    assert len(host.asked) == 1
    assert sum(usage.cached_calls for _, _, usage in kept.usage) == 5


def test_usage_is_the_servers_else_our_own(host: ModelHost, kept: Kept) -> None:
    host.faults = [lambda _: said(GOOD, usage=(1_000_000, 500_000))]
    prices: dict[str, Any] = {
        "chat_price_per_million_prompt_tokens": 2,
        "chat_price_per_million_completion_tokens": 8,
    }
    session = session_of(host, kept, **prices)
    fruit(session)
    fruit(session, ChatRequest("as JSON", "桃", 100))
    (purpose, model, told), (_, _, counted) = kept.usage
    assert (purpose, model) == (PURPOSE, "qwen")
    assert told == Usage(1, 0, 1_000_000, 500_000, ASKED.prompt_tokens, 6.0)
    own = ChatRequest("as JSON", "桃", 100).prompt_tokens
    assert counted.prompt_tokens == counted.counted_prompt_tokens == own
    assert counted.completion_tokens > 0 and counted.cost > 0


@pytest.mark.parametrize("fault", [refusal(500, "no"), refusal(401, "no"), refusal(400, "no")])
def test_what_was_not_answered_is_not_spent(
    host: ModelHost, kept: Kept, waits: list[float], fault: Answer
) -> None:
    host.faults = [lambda _: fault] * 9
    with pytest.raises(FinragError):
        fruit(session_of(host, kept, chat_budget_tokens=1000))
    assert kept.usage == [] and kept.replies == {}


def test_an_error_reaches_every_thread_that_waits(
    host: ModelHost, kept: Kept, waits: list[float]
) -> None:
    host.faults = [lambda _: refusal(503, "down")] * 99
    session = session_of(host, kept)
    with ThreadPoolExecutor(3) as threads:
        for future in [threads.submit(fruit, session) for _ in range(3)]:
            with pytest.raises(ModelUnavailable):
                future.result()
    host.faults = []
    assert fruit(session) == ["苹果", "梨"]
