"""A weighted graph as arrays, parts of it, and how well a partition fits them.

Which partition to take belongs to `leiden` and `continuity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Graph:
    """An undirected graph of `size` nodes: each pair once, `heads` < `tails`, ordered by both.

    Nodes are the places of entities in the order of their ids. No weight is 0 or less.
    """

    size: int
    heads: Ints
    tails: Ints
    weights: Floats

    def strengths(self) -> Floats:
        """The weights of each node's edges together."""
        ends = np.concatenate([self.heads, self.tails])
        return np.bincount(ends, np.tile(self.weights, 2), self.size).astype(np.float64)

    def degrees(self) -> Ints:
        """The number of each node's edges."""
        return np.bincount(np.concatenate([self.heads, self.tails]), minlength=self.size)

    def inside(self, labels: Ints) -> NDArray[np.bool_]:
        """Which edges have both ends in one community."""
        return labels[self.heads] == labels[self.tails]

    def part(self, nodes: Ints, labels: Ints) -> Graph:
        """Some nodes, numbered anew in their order, with the edges inside their communities.

        Args:
            nodes: in order.
            labels: the community of each of them.
        """
        label = np.full(self.size, -1, dtype=np.int64)
        label[nodes] = labels
        kept = (label[self.heads] == label[self.tails]) & (label[self.heads] >= 0)
        place = np.zeros(self.size, dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        heads, tails = place[self.heads[kept]], place[self.tails[kept]]
        return Graph(len(nodes), heads, tails, self.weights[kept])

    def matrix(self) -> Any:
        """The symmetric scipy CSR matrix of the weights, columns in order."""
        from scipy.sparse import csr_array

        ends = (
            np.concatenate([self.heads, self.tails]),
            np.concatenate([self.tails, self.heads]),
        )
        matrix = csr_array((np.tile(self.weights, 2), ends), shape=(self.size, self.size))
        matrix.sort_indices()
        return matrix


def make_graph(size: int, heads: Ints, tails: Ints, weights: Floats) -> Graph:
    """Sum directed, repeated edges into pairs; the order of the rows changes no bit of the sums.

    Loops and edges that weigh nothing are left out.

    >>> graph = make_graph(3, np.array([2, 0, 1]), np.array([0, 2, 1]), np.array([1.0, 2.0, 9.0]))
    >>> graph.heads.tolist(), graph.tails.tolist(), graph.weights.tolist()
    ([0], [2], [3.0])
    """
    kept = (heads != tails) & (weights > 0)
    pairs = np.minimum(heads, tails)[kept] * np.int64(size) + np.maximum(heads, tails)[kept]
    weights = weights[kept]
    # equal pairs by weight: floats are always summed in the same order
    order = np.lexsort((weights, pairs))
    pairs, weights = pairs[order], weights[order]
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    pairs = pairs[first]
    sums = np.add.reduceat(weights, first) if len(first) else weights
    return Graph(size, pairs // max(size, 1), pairs % max(size, 1), sums)


def down_weighted(graph: Graph, threshold: int, alpha: float) -> Graph:
    """The graph with the edges of super-nodes lighter: by (threshold / degree) ** alpha an end."""
    factors = np.minimum(1.0, threshold / np.maximum(graph.degrees(), 1)) ** alpha
    return replace(graph, weights=graph.weights * factors[graph.heads] * factors[graph.tails])


def numbered(*columns: Ints) -> Ints:
    """Number the distinct rows of one or two columns of small numbers from 0, in their order.

    >>> numbered(np.array([7, 7, 3]), np.array([-1, 4, 4])).tolist()
    [1, 2, 0]
    """
    found = columns[0]
    for column in columns[1:]:
        low = column.min(initial=0)
        found = found * (column.max(initial=0) - low + 1) + (column - low)
    return np.unique(found, return_inverse=True)[1]


def connected_parts(graph: Graph, labels: Ints) -> Ints:
    """Split communities into their connected parts, numbered in the order of their first nodes."""
    from scipy.sparse.csgraph import connected_components

    inside = graph.part(np.arange(graph.size), labels)
    _, parts = connected_components(inside.matrix(), directed=False)
    return first_seen(parts.astype(np.int64))


def first_seen(labels: Ints) -> Ints:
    """Number labels from 0 in the order in which nodes first have them."""
    _, first, found = np.unique(labels, return_index=True, return_inverse=True)
    ranks = np.empty(len(first), dtype=np.int64)
    ranks[np.argsort(first)] = np.arange(len(first))
    return ranks[found]


def modularities(graph: Graph, blocks: Ints, labels: Ints) -> Floats:
    """The modularity of a partition of each block, as if there were nothing beside the block.

    Args:
        graph: with edges inside blocks only.
        blocks: numbers from 0, by node.
        labels: numbers from 0, by node; no label is in two blocks.

    Returns:
        By block; 0 where a block has no edges.
    """
    count = int(blocks.max(initial=-1)) + 1
    block_of = np.zeros(int(labels.max(initial=-1)) + 1, dtype=np.int64)
    block_of[labels] = blocks
    total = np.bincount(blocks[graph.heads], graph.weights, count)
    within = graph.inside(labels)
    kept = np.bincount(blocks[graph.heads[within]], graph.weights[within], count)
    strengths = np.bincount(labels, graph.strengths(), len(block_of))
    expected = np.bincount(block_of, strengths**2, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = kept / total - expected / (2 * total) ** 2
    return np.where(total > 0, found, 0.0)


def modularity(graph: Graph, labels: Sequence[int] | Ints) -> float:
    """The modularity of a partition of the whole graph."""
    found = modularities(graph, np.zeros(graph.size, dtype=np.int64), first_seen(np.array(labels)))
    return float(found[0]) if graph.size else 0.0
