"""Which links form a chain together: connected ones, along communities where there are too many.

What a chain says, and in which stages, belongs to `contents` and `stages.reports.chain`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from finrag_pipeline.records.communities import Community
from finrag_pipeline.stages.chains.graph import Node, StatedLink, is_overhead

#: Links that make a chain: one alone is told by the report on its community.
LEAST_LINKS = 2
#: Entities of a chain, peers among them: what two companies deliver to each other is no chain.
LEAST_ENTITIES = 3
#: Peers that a page names beside the companies of a chain.
_MOST_PEERS = 12
#: Entities that a page still shows at a glance, drawn from left to right.
MOST_ENTITIES = 40
#: What more companies make or use says nothing about whom they deal with.
_MOST_AROUND_A_PRODUCT = 8
_FIRMS = frozenset({"company", "organisation"})

#: The community of an entity on a level; on levels below the finest it is the finest.
CommunityOn = Callable[[str, int], str | None]


def community_on(communities: Sequence[Community]) -> tuple[CommunityOn, int]:
    """The community of each entity on each level, and how many levels there are."""
    leaf_of = {entity: each.first_leaf for each in communities for entity in each.entity_ids}
    # of those around a leaf the one with the greatest level that is asked for
    around: dict[tuple[int, int], str] = {}
    levels = 1 + max((each.level for each in communities), default=-1)
    for each in sorted(communities, key=lambda each: each.level):
        for leaf in range(each.first_leaf, each.last_leaf + 1):
            for level in range(each.level, levels):
                around[leaf, level] = each.community_id
    return lambda entity, level: around.get((leaf_of.get(entity, -1), level)), levels


def through_products(links: Iterable[StatedLink], nodes: Mapping[str, Node]) -> list[StatedLink]:
    """Supply links, and those to products that stand between a maker and another company.

    What every office buys is left out.

    Args:
        links: of the relations of `stages.reports.chain`.
        nodes: every end of the links.
    """
    given = [link for link in links if not is_overhead(link)]
    makers: dict[str, set[str]] = defaultdict(set)
    users: dict[str, set[str]] = defaultdict(set)
    for link in given:
        src, relation, dst = link.key
        if nodes[src].type in _FIRMS:
            if relation == "produces":
                makers[dst].add(src)
            elif relation == "uses":
                users[dst].add(src)
    between = {
        product
        for product in makers.keys() & users.keys()
        if len(makers[product] | users[product]) <= _MOST_AROUND_A_PRODUCT
        and len(makers[product] | users[product]) > 1
    }
    return [
        link
        for link in given
        if link.key[1] not in ("produces", "uses")
        or (link.key[2] in between and nodes[link.key[0]].type in _FIRMS)
    ]


def peers_of(
    group: Sequence[StatedLink], peers: Iterable[StatedLink], nodes: Mapping[str, Node]
) -> list[StatedLink]:
    """Links from companies of a chain to their peers, the heaviest first, of so many peers.

    Args:
        group: supply links of the chain.
        peers: links of `stages.reports.chain.PEER_RELATIONS`.
        nodes: every end of the links.
    """
    inside = {end for link in group for end in link.ends if nodes[end].type in _FIRMS}
    beside = [link for link in peers if inside & set(link.ends)]
    found: list[StatedLink] = []
    outside: set[str] = set()
    for link in sorted(beside, key=lambda link: (-link.weight, link.key)):
        new = set(link.ends) - inside - outside
        if all(nodes[end].type in _FIRMS for end in link.ends) and (
            not new or len(outside) < _MOST_PEERS
        ):
            outside |= new
            found.append(link)
    return found


def placed_in(
    group: Sequence[StatedLink], places: Iterable[StatedLink], nodes: Mapping[str, Node]
) -> list[StatedLink]:
    """Links that place companies in lines of business of a chain, in order of their keys.

    Args:
        group: links of the chain.
        places: links of `stages.reports.chain.PLACE_RELATIONS`.
        nodes: every end of the links.
    """
    lines = {end for link in group for end in link.ends if nodes[end].type not in _FIRMS}
    return [link for link in places if link.key[2] in lines and nodes[link.key[0]].type in _FIRMS]


def has_company(links: Iterable[StatedLink], nodes: Mapping[str, Node]) -> bool:
    """Whether a chain names a company: lines of business alone answer nobody's question."""
    return any(nodes[end].type in _FIRMS for link in links for end in link.ends)


def entities_in(*groups: Iterable[StatedLink]) -> int:
    """How many entities links are between."""
    return len({end for group in groups for link in group for end in link.ends})


def divide(
    links: Iterable[StatedLink], community_on: CommunityOn, levels: int
) -> list[tuple[StatedLink, ...]]:
    """The chains that links form, each with its links in order, the heaviest chain first.

    Connected links are a chain. One with more than `MOST_ENTITIES` entities is divided along the
    communities of level 0, what is still larger along those of level 1, and so on: links between
    two communities are in no chain then. What has fewer than `LEAST_LINKS` is left out.

    Args:
        levels: how many levels of communities there are.
    """
    pending = [(group, 0) for group in _connected(list(links))]
    found: list[tuple[StatedLink, ...]] = []
    while pending:
        group, level = pending.pop()
        entities = {end for link in group for end in link.ends}
        if len(entities) > MOST_ENTITIES and level < levels:
            inside = [
                link
                for link in group
                if community_on(link.ends[0], level) == community_on(link.ends[1], level)
            ]
            pending += [(part, level + 1) for part in _connected(inside)]
        elif len(group) >= LEAST_LINKS:
            found.append(group)
    return sorted(found, key=lambda group: (-sum(link.weight for link in group), group[0].key))


def _connected(links: Sequence[StatedLink]) -> list[tuple[StatedLink, ...]]:
    """Links in groups of what hangs together, in the order of their keys."""
    import networkx

    graph = networkx.Graph([link.ends for link in links])
    group_of: dict[str, int] = {}
    for number, group in enumerate(networkx.connected_components(graph)):
        group_of.update(dict.fromkeys(group, number))
    groups: dict[int, list[StatedLink]] = defaultdict(list)
    for link in sorted(links, key=lambda link: link.key):
        groups[group_of[link.ends[0]]].append(link)
    return [tuple(group) for group in groups.values()]
