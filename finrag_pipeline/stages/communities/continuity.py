"""Last week's partition brought up to date by moving single nodes where modularity gains.

Native Leiden with last week's partition as its start keeps fewer communities: it takes each
community apart before it builds new ones.
"""

from __future__ import annotations

import numpy as np

from finrag_pipeline.stages.communities.graph import (
    Floats,
    Graph,
    Ints,
    connected_parts,
    first_seen,
)

#: A move must gain so much of a node's strength: sums of floats differ by less.
_GAIN = 1e-9


def settled_partition(graph: Graph, blocks: Ints, start: Ints) -> Ints:
    """Move nodes to the communities of their neighbours until no move gains modularity.

    Nodes move one by one in their order, so that every move is exact; then communities that fell
    apart are split.

    Args:
        graph: with edges inside blocks only; modularity is that of each block by itself.
        blocks: numbers from 0, by node.
        start: labels by node; no label is in two blocks.

    Returns:
        Labels from 0 in the order of their first nodes; every community is connected.
    """
    labels = first_seen(start)
    strengths = graph.strengths()
    totals = np.bincount(labels, strengths, int(labels.max(initial=-1)) + 1).astype(np.float64)
    block_weights = np.bincount(blocks, strengths, int(blocks.max(initial=-1)) + 1)
    # what a node expects of a community, for each unit of the community's strength
    pull = strengths / np.maximum(block_weights[blocks], np.finfo(float).tiny)
    matrix = graph.matrix()
    while True:
        movable = _movable(matrix, labels, totals, strengths, pull)
        moved = False
        for node in movable.tolist():
            low, high = matrix.indptr[node], matrix.indptr[node + 1]
            links: dict[int, float] = {}
            near = labels[matrix.indices[low:high]].tolist()
            for label, weight in zip(near, matrix.data[low:high].tolist(), strict=True):
                links[label] = links.get(label, 0.0) + weight
            own, strength = int(labels[node]), float(strengths[node])
            totals[own] -= strength
            best, most = own, links.get(own, 0.0) - pull[node] * totals[own] + _GAIN * strength
            for label, weight in sorted(links.items()):
                gain = weight - pull[node] * totals[label]
                if gain > most:
                    best, most = label, gain
            totals[best] += strength
            labels[node] = best
            moved = moved or best != own
        if not moved:
            return connected_parts(graph, labels)


def _movable(matrix: object, labels: Ints, totals: Floats, strengths: Floats, pull: Floats) -> Ints:
    """Nodes that would gain by a move while all others stay, in their order."""
    from scipy.sparse import csr_array

    size = len(labels)
    member = csr_array((np.ones(size), labels, np.arange(size + 1)), shape=(size, len(totals)))
    links = csr_array(matrix @ member)  # type: ignore[operator]
    nodes = np.repeat(np.arange(size), np.diff(links.indptr))
    own = links.indices == labels[nodes]
    gains = links.data - pull[nodes] * (totals[links.indices] - own * strengths[nodes])
    stay = -pull * (totals[labels] - strengths)
    stay[nodes[own]] = gains[own]
    better = ~own & (gains > stay[nodes] + _GAIN * strengths[nodes])
    return np.unique(nodes[better])
