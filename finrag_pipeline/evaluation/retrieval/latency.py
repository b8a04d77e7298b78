"""How long each stage of a search takes: several runs a question, warm, one after the other.

Stages are those that results tell in `latency_ms`; lanes run side by side, so the time that is
waited for, `total`, is less than their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from finrag_pipeline.errors import FinragError
from finrag_pipeline.evaluation.retrieval.variants import Task
from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options

#: A stage whose 95th percentile is above it is told of.
THRESHOLD_MS = 500.0
TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Timed:
    """The runs of one question: milliseconds by stage, and how much text came back."""

    question_id: str
    runs: tuple[Mapping[str, float], ...]
    context_tokens: int


@dataclass(frozen=True, slots=True)
class StageTime:
    """One stage over all runs of all questions, in milliseconds."""

    p50: float
    p95: float
    longest: float
    share_over_threshold: float

    @property
    def slow(self) -> bool:
        return self.p95 > THRESHOLD_MS


def time_questions(
    engine: QueryEngine,
    tasks: Sequence[Task],
    options: Options,
    repeat: int,
    progress: Callable[[int], None] | None = None,
) -> list[Timed]:
    """Ask every question `repeat` times; those that fail have no time.

    Ask each of them once before, so that models, connections and copies are there.
    """
    timed: list[Timed] = []
    for done, task in enumerate(tasks, 1):
        given = replace(options, document=task.given)
        with suppress(FinragError):
            runs = [engine.search(task.question.question, given) for _ in range(repeat)]
            tokens = sum(count_tokens(result.text) for result in runs[-1].results)
            timed.append(Timed(task.question.id, tuple(run.latency_ms for run in runs), tokens))
        if progress:
            progress(done)
    return timed


def stage_times(timed: Sequence[Timed]) -> dict[str, StageTime]:
    """Every stage, `total` last; a run without a stage spent no time in it."""
    runs = [run for each in timed for run in each.runs]
    names = dict.fromkeys(name for run in runs for name in run)
    stages = [
        *(name for name in names if name != TOTAL),
        *(name for name in names if name == TOTAL),
    ]
    return {name: _stage([run.get(name, 0.0) for run in runs]) for name in stages}


def breakdown(name: str, timed: Sequence[Timed]) -> dict[str, Any]:
    """What `latency_breakdown.json` holds of one question file; milliseconds and tokens."""
    times = stage_times(timed)
    totals = [float(np.median([run[TOTAL] for run in each.runs])) for each in timed]
    tokens = [each.context_tokens for each in timed]
    varies = len(set(tokens)) > 1 and len(set(totals)) > 1
    return {
        "questions": name,
        "runs": sum(len(each.runs) for each in timed),
        "threshold_ms": THRESHOLD_MS,
        "slow_stages": [stage for stage, time in times.items() if time.slow],
        "stages": {
            stage: {
                "p50_ms": time.p50,
                "p95_ms": time.p95,
                "max_ms": time.longest,
                "share_over_threshold": time.share_over_threshold,
            }
            for stage, time in times.items()
        },
        "context_tokens": {
            "p50": float(np.percentile(tokens, 50)) if tokens else None,
            "p95": float(np.percentile(tokens, 95)) if tokens else None,
            "correlation_with_total": round(float(np.corrcoef(tokens, totals)[0, 1]), 3)
            if varies
            else None,
        },
        "by_question": [
            {
                "id": each.question_id,
                "context_tokens": each.context_tokens,
                "runs_ms": [dict(run) for run in each.runs],
            }
            for each in timed
        ],
    }


def told(name: str, timed: Sequence[Timed]) -> str:
    """One line for a table's notes."""
    times = stage_times(timed)
    runs = sum(len(each.runs) for each in timed)
    stages = ", ".join(f"{stage} {time.p50:.0f}/{time.p95:.0f}" for stage, time in times.items())
    slow = [stage for stage, time in times.items() if time.slow]
    over = (
        f"; over {THRESHOLD_MS:.0f} ms at P95: {', '.join(slow)}: searches are slow"
        if slow
        else f"; no stage is over {THRESHOLD_MS:.0f} ms at P95"
    )
    return f"{name}, ms P50/P95 of {runs} runs: {stages}{over}."


def _stage(values: Sequence[float]) -> StageTime:
    p50, p95 = (round(float(each), 2) for each in np.percentile(values, [50, 95]))
    over = float(np.mean([value > THRESHOLD_MS for value in values]))
    return StageTime(p50, p95, max(values), round(over, 4))
