"""What a chain holds: its entities by stage and its links with their citations, as stored.

Which links are a chain belongs to `division`, links between sectors to `sectors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.citations import Citations
from finrag_pipeline.stages.chains.graph import Node, StatedLink, degrees
from finrag_pipeline.stages.reports.chain import ChainStage, flow, supply_chain


def chain_contents(
    links: Sequence[StatedLink],
    nodes: Mapping[str, Node],
    citations: Citations,
    subject_before: str | None = None,
    peers: Sequence[StatedLink] = (),
) -> Json:
    """The content of one chain: nodes from upstream to downstream, links in that order.

    Args:
        links: of one chain, in order of their keys.
        nodes: every end of the links.
        subject_before: what the chain was called after last week: it still is, if it is there.
        peers: links between its companies and others that stand where they do, and between its
            lines of business and their companies.

    Returns:
        ``{"subject", "nodes": [{"entity_id", "name", "type", "codes", "stage", "layer",
        "beside"}], "links": [{"src", "relation", "dst", "weight", "statements", "passages"}]}``;
        `passages` are numbers of citations, `statements` counts all; a node is `beside` the chain
        where it is there as a peer alone, in the stage of whose peer it is.
    """
    layer_of, stage_of = _places(links)
    weight_of = degrees(links)
    entities = sorted(layer_of, key=lambda each: (layer_of[each], -weight_of[each], each))
    place = {entity: n for n, entity in enumerate(entities)}

    def along(link: StatedLink) -> tuple[int, ...]:
        one, other = flow((*link.key, link.weight))
        return layer_of[one], layer_of[other], place[one], place[other]

    ordered = sorted(links, key=lambda link: (along(link), link.key))
    beside: dict[str, str] = {}
    for link in peers:
        for one, other in (link.ends, link.ends[::-1]):
            if one in layer_of and other not in layer_of:
                beside.setdefault(other, one)
    return {
        "subject": subject_of(entities, nodes, weight_of, subject_before),
        "nodes": [
            node_json(nodes[each])
            | {"stage": stage_of[at], "layer": layer_of[at], "beside": each in beside}
            for each, at in [*((each, each) for each in entities), *beside.items()]
        ],
        "links": [link_json(link, citations) for link in (*ordered, *peers)],
    }


def subject_of(
    entities: Iterable[str],
    nodes: Mapping[str, Node],
    weight_of: Mapping[str, float],
    before: str | None,
) -> str:
    """What a report is called after: as before, else the company with the heaviest links."""
    known = sorted(entities)
    if before in known:
        return before
    companies = [each for each in known if nodes[each].type == "company"] or known
    return min(companies, key=lambda each: (-weight_of.get(each, 0.0), each))


def node_json(node: Node) -> Json:
    """An entity as it is stored."""
    codes = list(node.codes)
    return {"entity_id": node.entity_id, "name": node.name, "type": node.type, "codes": codes}


def link_json(link: StatedLink, citations: Citations) -> Json:
    """A link as it is stored, with the numbers of its citations."""
    src, relation, dst = link.key
    return {
        "src": src,
        "relation": relation,
        "dst": dst,
        "weight": link.weight,
        "statements": len(link.statements),
        "passages": citations.cite(link.statements),
    }


def _places(links: Sequence[StatedLink]) -> tuple[dict[str, int], dict[str, ChainStage]]:
    """The layer and the stage of every entity, of those outside longer paths, too."""
    given = [(*link.key, link.weight) for link in links]
    chain = supply_chain(given)
    layer_of, stage_of = dict(chain.layer_of), dict(chain.stage_of)
    # What leads nowhere on: who only delivers stands before, who only receives behind. The lightest
    # link of a circle comes last, when both ends have their places.
    for link in sorted(given, key=lambda link: (link[3], link), reverse=True):
        one, other = flow(link)
        layer_of.setdefault(one, max(0, layer_of.get(other, 1) - 1))
        layer_of.setdefault(other, layer_of[one] + 1)
        stage_of.setdefault(one, "upstream")
        stage_of.setdefault(other, "downstream")
    # who only delivers stands before each that it delivers to, not only before the first
    pairs = [flow(link) for link in given]
    received = {other for _, other in pairs}
    for one in {one for one, _ in pairs} - received - set(chain.layer_of):
        nearest = min(layer_of[other] for source, other in pairs if source == one)
        layer_of[one] = min(layer_of[one], max(0, nearest - 1))
    return layer_of, stage_of
