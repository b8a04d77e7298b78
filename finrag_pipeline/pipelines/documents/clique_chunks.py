"""Kept regions to chunks, by the same vectors whatever embedder searches the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Chunk, Document, Metadata, Region
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.documents import cleaned_text, clique_chunks, document_revisions


class CliqueChunks:
    """Stage: one row per chunk of kept text."""

    name = key = "clique_chunks"
    # only with its tables read is it settled which text is theirs
    after = ("cleaned_text", "html_tables")

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> tuple[Chunk, ...]:
        with run.database.connection() as connection:
            regions = cleaned_text.regions(connection, document.document_id, document.revision)
            metadata = document_revisions.read_metadata(connection, document)
        limits = run.settings
        page_count = max((region.page for region in regions), default=0)
        timeout_s = limits.open_timeout_s + page_count * limits.page_timeout_s
        return pool.call(timeout_s, chunk_regions, regions, metadata)

    def store(
        self,
        connection: Connection[dict[str, Any]],
        document: Document,
        result: tuple[Chunk, ...],
    ) -> dict[str, int]:
        clique_chunks.add(connection, document, result)
        return {"chunks": len(result), "tokens": sum(chunk.token_count for chunk in result)}


def chunk_regions(regions: Sequence[Region], metadata: Metadata) -> tuple[Chunk, ...]:
    """Segment a document's regions and make each chunk stand alone; runs in a worker."""
    from finrag_pipeline.models.segmentation import embed_sentences
    from finrag_pipeline.models.word_weights import WordWeights
    from finrag_pipeline.stages.chunking.calibration import calibration_for
    from finrag_pipeline.stages.chunking.chunks import segment
    from finrag_pipeline.stages.chunking.enrichment.enriching import enrich

    calibration = calibration_for(metadata.language, metadata.kind)
    chunks = segment(regions, embed_sentences, calibration)
    return enrich(chunks, metadata, WordWeights.packaged().weight)
