"""Assets that follow single documents, from the PDF to what readers find."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import dagster as dg

from finrag_pipeline.defs.catalog import MODEL_POOL, TABLE_NAME
from finrag_pipeline.defs.partitions import days_of
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.defs.telling import (
    tell_graph,
    tell_registration,
    tell_stage,
    tell_summaries,
)
from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.embeddings import embed_documents, ready_embedder
from finrag_pipeline.pipelines.documents.financial_facts import FinancialFacts
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.indexed_documents import publish_documents
from finrag_pipeline.pipelines.documents.raw_pdfs import register_inbox, register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.graph.entity_mentions import read_mentions
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_texts import finish_graph
from finrag_pipeline.pipelines.run.run import Progress, run_stage
from finrag_pipeline.registry import load_registry
from finrag_pipeline.settings import TIME_ZONE

GROUP = "documents"


#: The nightly run has six hours; a night that is lacking by then is told.
EVERY_NIGHT = dg.FreshnessPolicy.cron(
    deadline_cron="0 8 * * *", lower_bound_delta=timedelta(hours=6), timezone=TIME_ZONE
)


def document_asset(
    kinds: set[str],
    deps: Sequence[dg.AssetsDefinition] = (),
    table: str | None = None,
    freshness_policy: dg.FreshnessPolicy | None = None,
    pool: str | None = None,
) -> Callable[[Callable[..., None]], dg.AssetsDefinition]:
    """What every asset here shares; what a deployment adds belongs to `catalog`.

    Args:
        table: the table that its docstring speaks of, where it has another name.
    """
    return dg.asset(
        group_name=GROUP,
        # a range of days is one run: scattered runs would each start workers of their own
        backfill_policy=dg.BackfillPolicy.single_run(),
        kinds=kinds,
        deps=deps,
        metadata={TABLE_NAME: table} if table else None,
        freshness_policy=freshness_policy,
        pool=pool,
    )


@document_asset(kinds={"postgres", "pdf"}, table="documents")
def raw_pdfs(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per PDF content in `documents`, one per file in `document_sources`.

    Files of the inbox, or of the paths in the run configuration, registered by content hash. A
    changed file is a new document; the old one is served until the new one is indexed.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        # hours of reading must not end in an error that was there from the start
        ready_embedder(run)
        load_registry(run.settings)
        if ingestion.paths:
            registration = register_paths(run, ingestion.paths, days[-1])
        elif run.settings.inbox:
            registration = register_inbox(run, run.settings.inbox, days)
        elif run.settings.enterprise:
            registration = register_paths(run, [], days[-1])  # its records are registered
        else:
            raise ConfigurationError("FINRAG_INBOX is not set: name the folder to ingest")
        tell_registration(context, run, registration)


@document_asset(kinds={"postgres", "python"}, deps=[raw_pdfs])
def cleaned_text(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per region of a page in `cleaned_text`: kept, or dropped by a named rule.

    With it `pages` (size, layout, flags) and `document_revisions` (title, company, broker, day).
    Pages that are images are read by OCR, after all other documents.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, clean_documents(run))


@document_asset(kinds={"postgres", "python"}, deps=[cleaned_text])
def html_tables(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per table in `html_tables`: cells with boxes and spans, HTML, Markdown skeleton.

    Text of `cleaned_text` that turns out to be a table's is dropped there, and the other way round.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, run_stage(run, HtmlTables()))


@document_asset(kinds={"postgres", "python"}, deps=[cleaned_text, html_tables])
def financial_facts(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per figure in `financial_facts`: whose, of which metric and period, in base units.

    With kind of source and rank, scope, what it was printed as and the box of its cell. Read from
    stored tables and text: where its lists changed, files are not read again.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, run_stage(run, FinancialFacts()))


@document_asset(kinds={"postgres", "networkx"}, deps=[cleaned_text, html_tables])
def clique_chunks(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per chunk in `clique_chunks`: sentences of one section drawn from one clique.

    With what makes it stand alone: meta, context and summary; a class of value for ranking; a
    MinHash by which copies are told.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, run_stage(run, CliqueChunks()))


@document_asset(kinds={"postgres", "numpy"}, deps=[clique_chunks, html_tables], pool=MODEL_POOL)
def embeddings(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per vector in `embeddings`: of a chunk or a table.

    All in the active vector space. Where a chat model is set, it writes the contexts before.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, embed_documents(run), accounted_to="chunk_contexts")


@document_asset(kinds={"postgres", "python"}, deps=[clique_chunks], pool=MODEL_POOL)
def entity_mentions(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per mention in `entity_mentions`, per statement in `relation_evidence`.

    With them `entity_claims` and `entity_aliases`, each with its span in a chunk. Read by a chat
    model or offline; where that stops, documents go to their readers without, and it goes on in
    the next run.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, read_mentions(run), accounted_to="entity_mentions")


@document_asset(
    kinds={"postgres"},
    deps=[embeddings, entity_mentions, financial_facts],
    table="current_documents",
    freshness_policy=EVERY_NIGHT,
)
def indexed_documents(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per document that readers can find, in `current_documents`: its current revision.

    Each is switched in one short transaction that also withdraws what it supersedes, brings the
    entity graph in step and tells the keyword copies of every reader.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_stage(context, run, publish_documents(run))


@document_asset(
    kinds={"postgres", "pgvector"},
    deps=[entity_mentions, indexed_documents],
    table="entities",
    pool=MODEL_POOL,
)
def entity_graph(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per entity in `entities`, per relation in `entity_edges`; vectors of what they say.

    The rows were computed when their documents were published. Here what changed since the last
    run is embedded, in `graph_embeddings`: of the whole application, whatever day is materialised,
    since an entity is of many days. A day tells its documents, their entities, and how many of
    these wait.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_graph(context, run, finish_graph(run))


@document_asset(kinds={"postgres", "python"}, deps=[entity_graph], pool=MODEL_POOL)
def entity_summaries(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per entity that many chunks name, in `entity_summaries`: concept, rules, process.

    With exceptions and the chunks that it rests on; written anew only where those changed since the
    last run, in the whole application, whatever day is materialised. A day tells how many entities
    of its documents have a summary, and how many wait for one.
    """
    with ingestion.run(days_of(context), progress) as run:
        tell_summaries(context, run, write_summaries(run))


DOCUMENT_ASSETS = [
    raw_pdfs,
    cleaned_text,
    html_tables,
    financial_facts,
    clique_chunks,
    embeddings,
    entity_mentions,
    indexed_documents,
    entity_graph,
    entity_summaries,
]
