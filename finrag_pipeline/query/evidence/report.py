"""Reports of a weekly build as evidence: what may be shown of each, and the passages behind it.

The form of a report is `reports`; answers that are made of many belong to the writers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from finrag_pipeline.query.evidence.citation import Citation, day
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable, ReadItems
from finrag_pipeline.query.evidence.passages import find_places, find_standing
from finrag_pipeline.query.evidence.reports import (
    CHAIN,
    COMMUNITY,
    Report,
    read_chains,
    read_reports,
    standing,
)
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.weeks.community_builds import StoredBuild

Json = dict[str, Any]

#: Passages of one report that a search result shows, those of different findings first.
CITED = 12


def report_key(build_id: str, of: str, report_id: str) -> Key:
    """The key of a report of a build on a `COMMUNITY` or on a `CHAIN`."""
    return Key(COMMUNITY, (build_id, of, report_id))


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A report of a weekly build; it stands in no document.

    Attributes:
        report: what of it may be shown.
        build: the build that it is of.
        chunks: the chunk that holds each of its passages now.
        citations: those of its passages that are shown; none before it is completed.
    """

    key: Key
    report: Report
    build: StoredBuild
    chunks: Mapping[Passage, Key]
    citations: tuple[Citation, ...] = ()

    @property
    def text(self) -> str:
        return self.report.text

    @property
    def identity(self) -> str:
        """A report is about its title."""
        return f"{self.report.title}\n"

    @property
    def subjects(self) -> tuple[str, ...]:
        return ()

    @property
    def factor(self) -> float:
        return 1.0

    def quotes(self, question: str) -> Iterable[Quotable]:
        """Nothing: what it says is cited from the passages behind it."""
        return ()

    def cite(self, n: int, quote: str, places: tuple[Any, ...]) -> Citation:
        return Citation(n, self.key, quote, places)

    def holds(self, citation: Citation) -> bool:
        """Never: a report is cited by its passages, which chunks hold."""
        return False

    def to_dict(self) -> Json:
        return {"text": self.text, "title": self.report.title, "report": self.report_to_dict()}

    def report_to_dict(self) -> Json:
        """Whose report it is, and what it rests on; a chain has no level and no rating."""
        own, build = self.report, self.build.build
        return {
            "kind": own.kind,
            "id": own.report_id,
            "level": own.level,
            "title": own.title,
            "rating": own.rating,
            "build_id": build.build_id,
            "week": day(build.week),
            "citations": [each.place_to_dict() for each in self.citations],
        }


class ReportKind:
    """Reports on communities and chains of the build that a question goes to."""

    name = COMMUNITY

    def read(
        self, connection: Connection[Row], keys: Sequence[Key], asked: Asked, most: int
    ) -> ReadItems:
        """Reports with a passage that passes the question's filter, among the first `most`."""
        if asked.build is None:
            return ReadItems({})
        found = _reports(connection, keys[:most])
        passages = dict.fromkeys(each for report in found.values() for each in report.passages)
        held = find_standing(connection, passages, asked.where)
        items = {
            key: ReportItem(
                key, left, asked.build, {each: held.chunks[each] for each in left.passages}
            )
            for key, report in found.items()
            if (left := standing(report, held.chunks))
        }
        return ReadItems(items, held.lost)

    def complete(
        self, connection: Connection[Row], items: Sequence[EvidenceItem]
    ) -> list[ReportItem]:
        """The reports with the passages that are shown; those without any left out."""
        reports = cast("Sequence[ReportItem]", items)
        first = {item.key: _in_turn(item.report)[:CITED] for item in reports}
        chunks = {each: item.chunks[each] for item in reports for each in first[item.key]}
        cited = find_places(connection, chunks, chunks)
        completed = (
            replace(
                item,
                citations=tuple(
                    cited[each].citation(0) for each in first[item.key] if each in cited
                ),
            )
            for item in reports
        )
        return [item for item in completed if item.citations]


def _reports(connection: Connection[Row], keys: Sequence[Key]) -> Mapping[Key, Report]:
    """The stored reports behind some keys, in their order."""
    by_build: dict[tuple[str, str], list[str]] = {}
    for key in keys:
        build_id, of, report_id = map(str, key.id)
        by_build.setdefault((build_id, of), []).append(report_id)
    found: dict[Key, Report] = {}
    for (build_id, of), ids in by_build.items():
        read = read_chains if of == CHAIN else read_reports
        for report_id, report in read(connection, build_id, ids).items():
            found[report_key(build_id, of, report_id)] = report
    return {key: found[key] for key in keys if key in found}


def _in_turn(report: Report) -> list[Passage]:
    """The first passage of every finding, then the second of every finding."""
    ranked = (
        (place, n, each)
        for n, finding in enumerate(report.findings)
        for place, each in enumerate(finding.evidence)
    )
    return list(dict.fromkeys(each for _, _, each in sorted(ranked, key=lambda one: one[:2])))
