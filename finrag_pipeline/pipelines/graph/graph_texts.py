"""Embeds what the graph says of entities and relations, after documents were published.

Between a publication and this step, what has no vector of its very text is found by name alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.pipelines.documents.embeddings import ready_embedder
from finrag_pipeline.pipelines.run.run import Progress, Run, silent
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.graph import entity_graph, graph_embeddings
from finrag_pipeline.store.search import embeddings

#: Texts embedded and committed together: an interrupted run goes on behind the last batch.
_BATCH = 512


#: Entities shown as the largest.
_LARGEST = 20


@dataclass(frozen=True, slots=True)
class GraphReport:
    """How large an app's graph is, how much was embedded now, and its largest entities."""

    counts: dict[str, int]
    embedded: int
    largest: list[dict[str, Any]]


def finish_graph(run: Run) -> GraphReport:
    """Embed what the graph says since documents were published, and count it.

    Raises:
        ConfigurationError, VectorSpaceMismatch: as `ready_embedder`.
    """
    app_id, embedded = run.scope.app_id, 0
    if run.settings.graph != "off":
        embedded = embed_graph(run.database, app_id, ready_embedder(run), run.progress)
    with run.database.connection() as connection:
        return GraphReport(
            entity_graph.counts(connection, app_id),
            embedded,
            entity_graph.largest(connection, app_id, _LARGEST),
        )


def embed_graph(
    database: Database,
    app_id: str,
    embedder: Embedder,
    progress: Progress = silent,
    *,
    ahead: bool = False,
) -> int:
    """Bring the vectors of an app's graph to what it says now.

    Args:
        ahead: the embedder's space is not the active one yet.

    Returns:
        How many texts were embedded.

    Raises:
        VectorSpaceMismatch: another space became active meanwhile.
    """
    with database.transaction() as connection:
        graph_embeddings.delete_every_stale(connection, app_id)
    with database.connection() as connection:
        texts = graph_embeddings.pending_texts(connection, app_id, embedder.space)
    for start in range(0, len(texts), _BATCH):
        progress("entity_graph", start, len(texts))
        batch = texts[start : start + _BATCH]
        vectors = embedder.embed_passages([text.text for text in batch])
        with database.transaction() as connection:
            if not ahead:
                embeddings.hold_space(connection, embedder.space)
            entity_graph.lock(connection, app_id)
            graph_embeddings.set_vectors(connection, app_id, embedder.space, batch, vectors)
    progress("entity_graph", len(texts), len(texts))
    return len(texts)
