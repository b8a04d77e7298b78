"""Limits of a minute hold in every minute, on a clock that the test moves."""

from __future__ import annotations

from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.models.chat.limits import PerMinute, shared_limits


class Clock:
    """A clock that only waiting and the test move."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def test_what_fits_into_a_minute_does_not_wait() -> None:
    clock = Clock()
    limit = PerMinute(3, clock, clock.sleep)
    for _ in range(3):
        limit.take()
    assert clock.waits == []
    clock.now += 20
    limit.take()
    assert clock.waits == [40.0]


def test_what_is_put_right_makes_room() -> None:
    clock = Clock()
    limit = PerMinute(1000, clock, clock.sleep)
    limit.settle(limit.take(900), 100)
    limit.take(900)
    assert clock.waits == []
    limit.take(1)
    assert clock.waits == [60.0]


def test_what_never_fits_gets_a_minute_for_itself() -> None:
    clock = Clock()
    limit = PerMinute(10, clock, clock.sleep)
    for amount in (5, 50, 5):
        limit.take(amount)
    assert clock.waits == [60.0, 60.0]


@given(
    limit=st.integers(1, 20),
    asked=st.lists(st.tuples(st.integers(1, 20), st.floats(0, 50)), max_size=40),
)
def test_no_minute_holds_more(limit: int, asked: list[tuple[int, float]]) -> None:
    clock = Clock()
    bound = PerMinute(limit, clock, clock.sleep)
    sent: list[tuple[float, int]] = []
    for amount, pause in asked:
        amount = min(amount, limit)
        clock.now += pause
        bound.take(amount)
        sent.append((clock.now, amount))
    moments = [moment for moment, _ in sent]
    for place, moment in enumerate(moments):
        # a hair less than a minute: what was sent exactly one ago no longer counts
        first = bisect_right(moments, moment - 59.999)
        assert sum(amount for _, amount in sent[first : place + 1]) <= limit


@pytest.mark.parametrize("tokens", [None, 5000])
def test_all_users_of_a_server_share_its_limits(tokens: int | None) -> None:
    one = shared_limits("http://a/v1", 60, tokens)
    assert one is shared_limits("http://a/v1", 60, tokens)
    assert one is not shared_limits("http://b/v1", 60, tokens)
    assert (one.tokens is None) == (tokens is None)
