"""Reports of a build in one form, whether on a community or on a chain, and what may be shown.

Where their passages stand today is `passages`; which reports a question gets, the lanes decide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from finrag_pipeline.records.communities import Finding, Passage
from finrag_pipeline.stages.chains.wording import Wording
from finrag_pipeline.stages.reports.chain import STAGES
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.weeks import community_search
from finrag_pipeline.store.weeks.community_search import StoredChain, StoredReport
from finrag_pipeline.words import is_chinese

Json = dict[str, Any]

#: What reports are on; the first also names their kind of evidence.
COMMUNITY, CHAIN = "community", "chain"


@dataclass(frozen=True, slots=True)
class Report:
    """What is told of a community or chain.

    Attributes:
        kind: ``community``, ``industry_chain`` or ``sector_links``.
        report_id: of the community or chain, carried over from week to week.
        level: 0 the coarsest; None for a chain.
        rating: 0 to 10; None for a chain.
        summary: empty where not all that it rests on may be shown.
        findings: for a chain its links.
        outline: who stands where in a chain, line by line; shown with its links only.
    """

    kind: str
    report_id: str
    level: int | None
    parent_id: str | None
    title: str
    summary: str
    rating: float | None
    findings: tuple[Finding, ...]
    outline: tuple[str, ...] = ()

    @property
    def is_chain(self) -> bool:
        return self.kind != COMMUNITY

    @property
    def passages(self) -> Iterable[Passage]:
        """Everything that it rests on, in order."""
        return dict.fromkeys(each for finding in self.findings for each in finding.evidence)

    @property
    def text(self) -> str:
        """Title and summary; where that is not to be shown, what is left of its findings."""
        parts = [self.summary] if self.summary else [said(each) for each in self.findings]
        return "\n".join([self.title, *parts])

    @property
    def whole_text(self) -> str:
        """All that it says."""
        return "\n".join([self.title, self.summary, *(said(each) for each in self.findings)])


def said(finding: Finding) -> str:
    """A finding in words.

    >>> said(Finding("需求回升", "订单增加。", ()))
    '需求回升\\n订单增加。'
    """
    return "\n".join(part for part in (finding.summary, finding.explanation) if part)


def report_item(report: Report) -> Json:
    """A report as it is told beside an answer, never to be cited itself."""
    return {
        "kind": "report",
        "report_kind": report.kind,
        "id": report.report_id,
        "level": report.level,
        "name": report.title,
        "rating": report.rating,
        "description": report.text,
        "citable": False,
    }


def read_reports(
    connection: Connection[Row], build_id: str, community_ids: Iterable[str]
) -> dict[str, Report]:
    """Reports on some communities of a build by their ids."""
    stored = community_search.reports(connection, build_id, community_ids)
    return {key: _of_community(each) for key, each in stored.items()}


def read_chains(
    connection: Connection[Row], build_id: str, chain_ids: Iterable[str] | None = None
) -> dict[str, Report]:
    """Reports on some or all chains of a build by their ids."""
    stored = community_search.chains(connection, build_id, chain_ids)
    return {key: _of_chain(each) for key, each in stored.items()}


def standing(report: Report, cited: Collection[Passage]) -> Report | None:
    """What of a report may be shown to whom only some passages may: None where nothing is left.

    A finding with some of its passages is told in the words of those; the summary speaks of
    everything, and is shown with everything only.
    """
    findings: list[Finding] = []
    for finding in report.findings:
        left = tuple(each for each in finding.evidence if each in cited)
        if len(left) == len(finding.evidence):
            findings.append(finding)
        elif left:
            quotes = dict.fromkeys(each.quote for each in left)
            findings.append(Finding("\n".join(quotes), "", left))
    findings = [each for each in findings if each.evidence]
    if not findings:
        return None
    if tuple(findings) == report.findings:
        return report
    return replace(report, summary="", outline=(), findings=tuple(findings))


def _of_community(stored: StoredReport) -> Report:
    return Report(
        COMMUNITY,
        stored.community_id,
        stored.level,
        stored.parent_id,
        stored.title,
        stored.summary,
        stored.rating,
        stored.findings,
    )


def _of_chain(stored: StoredChain) -> Report:
    """A chain with its links as findings, as its document tells them."""
    content = stored.content
    say = Wording(is_chinese(" ".join(each.quote for each in stored.citations.values())))
    names = {node["entity_id"]: " ".join(node["name"].split()) for node in content["nodes"]}
    findings: list[Finding] = []
    for link in content["links"]:
        cited = (stored.citations[n] for n in link["passages"] if n in stored.citations)
        told = say.link(names[link["src"]], link["relation"], names[link["dst"]])
        findings.append(Finding(told, "", tuple(cited)))
    return Report(
        stored.kind,
        stored.chain_id,
        None,
        None,
        stored.title,
        stored.text.removeprefix(stored.title).strip(),
        None,
        tuple(findings),
        tuple(
            say("stage_line", stage=say(stage), names=say.listed(there))
            for stage in STAGES
            if (there := _at(content, stage, names))
        ),
    )


def _at(content: Row, stage: str, names: dict[str, str]) -> list[str]:
    return [names[n["entity_id"]] for n in content["nodes"] if n.get("stage") == stage]
