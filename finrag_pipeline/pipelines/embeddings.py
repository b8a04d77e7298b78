"""Texts of documents to vectors, and the move of a whole store to another vector space."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from psycopg import Connection

from finrag_pipeline.models.embedding import (
    Embedder,
    Vectors,
    VectorSpace,
    load_embedder,
    recognised,
)
from finrag_pipeline.pipelines.chunk_contexts import write_contexts
from finrag_pipeline.pipelines.run import (
    Progress,
    Run,
    StageReport,
    pending_documents,
    run_stage,
    silent,
)
from finrag_pipeline.pipelines.workers import ReaderPool
from finrag_pipeline.records import Document
from finrag_pipeline.settings import Settings
from finrag_pipeline.store import documents, embeddings
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.embeddings import PendingText


def stage_key(space: VectorSpace) -> str:
    """What marks a revision as embedded: vectors of another space do not count."""
    return f"embeddings {embeddings.space_id(space)}"


@dataclass(frozen=True)
class Embeddings:
    """Stage: one row per vector: of a chunk, its summary, a table, the whole document."""

    embedder: Embedder
    name: str = "embeddings"
    after: tuple[str, ...] = ("clique_chunks", "html_tables")

    @property
    def key(self) -> str:
        return stage_key(self.embedder.space)

    def compute(
        self, run: Run, document: Document, pool: ReaderPool
    ) -> tuple[list[PendingText], Vectors]:
        with run.database.connection() as connection:
            texts = embeddings.pending_texts(
                connection, document.document_id, document.revision, self.embedder.space
            )
        return texts, self.embedder.embed_passages([text.text for text in texts])

    def store(
        self,
        connection: Connection[dict[str, Any]],
        document: Document,
        result: tuple[list[PendingText], Vectors],
    ) -> dict[str, int]:
        texts, vectors = result
        embeddings.add(
            connection,
            document.document_id,
            document.revision,
            self.embedder.space,
            texts,
            vectors,
        )
        return {"vectors": len(texts)}


def ready_embedder(run: Run) -> Embedder:
    """The configured embedder, its space active or about to be.

    A run asks for it before it reads anything: hours of reading must not end in an error that was
    there from the start.

    Raises:
        ConfigurationError: the embedder is unknown or cannot be loaded.
        VectorSpaceMismatch: its space is not the active one.
    """
    embedder = _known_embedder(run.database, run.settings)
    with run.database.transaction() as connection:
        embeddings.check_space(connection, embedder.space)
        embeddings.ensure_space(connection, embedder.space)
    return embedder


def _known_embedder(database: Database, settings: Settings) -> Embedder:
    with database.connection() as connection:
        stored = embeddings.stored_spaces(connection)
    return recognised(load_embedder(settings), stored)


def embed_documents(run: Run) -> StageReport:
    """Embed what a run's documents lack in the active space; errors as `ready_embedder`.

    Before that, contexts are written by the chat model, if there is one: vectors hold them.
    """
    stage = Embeddings(ready_embedder(run))
    contexts = write_contexts(run, pending_documents(run, stage))
    # a model uses every core by itself
    report = run_stage(run, stage, parallel=1)
    return replace(report, degraded=contexts.degraded if contexts else ())


def reembed_documents(
    database: Database, settings: Settings, progress: Progress = silent
) -> dict[str, Any]:
    """Embed every indexed document of every app in the configured space, then switch to it.

    Each document is committed on its own, so an interrupted move goes on where it stopped; queries
    use the old space until the last statement.

    Returns:
        ``documents`` and ``vectors`` embedded now, and the ``vector_space`` that is active.
    """
    embedder = _known_embedder(database, settings)
    with database.transaction() as connection:
        embeddings.ensure_space(connection, embedder.space)
        lacking = embeddings.documents_lacking(connection, embedder.space)
    vectors = 0
    for done, row in enumerate(lacking, start=1):
        key = (row["document_id"], row["revision"])
        with database.connection() as connection:
            texts = embeddings.pending_texts(connection, *key, embedder.space)
        made = embedder.embed_passages([text.text for text in texts])
        with database.transaction() as connection:
            # a revision that was replaced meanwhile is embedded by its own run
            if documents.lock(connection, key[0])["current_revision"] == key[1]:
                embeddings.add(connection, *key, embedder.space, texts, made)
                vectors += len(texts)
        progress("reembed", done, len(lacking))
    with database.transaction() as connection:
        embeddings.activate(connection, embedder.space)
        documents.mark_stage_for_current(connection, stage_key(embedder.space))
    return {
        "documents": len(lacking),
        "vectors": vectors,
        "vector_space": embedder.space.name,
    }
