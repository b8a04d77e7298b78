"""Maximal cliques to groups of neighbouring units: gaps filled, overlaps decided, order kept.

Source: chapter 3 of the design of financial RAG. How groups make chunks is decided in `cuts`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.stages.chunking.cliques import Similarities

#: A clique may jump so many units in a row: they are filled in (a connecting remark).
GAP = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive units `start..stop-1`; its `anchors` are members of one clique.

    `cohesion` is the mean similarity of the clique's members, 0 for a unit alone.
    """

    start: int
    stop: int
    anchors: tuple[int, ...]
    cohesion: float = 0.0


def clique_runs(cliques: Iterable[Sequence[int]], similarities: Similarities) -> tuple[Group, ...]:
    """The runs of at least two units that cliques give.

    A clique's members in document order are one run as long as no more than `GAP` units stand
    between neighbours; a larger gap starts another. So the anchors of a run are pairwise similar.
    """
    found = {anchors for clique in cliques for anchors in _runs(clique)}
    runs = (_group(anchors, similarities) for anchors in found)
    return tuple(sorted(runs, key=lambda run: (run.start, run.stop, run.anchors)))


def partition(runs: Sequence[Group], lengths: Sequence[int], enough: int) -> tuple[Group, ...]:
    """Runs to groups that hold each unit once.

    From the first free unit on, the run that anchors most there is taken. Its last units may
    belong to a later run as well: they stay while the group has less than `enough`, and go to
    the later run if that is more cohesive. A unit in no run is a group alone.

    Args:
        runs: as `clique_runs` gives them.
        lengths: of the units, in tokens.
        enough: tokens from which a group is not short.
    """
    by_anchor: defaultdict[int, list[Group]] = defaultdict(list)
    for run in runs:
        for anchor in run.anchors:
            by_anchor[anchor].append(run)
    groups: list[Group] = []
    position = 0
    while position < len(lengths):
        group = _longest(by_anchor[position], position)
        if sum(lengths[group.start : group.stop]) >= enough:
            group = _yield_to_rival(group, by_anchor)
        groups.append(group)
        position = group.stop
    return tuple(groups)


def core(groups: Sequence[Group], start: int, stop: int) -> tuple[int, ...]:
    """The anchors that most of `start..stop-1` is drawn from: those of the group with most.

    Its first unit alone where there are only units that fill a gap of a group.
    """
    inside = (
        tuple(anchor for anchor in group.anchors if start <= anchor < stop) for group in groups
    )
    return max(inside, key=len, default=()) or (start,)


def _runs(members: Sequence[int]) -> Iterator[tuple[int, ...]]:
    breaks = [i + 1 for i, (a, b) in enumerate(pairwise(members)) if b - a > GAP + 1]
    for first, last in zip([0, *breaks], [*breaks, len(members)], strict=True):
        if last - first > 1:
            yield tuple(members[first:last])


def _group(anchors: tuple[int, ...], similarities: Similarities) -> Group:
    rows, columns = _pairs(len(anchors))
    nodes = np.array(anchors)
    weights = similarities[nodes[rows], nodes[columns] - nodes[rows] - 1]
    return Group(anchors[0], anchors[-1] + 1, anchors, float(weights.mean()))


@lru_cache(maxsize=128)
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.triu_indices(count, 1)
    return rows, columns


def _longest(runs: Sequence[Group], position: int) -> Group:
    """The run with most anchors from `position` on, the more cohesive of equals, else the unit."""
    alone = Group(position, position + 1, (position,))
    cut = (_between(run, position, run.stop) for run in runs)
    return max((alone, *cut), key=lambda run: (len(run.anchors), run.cohesion))


def _yield_to_rival(group: Group, by_anchor: defaultdict[int, list[Group]]) -> Group:
    """The group without the units that a more cohesive run beginning inside it goes on from."""
    rivals = [
        run
        for anchor in range(group.start + 1, group.stop)
        for run in by_anchor[anchor]
        if run.start == anchor and run.stop > group.stop and run.cohesion > group.cohesion
    ]
    if not rivals:
        return group
    rival = max(rivals, key=lambda run: run.cohesion)
    return _between(group, group.start, rival.start)


def _between(run: Group, start: int, stop: int) -> Group:
    """A run's part within bounds; `start` is one of its anchors."""
    anchors = tuple(anchor for anchor in run.anchors if start <= anchor < stop)
    return replace(run, start=anchors[0], stop=anchors[-1] + 1, anchors=anchors)
