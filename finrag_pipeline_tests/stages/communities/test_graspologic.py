"""Parity with full graspologic, which needs an older numpy: an environment of its own has it.

`python -m pytest --noconftest` on this file alone; it needs nothing but graspologic and pytest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from finrag_pipeline.stages.communities.graph import Graph, make_graph, modularity
from finrag_pipeline.stages.communities.leiden import fresh_partition
from finrag_pipeline.stages.communities.levels import Parameters, cluster

partition = pytest.importorskip("graspologic.partition", reason="make test-graspologic has it")

Edges = list[tuple[str, str, float]]


def listed(graph: nx.Graph[Any]) -> Edges:
    """Edges whose nodes are numbered as the edges first name them, as the core numbers them."""
    ordered = sorted(tuple(sorted(ends)) for ends in graph.edges)
    numbers: dict[Any, int] = {}
    for ends in ordered:
        for node in ends:
            numbers.setdefault(node, len(numbers))
    weight = graph.edges.data("weight", default=1.0)
    weights = {tuple(sorted((one, other))): float(each) for one, other, each in weight}
    return [(str(numbers[one]), str(numbers[other]), weights[one, other]) for one, other in ordered]


def as_arrays(edges: Edges) -> Graph:
    heads = np.array([int(one) for one, _, _ in edges])
    tails = np.array([int(other) for _, other, _ in edges])
    weights = np.array([weight for _, _, weight in edges])
    return make_graph(1 + int(max(heads.max(), tails.max())), heads, tails, weights)


def groups(labels: Iterable[int]) -> set[frozenset[int]]:
    found: dict[int, set[int]] = {}
    for node, label in enumerate(labels):
        found.setdefault(label, set()).add(node)
    return {frozenset(each) for each in found.values()}


GRAPHS = {
    "karate": listed(nx.karate_club_graph()),
    "reports": listed(nx.powerlaw_cluster_graph(3000, 4, 0.5, seed=1)),
    "groups": listed(nx.relaxed_caveman_graph(60, 18, 0.15, seed=2)),
}


@pytest.mark.parametrize("iterations", [1, 2])
@pytest.mark.parametrize("name", GRAPHS)
def test_a_fresh_partition_is_that_of_graspologic(name: str, iterations: int) -> None:
    edges, graph = GRAPHS[name], as_arrays(GRAPHS[name])
    theirs = partition.leiden(edges, extra_forced_iterations=iterations - 1, random_seed=7)
    one_block = np.zeros(graph.size, dtype=np.int64)
    ours = fresh_partition(graph, one_block, seed=7, iterations=iterations)
    assert groups(ours.tolist()) == groups(theirs[str(node)] for node in range(graph.size))


@pytest.mark.parametrize("name", GRAPHS)
def test_levels_are_as_good_as_those_of_graspologic(name: str) -> None:
    edges, graph = GRAPHS[name], as_arrays(GRAPHS[name])
    size = 40
    theirs = partition.hierarchical_leiden(edges, max_cluster_size=size, random_seed=7)
    top = theirs.first_level_hierarchical_clustering()
    finest = theirs.final_level_hierarchical_clustering()
    ours = cluster(graph, Parameters(seed=7, max_sizes=(size,))).communities
    for labels, other in ((ours[0], top), (ours[-1], finest)):
        best = modularity(graph, [other[str(node)] for node in range(graph.size)])
        assert modularity(graph, labels) >= 0.99 * best
    assert np.bincount(ours[-1]).max() <= size
