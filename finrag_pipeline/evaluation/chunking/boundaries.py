"""`finrag evaluate chunking boundaries`: are chunks cut where the topic changes?

Pk and WindowDiff of clique chunks and of other methods, all at the same mean chunk length, on
documents that are joined from sections of different reports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finrag_pipeline.evaluation.chunking.methods import (
    Cuts,
    Method,
    adjacent_drops,
    clique_chunks,
    fixed_windows,
    recursive_splitting,
)
from finrag_pipeline.evaluation.chunking.sections import (
    JoinedDocument,
    SourceSection,
    half_of,
    join_sections,
    usable_sections,
)
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.models.segmentation import embed_sentences
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.calibration import calibration_for
from finrag_pipeline.stages.chunking.chunks import EmbedSentences

DOCUMENTS = 100
SEED = 4
#: Values were chosen on the other half of the reports.
REPORTED_HALF = 1


@dataclass(frozen=True)
class Score:
    """Pk and WindowDiff, 0 best, over all documents, and the mean length of their chunks."""

    pk: float
    window_diff: float
    mean_length: float


def measure(folders: Sequence[Path], settings: Settings) -> Report:
    """Score all methods on the half of the reports that no value was chosen on.

    Args:
        folders: PDFs, with or without the reports of the other half.
        settings: whose reading counts; the vectors are always those of segmentation.
    """
    embed = embed_sentences
    everything = read_source_sections(folders, settings)
    sections = [section for section in everything if half_of(section.report) == REPORTED_HALF]
    rows: list[tuple[object, ...]] = []
    notes = [
        "k is half the mean length of a section; lengths are characters without white space. "
        "Every method is brought to the mean chunk length of clique chunks."
    ]
    for language in sorted({section.metadata.language for section in sections}):
        own = [section for section in sections if section.metadata.language == language]
        documents = join_sections(own, DOCUMENTS, SEED)
        reports = len({section.report for section in own})
        notes.append(
            f"{language}: {len(documents)} documents of {len(own)} sections of {reports} reports."
        )
        for method, found in _compare(documents, embed, language).items():
            figures = f"{found.pk:.3f}", f"{found.window_diff:.3f}", f"{found.mean_length:.0f}"
            rows.append((language, method, *figures))
    columns = ("language", "method", "Pk", "WindowDiff", "mean characters")
    return Report("Boundaries of chunks, by joined sections", columns, tuple(rows), tuple(notes))


def read_source_sections(folders: Sequence[Path], settings: Settings) -> list[SourceSection]:
    """The usable sections of all readable reports in the folders."""
    return [
        section
        for document in read_documents(pdfs(*folders), settings)
        if document.metadata
        for section in usable_sections(document.path.name, document.metadata, document.regions)
    ]


def score(documents: Sequence[JoinedDocument], cut: Callable[[JoinedDocument], Cuts]) -> Score:
    """Pk and WindowDiff of a way to cut.

    A probe of k characters slides over each document, k half the mean section. Pk is how often
    cuts and joints disagree on whether both ends are in one piece (Beeferman 1999), WindowDiff how
    often they disagree on the number of borders between (Pevzner and Hearst 2002).
    """
    characters = sum(document.length for document in documents)
    k = round(characters / sum(len(document.sections) for document in documents) / 2)
    disagreed = miscounted = probes = chunks = 0
    for document in documents:
        cuts = [place for place in cut(document) if 0 < place < document.length]
        true = _borders(document.joints, document.length, k)
        found = _borders(cuts, document.length, k)
        disagreed += int(np.sum((true == 0) != (found == 0)))
        miscounted += int(np.sum(true != found))
        probes += len(true)
        chunks += len(cuts) + 1
    return Score(disagreed / probes, miscounted / probes, characters / chunks)


def _compare(
    documents: Sequence[JoinedDocument], embed: EmbedSentences, language: str
) -> dict[str, Score]:
    if not documents:
        return {}
    calibration = calibration_for(language, "mixed")  # reports of all kinds are joined
    own = score(documents, lambda document: clique_chunks(document, embed, calibration))
    longest = max(document.length for document in documents)
    others: dict[str, tuple[Method, float]] = {
        "adjacent drops, same embedder": (adjacent_drops(embed), 100.0),
        "recursive splitting": (recursive_splitting, float(longest)),
        "fixed windows, a quarter shared": (fixed_windows, float(longest)),
    }
    scores = {"clique chunks": own}
    for name, (method, most) in others.items():
        scores[name] = _at_length(documents, method, own.mean_length, most)
    scores["no cut"] = score(documents, lambda _: ())
    return scores


def _at_length(
    documents: Sequence[JoinedDocument], method: Method, length: float, most: float
) -> Score:
    """The score with the parameter, up to `most`, whose chunks have the mean length (bisection)."""
    low, high = 1.0, most
    found: list[Score] = []
    for _ in range(24):
        middle = (low + high) / 2
        found.append(score(documents, lambda document, at=middle: method(document, at)))
        if found[-1].mean_length < length:
            low = middle
        else:
            high = middle
    return min(found, key=lambda one: abs(one.mean_length - length))


def _borders(places: Cuts, length: int, k: int) -> np.ndarray:
    """How many borders lie between each character and the one k further on."""
    marks = np.zeros(length, dtype=np.int64)
    np.add.at(marks, list(places), 1)
    before = np.cumsum(marks)
    return before[k:] - before[:-k]
