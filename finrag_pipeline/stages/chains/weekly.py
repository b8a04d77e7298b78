"""All reports of one week from its graph, its communities and last week's reports.

Reading and storing them belongs to `store.weeks.chain_reports` and `pipelines.weeks.chain_reports`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.records.communities import Build, Community, Json
from finrag_pipeline.stages.chains.changes import changes_since
from finrag_pipeline.stages.chains.citations import Citations
from finrag_pipeline.stages.chains.contents import chain_contents, subject_of
from finrag_pipeline.stages.chains.division import (
    LEAST_ENTITIES,
    community_on,
    divide,
    entities_in,
    has_company,
    peers_of,
    placed_in,
    through_products,
)
from finrag_pipeline.stages.chains.document import ReportDocument
from finrag_pipeline.stages.chains.graph import Node, StatedLink, degrees
from finrag_pipeline.stages.chains.identity import chain_ids, sector_report_id
from finrag_pipeline.stages.chains.sectors import TOLD_RELATIONS, sector_contents, sectors_of
from finrag_pipeline.stages.chains.telling import tell_chain, tell_sector
from finrag_pipeline.stages.reports.chain import CHAIN_RELATIONS, PEER_RELATIONS, PLACE_RELATIONS

INDUSTRY_CHAIN, SECTOR_LINKS = "industry_chain", "sector_links"


@dataclass(frozen=True, slots=True)
class WeekBefore:
    """The build to compare with, and what its reports held, by their ids."""

    build: Build
    chains: Mapping[str, Json]
    sectors: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ChainReport:
    """A report with all that it is told from; see the table `chain_reports`."""

    chain_id: str
    kind: str
    content: Json
    changes: Json
    citations: Sequence[Json]
    document: ReportDocument


def chain_reports(
    build: Build,
    links: Sequence[StatedLink],
    nodes: Mapping[str, Node],
    communities: Sequence[Community],
    before: WeekBefore | None,
) -> list[ChainReport]:
    """The industry chains of a week, the heaviest first.

    Args:
        links: every stated link of `CHAIN_RELATIONS`, `PEER_RELATIONS` and `PLACE_RELATIONS`;
            others are passed over.
        nodes: every end of the links.
        before: None in the first week.
    """
    supplies = [link for link in links if link.key[1] in CHAIN_RELATIONS]
    peers = [link for link in links if link.key[1] in PEER_RELATIONS]
    on_level, levels = community_on(communities)
    divided = divide(through_products(supplies, nodes), on_level, levels)
    places = [link for link in links if link.key[1] in PLACE_RELATIONS]
    groups = [
        (group, [*peers_of(group, peers, nodes), *placed_in(group, places, nodes)])
        for group in divided
    ]
    groups = [
        (group, beside)
        for group, beside in groups
        if entities_in(group, beside) >= LEAST_ENTITIES and has_company([*group, *beside], nodes)
    ]
    held = before.chains if before else {}
    earlier = {
        # peers and those placed may stand beside several chains
        chain_id: frozenset(
            node["entity_id"] for node in content["nodes"] if not node.get("beside")
        )
        for chain_id, content in held.items()
    }
    entities = [frozenset(end for link in group for end in link.ends) for group, _ in groups]
    reports: list[ChainReport] = []
    ids = chain_ids(build, entities, earlier)
    for (group, beside), chain_id in zip(groups, ids, strict=True):
        then, cited = held.get(chain_id), Citations()
        content = chain_contents(group, nodes, cited, then["subject"] if then else None, beside)
        changes = changes_since(before and before.build, then, content)
        citations = cited.to_json()
        document = tell_chain(build, content, changes, citations)
        reports.append(ChainReport(chain_id, INDUSTRY_CHAIN, content, changes, citations, document))
    return reports


def sector_reports(
    build: Build,
    links: Sequence[StatedLink],
    nodes: Mapping[str, Node],
    communities: Sequence[Community],
    before: WeekBefore | None,
) -> list[ChainReport]:
    """The reports on sectors of a week, in order of their communities.

    Args:
        links: every stated link of `sectors.TOLD_RELATIONS`; others are passed over.
        nodes: the entities of communities that there are, and every end of a link.
        before: None in the first week.
    """
    links = [link for link in links if link.key[1] in TOLD_RELATIONS]
    on_level, _ = community_on(communities)
    # what was withdrawn since the communities were made has no name any more
    entities = sorted(
        {entity for each in communities for entity in each.entity_ids if entity in nodes}
    )
    sector_of = {entity: sector for entity in entities if (sector := on_level(entity, 0))}
    held = before.sectors if before else {}
    names = _names(sector_of, links, nodes)
    reports: list[ChainReport] = []
    for sector in sectors_of(links, sector_of, nodes):
        report_id = sector_report_id(sector.community_id)
        then, cited = held.get(report_id), Citations()
        content = sector_contents(sector, nodes, names, cited, then["subject"] if then else None)
        if content is not None:
            changes = changes_since(before and before.build, then, content)
            citations = cited.to_json()
            document = tell_sector(build, content, changes, citations)
            reports.append(
                ChainReport(report_id, SECTOR_LINKS, content, changes, citations, document)
            )
    return reports


def _names(
    sector_of: Mapping[str, str], links: Sequence[StatedLink], nodes: Mapping[str, Node]
) -> dict[str, str]:
    """What sectors are called: after the company of each with the heaviest links."""
    weight_of = degrees(links)
    inside: dict[str, list[str]] = {}
    for entity, sector in sector_of.items():
        inside.setdefault(sector, []).append(entity)
    return {
        sector: nodes[subject_of(entities, nodes, weight_of, None)].name
        for sector, entities in inside.items()
    }
