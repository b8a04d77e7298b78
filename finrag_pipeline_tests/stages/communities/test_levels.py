"""Partitions in levels: as good as fresh ones, whole, kept from week to week."""

from __future__ import annotations

import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from graspologic_native import leiden_csr

from finrag_pipeline.stages.communities.continuity import settled_partition
from finrag_pipeline.stages.communities.graph import (
    Graph,
    connected_parts,
    down_weighted,
    make_graph,
    modularities,
    modularity,
    numbered,
)
from finrag_pipeline.stages.communities.hierarchy import make_hierarchy
from finrag_pipeline.stages.communities.levels import Parameters, cluster
from finrag_pipeline.stages.communities.matching import match
from finrag_pipeline_tests.stages.communities.graphs import (
    GROUPS,
    KARATE,
    REPORTS,
    from_networkx,
    one_percent_later,
)

PARAMETERS = Parameters()


def best_of_five(graph: Graph) -> float:
    matrix = graph.matrix()
    given = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)
    return max(leiden_csr(*given, graph.size, seed=seed)[0] for seed in range(5))


@pytest.mark.parametrize("graph", [KARATE, REPORTS, GROUPS], ids=["karate", "reports", "groups"])
def test_level_0_is_as_good_as_fresh_runs_now_and_a_week_later(graph: Graph) -> None:
    first = cluster(graph, PARAMETERS)
    assert modularity(graph, first.communities[0]) >= 0.99 * best_of_five(graph)
    later = one_percent_later(graph)
    second = cluster(later, PARAMETERS, first.communities)
    assert modularity(later, second.communities[0]) >= 0.99 * best_of_five(later)


def test_modularity_is_that_of_networkx() -> None:
    labels = cluster(KARATE, PARAMETERS).communities[0]
    graph = nx.karate_club_graph()
    groups = [set(np.flatnonzero(labels == each).tolist()) for each in np.unique(labels)]
    assert modularity(KARATE, labels) == pytest.approx(nx.community.modularity(graph, groups))


def test_the_modularity_of_a_block_is_that_of_the_block_alone() -> None:
    both = nx.disjoint_union(nx.karate_club_graph(), nx.barbell_graph(5, 1))
    graph = from_networkx(both)
    blocks = (np.arange(graph.size) >= 34).astype(np.int64)
    labels = cluster(graph, PARAMETERS).communities[0]
    found = modularities(graph, blocks, labels)
    assert found[0] == pytest.approx(modularity(KARATE, labels[:34]))


@pytest.mark.parametrize("graph", [REPORTS, GROUPS], ids=["reports", "groups"])
def test_levels_are_nested_connected_and_small_enough(graph: Graph) -> None:
    levels = cluster(graph, PARAMETERS).communities
    assert len(levels) >= 4
    for level, labels in enumerate(levels):
        assert np.array_equal(numbered(connected_parts(graph, labels)), by_first_node(labels))
        if level:
            assert len(set(zip(labels.tolist(), levels[level - 1].tolist(), strict=True))) == len(
                np.unique(labels)
            )
    # what is larger than the last level allows cannot be divided with any gain
    sizes = np.bincount(levels[-1])
    assert sizes.max() <= PARAMETERS.max_sizes[-1]


def by_first_node(labels: np.ndarray) -> np.ndarray:
    _, first, found = np.unique(labels, return_index=True, return_inverse=True)
    return numbered(first[found])


def test_the_same_graph_a_week_later_has_the_same_communities() -> None:
    first = cluster(REPORTS, PARAMETERS)
    second = cluster(REPORTS, PARAMETERS, first.communities)
    assert sum(second.fresh) == 0
    for before, now in zip(first.communities, second.communities, strict=True):
        assert np.array_equal(numbered(before, now), numbered(before))


@pytest.mark.parametrize("graph", [KARATE, REPORTS, GROUPS], ids=["karate", "reports", "groups"])
def test_communities_outlive_a_change_of_one_percent(graph: Graph) -> None:
    first = cluster(graph, PARAMETERS)
    second = cluster(one_percent_later(graph), PARAMETERS, first.communities)
    before, now = make_hierarchy(first.communities), make_hierarchy(second.communities)
    matching = match(before, now)
    alike = 0
    for number in np.flatnonzero(matching.before >= 0).tolist():
        level, old = int(matching.levels[number]), int(matching.before[number])
        ours, theirs = now.on_level(level) == number, before.on_level(level) == old
        alike += bool(2 * (ours & theirs).sum() >= (ours | theirs).sum() and before.sizes[old] > 1)
    assert alike >= 0.95 * (before.sizes > 1).sum()


def test_a_partition_that_no_longer_fits_is_given_up() -> None:
    first = cluster(REPORTS, PARAMETERS)
    order = np.random.default_rng(3).permutation(REPORTS.size)
    shuffled = make_graph(REPORTS.size, order[REPORTS.heads], order[REPORTS.tails], REPORTS.weights)
    second = cluster(shuffled, PARAMETERS, first.communities)
    assert (second.kept[0], second.fresh[0]) == (0, 1)
    best = best_of_five(shuffled)
    assert modularity(shuffled, second.communities[0]) >= 0.99 * best


def test_new_nodes_join_their_neighbours() -> None:
    graph = from_networkx(nx.barbell_graph(6, 0))
    first = cluster(graph, PARAMETERS).communities
    # one new node beside each bell, one beside nothing
    grown = make_graph(
        15,
        np.concatenate([graph.heads, [0, 1, 11]]),
        np.concatenate([graph.tails, [12, 12, 13]]),
        np.concatenate([graph.weights, [1.0, 1.0, 1.0]]),
    )
    last = [np.concatenate([each, [-1, -1, -1]]) for each in first]
    found = cluster(grown, PARAMETERS, last)
    labels = found.communities[0].tolist()
    assert found.kept == (1,)
    assert labels[12] == labels[0]
    assert labels[13] == labels[11]
    assert labels.count(labels[14]) == 1


def test_a_community_that_fell_apart_is_split() -> None:
    graph = from_networkx(nx.disjoint_union(nx.complete_graph(4), nx.complete_graph(4)))
    nodes = np.zeros(8, dtype=np.int64)
    settled = settled_partition(graph, nodes, nodes)
    assert settled.tolist() == [0] * 4 + [1] * 4


def test_super_nodes_weigh_less() -> None:
    hub = from_networkx(nx.star_graph(400))
    lighter = down_weighted(hub, 100, 0.5)
    assert lighter.weights == pytest.approx(np.full(400, 0.5))
    assert np.array_equal(down_weighted(KARATE, 100, 0.5).weights, KARATE.weights)


def test_what_has_no_edges_is_alone() -> None:
    none = np.zeros(0, dtype=np.int64)
    found = cluster(make_graph(3, none, none, none.astype(float)), PARAMETERS)
    assert found.communities[0].tolist() == [0, 1, 2]
    assert len(found.communities) == 1


def test_the_order_of_rows_changes_no_bit() -> None:
    rng = np.random.default_rng(4)
    heads, tails = rng.integers(0, 50, (2, 600))
    weights = rng.random(600)
    one = make_graph(50, heads, tails, weights)
    order = rng.permutation(600)
    other = make_graph(50, tails[order], heads[order], weights[order])
    assert one.weights.tobytes() == other.weights.tobytes()
    assert np.array_equal(one.heads, other.heads)


_HASHED = """
import hashlib
from finrag_pipeline.stages.communities.levels import Parameters, cluster
from finrag_pipeline_tests.stages.communities.graphs import GROUPS, one_percent_later
first = cluster(GROUPS, Parameters())
second = cluster(one_percent_later(GROUPS), Parameters(), first.communities)
found = [each.tobytes() for each in (*first.communities, *second.communities)]
print(hashlib.sha256(b"".join(found)).hexdigest())
"""


def test_processes_agree_whatever_their_hash_seed() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", _HASHED],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(found) == 1
