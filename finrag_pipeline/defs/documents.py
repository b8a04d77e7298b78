"""Assets that follow single documents, from the PDF to what readers find."""

from collections.abc import Callable, Sequence
from typing import Any

import dagster as dg

from finrag_pipeline.defs.metadata import of_graph, of_registration, of_stage, of_summaries
from finrag_pipeline.defs.partitions import ARRIVAL_DAYS, days_of
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.embeddings import embed_documents, ready_embedder
from finrag_pipeline.pipelines.entity_mentions import read_mentions
from finrag_pipeline.pipelines.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph_texts import finish_graph
from finrag_pipeline.pipelines.html_tables import HtmlTables
from finrag_pipeline.pipelines.indexed_documents import publish_documents
from finrag_pipeline.pipelines.raw_pdfs import register_inbox, register_paths
from finrag_pipeline.pipelines.registry import load_registry
from finrag_pipeline.pipelines.run import Progress, run_stage
from finrag_pipeline.pipelines.scanned_text import clean_documents

GROUP = "documents"


def document_asset(
    kinds: set[str], deps: Sequence[dg.AssetsDefinition] = ()
) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """What every asset here shares."""
    return dg.asset(
        group_name=GROUP,
        partitions_def=ARRIVAL_DAYS,
        # a range of days is one run: scattered runs would each start workers of their own
        backfill_policy=dg.BackfillPolicy.single_run(),
        owners=["team:research-data"],
        kinds=kinds,
        deps=deps,
    )


Result = dg.MaterializeResult[Any]


@document_asset(kinds={"postgres", "pdf"})
def raw_pdfs(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
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
        else:
            raise ConfigurationError("FINRAG_INBOX is not set: name the folder to ingest")
    return Result(metadata=of_registration(registration, days))


@document_asset(kinds={"postgres", "python"}, deps=[raw_pdfs])
def cleaned_text(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per region of a page in `cleaned_text`: kept, or dropped by a named rule.

    With it `pages` (size, layout, flags) and `document_revisions` (title, company, broker, day).
    Pages that are images are read by OCR, after all other documents.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_stage(clean_documents(run), days))


@document_asset(kinds={"postgres", "python"}, deps=[cleaned_text])
def html_tables(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per table in `html_tables`: cells with boxes and spans, HTML, Markdown skeleton.

    Text of `cleaned_text` that turns out to be a table's is dropped there, and the other way round.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_stage(run_stage(run, HtmlTables()), days))


@document_asset(kinds={"postgres", "networkx"}, deps=[cleaned_text, html_tables])
def clique_chunks(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per chunk in `clique_chunks`: sentences of one section drawn from one clique.

    With what makes it stand alone: meta, context and summary; a class of value for ranking; a
    MinHash by which copies are told.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_stage(run_stage(run, CliqueChunks()), days))


@document_asset(kinds={"postgres", "numpy"}, deps=[clique_chunks, html_tables])
def embeddings(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per vector in `embeddings`: of a chunk, its summary, a table or a document.

    All in the active vector space. Where a chat model is set, it writes the contexts before.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_stage(embed_documents(run), days))


@document_asset(kinds={"postgres", "python"}, deps=[clique_chunks])
def entity_mentions(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per mention in `entity_mentions`, per statement in `relation_evidence`.

    With them `entity_claims` and `entity_aliases`, each with its span in a chunk. Read by a chat
    model or offline; where that stops, documents go to their readers without, and it goes on in
    the next run.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_stage(read_mentions(run), days))


@document_asset(kinds={"postgres"}, deps=[embeddings, entity_mentions])
def indexed_documents(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per document that readers can find: its current revision in `documents`.

    Each is switched in one short transaction that also withdraws what it supersedes, brings the
    entity graph in step and tells the keyword copies of every reader.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_stage(publish_documents(run), days))


@document_asset(kinds={"postgres", "pgvector"}, deps=[entity_mentions, indexed_documents])
def entity_graph(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per entity in `entities`, per relation in `entity_edges`; vectors of what they say.

    The rows were computed when their documents were published; here they are embedded, in
    `graph_embeddings`, and counted.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_graph(finish_graph(run), days))


@document_asset(kinds={"postgres", "python"}, deps=[entity_graph])
def entity_summaries(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> Result:
    """One row per entity that many chunks name, in `entity_summaries`: concept, rules, process.

    With exceptions and the chunks that it rests on; written anew only where those changed.
    """
    days = days_of(context)
    with ingestion.run(days, progress) as run:
        return Result(metadata=of_summaries(write_summaries(run), days))


DOCUMENT_ASSETS = [
    raw_pdfs,
    cleaned_text,
    html_tables,
    clique_chunks,
    embeddings,
    entity_mentions,
    indexed_documents,
    entity_graph,
    entity_summaries,
]
