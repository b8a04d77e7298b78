"""The similarity graph of a section within a window, and its maximal cliques.

Sets of sentences are bits of Python integers. What cliques mean for chunks is decided in `groups`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Similarities = NDArray[np.float32]

#: Maximal cliques are up to 3^(n/3), and the search for one may fail as often. So many steps are
#: taken for the cliques that begin with one sentence: sections of 21 real reports took 39 at the
#: most, and the first clique takes up to a window of them (80).
STEPS_PER_SENTENCE = 100
#: Rows whose similarities are computed at once.
_BLOCK = 256


def window_similarities(vectors: NDArray[np.float32], window: int) -> Similarities:
    """Cosines of each sentence with those that follow it within the window.

    Args:
        vectors: unit rows, shape (sentences, dimension).
        window: sentences further apart than this, less one, are never compared.

    Returns:
        Shape (sentences, window - 1): column `d` holds the similarity with the sentence `d + 1`
        further on, minus infinity behind the last one.
    """
    count = len(vectors)
    similarities = np.full((count, window - 1), -np.inf, dtype=np.float32)
    for start in range(0, count, _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, count))
        block = vectors[rows] @ vectors[start : rows[-1] + window].T
        columns = rows[:, None] + np.arange(1, window)
        inside = columns < count
        similarities[rows] = np.where(
            inside,
            block[(rows - start)[:, None], np.where(inside, columns, start) - start],
            -np.inf,
        )
    return similarities


def neighbour_sets(similarities: Similarities, threshold: float) -> list[int]:
    """For each sentence the set, as bits, of those that are at least `threshold` similar."""
    neighbours = [0] * len(similarities)
    for first, offset in np.argwhere(similarities >= threshold).tolist():
        second = first + offset + 1
        neighbours[first] |= 1 << second
        neighbours[second] |= 1 << first
    return neighbours


def maximal_cliques(
    neighbours: Sequence[int], steps_per_node: int = STEPS_PER_SENTENCE
) -> Iterator[tuple[int, ...]]:
    """Maximal cliques of a graph by Bron-Kerbosch with pivoting, one start node after another.

    Bounded: for each node no more than `steps_per_node` sets are looked at for the cliques that
    begin with it, always the same ones. What is yielded is a maximal clique in any case.

    Args:
        neighbours: for each node the set of its neighbours as bits, without itself.
        steps_per_node: the bound.

    Yields:
        Node numbers in ascending order; each clique once, ordered by its first node.

    >>> list(maximal_cliques([0b0110, 0b0101, 0b0011, 0b0000]))
    [(0, 1, 2), (3,)]
    """
    for node, around in enumerate(neighbours):
        behind = around >> node << node
        pending = [(1 << node, behind, around ^ behind)]
        for _ in range(steps_per_node):
            if not pending:
                break
            members, candidates, excluded = pending.pop()
            if not candidates:
                if not excluded:
                    yield tuple(_bits(members))
                continue
            for other in _bits(candidates & ~_pivot(neighbours, candidates, excluded)):
                joined = neighbours[other]
                pending.append((members | 1 << other, candidates & joined, excluded & joined))
                candidates ^= 1 << other
                excluded |= 1 << other


def _pivot(neighbours: Sequence[int], candidates: int, excluded: int) -> int:
    """The neighbours of the node that has most of the candidates among them."""
    pivot = most = 0
    count = candidates.bit_count()
    for node in _bits(candidates | excluded):
        covered = (neighbours[node] & candidates).bit_count()
        if covered > most:
            pivot, most = neighbours[node], covered
            if covered >= count - 1:
                break  # at most one branch is left
    return pivot


def _bits(members: int) -> Iterator[int]:
    """Numbers of the bits that are set, ascending."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
