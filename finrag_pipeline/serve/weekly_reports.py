"""Which build a command means, and its reports: what `finrag reports` prints and exports."""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from finrag_pipeline.errors import NotFound
from finrag_pipeline.records.communities import Build, week_of
from finrag_pipeline.serve.options import parse_day
from finrag_pipeline.stages.chains.index import ListedCommunity
from finrag_pipeline.store import community_builds, community_summaries

Row = dict[str, Any]


def find_build(connection: Connection[Row], app_id: str, week: str = "") -> Build:
    """The published build of the week of a day, or the current one.

    Raises:
        NotFound: there is none.
    """
    day = parse_day(week, "--week")
    if day is None:
        stored = community_builds.current(connection, app_id)
        if stored is None:
            raise NotFound("there is no weekly build yet: run `finrag rebuild`")
        return stored.build
    for stored in community_builds.builds(connection, app_id):
        if stored.published_at and stored.build.week == week_of(day):
            return stored.build
    raise NotFound(
        f"the week of {week_of(day)} has no published build: run `finrag rebuild --week {week}`"
    )


def communities(connection: Connection[Row], build: Build) -> list[ListedCommunity]:
    """The communities of a build with their reports: level by level, the best rated first."""
    rows = community_summaries.communities(connection, build.build_id)
    reports = community_summaries.reports(connection, [r.report_id for r in rows if r.report_id])
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
