"""A lane that answers in time or not at all, and is left alone for a while where it keeps failing.

Which lanes run, and what is said of one that failed, is `run`'s.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field

from finrag_pipeline.errors import ConfigurationError, TransientError, VectorSpaceMismatch
from finrag_pipeline.query.lanes.registry import Found, Lane
from finrag_pipeline.query.question.asked import Asked

#: A wrong setting is mended, not waited for.
SETTINGS = (ConfigurationError, VectorSpaceMismatch)


class LaneTimedOut(TransientError):
    """A lane did not answer in time."""


class LaneLeftOut(TransientError):
    """A lane is not asked for a while, since it failed several times in a row."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long lanes are waited for.

    Attributes:
        timeout_s: seconds until a lane is given up for a question.
        failures: in a row, after which a lane is left out.
        pause_s: seconds for which it is; then one question tries it again.
    """

    timeout_s: float
    failures: int
    pause_s: float


@dataclass(slots=True)
class _Outcome:
    found: Found | None = None
    error: BaseException | None = None
    done: threading.Event = field(default_factory=threading.Event)


class GuardedLane:
    """A lane with a time-out and a circuit breaker, for any number of threads.

    Args:
        clock: seconds that only go on.
    """

    def __init__(
        self,
        name: str,
        lane: Lane,
        patience: Patience,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._lane = lane
        self._patience = patience
        self._clock = clock
        self._guard = threading.Lock()
        self._failures = 0
        self._last = ""
        self._closed_until = 0.0

    def search(self, asked: Asked, depth: int) -> Found:
        """As the lane itself.

        Raises:
            LaneTimedOut, LaneLeftOut: it took too long, or is not asked for now.
        """
        self._check()
        try:
            found = self._in_time(asked, depth)
        except SETTINGS:
            raise
        except Exception as error:
            self._failed(error)
            raise
        with self._guard:
            self._failures = 0
        return found

    def _check(self) -> None:
        with self._guard:
            if self._failures < self._patience.failures:
                return
            left = self._closed_until - self._clock()
            if left > 0:
                raise LaneLeftOut(
                    f"left out for {left:.0f} s more (FINRAG_LANE_PAUSE_S) after "
                    f"{self._failures} failures in a row, the last: {self._last}"
                )
            # this question tries it again, those beside it do not
            self._closed_until = self._clock() + self._patience.pause_s

    def _failed(self, error: Exception) -> None:
        with self._guard:
            self._failures += 1
            self._last = " ".join(str(error).split())[:200] or type(error).__name__
            self._closed_until = self._clock() + self._patience.pause_s

    def _in_time(self, asked: Asked, depth: int) -> Found:
        outcome = _Outcome()

        def work() -> None:
            try:
                outcome.found = self._lane.search(asked, depth)
            except BaseException as error:
                outcome.error = error
            finally:
                outcome.done.set()

        # a daemon: nobody waits at the end of the process for one that hangs
        threading.Thread(
            target=copy_context().run, args=(work,), name=f"lane-{self._name}", daemon=True
        ).start()
        if not outcome.done.wait(self._patience.timeout_s):
            raise LaneTimedOut(
                f"no answer within {self._patience.timeout_s:g} s (FINRAG_LANE_TIMEOUT_S)"
            )
        if outcome.error is not None:
            raise outcome.error
        assert outcome.found is not None  # it answered or failed
        return outcome.found
