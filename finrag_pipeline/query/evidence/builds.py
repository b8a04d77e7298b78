"""Which weekly build a question goes to, and what is told of it: its date, what it lacks.

Reading what a build holds belongs to `reports`.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from finrag_pipeline.records.communities import week_of
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.weeks import community_builds
from finrag_pipeline.store.weeks.community_builds import NewerEvidence, StoredBuild

Json = dict[str, Any]


def serving(connection: Connection[Row], app_id: str, as_of: date | None) -> StoredBuild | None:
    """The build that a question goes to: of the last week that was over by a day."""
    return community_builds.current(connection, app_id, as_of)


def no_build(as_of: date | None) -> str:
    """Why reports cannot answer, in one line with its mend."""
    if as_of is None:
        return "no weekly build is published: run `finrag rebuild`"
    week = week_of(as_of - timedelta(days=6))
    return (
        f"no weekly build of a week that was over by {as_of} is published: "
        f"run `finrag rebuild --week {week}`"
    )


def named(stored: StoredBuild) -> Json:
    """A build as answers name it."""
    build, published_at = stored.build, stored.published_at
    return {
        "build_id": build.build_id,
        "week": build.week.isoformat(),
        "published_by": build.published_by.isoformat(),
        "published_at": published_at.isoformat() if published_at else None,
    }


def told(build: Json) -> str:
    """A build in one line, as `named` gives it.

    >>> told({"week": "2026-11-15", "published_by": "2026-11-21"})
    'weekly build of 2026-11-15, with what was published by 2026-11-21'
    """
    return f"weekly build of {build['week']}, with what was published by {build['published_by']}"


def shortcomings(
    connection: Connection[Row], stored: StoredBuild, as_of: date | None
) -> tuple[str, ...]:
    """What an answer from a build must warn of: newer evidence, and what is degraded about it."""
    week = stored.build.week
    newer = community_builds.newer_evidence(connection, stored.build.build_id, as_of)
    found = list(stored.build.degraded)
    if newer.documents:
        are = "documents" if newer.documents > 1 else "document"
        verb = "are" if newer.documents > 1 else "is"
        found.insert(
            0,
            f"{newer.documents} {are} published up to {newer.published_on} {verb} not in the "
            f"weekly build of {week}: {_mend(stored, newer, as_of)}",
        )
    return tuple(found)


def _mend(stored: StoredBuild, newer: NewerEvidence, as_of: date | None) -> str:
    if as_of is None:
        return "run `finrag rebuild`"
    over = week_of(as_of - timedelta(days=6))
    last = newer.published_on
    if over == stored.build.week and last and last > stored.build.published_by:
        return f"their week was not over by {as_of}"
    return f"run `finrag rebuild --week {over}`"


def lost(passages: int, stored: StoredBuild) -> str:
    """What is told where passages of reports are gone; empty where none are."""
    if not passages:
        return ""
    are = "passages are" if passages > 1 else "passage is"
    return (
        f"{passages} {are} left out that reports of the weekly build of {stored.build.week} rest "
        "on: readers do not see them any more; run `finrag rebuild`"
    )
