"""Whether the communities of a build are whole: checked before a row of it is written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from finrag_pipeline.records.communities import Community


def inconsistencies(communities: Sequence[Community], entity_ids: Sequence[str]) -> list[str]:
    """What is wrong with the communities of some entities; nothing where they are as they must be.

    Every entity is in exactly one community on every level: finest communities share none and
    hold all, those that are divided hold none themselves, and each is inside one of a coarser
    level. Finest communities are numbered from 0, so that those inside another follow one another.

    >>> whole = Community("c1", 0, None, ("e1", "e2"), 2, 1, 0, 0)
    >>> inconsistencies([whole], ["e1", "e2"])
    []
    >>> inconsistencies([whole], ["e1", "e2", "e3"])
    ['1 entities are in no community, e.g. e3']
    """
    found: list[str] = []
    by_id = {each.community_id: each for each in communities}
    if len(by_id) < len(communities):
        found.append(f"{len(communities) - len(by_id)} communities share an id with another")
    held = [entity_id for each in communities for entity_id in each.entity_ids]
    unique = set(held)
    if len(unique) < len(held):
        found.append(f"{len(held) - len(unique)} entities are in two finest communities")
    known = set(entity_ids)
    if missing := sorted(known - unique):
        found.append(f"{len(missing)} entities are in no community, e.g. {missing[0]}")
    if unknown := sorted(unique - known):
        found.append(f"{len(unknown)} entities are not in the graph, e.g. {unknown[0]}")
    children: dict[str, list[Community]] = {}
    for each in communities:
        parent = by_id.get(each.parent_id) if each.parent_id is not None else None
        if each.parent_id is not None and (parent is None or parent.level >= each.level):
            found.append(f"{each.community_id} has no parent on a coarser level")
        elif (parent is None) != (each.level == 0):
            found.append(f"{each.community_id} stands alone on level {each.level}")
        elif parent is not None:
            children.setdefault(parent.community_id, []).append(each)
    for each in communities:
        found += _inconsistent(each, children.get(each.community_id, []))
    leaves = sorted(each.first_leaf for each in communities if each.community_id not in children)
    if leaves != list(range(len(leaves))):
        found.append("finest communities are not numbered one by one from 0")
    return found


def _inconsistent(community: Community, children: Sequence[Community]) -> list[str]:
    name, found = community.community_id, list[str]()
    spans = sorted((each.first_leaf, each.last_leaf) for each in children)
    if not children:
        spans = [(community.first_leaf, community.first_leaf)]
    elif community.entity_ids or len(children) < 2 or len({each.level for each in children}) > 1:
        found.append(f"{name} is not divided on one level into two or more")
    inside = sum(each.entity_count for each in children) + len(community.entity_ids)
    if inside != community.entity_count or not inside:
        found.append(f"{name} counts {community.entity_count} entities and holds {inside}")
    follow = all(end + 1 == start for (_, end), (start, _) in pairwise(spans))
    if not follow or (spans[0][0], spans[-1][1]) != (community.first_leaf, community.last_leaf):
        found.append(f"{name} does not span the leaves inside it")
    return found
