"""The move of a whole store to another vector space, while questions go on in the old one."""

from __future__ import annotations

from typing import Any

from finrag_pipeline.pipelines.documents.embeddings import known_embedder, stage_key
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.run import Progress, silent
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import document_revisions, documents
from finrag_pipeline.store.graph import graph_embeddings
from finrag_pipeline.store.search import embedded_texts, embeddings


def reembed_documents(
    database: Database, settings: Settings, progress: Progress = silent
) -> dict[str, Any]:
    """Embed every document and graph of every app in the configured space, then switch to it.

    Each document is committed on its own, so an interrupted move goes on where it stopped; queries
    use the old space until the last statement.

    Returns:
        ``documents`` and their ``vectors``, and ``graph_vectors``, embedded now; the
        ``vector_space`` that is active.
    """
    embedder = known_embedder(database, settings)
    with database.transaction() as connection:
        embeddings.ensure_space(connection, embedder.space)
        lacking = embeddings.documents_lacking(connection, embedder.space)
    vectors = 0
    for done, row in enumerate(lacking, start=1):
        key = (row["document_id"], row["revision"])
        with database.connection() as connection:
            texts = embedded_texts.pending_texts(connection, *key, embedder.space)
        made = embedder.embed_passages([text.text for text in texts])
        with database.transaction() as connection:
            # a revision that was replaced meanwhile is embedded by its own run
            if documents.lock(connection, key[0])["current_revision"] == key[1]:
                # what a chat model placed anew meanwhile is another text: lacking, as before
                now = set(embedded_texts.pending_texts(connection, *key, embedder.space))
                same = [n for n, text in enumerate(texts) if text in now]
                same_texts = [texts[n] for n in same]
                embeddings.add(connection, *key, embedder.space, same_texts, made[same])
                vectors += len(same)
        progress("reembed", done, len(lacking))
    with database.connection() as connection:
        apps = graph_embeddings.apps(connection)
    graph_vectors = 0
    for app_id in apps:
        graph_vectors += embed_graph(database, app_id, embedder, ahead=True)
    with database.transaction() as connection:
        embeddings.activate(connection, embedder.space)
        document_revisions.mark_stage_for_current(connection, stage_key(embedder.space))
    return {
        "documents": len(lacking),
        "vectors": vectors,
        "graph_vectors": graph_vectors,
        "vector_space": embedder.space.name,
    }
