"""Tells the materialisation of weeks: each its own figures, titles of reports, a drawn chain."""

from collections.abc import Callable, Sequence
from typing import Any

import dagster as dg

from finrag_pipeline.defs import metadata
from finrag_pipeline.defs.catalog import table_of
from finrag_pipeline.defs.metadata import Metadata
from finrag_pipeline.defs.partitions import weeks_of
from finrag_pipeline.defs.telling import about_table, add_by_partition, spending
from finrag_pipeline.evaluation.retrieval.pictures import weeks_picture
from finrag_pipeline.evaluation.retrieval.weekly import SETTING, EvaluatedWeek
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import Reported
from finrag_pipeline.pipelines.weeks.community_summaries import Summarised
from finrag_pipeline.pipelines.weeks.leiden_communities import Clustered
from finrag_pipeline.stages.chains.page import drawing_of
from finrag_pipeline.stages.chains.weekly import INDUSTRY_CHAIN
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.evaluation import retrieval_evaluations
from finrag_pipeline.store.weeks import chain_reports, community_builds, community_summaries

Context = dg.AssetExecutionContext
#: Titles shown of a week's reports.
TITLES = 10
#: Measures of search that are drawn over the weeks.
PLOTTED = ("R@10", "MRR@10")
#: Pixels of a drawing that the UI shows whole.
WIDTH = 1040


def tell_communities(context: Context, run: Run, builds: Sequence[Clustered]) -> None:
    """Of `leiden_communities`."""
    _tell(context, run, builds, lambda build: build.communities + build.alone)


def tell_reports(context: Context, run: Run, builds: Sequence[Summarised]) -> None:
    """Of `community_summaries`: with the titles of reports on the largest communities."""

    def titles(connection: Connection[Any], build: Summarised) -> Metadata:
        rows = community_summaries.largest(connection, build.build_id, TITLES)
        shown = ((row["title"], row["level"], row["entity_count"], row["rating"]) for row in rows)
        return {"largest": metadata.table(("report", "level", "entities", "rating"), shown)}

    _tell(context, run, builds, lambda build: build.written + build.reused, titles)


def tell_chains(context: Context, run: Run, builds: Sequence[Reported]) -> None:
    """Of `chain_reports`: with all titles, and the largest chain as it is drawn."""

    def titles(connection: Connection[Any], build: Reported) -> Metadata:
        reports = chain_reports.reports(connection, build.build_id)
        sizes = {each.chain_id: len(each.content["nodes"]) for each in reports}
        shown = (
            (each.title, each.kind, sizes[each.chain_id], len(each.content["links"]))
            for each in reports
        )
        told: Metadata = {"titles": metadata.table(("report", "kind", "entities", "links"), shown)}
        chains = [each for each in reports if each.kind == INDUSTRY_CHAIN]
        if chains:
            largest = max(chains, key=lambda each: sizes[each.chain_id])
            told["largest_chain"] = metadata.drawing(largest.title, drawing_of(largest.html, WIDTH))
        return told

    _tell(context, run, builds, lambda build: build.chains + build.sectors, titles)


def tell_evaluations(context: Context, run: Run, weeks: Sequence[EvaluatedWeek]) -> None:
    """Of `retrieval_evaluation`: the figures of each week, and how they go over the weeks."""
    own = {
        each.week: metadata.of_evaluations(each.evaluations)
        | {"dagster/partition_row_count": dg.MetadataValue.int(each.rows)}
        for each in weeks
    }
    app_id = run.scope.app_id
    with run.database.connection() as connection:
        rows = retrieval_evaluations.count_rows(connection, app_id)
        history = retrieval_evaluations.history(connection, app_id, PLOTTED)
    totals: Metadata = {"run_weeks": metadata.span(weeks_of(context))}
    if not any(each.evaluations for each in weeks):
        totals["note"] = dg.MetadataValue.text(f"{SETTING} is not set: nothing is measured")
    elif history:
        totals["over_the_weeks"] = metadata.plots(_pictures(history))
    add_by_partition(context, own, {**totals, **about_table(context, run, rows)})
    for week in weeks:
        for each in week.evaluations:
            told = ", ".join(f"{name} {each.values[name]:.3f}" for name in PLOTTED)
            context.log.info(f"{week.week}: {each.questions}, {each.variant}: {told}")


def _pictures(history: Sequence[Row]) -> dict[str, bytes]:
    """A picture a question file: the measures of each variant over the weeks."""
    lines: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for row in history:
        line = f"{row['variant']}, {row['measure']}"
        points = lines.setdefault(row["questions"], {}).setdefault(line, [])
        points.append((row["week"].isoformat(), row["value"]))
    return {name: weeks_picture(name, each) for name, each in lines.items()}


def _nothing(connection: Connection[Any], build: Any) -> Metadata:
    return {}


def _tell(
    context: Context,
    run: Run,
    builds: Sequence[Any],
    rows_of: Callable[[Any], int],
    beside: Callable[[Connection[Any], Any], Metadata] = _nothing,
) -> None:
    """Add what became of each week, and what the run did.

    Args:
        builds: what the step made of each week of the run, in their order.
        rows_of: how many rows of the asset's table are a build's.
        beside: what else there is to see of a build.
    """
    weeks, asset = weeks_of(context), context.asset_key.to_user_string()
    counts = list(metadata.counts_of(builds[-1]))
    rows = [
        (week, build.build_id, *metadata.counts_of(build).values())
        for week, build in zip(weeks, builds, strict=True)
    ]
    with run.database.connection() as connection:
        in_all = community_builds.rows_in_all(connection, run.scope.app_id)[table_of(context)]
        own = {
            week: {
                **metadata.of_week(build),
                **beside(connection, build),
                "dagster/partition_row_count": dg.MetadataValue.int(rows_of(build)),
            }
            for week, build in zip(weeks, builds, strict=True)
        }
    totals = {
        "run_weeks": metadata.span(weeks),
        **spending(run, asset),
        "run_preview": metadata.table(("week", "build", *counts), reversed(rows)),
        **about_table(context, run, in_all),
    }
    add_by_partition(context, own, totals)
    for week, build in zip(weeks, builds, strict=True):
        told = ", ".join(f"{count} {name}" for name, count in metadata.counts_of(build).items())
        context.log.info(f"{asset}: week of {week}: {told}")
