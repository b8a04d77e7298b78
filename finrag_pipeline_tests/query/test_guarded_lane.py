"""A lane behind its guard: in time, given up, left out, tried again."""

from __future__ import annotations

import threading

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.lanes.guarded import GuardedLane, LaneLeftOut, LaneTimedOut, Patience
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.search.filters import Filter

ASKED = Asked("毛利率？", Filter("default"), OfflineEmbedder)
PATIENCE = Patience(timeout_s=5.0, failures=2, pause_s=60.0)


class Lane:
    """A lane that fails by what it is told next."""

    def __init__(self, *errors: Exception | None) -> None:
        self.errors = list(errors)
        self.asked = 0

    def search(self, asked: Asked, depth: int) -> Found:
        self.asked += 1
        if self.errors and (error := self.errors.pop(0)):
            raise error
        return Found([])


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_failures_in_a_row_leave_a_lane_out_until_one_question_tries_it_again() -> None:
    gone, clock = OSError("gone"), Clock()
    lane = Lane(gone, gone, gone)
    guarded = GuardedLane("keyword", lane, PATIENCE, clock)
    for _ in range(2):
        with pytest.raises(OSError):
            guarded.search(ASKED, 1)
    clock.now = 59.0
    with pytest.raises(LaneLeftOut, match=r"1 s more .*after 2 failures in a row, the last: gone"):
        guarded.search(ASKED, 1)
    assert lane.asked == 2
    clock.now = 61.0
    with pytest.raises(OSError):  # tried again, and it still fails
        guarded.search(ASKED, 1)
    with pytest.raises(LaneLeftOut):
        guarded.search(ASKED, 1)
    clock.now = 122.0
    assert guarded.search(ASKED, 1) == guarded.search(ASKED, 1) == Found([])


def test_failures_that_are_not_in_a_row_leave_nothing_out() -> None:
    gone = OSError("gone")
    guarded = GuardedLane("keyword", Lane(gone, None, gone, None, gone, None), PATIENCE)
    for _ in range(3):
        with pytest.raises(OSError):
            guarded.search(ASKED, 1)
        guarded.search(ASKED, 1)


def test_a_wrong_setting_is_told_every_time() -> None:
    wrong = ConfigurationError("FINRAG_EMBEDDER is not there")
    guarded = GuardedLane("vector", Lane(*[wrong] * 5), PATIENCE)
    for _ in range(5):
        with pytest.raises(ConfigurationError):
            guarded.search(ASKED, 1)


def test_a_lane_that_does_not_answer_in_time_is_given_up() -> None:
    release = threading.Event()

    class Hanging(Lane):
        def search(self, asked: Asked, depth: int) -> Found:
            release.wait(30)
            return Found([])

    guarded = GuardedLane("graph", Hanging(), Patience(0.05, 3, 60.0))
    with pytest.raises(LaneTimedOut, match=r"within 0\.05 s"):
        guarded.search(ASKED, 1)
    # nothing waits for it when the process ends
    (left,) = [each for each in threading.enumerate() if each.name == "lane-graph"]
    assert left.daemon
    release.set()
