"""Lanes run side by side, each measured; one that fails is reported and the others still answer.

What a lane does inside belongs to the store; putting their rankings together to `fusion`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from finrag_pipeline.errors import (
    ConfigurationError,
    FinragError,
    StoreUnavailable,
    VectorSpaceMismatch,
)
from finrag_pipeline.store.filters import Hit

Lane = Callable[[], list[Hit]]


@dataclass(slots=True)
class LaneRun:
    """What the lanes found, their time in milliseconds, and the reason of each that failed."""

    hits: dict[str, list[Hit]] = field(default_factory=dict[str, list[Hit]])
    latency_ms: dict[str, float] = field(default_factory=dict[str, float])
    degraded: list[dict[str, str]] = field(default_factory=list[dict[str, str]])


def run_lanes(lanes: Mapping[str, Lane]) -> LaneRun:
    """Run lanes in threads and wait for all of them.

    Raises:
        ConfigurationError, VectorSpaceMismatch: a wrong setting is mended, not worked around.
        FinragError: every lane failed; the line names each reason.
    """
    run = LaneRun()
    failures: list[Exception] = []
    with ThreadPoolExecutor(len(lanes), thread_name_prefix="lane") as pool:
        started = {name: pool.submit(_measured, lane) for name, lane in lanes.items()}
    for name, future in started.items():
        found, error, elapsed_ms = future.result()
        run.latency_ms[name] = elapsed_ms
        if error is None:
            run.hits[name] = found
        elif isinstance(error, ConfigurationError | VectorSpaceMismatch):
            raise error
        else:
            failures.append(error)
            run.degraded.append({"lane": name, "reason": _reason(error)})
    if failures and not run.hits:
        if len(failures) == 1 and isinstance(failures[0], FinragError):
            raise failures[0]
        reasons = "; ".join(f"{each['lane']}: {each['reason']}" for each in run.degraded)
        raise StoreUnavailable(f"no lane could search: {reasons}") from failures[0]
    return run


def elapsed_since_ms(start: float) -> float:
    """Milliseconds since a reading of `time.perf_counter`."""
    return round((time.perf_counter() - start) * 1000, 2)


def _measured(lane: Lane) -> tuple[list[Hit], Exception | None, float]:
    start = time.perf_counter()
    try:
        return lane(), None, elapsed_since_ms(start)
    except Exception as error:  # whatever breaks a lane must not break the others
        return [], error, elapsed_since_ms(start)


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text[:300] if isinstance(error, FinragError) else f"{type(error).__name__}: {text[:300]}"
