"""Graphs of known kinds as arrays, and changes to them."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from finrag_pipeline.stages.communities.graph import Graph, make_graph


def from_networkx(graph: nx.Graph[Any]) -> Graph:
    """A graph whose nodes are numbered from 0."""
    ends = np.array(list(graph.edges), dtype=np.int64).reshape(-1, 2)
    weights = [float(each.get("weight", 1.0)) for _, _, each in graph.edges(data=True)]
    return make_graph(len(graph), ends[:, 0], ends[:, 1], np.array(weights, dtype=np.float64))


KARATE = from_networkx(nx.karate_club_graph())
#: Of the size and the form of a graph made from some hundred reports: a few nodes have many edges.
REPORTS = from_networkx(nx.powerlaw_cluster_graph(3000, 4, 0.5, seed=1))
#: 60 groups of 18 in 1,080 nodes: large ones on level 0, divided further below.
GROUPS = from_networkx(nx.relaxed_caveman_graph(60, 18, 0.15, seed=2))


def one_percent_later(graph: Graph, seed: int = 5) -> Graph:
    """One edge in two hundred is gone, as many are new."""
    rng = np.random.default_rng(seed)
    count = max(1, len(graph.heads) // 200)
    left = rng.permutation(len(graph.heads))[count:]
    return make_graph(
        graph.size,
        np.concatenate([graph.heads[left], rng.integers(0, graph.size, count)]),
        np.concatenate([graph.tails[left], rng.integers(0, graph.size, count)]),
        np.concatenate([graph.weights[left], np.ones(count)]),
    )
