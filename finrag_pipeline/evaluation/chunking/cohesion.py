"""`finrag evaluate chunking cohesion`: do vectors tell sentences that belong together?

Pairs from one paragraph against pairs that reach into the next one, into the next section, and
into another report.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.models.segmentation import embed_sentences
from finrag_pipeline.records import Region
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.sentences import split_sentences

SEED = 0
#: Characters of a sentence that says something of its topic.
SHORTEST = 12

Pair = tuple[str, str]
#: Those of one section, each two sentences and more.
Paragraphs = list[list[str]]


def measure(folders: Sequence[Path], settings: Settings) -> Report:
    """AUC of same-paragraph pairs over pairs from further apart.

    Args:
        folders: PDFs that the embedder was not trained on.
        settings: whose reading counts; the vectors are always those of segmentation.
    """
    documents = read_documents(pdfs(*folders), settings)
    reports = [sections for document in documents if (sections := _read(document))]
    chance = random.Random(SEED)
    same: list[Pair] = []
    further: dict[str, list[Pair]] = {
        "the next paragraph": [],
        "the next section": [],
        "another report": [],
    }
    for n, sections in enumerate(reports):
        others = [section for other in reports[:n] + reports[n + 1 :] for section in other]
        for i, paragraphs in enumerate(sections):
            for j, paragraph in enumerate(paragraphs):
                first, second = chance.sample(paragraph, 2)
                same.append((first, second))
                if j + 1 < len(paragraphs):
                    found = chance.choice(paragraphs[j + 1])
                    further["the next paragraph"].append((first, found))
                if i + 1 < len(sections):
                    found = chance.choice(chance.choice(sections[i + 1]))
                    further["the next section"].append((first, found))
                if others:
                    found = chance.choice(chance.choice(chance.choice(others)))
                    further["another report"].append((first, found))
    near = _similarities(same)
    return Report(
        title=f"{len(same)} pairs of sentences of one paragraph, {len(reports)} reports",
        columns=("against a sentence of", "pairs", "AUC"),
        rows=tuple(
            (name, len(pairs), f"{auc(near, _similarities(pairs)):.3f}")
            for name, pairs in further.items()
            if pairs
        ),
        notes=("Both sentences of a pair are drawn by chance from their paragraphs.",),
    )


def auc(higher: NDArray[np.floating], lower: NDArray[np.floating]) -> float:
    """The share of all pairs of values in which `higher` is the greater; ties count half.

    >>> auc(np.array([0.9, 0.4]), np.array([0.4, 0.1]))
    0.875
    """
    ordered = np.sort(lower)
    below = np.searchsorted(ordered, higher, "left") + np.searchsorted(ordered, higher, "right")
    return float(below.sum() / 2 / (len(higher) * len(lower)))


def _read(document: ReadDocument) -> list[Paragraphs]:
    """The sections of a report that hold paragraphs of two sentences and more."""
    sections: dict[tuple[str, ...], Paragraphs] = {}
    for region in document.regions:
        if _is_paragraph(region):
            sentences = [s for s in split_sentences(region.text) if len(s) >= SHORTEST]
            if len(sentences) > 1:
                sections.setdefault(region.section, []).append(sentences)
    return list(sections.values())


def _is_paragraph(region: Region) -> bool:
    return region.kept and region.kind in ("text", "list-item")


def _similarities(pairs: Sequence[Pair]) -> NDArray[np.floating]:
    firsts, seconds = (embed_sentences(texts) for texts in zip(*pairs, strict=True))
    return np.einsum("ij,ij->i", firsts, seconds)
