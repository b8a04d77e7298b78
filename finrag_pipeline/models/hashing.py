"""Weighted words of a text hashed into a fixed number of dimensions: its lexical vector.

How text becomes words is `finrag_pipeline.words`, what a word weighs `word_weights`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.embedding import Vectors, unit
from finrag_pipeline.models.word_weights import WordWeights

DIMENSION = 1024

_FIGURE = re.compile(r"(?!(?:19|20)\d\d$)\d+(?:\.\d+)?$")
# Figures are rare words, but say little of what a text is about. 137 questions on 16 annual
# reports cut into 3,002 passages, page found among the first 10: weight 1 20 %, 0.3 31 %, 0.1 30 %.
FIGURE_SHARE = 0.2
# A Chinese character beside the words that it is part of: words that differ may share it. 430
# headings of reports and their sections, found among the first 10: 0 .67, 0.3 .68, 0.6 .72, 1 .74;
# sections without the words of the heading do not lose by 0.6, and by 1 a little.
CHARACTER_SHARE = 0.6

#: Texts hashed at a time: 4 MB of sums.
_BATCH = 512
#: Words whose hash is kept: most of a language, 100 MB.
_REMEMBERED = 500_000


def hash_words(
    words: Sequence[Mapping[str, int]], characters: Sequence[Mapping[str, int]]
) -> Vectors:
    """Vectors of texts, given as how often each word and Chinese character occurs in them.

    Each goes to one of 1,024 dimensions with a sign, both from its hash, weighted by (1 + ln count)
    times its inverse document frequency.

    Returns:
        Shape `(len(words), 1024)`, rows of length one, or zero where a text has no word.
    """
    vectors = np.zeros((len(words), DIMENSION), dtype=np.float32)
    for start in range(0, len(words), _BATCH):
        stop = start + _BATCH
        vectors[start:stop] = _hash(words[start:stop], characters[start:stop])
    return vectors


def _hash(words: Sequence[Mapping[str, int]], characters: Sequence[Mapping[str, int]]) -> Vectors:
    sums = np.zeros(len(words) * DIMENSION)
    for texts, features in ((words, _WORDS), (characters, _CHARACTERS)):
        cells, weights = features.read(chain.from_iterable(texts))
        cells += np.repeat(np.arange(len(texts)) * DIMENSION, [len(text) for text in texts])
        times = np.fromiter(chain.from_iterable(text.values() for text in texts), np.float64)
        sums += np.bincount(cells, weights=(1 + np.log(times)) * weights, minlength=len(sums))
    # signs may cancel out exactly in a text of few words
    return unit(sums.reshape(len(words), DIMENSION))


class _Features(dict[str, int]):
    """Dimension and signed weight of each word, worked out when it is first met."""

    def __init__(self, weight: Callable[[str], float], prefix: str = "") -> None:
        super().__init__()
        self._weight = weight
        self._prefix = prefix
        self._cells: list[int] = []
        self._weights: list[float] = []
        self._known = (np.zeros(0, np.int64), np.zeros(0))
        # questions are embedded by many threads
        self._guard = Lock()

    def read(self, words: Iterable[str]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Dimensions and weights of words, one each."""
        with self._guard:
            if len(self) > _REMEMBERED:
                self.clear()
                self._cells.clear()
                self._weights.clear()
            numbers = np.fromiter(map(self.__getitem__, words), np.int64)
            if len(self._known[0]) != len(self):
                self._known = (np.array(self._cells, np.int64), np.array(self._weights))
            cells, weights = self._known
        return cells[numbers], weights[numbers]

    def __missing__(self, word: str) -> int:
        code = int.from_bytes(blake2b(f"{self._prefix}{word}".encode(), digest_size=4).digest())
        weight = self._weight(word)
        self._cells.append(code >> 1 & (DIMENSION - 1))
        self._weights.append(weight if code & 1 else -weight)
        self[word] = number = len(self)
        return number


def _word_weight(word: str) -> float:
    weight = WordWeights.packaged().weight(word)
    return weight * FIGURE_SHARE if _FIGURE.match(word) else weight


def _character_weight(character: str) -> float:
    return WordWeights.packaged().weight(character) * CHARACTER_SHARE


_WORDS = _Features(_word_weight)
# a word of one character is another feature than the character
_CHARACTERS = _Features(_character_weight, prefix="character ")
