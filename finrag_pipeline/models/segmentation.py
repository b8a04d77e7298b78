"""Vectors of sentences, by which text is cut into chunks whatever embedder searches the store.

They stay as they are when that one learns: a chunk that moved would have to be read again, and its
thresholds (`stages.chunking.calibration`) belong to these vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from finrag_pipeline.models.embedding import Vectors
from finrag_pipeline.models.fingerprint import fingerprint
from finrag_pipeline.models.offline import join
from finrag_pipeline.models.semantic import SEGMENTATION_PATH, SemanticTable

#: Of the cosine of two sentences, this part is meaning (docs/evaluation.md, Embedder).
_MEANING_SHARE = 0.25


def embed_sentences(texts: Sequence[str]) -> Vectors:
    """Vectors of sentences, as those of `OfflineEmbedder`."""
    return join(texts, SemanticTable.packaged(SEGMENTATION_PATH), _MEANING_SHARE)


@cache
def segmentation_fingerprint() -> str:
    """Changes with the vectors, see `models.fingerprint`."""
    return fingerprint(embed_sentences)
