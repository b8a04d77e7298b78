"""The similarity graph of a section's sentences and the runs that its maximal cliques give.

Lengths and sections are not known here; `chunks` decides on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, cast

import networkx as nx
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    #: Nodes are sentence numbers; edges carry their similarity as `weight`.
    SentenceGraph = nx.Graph[int]

#: Maximal cliques are up to 3^(n/3); a section may take this many a sentence before we stop
#: looking. Sections of real reports took 3 at the most.
CLIQUES_PER_SENTENCE = 50
#: A clique may jump this many sentences in a row: they are filled in (connecting remarks).
GAP = 1


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive sentences `start..stop-1`; `anchors` of them are members of one clique."""

    start: int
    stop: int
    anchors: tuple[int, ...]
    cohesion: float


def similarity_graph(vectors: NDArray[np.float32], window: int, threshold: float) -> SentenceGraph:
    """Graph of sentences: an edge where two within `window` are at least `threshold` similar.

    Args:
        vectors: unit rows, shape (sentences, dimension).
        window: sentences further apart than this are never joined.
        threshold: cosine similarity, -1 to 1.
    """
    graph: SentenceGraph = nx.Graph()
    graph.add_nodes_from(range(len(vectors)))
    for first in range(len(vectors)):
        others = vectors[first + 1 : first + window] @ vectors[first]
        for offset in np.flatnonzero(others >= threshold):
            graph.add_edge(first, first + 1 + int(offset), weight=float(others[offset]))
    return graph


def clique_runs(graph: SentenceGraph) -> tuple[Run, ...]:
    """Runs of at least two sentences that the maximal cliques of a graph give.

    A clique's members in document order are one run as long as no more than `GAP` sentences stand
    between neighbours; a larger gap starts another run. So the anchors of a run are always
    pairwise similar.

    Returns:
        Runs ordered by start, longer and then more cohesive first among equal starts.
    """
    limit = CLIQUES_PER_SENTENCE * max(1, graph.number_of_nodes())
    cliques = cast(Iterator[list[int]], nx.find_cliques(graph))
    found = {run for clique in islice(cliques, limit) for run in _runs(graph, sorted(clique))}
    return tuple(sorted(found, key=lambda run: (run.start, -run.stop, -run.cohesion, run.anchors)))


def _runs(graph: SentenceGraph, members: list[int]) -> Iterator[Run]:
    anchors: list[int] = []
    for member in [*members, None]:
        if member is not None and (not anchors or member - anchors[-1] <= GAP + 1):
            anchors.append(member)
            continue
        if len(anchors) > 1:
            weights = [graph.edges[a, b]["weight"] for a, b in combinations(anchors, 2)]
            yield Run(anchors[0], anchors[-1] + 1, tuple(anchors), sum(weights) / len(weights))
        anchors = [member] if member is not None else []
