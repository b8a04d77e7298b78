"""`finrag evaluate chunking speed`: pages a second of one core, from kept text to stored vectors.

Reading the pages is not counted: `finrag evaluate reading speed` does that.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.models.embedding import Embedder, load_embedder
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.records import Chunk, Metadata
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.calibration import calibration_for
from finrag_pipeline.stages.chunks import segment
from finrag_pipeline.stages.enrichment import enrich

#: A warm process is what a nightly run has: models and word caches are filled by the first round.
ROUNDS = 2


@dataclass
class Seconds:
    """Processor time by step, of all threads together."""

    segment: float = 0.0
    enrich: float = 0.0
    embed: float = 0.0

    @property
    def total(self) -> float:
        return self.segment + self.enrich + self.embed


def measure(folder: Path, settings: Settings) -> Report:
    """Chunk and embed the documents of a folder, cold and warm.

    Args:
        folder: PDFs.
        settings: whose reading counts; the embedder is always the offline one.
    """
    read = [document for document in read_documents(pdfs(folder), settings) if document.metadata]
    pages = sum(len(document.pages) for document in read)
    embedder = load_embedder(settings.model_copy(update={"embedder": "offline"}))
    rows: list[tuple[object, ...]] = []
    chunks = 0
    for name in ("cold", "warm")[:ROUNDS]:
        spent = Seconds()
        chunks = sum(_chunk(document, embedder, spent) for document in read)
        rows.append(
            (
                name,
                *(f"{each:.2f}" for each in (spent.segment, spent.enrich, spent.embed)),
                f"{pages / spent.total:.0f}",
            )
        )
    return Report(
        title=f"{len(read)} documents, {pages} pages, {chunks} chunks with two vectors each",
        columns=("process", "segment s", "enrich s", "embed s", "pages/s"),
        rows=tuple(rows),
        notes=("Processor time of one process, all threads together; reading is not counted.",),
    )


def _chunk(document: ReadDocument, embedder: Embedder, spent: Seconds) -> int:
    metadata = document.metadata or Metadata()
    start = time.process_time()
    chunks: Sequence[Chunk] = segment(
        document.regions,
        embedder.embed_passages,
        calibration_for(metadata.language, metadata.kind),
    )
    segmented = time.process_time()
    chunks = enrich(chunks, metadata, WordWeights.packaged().weight)
    enriched = time.process_time()
    embedder.embed_passages([f"{c.meta}\n{c.context}\n{c.content}" for c in chunks])
    embedder.embed_passages([f"{c.meta}\n{c.summary}" for c in chunks])
    spent.segment += segmented - start
    spent.enrich += enriched - segmented
    spent.embed += time.process_time() - enriched
    return len(chunks)
