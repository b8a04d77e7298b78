"""How much a chat server is sent in a minute, over all threads of the process."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_WINDOW_S = 60.0


@dataclass(slots=True)
class Taken:
    """What was taken of a limit, and when."""

    at: float
    amount: int


class PerMinute:
    """A bound that holds in any 60 seconds, not on average: whoever asks waits its turn.

    Args:
        limit: what fits into a minute; one that is larger by itself gets a minute for itself.
        clock, sleep: seconds that only rise, and waiting for them.
    """

    def __init__(
        self,
        limit: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._limit = limit
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        # by the moments they count from, the last ones possibly ahead of the clock
        self._taken: deque[Taken] = deque()

    def take(self, amount: int = 1) -> Taken:
        """Wait until `amount` more fits."""
        with self._lock:
            now = self._clock()
            while self._taken and self._taken[0].at <= now - _WINDOW_S:
                self._taken.popleft()
            at = max(now, self._taken[-1].at) if self._taken else now
            for earlier in self._taken:
                if self._sum_since(at) + amount <= self._limit:
                    break
                at = max(at, earlier.at + _WINDOW_S)
            taken = Taken(at, amount)
            self._taken.append(taken)
        if at > now:
            self._sleep(at - now)
        return taken

    def settle(self, taken: Taken, amount: int) -> None:
        """Put right what was taken, once it is known."""
        with self._lock:
            taken.amount = amount

    def _sum_since(self, at: float) -> int:
        return sum(each.amount for each in self._taken if each.at > at - _WINDOW_S)


@dataclass(frozen=True)
class Limits:
    """Of one server: requests, and tokens of prompts and replies together; None for no limit."""

    requests: PerMinute | None = None
    tokens: PerMinute | None = None

    def take_request(self) -> None:
        """Wait for one more request, a repeated one as well."""
        if self.requests:
            self.requests.take()


@lru_cache
def shared_limits(server: str, requests: int | None, tokens: int | None) -> Limits:
    """The limits of a server, the same for all its users in this process."""
    return Limits(PerMinute(requests) if requests else None, PerMinute(tokens) if tokens else None)
