"""A session over real HTTP with a server that misbehaves: nothing asked twice, nothing unchecked,
nothing over the budget, all of it accounted for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import (
    BudgetExhausted,
    FinragError,
    ModelReplyRefused,
    ModelReplyRejected,
    ModelReplyUnusable,
    ModelUnavailable,
)
from finrag_pipeline.models.chat import (
    ChatRequest,
    ChatSession,
    Purpose,
    Rejected,
    Usage,
    open_chat_session,
    with_schema,
)
from finrag_pipeline.models.chat.spending import Budget
from finrag_pipeline.models.chat.structured import read_reply, strict_schema
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said

ASKED = ChatRequest("Name the fruit as JSON.", "苹果和梨", 100)
PURPOSE = Purpose("fruit", "d1")
GOOD = '{"names": ["苹果", "梨"], "mood": "calm"}'


class Fruit(BaseModel):
    names: list[str]
    mood: Literal["calm", "merry"] = "calm"


class Kept:
    """Replies and usage in memory, as the store keeps them."""

    def __init__(self) -> None:
        self.replies: dict[str, str] = {}
        self.usage: list[tuple[Purpose, str, Usage]] = []

    def find(self, request_sha256: str) -> str | None:
        return self.replies.get(request_sha256)

    def keep(self, request_sha256: str, server: str, model: str, reply: str) -> None:
        self.replies[request_sha256] = reply

    def account(self, purpose: Purpose, model: str, usage: Usage) -> None:
        self.usage.append((purpose, model, usage))


@pytest.fixture
def host(http_server: HTTPServer) -> ModelHost:
    """A server that names two fruits."""
    return ModelHost(http_server, "/chat/completions", lambda body: said(GOOD))


@pytest.fixture
def kept() -> Kept:
    return Kept()


def session_of(host: ModelHost, kept: Kept, **more: Any) -> ChatSession:
    settings = Settings(_env_file=None, chat_base_url=host.url, chat_model="qwen", **more)
    budget = Budget(settings.chat_budget_tokens, settings.chat_budget)
    session = open_chat_session(settings, kept, budget)
    assert session is not None
    return session


def fruit(session: ChatSession, request: ChatRequest = ASKED) -> list[str]:
    return session.structured(PURPOSE, request, Fruit).names


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


def requests(count: int) -> list[ChatRequest]:
    return [ChatRequest("as JSON", f"fruit {n}", 100) for n in range(count)]


def test_a_budget_is_never_exceeded_and_stops_cleanly(host: ModelHost, kept: Kept) -> None:
    host.answer = lambda _: said(GOOD, usage=(80, 70))
    session = session_of(host, kept, chat_budget_tokens=1500)

    def ask(request: ChatRequest) -> bool:
        try:
            fruit(session, request)
        except BudgetExhausted as error:
            assert "FINRAG_CHAT_BUDGET_TOKENS=1500" in str(error)
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        done = sum(threads.map(ask, requests(30)))
    spent = sum(usage.tokens for _, _, usage in kept.usage)
    assert 0 < done < 30 and len(host.asked) == done and spent == done * 150 <= 1500
    # what was under way is waited for: no more than one worst case is left over
    request = with_schema(requests(1)[0], Fruit)
    assert 1500 - spent < request.most_prompt_tokens + request.max_tokens
    # the next run pays for the rest only
    for request in requests(30):
        fruit(session_of(host, kept, chat_budget_tokens=1500), request)
    assert len(host.asked) == 30


def test_money_is_a_budget_too(host: ModelHost, kept: Kept) -> None:
    host.answer = lambda _: said(GOOD, usage=(100, 50))
    prices: dict[str, Any] = {
        "chat_price_per_million_prompt_tokens": 1000,
        "chat_price_per_million_completion_tokens": 4000,
    }
    session = session_of(host, kept, chat_budget=2.0, **prices)
    done = 0
    with pytest.raises(BudgetExhausted, match=r"spent \d\.\d+ of FINRAG_CHAT_BUDGET=2"):
        for request in requests(30):
            fruit(session, request)
            done += 1
    assert done > 0 and sum(usage.cost for _, _, usage in kept.usage) == pytest.approx(done * 0.3)


def test_what_a_run_spent_before_counts(host: ModelHost, kept: Kept) -> None:
    settings = Settings(_env_file=None, chat_base_url=host.url, chat_model="qwen")
    session = open_chat_session(settings, kept, Budget(5000, None, spent_tokens=4999))
    assert session is not None
    with pytest.raises(BudgetExhausted, match="has spent 4,999"):
        fruit(session)
    assert host.asked == []


def test_a_request_waits_for_those_under_way() -> None:
    budget = Budget(tokens=100)
    inside, go_on = threading.Event(), threading.Event()

    def first() -> None:
        with budget.reserve(80, 0.0) as reserved:
            inside.set()
            assert go_on.wait(10)
            reserved.tokens = 10

    def second() -> None:
        assert inside.wait(10)
        with budget.reserve(80, 0.0) as reserved:
            reserved.tokens = 80

    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(first), threads.submit(second)]
        assert inside.wait(10)
        go_on.set()
        for each in both:
            each.result()
    with pytest.raises(BudgetExhausted, match="has spent 90"), budget.reserve(11, 0.0):
        pass


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


def test_a_strict_schema_wants_every_field_and_no_other() -> None:
    class Basket(BaseModel):
        title: str = "mine"
        fruits: list[Fruit] = []

    schema = strict_schema(Basket)
    assert schema["required"] == ["title", "fruits"] and schema["additionalProperties"] is False
    inner = schema["$defs"]["Fruit"]
    assert inner["required"] == ["names", "mood"] and inner["additionalProperties"] is False
    assert "default" not in str(schema) and schema["properties"]["title"] == {"type": "string"}


def test_the_longest_object_of_a_text_counts() -> None:
    text = 'As in {"names": []} I find: {"names": ["苹果"], "mood": "merry"}'
    assert read_reply(text, Fruit).names == ["苹果"]
