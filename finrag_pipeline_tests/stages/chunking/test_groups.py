"""Runs of cliques, and who gets what belongs to several of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.chunking.groups import GAP, Group, clique_runs, core, partition

ALIKE = np.full((12, 11), 0.5, dtype=np.float32)


def run(start: int, stop: int, cohesion: float) -> Group:
    return Group(start, stop, tuple(range(start, stop)), cohesion)


def spans(groups) -> list[tuple[int, int]]:
    return [(group.start, group.stop) for group in groups]


def test_a_small_gap_is_filled_and_a_larger_one_starts_another_run():
    (first, second) = clique_runs([(0, 2, 5, 6)], ALIKE)
    assert (first.start, first.stop, first.anchors) == (0, 3, (0, 2))
    assert (second.start, second.stop, second.anchors) == (5, 7, (5, 6))


def test_the_cohesion_of_a_run_is_the_mean_similarity_of_its_anchors():
    similarities = np.zeros((3, 2), dtype=np.float32)
    similarities[0] = 0.9, 0.3  # with 1 and 2
    similarities[1, 0] = 0.6
    (found,) = clique_runs([(0, 1, 2)], similarities)
    assert found.cohesion == np.float32(0.6)


def test_what_overlaps_stays_with_the_earlier_group_while_that_is_short():
    runs = [run(0, 3, 0.2), run(2, 5, 0.9)]
    assert spans(partition(runs, [10] * 5, enough=100)) == [(0, 3), (3, 5)]


def test_what_overlaps_goes_to_the_more_cohesive_group_once_the_earlier_is_long_enough():
    assert spans(partition([run(0, 3, 0.2), run(2, 5, 0.9)], [50] * 5, 100)) == [(0, 2), (2, 5)]
    assert spans(partition([run(0, 3, 0.9), run(2, 5, 0.2)], [50] * 5, 100)) == [(0, 3), (3, 5)]


def test_units_in_no_run_are_groups_alone():
    groups = partition([run(1, 3, 0.5)], [10] * 4, 100)
    assert spans(groups) == [(0, 1), (1, 3), (3, 4)]
    assert [group.anchors for group in groups] == [(0,), (1, 2), (3,)]


def test_the_core_of_a_chunk_is_its_largest_group():
    groups = [run(0, 2, 0.5), run(2, 6, 0.5), run(6, 7, 0.5)]
    assert core(groups, 0, 7) == (2, 3, 4, 5)
    assert core(groups, 0, 3) == (0, 1)


def test_a_chunk_of_units_that_only_fill_gaps_has_its_first_as_its_core():
    assert core([Group(0, 3, (0, 2))], 1, 2) == (1,)


cliques = st.lists(st.sets(st.integers(0, 11), min_size=1).map(sorted), max_size=8)


@given(cliques, st.lists(st.integers(1, 120), min_size=12, max_size=12))
def test_groups_partition_the_units_and_keep_their_anchors_in_one_clique(found, lengths):
    runs = clique_runs(found, ALIKE)
    for one in runs:
        assert len(one.anchors) > 1
        assert all(after - before <= GAP + 1 for before, after in pairwise(one.anchors))
    groups = partition(runs, lengths, 100)
    assert [group.start for group in groups] == [0, *(group.stop for group in groups[:-1])]
    assert groups[-1].stop == 12
    for group in groups:
        assert group.start == group.anchors[0] and group.stop == group.anchors[-1] + 1
        assert len(group.anchors) == 1 or any(set(group.anchors) <= set(one) for one in found)
