"""Reports of a build beside those on chains: on one community, and a list of all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.records.communities import Build, CommunityReport, Finding, Json, Passage
from finrag_pipeline.stages.chains.citations import Citations
from finrag_pipeline.stages.chains.document import Bullets, Line, ReportDocument, Section, Sources
from finrag_pipeline.stages.chains.graph import SourcedPassage
from finrag_pipeline.stages.chains.telling import build_facts
from finrag_pipeline.stages.chains.wording import Wording
from finrag_pipeline.words import is_chinese

_UNSAFE = re.compile(r"[^\w]+")
#: Characters of a title in a file's name: names of 255 bytes are safe everywhere.
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class TitledChain:
    """A report on a chain as it is listed."""

    chain_id: str
    kind: str
    title: str
    changed: bool


@dataclass(frozen=True, slots=True)
class ListedCommunity:
    """A community with its report, or the reason why it has none."""

    community_id: str
    level: int
    entity_count: int
    report: CommunityReport | None
    no_report: str | None = None


def file_names(chains: Sequence[TitledChain]) -> dict[str, str]:
    """A file's name for each chain by its id, without suffix: safe everywhere, and stable.

    >>> file_names([TitledChain("i0123456789", "industry_chain", "A/B: 产业链", False)])
    {'i0123456789': 'A-B-产业链-i0123456'}
    """
    names: dict[str, str] = {}
    for chain in sorted(chains, key=lambda chain: chain.chain_id):
        title = _UNSAFE.sub("-", chain.title)[:_LONGEST].strip("-_") or chain.kind
        short = f"{title}-{chain.chain_id[:8]}"
        taken = {name.casefold() for name in names.values()}
        taken_short = short.casefold() in taken
        names[chain.chain_id] = f"{title}-{chain.chain_id}" if taken_short else short
    return names


def tell_index(
    build: Build, chains: Sequence[TitledChain], communities: Sequence[ListedCommunity]
) -> ReportDocument:
    """All reports of a build: chains with their files, communities by level with summaries."""
    reports = [each.report for each in communities if each.report]
    titles = [*(chain.title for chain in chains), *(report.title for report in reports)]
    say = Wording(is_chinese(" ".join(titles)))
    files = file_names(chains)
    sections: list[Section] = []
    for kind in ("industry_chain", "sector_links"):
        lines: list[Line] = []
        for chain in (each for each in chains if each.kind == kind):
            changed = f" · {say('is_changed')}" if chain.changed else ""
            lines.append(Line(chain.title + changed, file=files[chain.chain_id]))
        if lines:
            sections.append(Section(say(kind), (Bullets(tuple(lines)),)))
    for level in sorted({each.level for each in communities if each.report}):
        lines = [
            _listed(each, each.report, say)
            for each in communities
            if each.level == level and each.report
        ]
        sections.append(Section(say("level", level=level), (Bullets(tuple(lines)),)))
    return ReportDocument(
        say("index_title"), say.language, build_facts(build, say), tuple(sections)
    )


def tell_community(
    build: Build, community: ListedCommunity, sources: Mapping[str, str]
) -> ReportDocument:
    """The report on one community, each finding with the passages that it rests on.

    Args:
        sources: names of the files of documents; others are called by their ids.
    """
    report, citations = community.report, Citations()
    title = report.title if report else community.community_id
    say = Wording(is_chinese(f"{title} {report.summary}" if report else title))
    counted = say("entity_count", level=community.level, entities=community.entity_count)
    facts = (*build_facts(build, say), counted)
    if report is None:
        why = Section(say("overview"), (Line(community.no_report or ""),))
        return ReportDocument(title, say.language, facts, (why,))
    rating = say("rating", rating=f"{report.rating:g}", reason=report.rating_reason)
    sections = [Section(say("overview"), (Line(report.summary), Line(rating)))]
    for finding in report.findings:
        cited = {
            each: citations.cite(
                [SourcedPassage(each, sources.get(each.document_id, each.document_id))]
            )[0]
            for each in finding.evidence
        }
        sections.append(Section(finding.summary, (_finding(finding, cited),)))
    told: list[Json] = citations.to_json()
    sections.append(Section(say("sources"), (Sources(told),)))
    return ReportDocument(title, say.language, facts, tuple(sections))


def _finding(finding: Finding, cited: Mapping[Passage, int]) -> Bullets:
    """A finding line by line, each with what it quotes; the last one with all else."""
    quoted = [
        {n for passage, n in cited.items() if passage.quote.strip() in text}
        for text in finding.explanation.splitlines()
    ]
    quoted[-1] |= set(cited.values()) - set[int]().union(*quoted)
    lines = zip(finding.explanation.splitlines(), quoted, strict=True)
    return Bullets(tuple(Line(text, tuple(sorted(numbers))) for text, numbers in lines))


def _listed(community: ListedCommunity, report: CommunityReport, say: Wording) -> Line:
    return Line(
        say(
            "community",
            title=report.title,
            rating=f"{report.rating:g}",
            entities=community.entity_count,
            id=community.community_id,
            summary=report.summary,
        )
    )
