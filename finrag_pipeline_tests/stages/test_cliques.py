"""Runs of maximal cliques: anchors are pairwise similar, adversarial graphs stay bounded."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.cliques import CLIQUES_PER_SENTENCE, GAP, clique_runs, similarity_graph


def unit_rows(values: list[list[float]]) -> np.ndarray:
    rows = np.array(values, dtype=np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def test_edges_need_similarity_and_nearness():
    vectors = unit_rows([[1, 0], [1, 0.1], [0, 1], [1, 0]])
    graph = similarity_graph(vectors, window=3, threshold=0.9)
    assert sorted(graph.edges) == [(0, 1), (1, 3)]


@given(
    st.integers(2, 12).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.sets(
                st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(
                    lambda e: e[0] < e[1]
                )
            ),
        )
    )
)
def test_anchors_of_a_run_are_pairwise_joined_and_gaps_are_small(case):
    n, edges = case
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((a, b, 0.5) for a, b in edges)
    for run in clique_runs(graph):
        assert len(run.anchors) >= 2
        assert (run.start, run.stop) == (run.anchors[0], run.anchors[-1] + 1)
        assert all(graph.has_edge(a, b) for a, b in combinations(run.anchors, 2))
        assert all(b - a <= GAP + 1 for a, b in zip(run.anchors, run.anchors[1:], strict=False))


def test_a_graph_with_exponentially_many_cliques_is_cut_short():
    # the complement of disjoint triangles has 3^(n/3) maximal cliques: 3^13 of them here
    graph = nx.complement(nx.disjoint_union_all([nx.complete_graph(3)] * 13))
    nx.set_edge_attributes(graph, 0.5, "weight")
    assert len(clique_runs(graph)) <= CLIQUES_PER_SENTENCE * len(graph) * len(graph)
