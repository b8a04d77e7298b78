"""Weekly builds: begun, published, replaced; typed functions over `community_builds.sql`.

What a build holds belongs to `leiden_communities`, `community_summaries` and `chain_reports`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.errors import NotFound, TransientError
from finrag_pipeline.records.communities import Build
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("weeks/community_builds")


@dataclass(frozen=True, slots=True)
class StoredBuild:
    """A build and how far it is."""

    build: Build
    clustered_at: datetime
    summarised_at: datetime | None
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class CommunityCounts:
    """What is meant by the communities of a build, wherever they are counted.

    `communities` have two entities or more; one that lies inside another counts beside it, on the
    level where it first stands. `alone` are entities that form a community by themselves.
    """

    communities: int
    alone: int
    levels: int


@dataclass(frozen=True, slots=True)
class NewerEvidence:
    """Documents that a build does not know, and the last day that one of them was published."""

    documents: int
    published_on: date | None


def lock(connection: Connection[Row], app_id: str) -> None:
    """Until the transaction ends no other one writes or publishes builds of the app."""
    connection.execute(Q.lock_builds, {"app_id": app_id})


def hold(connection: Connection[Row], build: Build) -> StoredBuild:
    """Keep others from replacing a build until the transaction ends.

    Raises:
        TransientError: it was replaced before.
    """
    lock(connection, build.app_id)
    stored = find(connection, build.build_id)
    if stored is None:
        raise TransientError(
            f"the build {build.build_id} was replaced while its reports were written: run it again"
        )
    return stored


def add(connection: Connection[Row], build: Build) -> None:
    """Store a build that has been clustered; readers do not see it yet."""
    connection.execute(
        Q.add_build,
        {
            "build_id": build.build_id,
            "app_id": build.app_id,
            "week": build.week,
            "started_from": build.started_from,
            "input_sha256": build.input_sha256,
            "parameters": Jsonb(build.parameters),
            "versions": Jsonb(build.versions),
            "sizes": Jsonb(build.sizes),
            "modularity": list(build.modularity),
        },
    )


def set_read_at(connection: Connection[Row], build_id: str, read_at: datetime) -> None:
    """Note when the graph was read that a build is made of: what comes later it does not know."""
    connection.execute(Q.set_read_at, {"build_id": build_id, "read_at": read_at})


def find(connection: Connection[Row], build_id: str) -> StoredBuild | None:
    """One build, None where there is none."""
    return _stored(connection.execute(Q.build, {"build_id": build_id}).fetchone())


def of_week(connection: Connection[Row], app_id: str, week: date) -> StoredBuild | None:
    """The build of a week that is being written, else the published one, else None."""
    return _stored(connection.execute(Q.of_week, {"app_id": app_id, "week": week}).fetchone())


def before(connection: Connection[Row], app_id: str, week: date) -> StoredBuild | None:
    """The last build before a week, whether readers see it or not; None for the first."""
    return _stored(connection.execute(Q.before, {"app_id": app_id, "week": week}).fetchone())


def current(
    connection: Connection[Row], app_id: str, as_of: date | None = None
) -> StoredBuild | None:
    """The build that questions go to, or that of the last week that was over by a day."""
    return _stored(connection.execute(Q.current, {"app_id": app_id, "as_of": as_of}).fetchone())


def builds(connection: Connection[Row], app_id: str) -> list[StoredBuild]:
    """Every build of an app, the last week's first."""
    rows = connection.execute(Q.builds, {"app_id": app_id}).fetchall()
    return [stored for row in rows if (stored := _stored(row))]


def set_summarised(connection: Connection[Row], build_id: str, degraded: Sequence[str]) -> None:
    """Note that every community of a build has its report, and what is degraded about them."""
    connection.execute(Q.set_summarised, {"build_id": build_id, "degraded": list(degraded)})


def publish(connection: Connection[Row], build: Build) -> None:
    """Send readers to a build and remove what else there is of its week.

    The last statement of a week: until the transaction ends, readers see what they saw before.
    """
    remove_others(connection, build)
    connection.execute(Q.publish, {"build_id": build.build_id})
    connection.execute(Q.note_change, {"app_id": build.app_id, "build_id": build.build_id})


def remove_others(connection: Connection[Row], build: Build, *, unpublished: bool = False) -> None:
    """Remove other builds of the same week, and the reports that no build has any more.

    Args:
        unpublished: only those that readers never saw.
    """
    given = {"app_id": build.app_id, "week": build.week, "build_id": build.build_id}
    others = [row["build_id"] for row in connection.execute(Q.replaced, given)]
    if unpublished:
        found = {build_id: find(connection, build_id) for build_id in others}
        others = [each for each, stored in found.items() if stored and not stored.published_at]
    _remove(connection, build.app_id, others)


def forget_older(connection: Connection[Row], app_id: str, kept: int) -> int:
    """Remove published builds before the last so many weeks, and the reports that no build has any
    more; how many builds went."""
    lock(connection, app_id)
    rows = connection.execute(Q.older, {"app_id": app_id, "kept": kept})
    older = [row["build_id"] for row in rows]
    if older:
        _remove(connection, app_id, older)
    return len(older)


def _remove(connection: Connection[Row], app_id: str, build_ids: Sequence[str]) -> None:
    for build_id in build_ids:
        connection.execute(Q.note_change, {"app_id": app_id, "build_id": build_id})
    connection.execute(Q.delete_builds, {"build_ids": list(build_ids)})
    connection.execute(Q.delete_unused_reports, {"app_id": app_id})


def newer_evidence(
    connection: Connection[Row], build_id: str, as_of: date | None = None
) -> NewerEvidence:
    """What readers see that a build does not know, among what was published by a day."""
    row = connection.execute(Q.newer_documents, {"build_id": build_id, "as_of": as_of}).fetchone()
    assert row is not None  # an aggregate
    return NewerEvidence(row["documents"], row["published_on"])


def told(connection: Connection[Row], app_id: str, week: date) -> Row:
    """The published build of a week in figures, with those of `community_counts`.

    Raises:
        NotFound: the week has none.
    """
    row = connection.execute(Q.told, {"app_id": app_id, "week": week}).fetchone()
    if row is None:
        raise NotFound(f"the week of {week} was not built: run `finrag rebuild --week {week}`")
    return row | asdict(community_counts(connection, row["build_id"]))


def community_counts(connection: Connection[Row], build_id: str) -> CommunityCounts:
    """How many communities a build has."""
    row = connection.execute(Q.community_counts, {"build_id": build_id}).fetchone()
    assert row is not None  # an aggregate
    return CommunityCounts(**row)


def rows_in_all(connection: Connection[Row], app_id: str) -> dict[str, int]:
    """Rows of all builds of an app by weekly table; reports that builds share count once."""
    row = connection.execute(Q.rows_in_all, {"app_id": app_id}).fetchone()
    assert row is not None  # of aggregates
    return row


def _stored(row: Row | None) -> StoredBuild | None:
    if row is None:
        return None
    build = Build(
        build_id=row["build_id"],
        app_id=row["app_id"],
        week=row["week"],
        started_from=row["started_from"],
        input_sha256=row["input_sha256"],
        parameters=row["parameters"],
        versions=row["versions"],
        sizes=row["sizes"],
        modularity=tuple(row["modularity"]),
        degraded=tuple(row["degraded"]),
    )
    return StoredBuild(build, row["clustered_at"], row["summarised_at"], row["published_at"])
