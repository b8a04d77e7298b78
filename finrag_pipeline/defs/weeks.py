"""Weekly assets: communities of the entity graph, their reports, chains, and how search does."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import dagster as dg

from finrag_pipeline.defs.catalog import MODEL_POOL, TABLE_NAME
from finrag_pipeline.defs.documents import entity_graph
from finrag_pipeline.defs.partitions import weeks_of
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.defs.weekly_telling import (
    tell_chains,
    tell_communities,
    tell_evaluations,
    tell_reports,
)
from finrag_pipeline.evaluation.retrieval.weekly import evaluate_week
from finrag_pipeline.pipelines.run.run import Progress
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.settings import TIME_ZONE

GROUP = "weekly"


def weekly_asset(
    kinds: set[str],
    deps: Sequence[dg.AssetsDefinition],
    freshness_policy: dg.FreshnessPolicy | None = None,
    table: str | None = None,
    pool: str | None = None,
) -> Callable[[Callable[..., None]], dg.AssetsDefinition]:
    """What every asset here shares; what a deployment adds belongs to `catalog`.

    Args:
        table: whose rows it makes, where that is called otherwise.
    """
    return dg.asset(
        group_name=GROUP,
        # weeks in order, in one run: each starts from the partition of the one before
        backfill_policy=dg.BackfillPolicy.single_run(),
        kinds=kinds,
        deps=deps,
        freshness_policy=freshness_policy,
        metadata={TABLE_NAME: table} if table else None,
        pool=pool,
    )


@weekly_asset(kinds={"postgres", "scipy"}, deps=[entity_graph])
def leiden_communities(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per community in `leiden_communities`, per entity in `community_members`.

    Hierarchical Leiden over the graph as of the week's end, started from last week's partition and
    matched to it; what became of every community stands in `community_events`, how it was made in
    `community_builds`.
    """
    weeks = weeks_of(context)
    with ingestion.run((), progress) as run:
        tell_communities(context, run, [cluster_week(run, week) for week in weeks])


@weekly_asset(kinds={"postgres", "python"}, deps=[leiden_communities], pool=MODEL_POOL)
def community_summaries(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per report in `community_summaries`, by a chat model or offline; none is repeated.

    From the finest communities up, each finding with the passages that it rests on. What many
    descriptions say of an entity or relation stands in `element_summaries`.
    """
    weeks = weeks_of(context)
    with ingestion.run((), progress) as run:
        tell_reports(context, run, [summarise_week(run, week) for week in weeks])


@weekly_asset(
    kinds={"postgres", "html"},
    deps=[community_summaries],
    # the Sunday run has a day; a week that is lacking on Monday is told
    freshness_policy=dg.FreshnessPolicy.cron(
        deadline_cron="0 3 * * 1", lower_bound_delta=timedelta(days=1), timezone=TIME_ZONE
    ),
    pool=MODEL_POOL,
)
def chain_reports(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per chain or linked sector in `chain_reports`: a static document with citations.

    Its last statement sends readers to the week's build; until then they have the one before.
    """
    weeks = weeks_of(context)
    with ingestion.run((), progress) as run:
        tell_chains(context, run, [report_week(run, week) for week in weeks])


@weekly_asset(kinds={"postgres", "python"}, deps=[chain_reports], table="retrieval_evaluations")
def retrieval_evaluation(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per week, question file, variant and measure in `retrieval_evaluations`.

    How often the questions of `FINRAG_EVALUATION_QUESTIONS` find their pages in what was published
    by the week's end, beside plain BM25. Unset, nothing is measured, and that is told.
    """
    weeks = weeks_of(context)
    with ingestion.run((), progress) as run:
        tell_evaluations(context, run, [evaluate_week(run, week) for week in weeks])


WEEKLY_ASSETS = [leiden_communities, community_summaries, chain_reports, retrieval_evaluation]
