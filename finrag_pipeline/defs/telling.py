"""Tells a materialisation: figures of each day, as the store holds them; totals of the run beside.

A run over a range leaves one materialisation a day, and a repeated run finds nothing to do: so
figures of a day come from the store, never from the run. Weeks belong to `weekly_telling`.
"""

from collections.abc import Mapping
from datetime import date

import dagster as dg

from finrag_pipeline.defs import metadata
from finrag_pipeline.defs.catalog import table_of
from finrag_pipeline.defs.metadata import Metadata
from finrag_pipeline.defs.partitions import days_of
from finrag_pipeline.pipelines.documents.raw_pdfs import Registration
from finrag_pipeline.pipelines.graph.entity_summaries import Summaries
from finrag_pipeline.pipelines.graph.graph_texts import GraphReport
from finrag_pipeline.pipelines.run.chat_session import THIS_PROCESS
from finrag_pipeline.pipelines.run.run import Run, StageReport
from finrag_pipeline.store.database import tables
from finrag_pipeline.store.documents import arrival_days
from finrag_pipeline.store.documents.arrival_days import Days
from finrag_pipeline.store.graph import entity_graph
from finrag_pipeline.store.usage import model_usage

Context = dg.AssetExecutionContext


def tell_registration(context: Context, run: Run, registration: Registration) -> None:
    """Of `raw_pdfs`: documents and files of each day, what the run registered."""
    app_id = run.scope.app_id
    with run.database.connection() as connection:
        held = arrival_days.registered(connection, app_id, days_of(context))
        rows = arrival_days.documents_in_all(connection, app_id)
    _tell(context, run, metadata.of_registration(registration), held, "documents", rows)
    found = len(registration.new) + len(registration.known) + len(registration.unreadable)
    context.log.info(
        f"{context.asset_key.to_user_string()}: {found} files: {len(registration.new)} new, "
        f"{len(registration.known)} known, {len(registration.unreadable)} unreadable; "
        f"{registration.waiting} wait for a later day"
    )
    if registration.gone:
        names = ", ".join(registration.gone)
        context.log.info(f"{len(registration.gone)} files are gone, out of quarantine: {names}")


def tell_stage(
    context: Context, run: Run, report: StageReport, *, accounted_to: str | None = None
) -> None:
    """Of a stage: documents of each day that are through it, and what it left of them.

    Args:
        accounted_to: the asset in `model_usage`, of a stage that may ask a chat model.
    """
    app_id = run.scope.app_id
    with run.database.connection() as connection:
        held = arrival_days.passed(connection, app_id, days_of(context), report.key)
        rows = arrival_days.rows_in_all(connection, app_id, report.key)
    totals = metadata.of_stage(report) | spending(run, accounted_to)
    _tell(context, run, totals, held, "rows", rows)
    quarantined = f", {len(report.failed)} of them quarantined" if report.failed else ""
    count = len(report.outcomes)
    documents = "1 document" if count == 1 else f"{count} documents"
    context.log.info(f"{report.stage}: {documents}{quarantined}")


def tell_graph(context: Context, run: Run, graph: GraphReport) -> None:
    """Of `entity_graph`: documents and entities of each day, the size of the whole."""
    with run.database.connection() as connection:
        held = arrival_days.in_graph(connection, run.scope.app_id, days_of(context))
    _tell(context, run, metadata.of_graph(graph), held, "entities", graph.counts["entities"])
    context.log.info(
        f"entity_graph: {graph.counts['entities']} entities, {graph.counts['edges']} edges"
    )


def tell_summaries(context: Context, run: Run, summaries: Summaries) -> None:
    """Of `entity_summaries`: how many entities of each day have one, what the run wrote."""
    with run.database.connection() as connection:
        held = arrival_days.in_graph(connection, run.scope.app_id, days_of(context))
        rows = entity_graph.counts(connection, run.scope.app_id)["summaries"]
    totals = metadata.of_summaries(summaries) | spending(run, "entity_summaries")
    _tell(context, run, totals, held, "summaries", rows)
    context.log.info(
        f"entity_summaries: {summaries.frequent} entities are named often, "
        f"{summaries.written} summaries written"
    )


def spending(run: Run, accounted_to: str | None) -> Metadata:
    """What the run asked a chat model for an asset; nothing where no model is set."""
    if accounted_to is None or run.settings.chat_model is None:
        return {}
    with run.database.connection() as connection:
        spent = model_usage.spent_by_asset(connection, run.scope.app_id, THIS_PROCESS, accounted_to)
    return metadata.of_spending(spent)


def about_table(context: Context, run: Run, rows: int) -> Metadata:
    """The columns of the asset's table and its rows.

    Read from Postgres, since migrations alone say what a table is; so they cannot drift.
    """
    with run.database.connection() as connection:
        return metadata.of_table(tables.columns(connection, table_of(context)), rows)


def add_by_partition(context: Context, held: Mapping[date, Metadata], totals: Metadata) -> None:
    """Add the figures of each partition, and beside them what the run did.

    What takes a page stands in the last one alone: a backfill of ten years would write the same
    preview 3,650 times for each asset.
    """
    line = {name: value for name, value in totals.items() if not metadata.is_long(value)}
    for key, own in held.items():
        told = {**own, **(totals if key == max(held) else line)}
        context.add_asset_metadata(told, partition_key=key.isoformat())


def _tell(
    context: Context,
    run: Run,
    totals: Metadata,
    held: Days,
    counted: str,
    rows: int,
) -> None:
    """Add the figures of each day, and of the run.

    Args:
        held: figures by day; `counted` names the one that says how many rows are the day's.
        rows: those of the whole table.
    """
    own = {
        day: metadata.figures(counts | {"dagster/partition_row_count": counts[counted]})
        for day, counts in held.items()
    }
    about = about_table(context, run, rows)
    add_by_partition(
        context, own, {"run_arrival_days": metadata.span(days_of(context)), **totals, **about}
    )
