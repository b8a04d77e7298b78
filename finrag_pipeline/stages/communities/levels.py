"""Hierarchical Leiden: the whole graph, then every community that is too large, level by level.

At every division last week's partition is kept while it is nearly as good as a fresh one.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.stages.communities.continuity import settled_partition
from finrag_pipeline.stages.communities.graph import (
    Graph,
    Ints,
    down_weighted,
    first_seen,
    modularities,
    numbered,
)
from finrag_pipeline.stages.communities.leiden import fresh_partition


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a clustering is made with; it is noted with every build."""

    seed: int = 1
    #: Full cycles of Leiden, each starting from the one before. Two find 1.04 to 1.12 times the
    #: modularity of one (`benchmarks/leiden_communities.py`), a third .2 to .7 % more in 1 s more.
    iterations: int = 2
    #: Communities of more entities are divided on the next level; the last counts from there on.
    max_sizes: tuple[int, ...] = (250, 60, 15)
    #: Neighbours from which on an entity is a super-node, and how much lighter its edges are: by
    #: (threshold / degree) ** alpha. On 100,000 entities with 325 super-nodes .25 leaves .998 of
    #: the modularity of the graph as it is, .5 leaves .981.
    super_node_degree: int = 100
    super_node_alpha: float = 0.25
    #: Of a fresh partition's modularity: less, and last week's is given up. At .995 a change of
    #: 1 % of the edges of 20,000 entities costs 41 % of the ids on level 0. Small communities have
    #: many partitions that are nearly as good: at .99 inside, too, 93 % of them keep their ids.
    min_share: float = 0.99
    min_share_inside: float = 0.95


@dataclass(frozen=True, slots=True)
class Levels:
    """Communities by node, one array a level, the coarsest first; numbers go over all levels.

    A community that is not divided has its number on all levels from its own on. `kept` and
    `fresh` count the divisions of each level that were taken from last week, and made anew.
    """

    communities: tuple[Ints, ...]
    kept: tuple[int, ...]
    fresh: tuple[int, ...]


def cluster(graph: Graph, parameters: Parameters, last: Sequence[Ints] = ()) -> Levels:
    """Divide a graph into communities, level by level until none is too large or divisible.

    Args:
        graph: of at least one node.
        last: last week's communities by node, one array a level, -1 where a node is new.

    Returns:
        Level 0 divides the whole graph. Every community is connected; nodes without edges are
        alone.
    """
    lighter = down_weighted(graph, parameters.super_node_degree, parameters.super_node_alpha)
    communities = np.zeros(graph.size, dtype=np.int64)
    levels: list[Ints] = []
    kept: list[int] = []
    fresh: list[int] = []
    whole = np.zeros(1, dtype=np.bool_)  # tried, and not divisible
    nodes = np.arange(graph.size)
    while len(nodes) or len(levels) <= len(parameters.max_sizes):
        blocks = numbered(communities[nodes])
        parts, stays = _divide(
            graph.part(nodes, blocks),
            lighter.part(nodes, blocks),
            blocks,
            parameters,
            parameters.min_share_inside if levels else parameters.min_share,
            [each[nodes] for each in last],
        )
        # level 0 is there even if it is one community
        divided = (_part_counts(blocks, parts) > 1) | (not levels)
        chosen = divided[blocks]
        whole[communities[nodes[~chosen]]] = True
        communities = communities.copy()
        communities[nodes[chosen]] = (len(whole) if levels else 0) + first_seen(parts[chosen])
        levels.append(communities)
        kept.append(int((stays & divided).sum()))
        fresh.append(int((~stays & divided).sum()))
        sizes = np.bincount(communities)
        whole = np.concatenate([whole, np.zeros(len(sizes) - len(whole), dtype=np.bool_)])
        limit = parameters.max_sizes[min(len(levels), len(parameters.max_sizes)) - 1]
        nodes = np.flatnonzero(((sizes > limit) & ~whole)[communities])
    while len(levels) > 1 and not kept[-1] + fresh[-1]:
        for column in (levels, kept, fresh):
            column.pop()
    return Levels(tuple(levels), tuple(kept), tuple(fresh))


def _divide(
    graph: Graph,
    lighter: Graph,
    blocks: Ints,
    parameters: Parameters,
    min_share: float,
    last: Sequence[Ints],
) -> tuple[Ints, NDArray[np.bool_]]:
    """Parts by node, and for each block whether they are last week's."""
    if not len(blocks):
        return blocks, np.zeros(0, dtype=np.bool_)
    with ThreadPoolExecutor(1) as thread:
        making = thread.submit(
            fresh_partition,
            lighter,
            blocks,
            seed=parameters.seed,
            iterations=parameters.iterations,
        )
        # beside the native core, which lets other threads run
        held = settled_partition(lighter, blocks, _start(lighter, blocks, last)) if last else None
        made = settled_partition(lighter, blocks, making.result())
    if held is None:
        return made, np.zeros(int(blocks.max()) + 1, dtype=np.bool_)
    stays = modularities(graph, blocks, held) >= min_share * modularities(graph, blocks, made)
    return numbered(blocks, np.where(stays[blocks], held, made)), stays


def _start(graph: Graph, blocks: Ints, last: Sequence[Ints]) -> Ints:
    """Last week's communities inside each block, on the level that divides the block best.

    Communities rise and sink between levels. New nodes start alone, and so do those that came
    from a community that has most of its nodes elsewhere.
    """
    best = np.full(int(blocks.max(initial=-1)) + 1, -np.inf)
    start = np.zeros(len(blocks), dtype=np.int64)
    for labels in last:
        pairs = numbered(blocks, labels)
        here = np.bincount(pairs)[pairs]
        all_over = np.bincount(labels + 1)[labels + 1]
        alone = (labels < 0) | (2 * here <= all_over)
        pairs[alone] = len(pairs) + np.flatnonzero(alone)
        pairs = first_seen(pairs)
        found = modularities(graph, blocks, pairs)
        better = found > best
        best = np.where(better, found, best)
        start = np.where(better[blocks], pairs + len(pairs), start)
        start = first_seen(start)
    return start


def _part_counts(blocks: Ints, parts: Ints) -> Ints:
    """How many parts each block has."""
    _, first = np.unique(parts, return_index=True)
    return np.bincount(blocks[first], minlength=int(blocks.max(initial=-1)) + 1)
