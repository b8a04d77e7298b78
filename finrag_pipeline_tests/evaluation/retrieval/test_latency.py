"""Percentiles of stages over runs, and which stages are told to be slow."""

from __future__ import annotations

import pytest

from finrag_pipeline.evaluation.retrieval.latency import (
    THRESHOLD_MS,
    Timed,
    breakdown,
    stage_times,
    told,
)
from finrag_pipeline.evaluation.retrieval.pictures import latency_picture, weeks_picture

FAST = Timed("fast", ({"keyword": 10.0, "total": 30.0}, {"keyword": 20.0, "total": 40.0}), 100)
SLOW = Timed("slow", ({"keyword": 30.0, "graph": 900.0, "total": 950.0},), 300)


def test_stages_are_over_all_runs_and_total_is_last() -> None:
    times = stage_times([FAST, SLOW])
    assert list(times) == ["keyword", "graph", "total"]
    assert (times["keyword"].p50, times["keyword"].longest) == (20.0, 30.0)
    # a run without the stage spent no time in it
    assert (times["graph"].p50, times["graph"].share_over_threshold) == (0.0, 0.3333)
    assert times["graph"].p95 == pytest.approx(810.0)
    assert [name for name, time in times.items() if time.slow] == ["graph", "total"]


def test_the_breakdown_names_slow_stages_and_the_weight_of_the_context() -> None:
    found = breakdown("q", [FAST, SLOW])
    assert (found["runs"], found["slow_stages"]) == (3, ["graph", "total"])
    assert found["context_tokens"]["correlation_with_total"] == 1.0
    assert f"over {THRESHOLD_MS:.0f} ms at P95: graph, total" in told("q", [FAST, SLOW])
    assert "no stage is over" in told("q", [FAST])
    # all questions failed
    assert breakdown("q", [])["stages"] == {}


def test_pictures_are_drawn_of_any_name() -> None:
    times = stage_times([FAST, SLOW])
    assert latency_picture({"问题集/a": times, "b": times}).startswith(b"\x89PNG")
    points = [("2026-03-01", 0.5), ("2026-03-08", 0.75)]
    assert weeks_picture("问题集", {"R@10": points, "later": points[1:]}).startswith(b"\x89PNG")
