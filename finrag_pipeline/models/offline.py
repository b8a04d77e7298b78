"""The offline embedder: the words of a text hashed, beside what they mean; numpy and scipy only.

How text becomes words is `finrag_pipeline.words`, what a word weighs `word_weights`, what it means
`semantic`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from finrag_pipeline.models.embedding import Vectors, VectorSpace, unit
from finrag_pipeline.models.fingerprint import fingerprint
from finrag_pipeline.models.hashing import hash_words
from finrag_pipeline.models.semantic import SEARCH_PATH, SemanticTable, characters
from finrag_pipeline.words import search_words, subject

# Of two texts' cosine, this part is how near their meanings are, the rest how many words they
# share (docs/evaluation.md, Embedder).
MEANING_SHARE = 0.25


class OfflineEmbedder:
    """Deterministic vectors that need no download: near are texts that share rare words, or whose
    words e5 has near to each other.

    1,024 hashed dimensions of words and Chinese characters, then those of `SemanticTable`; rows
    have length one, or zero where a text has no word. More than 5,000 sentences a second of a core.
    """

    @property
    def space(self) -> VectorSpace:
        return _space()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return _embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what the questions are about: words that only ask would be noise."""
        return _embed([subject(text) or text for text in texts])


@cache
def _space() -> VectorSpace:
    probe = _embed(["probe"])
    return VectorSpace("offline", probe.shape[1], fingerprint(_embed))


def _embed(texts: Sequence[str]) -> Vectors:
    return join(texts, SemanticTable.packaged(SEARCH_PATH), MEANING_SHARE)


def join(texts: Sequence[str], table: SemanticTable, share: float) -> Vectors:
    """Hashed words of texts beside what they mean.

    Args:
        share: of a cosine, how much is meaning.

    Returns:
        Shape `(len(texts), 1024 + table.dimension)`, rows of length one, or zero without a word.
    """
    words = [Counter(search_words(text)) for text in texts]
    written = [Counter(characters(text)) for text in texts]
    hashed = hash_words(words, written)
    # as in training, a word of one character counts as that character
    meant = table.embed([{**counts, **marks} for counts, marks in zip(words, written, strict=True)])
    return unit(np.hstack([hashed * (1 - share) ** 0.5, meant * share**0.5]))
