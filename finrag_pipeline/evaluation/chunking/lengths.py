"""`finrag evaluate chunking lengths`: how long chunks are, and how many are too short.

Where they are cut is measured in `boundaries`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from finrag_pipeline.evaluation.chunking.sections import ink
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.models.segmentation import embed_sentences
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.calibration import calibration_for
from finrag_pipeline.stages.chunking.chunks import segment
from finrag_pipeline.stages.chunking.short_pieces import LEAST


def measure(folders: Sequence[Path], settings: Settings) -> Report:
    """Count the chunks of documents by their length.

    Args:
        folders: PDFs; a row for each, with what lies below it.
        settings: whose engine, workers and bounds count.

    Returns:
        A miss is one chunk of fewer than `LEAST` characters without spaces.
    """
    rows: list[tuple[object, ...]] = []
    misses: list[str] = []
    for folder in folders:
        lengths: list[int] = []
        for document in read_documents(pdfs(folder), settings):
            if document.metadata is None:
                continue
            calibration = calibration_for(document.metadata.language, document.metadata.kind)
            for chunk in segment(document.regions, embed_sentences, calibration):
                lengths.append(ink(chunk.content))
                if lengths[-1] < LEAST:
                    told = " / ".join(chunk.content.split("\n"))
                    misses.append(f"{document.path.name} p.{chunk.parent_page}: {told}")
        short = sum(length < LEAST for length in lengths)
        share = f"{100 * short / len(lengths):.1f} %" if lengths else "none"
        rows.append((folder.name, len(lengths), median(lengths or [0]), short, share, "< 3 %"))
    return Report(
        "Lengths of chunks",
        ("folder", "chunks", "median characters", f"under {LEAST}", "share", "target"),
        tuple(rows),
        ("Characters are those that are no white space.",),
        tuple(misses),
    )
