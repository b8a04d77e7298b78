"""What a run may spend on a chat model is never exceeded, and stops it cleanly."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import (
    BudgetExhausted,
)
from finrag_pipeline.models.chat import (
    ChatRequest,
    open_chat_session,
    with_schema,
)
from finrag_pipeline.models.chat.spending import Budget
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import ModelHost, said
from finrag_pipeline_tests.models.sessions import (
    GOOD,
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


@pytest.mark.parametrize("spent", [0, 60])
def test_a_request_that_no_run_can_pay_is_not_to_be_run_again(spent: int) -> None:
    budget = Budget(tokens=100, money=1.0, spent_tokens=spent)
    for tokens, money, limit in ((101, 0.0, "TOKENS=100"), (1, 1.5, "BUDGET=1")):
        with pytest.raises(BudgetExhausted) as caught, budget.reserve(tokens, money):
            pass
        assert limit in str(caught.value) and "run again does not help" in str(caught.value)
    if spent:
        with pytest.raises(BudgetExhausted, match="run again to go on"), budget.reserve(50, 0.0):
            pass


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
