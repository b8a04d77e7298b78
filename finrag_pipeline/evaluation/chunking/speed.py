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
from finrag_pipeline.models.segmentation import embed_sentences
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.records import Metadata
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.calibration import calibration_for
from finrag_pipeline.stages.chunking.chunks import EmbedSentences, segment
from finrag_pipeline.stages.chunking.enrichment.enriching import enrich

#: The first round loads spaCy, the word vectors and weights (about 1.5 s) and fills their caches.
ROUNDS = ("first, loading included", "second")


@dataclass
class Seconds:
    """Processor time by step, of all threads together."""

    segment: float = 0.0
    enrich: float = 0.0
    embed: float = 0.0

    @property
    def total(self) -> float:
        return self.segment + self.enrich + self.embed


def measure(folders: Sequence[Path], settings: Settings) -> Report:
    """Chunk and embed documents twice.

    Args:
        folders: PDFs.
        settings: whose reading counts; the vectors are always those of segmentation.
    """
    read = [document for document in read_documents(pdfs(*folders), settings) if document.metadata]
    pages = sum(len(document.pages) for document in read)
    embed = embed_sentences
    rows: list[tuple[object, ...]] = []
    chunks = 0
    for name in ROUNDS:
        spent = Seconds()
        chunks = sum(_chunk(document, embed, spent) for document in read)
        rows.append(
            (
                name,
                *(f"{each:.2f}" for each in (spent.segment, spent.enrich, spent.embed)),
                f"{pages / spent.total:.0f}",
            )
        )
    return Report(
        title=f"{len(read)} documents, {pages} pages, {chunks} chunks with two vectors each",
        columns=("round", "segment s", "enrich s", "embed s", "pages/s"),
        rows=tuple(rows),
        notes=("Processor time of one process, all threads together; reading is not counted.",),
    )


def _chunk(document: ReadDocument, embed: EmbedSentences, spent: Seconds) -> int:
    metadata = document.metadata or Metadata()
    start = time.process_time()
    calibration = calibration_for(metadata.language, metadata.kind)
    chunks = segment(document.regions, embed, calibration)
    segmented = time.process_time()
    chunks = enrich(chunks, metadata, WordWeights.packaged().weight)
    enriched = time.process_time()
    embed([f"{c.meta}\n{c.context}\n{c.content}" for c in chunks])
    embed([f"{c.meta}\n{c.summary}" for c in chunks])
    spent.segment += segmented - start
    spent.enrich += enriched - segmented
    spent.embed += time.process_time() - enriched
    return len(chunks)
