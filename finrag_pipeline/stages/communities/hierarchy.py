"""Communities as a tree: who is inside whom, their numbers and leaves, from arrays to records.

How they are made belongs to `levels`, what they are called to `matching`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finrag_pipeline.records.communities import Community
from finrag_pipeline.stages.communities.graph import Graph, Ints


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Communities by number, of a build or of the one before it, over the entities of one build.

    `levels` are the communities of each entity, the coarsest first, -1 where an entity is in none;
    `first_levels`, `parents` (-1: none) and `sizes` are by number.
    """

    levels: tuple[Ints, ...]
    first_levels: Ints
    parents: Ints
    sizes: Ints

    def on_level(self, level: int) -> Ints:
        """The community of each entity on a level; below the last one nothing is divided."""
        return self.levels[min(level, len(self.levels) - 1)]


def make_hierarchy(levels: Sequence[Ints]) -> Hierarchy:
    """The tree of a partition in levels, as `levels.cluster` makes it."""
    count = 1 + max(int(each.max(initial=-1)) for each in levels)
    first_levels, parents = np.zeros(count, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    sizes = np.zeros(count, dtype=np.int64)
    for level in range(len(levels) - 1, -1, -1):
        here = levels[level]
        sizes = np.maximum(sizes, np.bincount(here, minlength=count))
        first_levels[here] = level
        if level:
            own = here != levels[level - 1]
            parents[here[own]] = levels[level - 1][own]
    return Hierarchy(tuple(levels), first_levels, parents, sizes)


def read_hierarchy(
    communities: Sequence[Community], entity_ids: Sequence[str]
) -> tuple[Hierarchy, list[str]]:
    """Last week's communities over the entities that there are now, and their ids by number."""
    communities = sorted(communities, key=lambda each: (each.level, each.community_id))
    place = {each.community_id: number for number, each in enumerate(communities)}
    first_levels = np.array([each.level for each in communities], dtype=np.int64)
    parents = np.array(
        [-1 if each.parent_id is None else place[each.parent_id] for each in communities],
        dtype=np.int64,
    )
    finest = {
        entity_id: number
        for number, each in enumerate(communities)
        for entity_id in each.entity_ids
    }
    here = np.array([finest.get(each, -1) for each in entity_ids], dtype=np.int64)
    # new entities, -1, find the last ones
    level_of, parent_of = np.append(first_levels, -1), np.append(parents, -1)
    levels: list[Ints] = []
    for level in range(int(first_levels.max(initial=0)), -1, -1):
        # up to the ancestor that is on this level, or is not divided so far
        while (deeper := level_of[here] > level).any():
            here = np.where(deeper, parent_of[here], here)
        levels.append(here)
    sizes = np.array([each.entity_count for each in communities], dtype=np.int64)
    return Hierarchy(tuple(reversed(levels)), first_levels, parents, sizes), list(place)


def records(
    hierarchy: Hierarchy, graph: Graph, entity_ids: Sequence[str], community_ids: Sequence[str]
) -> list[Community]:
    """The communities of a build in order of level and id.

    Leaves are numbered by the largest community first, on every level.

    Args:
        entity_ids: by place in the graph, in order.
        community_ids: by number.
    """
    count = len(community_ids)
    first_entity = np.full(count, graph.size, dtype=np.int64)
    edge_counts = np.zeros(count, dtype=np.int64)
    for labels in hierarchy.levels:
        np.minimum.at(first_entity, labels, np.arange(graph.size))
        inside = labels[graph.heads[graph.inside(labels)]]
        edge_counts = np.maximum(edge_counts, np.bincount(inside, minlength=count))
    rank = np.empty(count, dtype=np.int64)
    rank[np.lexsort((first_entity, -hierarchy.sizes))] = np.arange(count)
    order = np.lexsort(tuple(rank[labels] for labels in reversed(hierarchy.levels)))
    finest = hierarchy.levels[-1][order]
    leaves = np.empty(graph.size, dtype=np.int64)
    leaves[order] = np.cumsum(np.diff(finest, prepend=finest[:1]) != 0)
    first_leaf, last_leaf = np.full(count, graph.size), np.full(count, -1)
    for labels in hierarchy.levels:
        np.minimum.at(first_leaf, labels, leaves)
        np.maximum.at(last_leaf, labels, leaves)
    inside_of: list[tuple[str, ...]] = [()] * count
    for number, places in grouped(hierarchy.levels[-1]):
        inside_of[number] = tuple(entity_ids[place] for place in places)
    columns = zip(
        community_ids,
        hierarchy.first_levels.tolist(),
        (community_ids[parent] if parent >= 0 else None for parent in hierarchy.parents.tolist()),
        inside_of,
        hierarchy.sizes.tolist(),
        edge_counts.tolist(),
        first_leaf.tolist(),
        last_leaf.tolist(),
        strict=True,
    )
    return sorted(
        (Community(*row) for row in columns), key=lambda each: (each.level, each.community_id)
    )


def grouped(labels: Ints) -> list[tuple[int, list[int]]]:
    """The places of each label, in order of both; negative labels are left out.

    >>> grouped(np.array([5, 2, 5, -1]))
    [(2, [1]), (5, [0, 2])]
    """
    order = np.argsort(labels, kind="stable")
    order = order[np.searchsorted(labels[order], 0) :]
    values, starts = np.unique(labels[order], return_index=True)
    bounds = [*starts.tolist(), len(order)]
    places = order.tolist()
    return [
        (value, places[low:high])
        for value, low, high in zip(values.tolist(), bounds, bounds[1:], strict=False)
    ]
