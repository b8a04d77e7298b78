"""Who supplies whom: directed links laid out as upstream, midstream and downstream.

Which statements stand behind a link, and how a chain is told or drawn, belongs to others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from finrag_pipeline.stages.extraction.vocabulary import BACKWARD, FORWARD

ChainStage = Literal["upstream", "midstream", "downstream"]
#: (source entity, relation, destination entity, weight), as the relation is read
Link = tuple[str, str, str, float]

CHAIN_RELATIONS = FORWARD | BACKWARD
#: Who stands where another company stands. Rivals are not always: a chip maker's may be its client.
PEER_RELATIONS = frozenset({"comparable_to"})
#: Who stands in a line of business that is up- or downstream of another.
PLACE_RELATIONS = frozenset({"operates_in"})
STAGES: tuple[ChainStage, ...] = ("upstream", "midstream", "downstream")


@dataclass(frozen=True, slots=True)
class Chain:
    """Links that form paths of at least two links, without cycles.

    Attributes:
        links: as they were given, in the order of their places along the flow, then of their ids.
        layer_of: how many links lead to an entity on the longest path, from 0.
        stage_of: an entity in the first third of the longest path through it is upstream, in the
            last third downstream.
    """

    links: tuple[Link, ...]
    layer_of: Mapping[str, int]
    stage_of: Mapping[str, ChainStage]

    def at(self, stage: ChainStage) -> tuple[str, ...]:
        """Entities of a stage, by layer, then by id."""
        found = (entity for entity, its in self.stage_of.items() if its == stage)
        return tuple(sorted(found, key=lambda entity: (self.layer_of[entity], entity)))


def flow(link: Link) -> tuple[str, str]:
    """The ends of a link in the direction in which goods flow.

    >>> flow(("锐芯", "supplies", "云帆", 1.0)), flow(("云帆", "uses", "芯片", 1.0))
    (('锐芯', '云帆'), ('芯片', '云帆'))
    """
    src, relation, dst, _ = link
    return (dst, src) if relation in BACKWARD else (src, dst)


def supply_chain(links: Iterable[Link]) -> Chain:
    """The chain that links form, whatever their order; empty where no two of them follow another.

    Of entities that supply each other in a circle the lightest link of the circle is left out
    (of equal ones the first by ids) until there is none. Other relations are passed over. Seconds
    for ten thousand links in one circle, else a fraction of one.

    >>> chain = supply_chain([("硅料", "upstream_of", "硅片", 2), ("组件", "uses", "硅片", 1)])
    >>> chain.stage_of
    {'硅料': 'upstream', '硅片': 'midstream', '组件': 'downstream'}
    >>> supply_chain([("硅料", "upstream_of", "硅片", 2)]).links
    ()
    """
    given = sorted({link for link in links if link[1] in CHAIN_RELATIONS and link[0] != link[2]})
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for link in given:
        weights[flow(link)] += link[3]
    kept = _without_circles(weights)
    # a link that no other one follows or leads to makes no chain
    sources, targets = {one for one, _ in kept}, {other for _, other in kept}
    chained = sorted(pair for pair in kept if pair[0] in targets or pair[1] in sources)
    before = _longest(chained)
    behind = _longest([(other, one) for one, other in chained])
    ordered = sorted(before, key=lambda entity: (before[entity], entity))
    stage_of: dict[str, ChainStage]
    stage_of = {each: _stage(before[each], behind[each]) for each in ordered}
    wanted = set(chained)
    told = [link for link in given if flow(link) in wanted]
    told.sort(key=lambda link: (before[flow(link)[0]], *flow(link), link))
    return Chain(tuple(told), {each: before[each] for each in ordered}, stage_of)


def _stage(before: int, behind: int) -> ChainStage:
    whole = before + behind
    if 3 * before < whole:
        return "upstream"
    return "downstream" if 3 * before > 2 * whole else "midstream"


def _without_circles(weights: Mapping[tuple[str, str], float]) -> set[tuple[str, str]]:
    import networkx

    kept = set(weights)
    pending = [kept]
    while pending:
        pairs = pending.pop()
        graph = networkx.DiGraph(pairs)
        for circle in networkx.strongly_connected_components(graph):
            if len(circle) < 2:
                continue
            inside = {pair for pair in pairs if pair[0] in circle and pair[1] in circle}
            lightest = min(inside, key=lambda pair: (weights[pair], pair))
            kept = kept - {lightest}
            pending.append(inside - {lightest})
    return kept


def _longest(pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The number of links on the longest path to each entity of a graph without circles."""
    import networkx

    graph = networkx.DiGraph(pairs)
    depth: dict[str, int] = {}
    for entity in networkx.topological_sort(graph):
        depth[entity] = max((depth[each] + 1 for each in graph.predecessors(entity)), default=0)
    return depth
