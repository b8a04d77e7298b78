"""Maximal cliques within a window: those that networkx finds, and a bound on the search."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.chunking.cliques import (
    STEPS_PER_SENTENCE,
    maximal_cliques,
    neighbour_sets,
    window_similarities,
)


def bits(graph: nx.Graph) -> list[int]:
    return [sum(1 << other for other in graph[node]) for node in sorted(graph)]


def moon_moser(triples: int) -> nx.Graph:
    """All joined but the three of each triple: 3 to the power of `triples` maximal cliques."""
    triangles = nx.disjoint_union_all([nx.complete_graph(3)] * triples)
    return nx.complement(triangles)


@st.composite
def graphs(draw: st.DrawFn) -> nx.Graph:
    count = draw(st.integers(1, 14))
    pairs = list(combinations(range(count), 2))
    joined = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    graph = nx.empty_graph(count)
    graph.add_edges_from(pair for pair, edge in zip(pairs, joined, strict=True) if edge)
    return graph


@given(graphs())
def test_cliques_are_those_of_networkx(graph: nx.Graph):
    found = list(maximal_cliques(bits(graph), steps_per_node=10**6))
    assert len(set(found)) == len(found)
    assert set(found) == {tuple(sorted(clique)) for clique in nx.find_cliques(graph)}


@given(graphs(), st.integers(1, 20))
def test_a_bounded_search_finds_some_of_the_maximal_cliques(graph: nx.Graph, steps: int):
    found = list(maximal_cliques(bits(graph), steps))
    assert set(found) <= {tuple(sorted(clique)) for clique in nx.find_cliques(graph)}
    assert found == list(maximal_cliques(bits(graph), steps))


def test_a_small_graph_of_many_cliques_is_searched_to_the_end():
    assert len(list(maximal_cliques(bits(moon_moser(6)), steps_per_node=10**6))) == 3**6


class CountedSets(list[int]):
    """Neighbour sets that count how often one is looked up."""

    lookups = 0

    def __getitem__(self, index):
        self.lookups += 1
        return super().__getitem__(index)


def test_the_search_is_bounded_where_there_are_exponentially_many_cliques():
    count = 120
    sets = CountedSets(bits(moon_moser(count // 3)))
    found = list(maximal_cliques(sets))
    assert count <= len(found) <= count * STEPS_PER_SENTENCE
    # a step looks at each candidate twice: for the pivot, and to branch
    assert sets.lookups <= count * STEPS_PER_SENTENCE * 2 * count
    assert all(len(clique) == count // 3 for clique in found)


def test_near_identical_sentences_have_a_clique_for_each_window():
    similarities = np.full((400, 19), 0.99, dtype=np.float32)
    for row in range(400):
        similarities[row, 399 - row :] = -np.inf
    cliques = list(maximal_cliques(neighbour_sets(similarities, 0.5)))
    assert cliques == [tuple(range(start, start + 20)) for start in range(381)]


@given(st.integers(1, 30), st.integers(2, 8), st.sampled_from([-0.5, 0.0, 0.3, 0.9]))
def test_edges_are_the_similar_pairs_within_the_window(count: int, window: int, threshold: float):
    rows = np.random.default_rng(count).normal(size=(count, 3)).astype(np.float32)
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    sets = neighbour_sets(window_similarities(vectors, window), threshold)
    for first, second in combinations(range(count), 2):
        joined = bool(sets[first] >> second & 1)
        assert joined == bool(sets[second] >> first & 1)
        if abs(vectors[first] @ vectors[second] - threshold) > 1e-5:
            similar = vectors[first] @ vectors[second] > threshold
            assert joined == (similar and second - first < window)


def test_a_section_longer_than_a_block_is_compared_across_blocks():
    vectors = np.ones((600, 1), dtype=np.float32)
    similarities = window_similarities(vectors, 20)
    assert np.isfinite(similarities).sum() == 19 * 600 - sum(range(1, 20))
