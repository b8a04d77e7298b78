"""Fresh partitions by the native Leiden core, which serves graspologic, too.

Whether a fresh one or last week's is taken belongs to `levels`.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import cast

import numpy as np

from finrag_pipeline.stages.communities.graph import Graph, Ints, connected_parts


def fresh_partition(graph: Graph, blocks: Ints, *, seed: int, iterations: int) -> Ints:
    """Divide every block by Leiden, as if there were nothing beside it.

    Args:
        graph: with edges inside blocks only.
        blocks: numbers from 0, by node.
        iterations: full cycles of Leiden, each starting from the one before.

    Returns:
        Labels from 0 in the order of their first nodes; every community is connected. Nodes
        without edges are alone.
    """
    from graspologic_native import leiden_csr  # pyright: ignore[reportAttributeAccessIssue]

    linked = np.flatnonzero(graph.degrees())
    # block after block, so that each is a slice of the matrix
    order = linked[np.argsort(blocks[linked], kind="stable")]
    matrix = graph.matrix()[order][:, order]
    matrix.sort_indices()
    starts = matrix.indptr.astype(np.int64)
    columns = matrix.indices.astype(np.int32)
    bounds = np.flatnonzero(np.diff(blocks[order], prepend=-1)).tolist()
    labels = np.arange(graph.size) + len(order)

    def divide(span: tuple[int, int]) -> Ints:
        first, end = span
        low, high = starts[first], starts[end]
        _, found = leiden_csr(
            starts[first : end + 1] - low,
            columns[low:high] - np.int32(first),
            matrix.data[low:high],
            end - first,
            seed=seed,
            iterations=iterations,
        )
        parts = cast(dict[int, int], found)
        return np.fromiter((parts[node] for node in range(end - first)), np.int64, end - first)

    spans = list(pairwise([*bounds, len(order)]))
    # the core lets other threads run, and no block knows of another
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for (first, end), parts in zip(spans, threads.map(divide, spans), strict=True):
            labels[order[first:end]] = first + parts
    return connected_parts(graph, labels)
