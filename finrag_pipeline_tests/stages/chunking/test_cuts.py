"""Cuts between weakest links: the cheapest of all that keep the bounds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.chunking.cuts import SHORT_COST, block_links, cheapest_cuts, cut_costs
from finrag_pipeline.stages.chunking.groups import Group

A, B = [1.0, 0.0], [0.0, 1.0]


def units(*rows: list[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def test_a_link_is_the_mean_similarity_of_the_blocks_on_both_sides():
    links = block_links(units(A, A, B, B), [10] * 4, reach=2)
    assert links == pytest.approx([0.5, 0.0, 0.5])


def test_a_link_looks_no_further_than_its_reach_and_weighs_longer_units_more():
    links = block_links(units(A, B, A, B), [10, 10, 10, 10], reach=1)
    assert links == pytest.approx([0, 0, 0])
    longer = block_links(units(A, A, B), [10, 40, 90], reach=2)
    # before the last gap only A; before the first A stands against A (weight 2) and B (weight 3)
    assert longer == pytest.approx([2 / 5, 0])


def test_an_over_long_section_is_cut_at_its_weakest_link_and_not_at_the_limit():
    costs = [0.5, 0.1, 0.5, 0.4, 0.5]
    assert cheapest_cuts([100] * 6, costs, 100, 500) == [(0, 2), (2, 6)]


def test_cuts_are_made_between_groups_though_links_inside_are_weaker():
    groups = [Group(0, 2, (0, 1)), Group(2, 5, (2, 3, 4))]
    costs = cut_costs(np.array([0.0, 0.6, 0.0, 0.1]), groups, separation=0.0)
    assert cheapest_cuts([150] * 5, costs.tolist(), 100, 500) == [(0, 2), (2, 5)]


def test_a_group_too_long_for_a_chunk_is_cut_at_its_weakest_link():
    costs = cut_costs(np.array([0.3, 0.1, 0.2]), [Group(0, 4, (0, 1, 2, 3))], separation=0.5)
    assert cheapest_cuts([150] * 4, costs.tolist(), 100, 500) == [(0, 2), (2, 4)]


def test_links_weaker_than_the_separation_are_cut_and_stronger_ones_are_not():
    groups = [Group(i, i + 1, (i,)) for i in range(3)]
    costs = cut_costs(np.array([0.3, 0.1]), groups, separation=0.2)
    assert cheapest_cuts([150] * 3, costs.tolist(), 100, 500) == [(0, 2), (2, 3)]


def test_short_parts_join_the_side_that_they_are_more_like():
    assert cheapest_cuts([200, 30, 200], [0.4, 0.1], 100, 400) == [(0, 2), (2, 3)]
    assert cheapest_cuts([200, 30, 200], [0.1, 0.4], 100, 400) == [(0, 1), (1, 3)]


cases = st.lists(
    st.tuples(st.integers(1, 60), st.floats(-1, 1).map(lambda cost: round(cost, 3))),
    min_size=1,
    max_size=9,
)


@given(cases)
def test_no_other_cuts_cost_less(case: list[tuple[int, float]]):
    lengths = [length for length, _ in case]
    costs = [cost for _, cost in case[:-1]]
    least, most = 40, 100

    def price(bounds: list[tuple[int, int]]) -> float:
        sizes = [sum(lengths[start:stop]) for start, stop in bounds]
        if max(sizes) > most:
            return float("inf")
        short = sum(1 + (least - size) / least for size in sizes if size < least)
        return sum(costs[start - 1] for start, _ in bounds[1:]) + SHORT_COST * short

    def bounds_of(cuts: tuple[int, ...]) -> list[tuple[int, int]]:
        return list(zip((0, *cuts), (*cuts, len(lengths)), strict=True))

    inner = range(1, len(lengths))
    cheapest = min(
        price(bounds_of(cuts))
        for count in range(len(lengths))
        for cuts in combinations(inner, count)
    )
    found = cheapest_cuts(lengths, costs, least, most)
    assert price(found) == pytest.approx(cheapest)
    assert [start for start, _ in found] == [0, *(stop for _, stop in found[:-1])]
