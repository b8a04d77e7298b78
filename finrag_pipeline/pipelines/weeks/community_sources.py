"""Makes the sources of reports: a community's elements, or reports of its parts where too much.

How elements are read belongs to `community_elements`, what is written of them to the writers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain

from finrag_pipeline.models.chat import count_tokens
from finrag_pipeline.pipelines.weeks.community_elements import joined, read_across, read_elements
from finrag_pipeline.records.communities import Build, CommunityReport, Passage
from finrag_pipeline.stages.reports.elements import SubReport
from finrag_pipeline.stages.reports.items import FEWEST_TOKENS, Item, in_order, report_items
from finrag_pipeline.stages.reports.packing import Child, fill, pack, replaced, tokens_of
from finrag_pipeline.stages.reports.source import Source, source_of
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.weeks import community_summaries
from finrag_pipeline.store.weeks.community_summaries import CommunityRow


class SourceReader:
    """Sources of one build's communities, read bottom-up: parents need what is known of children.

    Args:
        rows: every community of the build.
        room: tokens that the lines of a source may count.

    Attributes:
        report_ids: the reports of communities that were written; whoever writes one notes it here.
    """

    def __init__(self, build: Build, rows: Sequence[CommunityRow], room: int) -> None:
        self.report_ids: dict[str, str] = {}
        self._build, self._room = build, room
        self._children: dict[str, list[str]] = {}
        for row in rows:
            if row.parent_id:
                self._children.setdefault(row.parent_id, []).append(row.community_id)
        # tokens of the elements of communities that were read
        self._sizes: dict[str, int] = {}

    def read(self, connection: Connection[Row], batch: Sequence[CommunityRow]) -> dict[str, Source]:
        """The sources of some communities but those of one entity."""
        found: dict[str, Source] = {}
        small = [
            row.community_id
            for row in batch
            if row.community_id not in self._children
            or row.entity_count * FEWEST_TOKENS <= self._room
        ]
        most = self._room // FEWEST_TOKENS + 1
        read = read_elements(connection, self._build, small, most)
        for each, elements in read.items():
            items = in_order(elements.nodes, elements.relations, elements.chinese)
            self._sizes[each] = tokens_of(items, count_tokens)
            packed = fill(items, self._room, count_tokens)
            whole = elements.complete and not packed.left_out
            if whole or each not in self._children:
                found[each] = source_of(each, packed, elements, count_tokens)
        large = [row.community_id for row in batch if row.community_id not in found]
        found |= self._read_parents(connection, large, most)
        alone = {row.community_id for row in batch if row.entity_count == 1}
        return {each: source for each, source in found.items() if each not in alone}

    def _read_parents(
        self, connection: Connection[Row], parents: Sequence[str], most: int
    ) -> dict[str, Source]:
        """Sources of what is too large: reports stand for the largest sub-communities."""
        if not parents:
            return {}
        across = read_across(connection, self._build, parents, most)
        children = {each: self._children[each] for each in parents}
        ids = {
            child: self.report_ids[child]
            for its in children.values()
            for child in its
            if child in self.report_ids
        }
        stored = _as_far_as_held(connection, community_summaries.reports(connection, ids.values()))
        reports = {
            child: report_items(SubReport(report, stored[report])) for child, report in ids.items()
        }
        told: dict[str, list[str]] = {}
        for each in parents:
            own = in_order((), across[each].relations, across[each].chinese)
            tokens = tokens_of(own, count_tokens)
            its = [
                Child(child, self._sizes[child], _tokens(reports, child))
                for child in children[each]
            ]
            told[each] = replaced(its, tokens, self._room)
            self._sizes[each] = tokens + sum(child.tokens for child in its)
        kept = {each: [c for c in children[each] if c not in set(told[each])] for each in parents}
        parts = read_elements(
            connection, self._build, sorted(chain.from_iterable(kept.values())), most
        )
        found: dict[str, Source] = {}
        for each in parents:
            elements = joined((parts[child] for child in kept[each]), across[each])
            items = in_order(elements.nodes, elements.relations, elements.chinese)
            packed = pack([reports[child] for child in told[each]], items, self._room, count_tokens)
            found[each] = source_of(each, packed, elements, count_tokens)
        return found


def _tokens(reports: Mapping[str, Sequence[Item]], community: str) -> int | None:
    return tokens_of(reports[community], count_tokens) if community in reports else None


def _as_far_as_held(
    connection: Connection[Row], reports: Mapping[str, CommunityReport]
) -> dict[str, CommunityReport]:
    """Reports without what rests on documents that were withdrawn since they were written."""
    passages = [
        passage
        for report in reports.values()
        for finding in report.findings
        for passage in finding.evidence
    ]
    lost = community_summaries.lost(connection, passages)
    if not lost:
        return dict(reports)
    return {each: _without(report, lost) for each, report in reports.items()}


def _without(report: CommunityReport, lost: Set[Passage]) -> CommunityReport:
    kept = (
        replace(finding, evidence=tuple(one for one in finding.evidence if one not in lost))
        for finding in report.findings
    )
    return replace(report, findings=tuple(finding for finding in kept if finding.evidence))
