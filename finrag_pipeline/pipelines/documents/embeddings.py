"""Texts of documents to vectors, in the active vector space; moving to another is `reembedding`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from finrag_pipeline.models.embedders import load_embedder, recognised
from finrag_pipeline.models.embedding import Embedder, Vectors, VectorSpace
from finrag_pipeline.pipelines.documents.chunk_contexts import write_contexts
from finrag_pipeline.pipelines.run.run import Run, StageReport, run_stage
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Document
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Connection, Database
from finrag_pipeline.store.search import embedded_texts, embeddings
from finrag_pipeline.store.search.embedded_texts import PendingText


def stage_key(space: VectorSpace) -> str:
    """What marks a revision as embedded: vectors of another space do not count."""
    return f"embeddings {embeddings.space_id(space)}"


@dataclass(frozen=True)
class Embeddings:
    """Stage: one row per vector: of a chunk or a table."""

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
            texts = embedded_texts.pending_texts(
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
        # with those that came with the contexts
        count = embeddings.vector_count(
            connection, document.document_id, document.revision, self.embedder.space
        )
        return {"vectors": count}


def ready_embedder(run: Run) -> Embedder:
    """The configured embedder, its space active or about to be.

    A run asks for it before it reads anything: hours of reading must not end in an error that was
    there from the start.

    Raises:
        ConfigurationError: the embedder is unknown or cannot be loaded.
        VectorSpaceMismatch: its space is not the active one.
    """
    embedder = known_embedder(run.database, run.settings)
    with run.database.transaction() as connection:
        embeddings.check_space(connection, embedder.space)
        embeddings.ensure_space(connection, embedder.space)
    return embedder


def known_embedder(database: Database, settings: Settings) -> Embedder:
    """The configured embedder, under the name of a stored space where it made that."""
    with database.connection() as connection:
        stored = embeddings.stored_spaces(connection)
    return recognised(load_embedder(settings), stored)


def embed_documents(run: Run) -> StageReport:
    """Embed what a run's documents lack in the active space; errors as `ready_embedder`.

    Before that, contexts are written by the chat model, if there is one: vectors hold them.

    Raises:
        ConfigurationError: as `ready_embedder`, or the chat model is configured wrongly.
    """
    embedder = ready_embedder(run)
    contexts = write_contexts(run, embedder)
    # a model uses every core by itself
    report = run_stage(run, Embeddings(embedder), parallel=1)
    return replace(report, degraded=contexts.degraded if contexts else ())
