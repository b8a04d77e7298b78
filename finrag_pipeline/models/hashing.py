"""The offline embedder: weighted words hashed into a fixed number of dimensions, numpy only.

How text becomes words is `finrag_pipeline.words`, what a word weighs `word_weights`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import blake2b

import numpy as np

from finrag_pipeline.models.embedding import Vectors, VectorSpace
from finrag_pipeline.models.fingerprint import fingerprint
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.words import search_words, subject

DIMENSION = 1024

_FIGURE = re.compile(r"(?!(?:19|20)\d\d$)\d+(?:\.\d+)?$")
# Figures are rare words, but say little of what a text is about. 137 questions on 16 annual
# reports cut into 3,002 passages, page found among the first 10: weight 1 20 %, 0.3 31 %, 0.1 30 %.
FIGURE_SHARE = 0.2


class HashingEmbedder:
    """Deterministic vectors without a model: similar are texts that share their rarer words.

    Each word of `search_words` goes to one of 1,024 dimensions with a sign, both from its hash,
    weighted by (1 + ln count) times its inverse document frequency; rows have length one, or
    zero where a text has no word. About 1.5 MB of text a second.
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
    return VectorSpace("hashing", DIMENSION, fingerprint(_embed))


def _embed(texts: Sequence[str]) -> Vectors:
    vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
    for row, text in enumerate(texts):
        counts = Counter(search_words(text))
        if not counts:
            continue
        features = [_feature(word) for word in counts]
        places, weights = zip(*features, strict=True)
        tf = 1.0 + np.log(np.fromiter(counts.values(), dtype=np.float64))
        total = np.bincount(places, weights=tf * weights, minlength=DIMENSION)
        length = float(np.linalg.norm(total))
        # signs may cancel out exactly in a text of few words
        vectors[row] = total / length if length else total
    return vectors


@lru_cache(maxsize=500_000)
def _feature(word: str) -> tuple[int, float]:
    code = int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "big")
    weight = WordWeights.packaged().weight(word)
    if _FIGURE.match(word):
        weight *= FIGURE_SHARE
    return code >> 1 & (DIMENSION - 1), weight if code & 1 else -weight
