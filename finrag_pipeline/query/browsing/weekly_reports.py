"""Which weekly build is meant, and its reports as they may be shown.

What rests on passages that readers do not see any more is left out.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from finrag_pipeline.errors import NotFound
from finrag_pipeline.records.communities import Build, CommunityReport, Json, Passage
from finrag_pipeline.stages.chains.index import ListedCommunity
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.weeks import chain_reports, community_builds, community_summaries
from finrag_pipeline.store.weeks.chain_reports import StoredReport


def find_build(
    connection: Connection[Row], app_id: str, day: date | None = None, as_of: date | None = None
) -> Build:
    """The published build of the week of a day, or the current one, as far as it is over by a day.

    Raises:
        NotFound: there is none.
    """
    if day is None:
        stored = community_builds.current(connection, app_id, as_of)
        if stored is None:
            raise NotFound("there is no weekly build yet: run `finrag rebuild`")
        return stored.build
    for stored in community_builds.builds(connection, app_id):
        if stored.published_at and stored.build.week <= day <= stored.build.published_by:
            return stored.build
    raise NotFound(f"the week of {day} has no published build: run `finrag rebuild --week {day}`")


def communities(connection: Connection[Row], build: Build) -> list[ListedCommunity]:
    """The communities of a build with their reports: level by level, the best rated first."""
    rows = community_summaries.communities(connection, build.build_id)
    written = community_summaries.reports(connection, [r.report_id for r in rows if r.report_id])
    reports = {key: _seen(connection, each) for key, each in written.items()}
    listed = [
        ListedCommunity(
            row.community_id,
            row.level,
            row.entity_count,
            reports.get(row.report_id or ""),
            row.no_report,
        )
        for row in rows
    ]

    def order(each: ListedCommunity) -> tuple[int, float, int, str]:
        rating = each.report.rating if each.report else -1.0
        return each.level, -rating, -each.entity_count, each.community_id

    return sorted(listed, key=order)


def _seen(connection: Connection[Row], report: CommunityReport) -> CommunityReport:
    """A report without what rests on passages that readers do not see any more."""
    passages = [each for finding in report.findings for each in finding.evidence]
    lost = community_summaries.lost(connection, passages)
    if not lost:
        return report
    findings = tuple(each for each in report.findings if not lost & set(each.evidence))
    told = f"{len(lost)} of its passages were withdrawn: run `finrag rebuild`"
    return replace(report, summary=told, findings=findings)


def chains(connection: Connection[Row], build: Build) -> tuple[list[StoredReport], list[str]]:
    """Reports on chains and sectors, and a line for each that rests on what was withdrawn.

    Those are static documents: what is withdrawn would be told whole.
    """
    kept: list[StoredReport] = []
    left_out: list[str] = []
    for chain in chain_reports.reports(connection, build.build_id):
        lost = community_summaries.lost(connection, [cited_passage(e) for e in chain.citations])
        if lost:
            left_out.append(
                f"{chain.title} ({chain.chain_id}) is left out, {len(lost)} of its passages were "
                "withdrawn: run `finrag rebuild`"
            )
        else:
            kept.append(chain)
    return kept, left_out


def cited_passage(citation: Json) -> Passage:
    """What a citation of a chain's report rests on."""
    return Passage.from_dict({k: v for k, v in citation.items() if k not in ("n", "source")})


def community(connection: Connection[Row], build: Build, community_id: str) -> ListedCommunity:
    """One community of a build with its report.

    Raises:
        NotFound: the build has no such community.
    """
    for each in communities(connection, build):
        if each.community_id == community_id:
            return each
    raise NotFound(
        f"the build {build.build_id} has no report {community_id!r}: see `finrag reports list`"
    )
