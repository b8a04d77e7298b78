"""The entity graph outside the nightly run: what a change by hand leaves to write, and all anew."""

from __future__ import annotations

from typing import Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.pipelines.documents.embeddings import ready_embedder
from finrag_pipeline.pipelines.graph.entity_graph import rebuild
from finrag_pipeline.pipelines.graph.entity_mentions import read_mentions
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_texts import embed_changes, finish_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.store.graph import unfinished_elements


def settle_graph(run: Run) -> tuple[str, ...]:
    """Embed and sum up what a document withdrawn, or a decision by hand, left without.

    Returns:
        Why something is lacking still; the change itself stands.
    """
    try:
        embed_changes(run)
        return write_summaries(run).degraded
    except FinragError as error:
        return (f"{error}; vectors and summaries of the entity graph follow with the next run",)


def rebuild_graph(run: Run) -> dict[str, Any]:
    """Read what this extractor and registry have not read yet, then compute all that follows.

    Returns:
        Counts of documents read, entities, edges, summaries; ``degraded`` lines.

    Raises:
        ConfigurationError: registry, chat model or embedder are configured wrongly.
        VectorSpaceMismatch: the configured embedder did not make the stored vectors.
    """
    ready_embedder(run)  # reading must not end in an error that was there from the start
    report = read_mentions(run)
    with run.database.transaction() as connection:
        rebuild(connection, run.scope.app_id)
        unfinished_elements.forget_passes(connection, run.scope.app_id)
    summaries = write_summaries(run)
    graph = finish_graph(run)
    return {
        "documents_read": len(report.outcomes),
        **graph.counts,
        "embedded": graph.embedded,
        "summaries_written": summaries.written,
        "degraded": [*report.degraded, *summaries.degraded],
    }
