"""How one sector is linked to others and what its companies share, from stated links.

A sector is a community of level 0; chains belong to `contents`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.citations import Citations
from finrag_pipeline.stages.chains.contents import link_json, node_json, subject_of
from finrag_pipeline.stages.chains.graph import Node, StatedLink, degrees
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS
from finrag_pipeline.stages.reports.chain import CHAIN_RELATIONS


def _having(*roles: str) -> frozenset[str]:
    return frozenset(name for name, relation in RELATIONS.items() if relation.sector in roles)


#: Relations by which something works on a company, and those by which a company feels something.
WORKS_ON, FEELS = _having("works on"), _having("feels")
COMPETES, BELONGS = _having("competes"), _having("belongs")
#: Relations that link one sector with another: not where somebody works, is or is listed.
LINKING = CHAIN_RELATIONS | WORKS_ON | FEELS | COMPETES | _having("links")
#: All that a report on a sector may tell.
TOLD_RELATIONS = LINKING | BELONGS
LEAST_COMPANIES = 3
#: What a page tells before it becomes a list: other sectors, links to each, shared drivers.
_MOST_NEIGHBOURS, _MOST_LINKS, _MOST_DRIVERS = 6, 5, 8


@dataclass(frozen=True, slots=True)
class Sector:
    """A community of level 0 with its stated links.

    `inside` are links between two of its entities, `across` links by the other sector's id.
    """

    community_id: str
    companies: tuple[str, ...]
    inside: tuple[StatedLink, ...]
    across: Mapping[str, tuple[StatedLink, ...]]


def sectors_of(
    links: Iterable[StatedLink], sector_of: Mapping[str, str], nodes: Mapping[str, Node]
) -> list[Sector]:
    """The sectors with enough companies, in order of their ids.

    Args:
        links: of `TOLD_RELATIONS`.
        sector_of: the community of level 0 of each entity.
        nodes: every entity of a sector, and every end of a link.
    """
    companies: dict[str, list[str]] = defaultdict(list)
    for entity in sorted(sector_of):
        if nodes[entity].type == "company":
            companies[sector_of[entity]].append(entity)
    inside: dict[str, list[StatedLink]] = defaultdict(list)
    across: dict[str, dict[str, list[StatedLink]]] = defaultdict(lambda: defaultdict(list))
    for link in sorted(links, key=lambda link: link.key):
        one, other = (sector_of.get(end) for end in link.ends)
        if one is None or other is None:
            continue
        if one == other:
            inside[one].append(link)
        elif link.key[1] in LINKING:
            across[one][other].append(link)
            across[other][one].append(link)
    return [
        Sector(
            sector,
            tuple(companies[sector]),
            tuple(inside[sector]),
            {other: tuple(found) for other, found in sorted(across[sector].items())},
        )
        for sector in sorted(companies)
        if len(companies[sector]) >= LEAST_COMPANIES
    ]


def sector_contents(
    sector: Sector,
    nodes: Mapping[str, Node],
    names: Mapping[str, str],
    citations: Citations,
    subject_before: str | None = None,
) -> Json | None:
    """The content of one report on a sector, None where nothing is stated that it could tell.

    Args:
        names: what other sectors are called, by id.

    Returns:
        As `contents.chain_contents`, with ``"community_id"``, ``"segments"``, ``"competition"``,
        ``"drivers"`` and ``"neighbours"``, which point at links by their places.
    """
    told: dict[StatedLink, int] = {}

    def tell(links: Iterable[StatedLink]) -> list[int]:
        return [told.setdefault(link, len(told)) for link in links]

    companies = set(sector.companies)
    everything = [*sector.inside, *(link for found in sector.across.values() for link in found)]
    weight_of = degrees(everything)
    nearest = sorted(sector.across, key=lambda other: (-_weight(sector.across[other]), other))
    neighbours: list[Json] = [
        {
            "community_id": other,
            "name": names[other],
            "weight": _weight(sector.across[other]),
            "links": tell(_heaviest(sector.across[other])[:_MOST_LINKS]),
        }
        for other in nearest[:_MOST_NEIGHBOURS]
    ]
    rivals = [link for link in sector.inside if link.key[1] in COMPETES]
    competition: list[Json] = [
        {"entities": group, "links": tell(link for link in rivals if link.ends[0] in group)}
        for group in _groups(rivals)
    ]
    drivers = [
        {"entity_id": driver, "relation": relation, "links": tell(found)}
        for (driver, relation), found in _drivers(everything, companies)[:_MOST_DRIVERS]
    ]
    if not (neighbours or competition or drivers):
        return None
    belonging = [link for link in sector.inside if link.key[1] in BELONGS]
    segments = tell(link for link in belonging if link.ends[1] in companies)
    ends = companies | {end for link in told for end in link.ends}
    ordered = sorted(ends, key=lambda each: (each not in companies, -weight_of.get(each, 0), each))
    return {
        "community_id": sector.community_id,
        "subject": subject_of(companies, nodes, weight_of, subject_before),
        "nodes": [node_json(nodes[each]) | {"inside": each in companies} for each in ordered],
        "links": [link_json(link, citations) for link in told],
        "segments": segments,
        "competition": competition,
        "drivers": drivers,
        "neighbours": neighbours,
    }


def _drivers(
    links: Iterable[StatedLink], companies: set[str]
) -> list[tuple[tuple[str, str], list[StatedLink]]]:
    """What works on several of some companies in one way, what moves most of them first."""
    found: dict[tuple[str, str], list[StatedLink]] = defaultdict(list)
    moved: dict[tuple[str, str], set[str]] = defaultdict(set)
    for link in links:
        src, relation, dst = link.key
        driver, company = (dst, src) if relation in FEELS else (src, dst)
        if relation in FEELS | WORKS_ON and company in companies:
            found[driver, relation].append(link)
            moved[driver, relation].add(company)
    shared = [key for key in found if len(moved[key]) > 1]
    shared.sort(key=lambda key: (-len(moved[key]), -_weight(found[key]), key))
    return [(key, _heaviest(found[key])) for key in shared]


def _groups(links: Sequence[StatedLink]) -> list[list[str]]:
    import networkx

    graph = networkx.Graph([link.ends for link in links])
    groups = [sorted(group) for group in networkx.connected_components(graph)]
    return sorted(groups, key=lambda group: (-len(group), group))


def _heaviest(links: Iterable[StatedLink]) -> list[StatedLink]:
    return sorted(links, key=lambda link: (-link.weight, link.key))


def _weight(links: Iterable[StatedLink]) -> float:
    return round(sum(link.weight for link in links), 1)
