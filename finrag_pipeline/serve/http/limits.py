"""How often one token, or one address without any, may ask."""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from finrag_pipeline.serve.http.errors import RequestRefused

#: Requests of one address with a wrong token or none, where one is needed. What has the right one
#: is counted by that: a client that is set up wrongly does not keep a whole office out.
_FAILURES_PER_MINUTE = 60


class RateLimits:
    """Counts requests of this process over the last minute, for any number of threads.

    Args:
        requests_per_minute: of one token or address.
    """

    def __init__(self, requests_per_minute: int) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerMinute(requests_per_minute)
        self._failures = RateLimitItemPerMinute(_FAILURES_PER_MINUTE)

    def count(self, who: str) -> None:
        """Count a request.

        Raises:
            RequestRefused: there were too many.
        """
        if not self._limiter.hit(self._requests, "requests", who):
            raise self._too_many(self._requests, "requests", who)

    def count_failure(self, address: str) -> None:
        """Count a request that was not authenticated; errors as in `count`."""
        if not self._limiter.hit(self._failures, "failures", address):
            raise self._too_many(self._failures, "failures", address)

    def _too_many(self, limit: RateLimitItemPerMinute, *key: str) -> RequestRefused:
        reset_at, _ = self._limiter.get_window_stats(limit, *key)
        wait_s = max(1, math.ceil(reset_at - time.time()))
        return RequestRefused(
            429,
            "too_many_requests",
            f"more than {limit.amount} requests in a minute",
            f"wait {wait_s} s",
            {"Retry-After": str(wait_s)},
        )
