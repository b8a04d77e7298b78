"""Makes finished revisions the ones that readers see, and takes documents from them; the entity
graph follows in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.models.embedding import VectorSpace
from finrag_pipeline.pipelines.documents.embeddings import ready_embedder, stage_key
from finrag_pipeline.pipelines.graph.entity_graph import refreshed
from finrag_pipeline.pipelines.run.retention import forget_old
from finrag_pipeline.pipelines.run.run import Run, StageReport, run_stage
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Document
from finrag_pipeline.store.database.connections import Connection, Database
from finrag_pipeline.store.documents import document_revisions, documents, purging
from finrag_pipeline.store.documents.purging import Purged
from finrag_pipeline.store.search import embeddings, index_changes


@dataclass(frozen=True)
class IndexedDocuments:
    """Stage: one row per document that readers can find."""

    space: VectorSpace
    name: str = "indexed_documents"
    key: str = "indexed_documents"

    @property
    def after(self) -> tuple[str, ...]:
        return ("clique_chunks", "html_tables", stage_key(self.space))

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> dict[str, int]:
        with run.database.connection() as connection:
            rows = document_revisions.stage_rows(connection, document)
        found = {"chunks": rows["clique_chunks"], "tables": rows["html_tables"]}
        if not any(found.values()):
            raise DocumentError("no_content")
        return found

    def store(
        self,
        connection: Connection[dict[str, Any]],
        document: Document,
        result: dict[str, int],
    ) -> dict[str, int]:
        # held until the commit: no reembedding may switch spaces in between
        embeddings.hold_space(connection, self.space)
        replaced = documents.superseded(connection, document.document_id)
        with refreshed(connection, document.app_id, [document.document_id, *replaced]):
            documents.publish(connection, document, replaced)
        return {"documents": 1, "withdrawn": len(replaced), **result}


def publish_documents(run: Run) -> StageReport:
    """Switch readers to the finished revisions of a run's documents."""
    report = run_stage(run, IndexedDocuments(ready_embedder(run).space))
    with run.database.transaction() as connection:
        index_changes.prune(connection)
    forget_old(run)
    return report


def withdraw_document(database: Database, app_id: str, document_id: str) -> None:
    """Take a document from readers, and what it said from the graph."""
    with database.transaction() as connection:
        documents.lock(connection, document_id)
        withdraw_all(connection, app_id, [document_id])


def purge_document(database: Database, app_id: str, document_id: str) -> Purged:
    """Withdraw a document, and remove what was written from it wherever it stands.

    Weekly builds of any age lose the reports that may hold its words; the next rebuild writes those
    of its week anew. Names of files and marks of analysts stay.
    """
    with database.transaction() as connection:
        documents.lock(connection, document_id)
        left = purging.traces(connection, app_id, document_id)
        withdraw_all(connection, app_id, [document_id])
        return purging.purge(connection, app_id, left)


def withdraw_all(
    connection: Connection[dict[str, Any]], app_id: str, document_ids: Collection[str]
) -> None:
    """Take locked documents from readers, with the graph in step, in the caller's transaction."""
    if document_ids:
        with refreshed(connection, app_id, document_ids):
            for document_id in document_ids:
                documents.withdraw(connection, app_id, document_id)
