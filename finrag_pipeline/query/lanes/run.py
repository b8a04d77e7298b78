"""Lanes run side by side, each measured; one that fails is reported and the others still answer.

What a lane does inside belongs to its own module; putting rankings together to `fusion`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

from finrag_pipeline.errors import FinragError, TransientError
from finrag_pipeline.query.evidence.keys import LaneHit
from finrag_pipeline.query.lanes.guarded import SETTINGS
from finrag_pipeline.query.lanes.registry import Found, Lane
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.spans import Span, span


class NoLaneLeft(TransientError):
    """Every lane of a plan failed.

    Attributes:
        degraded: each with its reason.
        latency_ms: of each.
    """

    def __init__(self, degraded: Sequence[dict[str, str]], latency_ms: Mapping[str, float]) -> None:
        reasons = "; ".join(f"{each['lane']}: {each['reason']}" for each in degraded)
        super().__init__(f"no lane could search: {reasons}")
        self.degraded = tuple(degraded)
        self.latency_ms = dict(latency_ms)

    @property
    def logged(self) -> str:
        # reasons may quote the question
        return f"no lane could search: {', '.join(each['lane'] for each in self.degraded)}"


@dataclass(slots=True)
class LaneRun:
    """What the lanes found, their time in milliseconds, and the reason of each that failed."""

    found: dict[str, Found] = field(default_factory=dict[str, Found])
    latency_ms: dict[str, float] = field(default_factory=dict[str, float])
    degraded: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    @property
    def hits(self) -> dict[str, list[LaneHit]]:
        return {name: found.hits for name, found in self.found.items()}

    @property
    def reasons(self) -> dict[str, str]:
        """Why lanes had nothing to say or could not look as they should, of those that know."""
        return {name: found.reason for name, found in self.found.items() if found.reason}

    @property
    def summary(self) -> str:
        """Which lanes found something and how, and what kept the others from it."""
        ways = [found.way for found in self.found.values() if found.way]
        held = [name for name, hits in self.hits.items() if hits]
        spoke = f"{' and '.join(held)} lanes, fused by rank" if held else "no lane found anything"
        return "; ".join([*(ways or [spoke]), *self.reasons.values()])

    def then(self, later: LaneRun) -> LaneRun:
        """This run and a later one, as one."""
        return LaneRun(
            self.found | later.found,
            self.latency_ms | later.latency_ms,
            [*self.degraded, *later.degraded],
        )

    @property
    def looked(self) -> bool:
        """Whether any lane looked, though it may have found nothing: one that has nothing to say of
        a question answers for none that failed."""
        return any(found.hits or not (found.reason or found.aside) for found in self.found.values())

    def checked(self) -> LaneRun:
        """This run, if any lane could look.

        Raises:
            NoLaneLeft: some failed, and no other looked.
        """
        if self.degraded and not self.looked:
            raise NoLaneLeft(self.degraded, self.latency_ms)
        return self

    @property
    def context(self) -> tuple[dict[str, Any], ...]:
        """What lanes say beside their entries."""
        return tuple(item for found in self.found.values() for item in found.context)


def run_lanes(lanes: Mapping[str, Lane], asked: Asked, depth: int) -> LaneRun:
    """Run lanes in threads and wait for all of them.

    Raises:
        ConfigurationError, VectorSpaceMismatch: a wrong setting is mended, not worked around.
    """
    run = LaneRun()
    with ThreadPoolExecutor(len(lanes), thread_name_prefix="lane") as pool:
        started = {
            # each in a context of its own: the question's id and the step that it is part of
            name: pool.submit(copy_context().run, _measured, name, lane, asked, depth)
            for name, lane in lanes.items()
        }
    for name, future in started.items():
        found, error, elapsed_ms = future.result()
        run.latency_ms[name] = elapsed_ms
        if error is None:
            run.found[name] = found
        elif isinstance(error, SETTINGS):
            raise error
        else:
            run.degraded.append({"lane": name, "reason": reason_of(error)})
    return run


def elapsed_since_ms(start: float) -> float:
    """Milliseconds since a reading of `time.perf_counter`."""
    return round((time.perf_counter() - start) * 1000, 2)


def _measured(
    name: str, lane: Lane, asked: Asked, depth: int
) -> tuple[Found, Exception | None, float]:
    found, failed = Found([]), None
    step = Span("lane")
    try:
        with span("lane", lane=name) as step:
            found = lane.search(asked, depth)
    except Exception as error:  # whatever breaks a lane must not break the others
        failed = error
    return found, failed, step.ms


def reason_of(error: Exception) -> str:
    """Why something failed, in one line; what no user was meant to see, with its kind."""
    text = " ".join(str(error).split())
    return text[:300] if isinstance(error, FinragError) else f"{type(error).__name__}: {text[:300]}"
