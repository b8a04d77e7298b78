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
from finrag_pipeline.store.graph import entity_graph, graph_embeddings, unfinished_elements
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.embeddings import space_id

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
    app_id, embedded = run.scope.app_id, embed_changes(run)
    with run.database.connection() as connection:
        return GraphReport(
            entity_graph.counts(connection, app_id),
            embedded,
            entity_graph.largest(connection, app_id, _LARGEST),
        )


def embed_changes(run: Run) -> int:
    """Embed what the graph says since documents were published or withdrawn; how many texts.

    Raises:
        ConfigurationError, VectorSpaceMismatch: as `ready_embedder`.
    """
    if run.settings.graph == "off":
        return 0
    return embed_graph(run.database, run.scope.app_id, ready_embedder(run), run.progress)


def embed_graph(
    database: Database,
    app_id: str,
    embedder: Embedder,
    progress: Progress = silent,
    *,
    build_id: str | None = None,
    ahead: bool = False,
) -> int:
    """Bring the vectors of an app's graph to what it says now; the cost of what changed.

    Args:
        build_id: a weekly build whose reports are embedded, too.
        ahead: the embedder's space is not the active one yet.

    Returns:
        How many texts were embedded.

    Raises:
        VectorSpaceMismatch: another space became active meanwhile.
    """
    space, work = embedder.space, space_id(embedder.space)
    with database.transaction() as connection:
        entity_graph.lock(connection, app_id)
        if unfinished_elements.list_texts(connection, app_id, space):
            graph_embeddings.delete_every_stale(connection, app_id)
        if build_id is not None:
            unfinished_elements.list_reports(connection, build_id, space)
        listed = unfinished_elements.count(connection, app_id, work)
    looked_at = embedded = 0
    last = None
    while True:
        with database.connection() as connection:
            batch = unfinished_elements.listed(connection, app_id, work, last, _BATCH)
            texts = graph_embeddings.texts(connection, app_id, space, batch)
        if not batch:
            break
        progress("entity_graph", looked_at, max(listed, looked_at + len(batch)))
        made = embedder.embed_passages([text.text for text in texts]) if texts else ()
        vectors = dict(zip((text.key for text in texts), made, strict=True))
        with database.transaction() as connection:
            if not ahead:
                embeddings.hold_space(connection, space)
            entity_graph.lock(connection, app_id)
            # what changed meanwhile stays on the list
            done = unfinished_elements.strike(connection, app_id, work, batch)
            kept = [text for text in texts if text.key in done]
            own = [vectors[text.key] for text in kept]
            graph_embeddings.set_vectors(connection, app_id, space, kept, own)
        embedded += len(kept)
        looked_at, last = looked_at + len(batch), batch[-1]
    progress("entity_graph", looked_at, looked_at)
    return embedded
