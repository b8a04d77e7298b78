"""Ways to cut a joined document: the shipped one and those that it is measured against.

Each gives the places of its cuts in characters that are no white space; scores are in `boundaries`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from finrag_pipeline.evaluation.chunking.sections import JoinedDocument, ends, ink
from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline.stages.chunking.chunks import EmbedSentences, segment

Cuts = Sequence[int]
#: One number sets how long the chunks of a method are.
Method = Callable[[JoinedDocument, float], Cuts]


def clique_chunks(
    document: JoinedDocument, embed: EmbedSentences, calibration: Calibration
) -> Cuts:
    """The chunks that the product makes of the document."""
    chunks = segment(document.regions, embed, calibration)
    return ends(ink(chunk.content) for chunk in chunks)[:-1]


def fixed_windows(document: JoinedDocument, step: float) -> Cuts:
    """Windows that share a quarter with the next (512/128), however sentences run.

    A shared stretch belongs to both windows, so the cut is put in its middle: a cut every `step`
    characters, three quarters of a window. The first comes where the first overlap has its middle.
    """
    first = step * 4 / 3 - step / 6
    return [int(cut) for cut in np.arange(first, document.length, step)]


def recursive_splitting(document: JoinedDocument, size: float) -> Cuts:
    """Paragraphs, else sentences, else characters, joined as long as they fit into `size`."""
    lengths: list[int] = []
    length = 0
    for paragraph in document.paragraphs:
        sentences = [ink(sentence) for sentence in paragraph]
        whole = sum(sentences) <= size
        for piece in [sum(sentences)] if whole else sentences:
            if length and length + piece > size:
                lengths.append(length)
                length = 0
            length += piece
            while length > size:
                lengths.append(int(size))
                length -= int(size)
        if not whole and length:
            lengths.append(length)
            length = 0
    return [cut for cut in ends(lengths) if 0 < cut < document.length]


def adjacent_drops(embed: EmbedSentences) -> Method:
    """Semantic splitting: a cut where the similarity of neighbours drops most.

    Each sentence is taken with the one before and after it, and a document is cut at the given
    percentile of its distances, as the usual implementations do.
    """
    distances: dict[JoinedDocument, np.ndarray] = {}

    def cut(document: JoinedDocument, percentile: float) -> Cuts:
        if document not in distances:
            distances[document] = _distances(document, embed)
        found = distances[document]
        drops = np.flatnonzero(found > np.percentile(found, percentile))
        after = ends(map(ink, document.sentences))
        return [after[i] for i in drops]

    return cut


def _distances(document: JoinedDocument, embed: EmbedSentences) -> np.ndarray:
    sentences = document.sentences
    vectors = embed(["\n".join(sentences[max(0, i - 1) : i + 2]) for i in range(len(sentences))])
    return 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
