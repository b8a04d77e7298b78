"""Standing checks of the weekly builds: what questions go to now, and what it rests on."""

from datetime import timedelta

import dagster as dg

from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.defs.weeks import chain_reports, community_summaries, leiden_communities
from finrag_pipeline.pipelines.run.run import silent
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import today
from finrag_pipeline.store.weeks import community_builds, community_checks

#: Names shown of a longer list.
SAMPLE = 10


@dg.asset_check(asset=leiden_communities, blocking=True)
def one_community_a_level(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """In the newest build, every entity is in exactly one community a level."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        misplaced = community_checks.misplaced(connection, run.scope.app_id)
    return dg.AssetCheckResult(
        passed=not misplaced,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{len(misplaced)} entities are in no community, or in several of one level: "
        "run `finrag rebuild`"
        if misplaced
        else "every one",
        metadata={
            "misplaced": len(misplaced),
            "sample": dg.MetadataValue.json(misplaced[:SAMPLE]),
        },
    )


@dg.asset_check(asset=community_summaries)
def findings_have_evidence(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """What the reports of the build that questions go to rest on is still what readers see."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        lost = community_checks.lost_evidence(connection, run.scope.app_id)
    return dg.AssetCheckResult(
        passed=not lost,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(lost)} passages are gone since the build was made, and are left out of "
        "answers: run `finrag rebuild`"
        if lost
        else "all of it",
        metadata={"lost": len(lost), "sample": dg.MetadataValue.json(lost[:SAMPLE])},
    )


@dg.asset_check(asset=chain_reports)
def weekly_build_in_time(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Questions go to a build of the week that ended last, or of this one."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        app_id = run.scope.app_id
        current = community_builds.current(connection, app_id)
        newer = (
            community_builds.newer_evidence(connection, current.build.build_id) if current else None
        )
    ended = week_of(today()) - timedelta(weeks=1)
    in_time = current is not None and current.build.week >= ended
    return dg.AssetCheckResult(
        passed=in_time,
        severity=dg.AssetCheckSeverity.WARN,
        description="in time"
        if in_time
        else f"the week of {ended} was not built: materialise it in the job weekly_rebuild, or run "
        f"`finrag rebuild --week {ended}`",
        metadata={
            "week": current.build.week.isoformat() if current else "none",
            "documents_not_in_it": newer.documents if newer else 0,
        },
    )


WEEKLY_CHECKS = [one_community_a_level, findings_have_evidence, weekly_build_in_time]
