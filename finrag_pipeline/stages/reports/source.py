"""What one report is written from: packed lines, the community's extent, its whole chain.

The digest of it says whether a report must be written again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.records.communities import Passage
from finrag_pipeline.stages.reports.elements import Elements, Node, Relation, SubReport
from finrag_pipeline.stages.reports.items import Count
from finrag_pipeline.stages.reports.packing import Packed, tokens_of

#: Raise it when the same source gets another report: older reports are written again then.
REPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Source:
    """What a report is written from.

    Attributes:
        packed: its lines; what did not fit is counted there.
        elements: the extent, chain and central entities of the whole community.
        tokens: of the lines.
    """

    community_id: str
    packed: Packed
    elements: Elements
    chinese: bool
    tokens: int

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Entities that are told, in order, with those claims alone that are told."""
        return tuple(item.node for item in self.packed.items if item.kind == "entity" and item.node)

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(item.relation for item in self.packed.items if item.relation)

    @property
    def reports(self) -> tuple[SubReport, ...]:
        """Reports of sub-communities that stand for their elements, in order."""
        found = (item.source for item in self.packed.items if item.source)
        return tuple({each.report_id: each for each in found}.values())

    @property
    def sha256(self) -> str:
        """Of the set of what it holds: neither order nor degrees to the last neighbour count."""
        extent = self.elements.extent
        told: list[Any] = [
            REPORT_VERSION,
            self.chinese,
            sorted(
                [
                    item.kind,
                    item.source.report_id if item.source else "",
                    item.text,
                    item.node.prominence if item.node else 0,
                    _places(item.passages),
                ]
                for item in self.packed.items
            ),
            self.packed.left_out > 0,
            sorted([node.name, node.type, node.prominence] for node in self.elements.central),
            sorted(
                [*map(str, one.link), _places(each.passage for each in one.statements)]
                for one in self.elements.chain
            ),
            extent.types,
            [extent.relations, extent.claims, extent.documents],
            [str(extent.first_on), str(extent.last_on)],
        ]
        return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()

    @property
    def silent(self) -> bool:
        """Whether nothing is stated in it: there is nothing that a finding could rest on."""
        return not any(item.passages for item in self.packed.items)


def source_of(community_id: str, packed: Packed, elements: Elements, count: Count) -> Source:
    """The source of a report, with the language that it is to be written in."""
    tokens = tokens_of(packed.items, count)
    return Source(community_id, packed, elements, elements.chinese, tokens)


def report_id(app_id: str, source_sha256: str, edition: str) -> str:
    """The id of a report: of what it is written from and by which writer, so of its content.

    >>> report_id("default", "00", "offline")
    'r46d7f88b8f7d2db7519d'
    """
    whole = json.dumps([app_id, source_sha256, edition])
    return "r" + hashlib.sha256(whole.encode()).hexdigest()[:20]


def _places(passages: Iterable[Passage]) -> list[list[str | int]]:
    return sorted([each.document_id, each.chunk, each.start, each.end] for each in passages)
