"""Fusion depends on ranks alone, favours agreement, and loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.weights import LANE_WEIGHTS, RRF_K

RANKING = st.lists(st.integers(0, 30), unique=True, max_size=15)
LANES = st.dictionaries(st.sampled_from(["keyword", "vector", "graph"]), RANKING)


@given(LANES)
def test_every_entry_comes_out_once_with_its_ranks(lanes: dict[str, list[int]]) -> None:
    fused = fuse(lanes)
    assert sorted(entry.key for entry in fused) == sorted(
        {k for keys in lanes.values() for k in keys}
    )
    for entry in fused:
        ranks = {
            lane: keys.index(entry.key) + 1 for lane, keys in lanes.items() if entry.key in keys
        }
        assert entry.lanes == ranks
        assert entry.score == pytest.approx(
            sum(LANE_WEIGHTS.get(lane, 1) / (RRF_K + rank) for lane, rank in ranks.items())
        )
    scores = [entry.score for entry in fused]
    assert scores == sorted(scores, reverse=True)


@given(LANES)
def test_the_order_of_lanes_does_not_matter_to_scores(lanes: dict[str, list[int]]) -> None:
    backwards = dict(reversed(lanes.items()))
    assert {e.key: e.score for e in fuse(lanes)} == {e.key: e.score for e in fuse(backwards)}


@given(RANKING)
def test_one_lane_keeps_its_order(ranking: list[int]) -> None:
    assert [entry.key for entry in fuse({"keyword": ranking})] == ranking


@given(RANKING.filter(lambda ranking: len(ranking) > 1))
def test_what_two_lanes_put_first_comes_first(ranking: list[int]) -> None:
    assert fuse({"keyword": ranking, "vector": [ranking[0], 99]})[0].key == ranking[0]


def test_a_repeated_entry_counts_once() -> None:
    (entry,) = fuse({"keyword": ["a", "a"]})
    assert entry.score == pytest.approx(1 / (RRF_K + 1))
