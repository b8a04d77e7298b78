"""Where a section is cut into chunks: between its weakest links, within the bounds of length.

Groups come from `groups`; which sentences a unit holds is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.stages.chunking.groups import Group

#: What a cut inside a clique group costs: more than any link, so that it is made only where the
#: bounds of length leave no other.
INSIDE_COST = 2.0
#: What a chunk under the least length costs, and as much again by the share that is missing. More
#: than any cut, so that a chunk is short only where no neighbour has room.
SHORT_COST = 20.0


def block_links(
    vectors: NDArray[np.float32], lengths: Sequence[int], reach: int
) -> NDArray[np.float64]:
    """How strongly a section holds together at each gap between two units.

    The mean similarity of the up to `reach` units before the gap with those after it, each
    weighted by the square root of its length: single neighbours say little, blocks much.

    Args:
        vectors: unit rows, shape (units, dimension).
        lengths: of the units, in tokens.
        reach: units on either side.

    Returns:
        Shape (units - 1,).
    """
    weights = np.sqrt(np.maximum(lengths, 1))
    sums = _running(vectors * weights[:, None])
    masses = _running(weights)
    gaps = np.arange(1, len(vectors))
    first, last = np.maximum(gaps - reach, 0), np.minimum(gaps + reach, len(vectors))
    products = np.einsum("ij,ij->i", sums[gaps] - sums[first], sums[last] - sums[gaps])
    return products / ((masses[gaps] - masses[first]) * (masses[last] - masses[gaps]))


def cut_costs(
    links: NDArray[np.float64], groups: Sequence[Group], separation: float
) -> NDArray[np.float64]:
    """What a cut at each gap costs: negative where the link is weaker than `separation`."""
    inside = np.full(len(links), INSIDE_COST)
    inside[[group.stop - 1 for group in groups[:-1]]] = 0
    return links - separation + inside


def cheapest_cuts(
    lengths: Sequence[int], costs: Sequence[float], least: int, most: int
) -> list[tuple[int, int]]:
    """The cuts of least total cost with every part within `[least, most]`, by dynamic programming.

    Args:
        lengths: of the units, none over `most`.
        costs: of a cut at each gap, one fewer than lengths.
        least: a shorter part costs `SHORT_COST` and more.
        most: never exceeded.

    Returns:
        Parts as `(start, stop)` in order; the earliest cut of equals.

    >>> cheapest_cuts([50, 60, 60, 50], [0.4, 0.1, 0.5], 100, 200)
    [(0, 2), (2, 4)]
    """
    best = [0.0] + [np.inf] * len(lengths)
    before = [0] * (len(lengths) + 1)
    for stop in range(1, len(lengths) + 1):
        length = 0
        for start in range(stop - 1, -1, -1):
            length += lengths[start]
            if length > most and start < stop - 1:
                break
            cost = best[start] + (costs[start - 1] if start else 0.0)
            if length < least:
                cost += SHORT_COST * (1 + (least - length) / least)
            if cost <= best[stop]:
                best[stop], before[stop] = cost, start
    parts: list[tuple[int, int]] = []
    stop = len(lengths)
    while stop:
        parts.append((before[stop], stop))
        stop = before[stop]
    return parts[::-1]


def _running(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """Sums of all rows before each one, and of all."""
    sums = np.zeros((len(values) + 1, *values.shape[1:]))
    np.cumsum(values, axis=0, out=sums[1:])
    return sums
