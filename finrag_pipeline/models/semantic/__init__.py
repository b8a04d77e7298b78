"""What texts mean, as far as their words tell: tables of word vectors.

How they are trained is `training`; how they join the hashed words of a text is `offline`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.embedding import unit

#: By which passages are found, and by which text is cut: the second stays when the first learns.
SEARCH_PATH = Path(__file__).with_name("search.npz")
SEGMENTATION_PATH = Path(__file__).with_name("segmentation.npz")

_HAN = re.compile(r"[\u3400-\u9fff]")
# Digits say how much, not about what. A single Chinese character counts as a character, so that
# a word that training never saw is read by those it is written with.
_NO_WORD = re.compile(r"[\d.,]+$|[\u3400-\u9fff]$")


def characters(text: str) -> list[str]:
    """The Chinese characters of a text, in order."""
    return _HAN.findall(text)


def is_feature(word: str) -> bool:
    """Whether a word of `search_words` may have a vector of its own."""
    return not _NO_WORD.match(word)


class SemanticTable:
    """Vectors of words and Chinese characters; a text's is the sum of those it is made of.

    Args:
        features: the words and characters.
        steps: shape `(len(features), dimension)`, int8.
        scales: shape `(len(features),)`, what one step of a row is worth.
    """

    def __init__(
        self, features: Sequence[str], steps: NDArray[np.int8], scales: NDArray[np.floating]
    ) -> None:
        self._rows = {feature: row for row, feature in enumerate(features)}
        self._steps = steps
        self._scales = scales.astype(np.float32)

    @classmethod
    def packaged(cls, path: Path) -> SemanticTable:
        """A table that ships with the package, read once a process."""
        return _packaged(path)

    @classmethod
    def read(cls, path: Path) -> SemanticTable:
        """A table as `write` left it."""
        with np.load(path) as stored:
            features = stored["features"].tobytes().decode().split("\n")
            return cls(features, stored["steps"], stored["scales"])

    @property
    def dimension(self) -> int:
        return self._steps.shape[1]

    def embed(self, counts: Sequence[Mapping[str, int]]) -> NDArray[np.float32]:
        """Vectors of texts, given as how often each word and character occurs in them.

        Returns:
            Shape `(len(counts), dimension)`, rows of length one, or zero where nothing is known.
        """
        from scipy.sparse import csr_array

        found = map(self._rows.get, chain.from_iterable(counts), repeat(-1))
        numbers = np.fromiter(found, np.int64)
        times = np.fromiter(chain.from_iterable(text.values() for text in counts), np.float32)
        text_of = np.repeat(np.arange(len(counts)), [len(text) for text in counts])
        known = numbers >= 0
        numbers, times, text_of = numbers[known], times[known], text_of[known]
        # of the whole table only the rows at hand are made floats
        at_hand = np.flatnonzero(np.bincount(numbers, minlength=len(self._rows)))
        place = np.zeros(len(self._rows), np.int64)
        place[at_hand] = np.arange(len(at_hand))
        texts = csr_array(
            (
                damped(times) * self._scales[numbers],
                place[numbers],
                np.searchsorted(text_of, np.arange(len(counts) + 1)),
            ),
            shape=(len(counts), len(at_hand)),
        )
        return unit(texts @ self._steps[at_hand].astype(np.float32))


@cache
def _packaged(path: Path) -> SemanticTable:
    return SemanticTable.read(path)


def write(path: Path, features: Sequence[str], vectors: NDArray[np.floating]) -> None:
    """Store vectors as one signed byte a number, each row in steps of its own.

    Args:
        vectors: shape `(len(features), dimension)`.
    """
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127
    np.savez_compressed(
        path,
        features=np.frombuffer("\n".join(features).encode(), dtype=np.uint8),
        steps=np.rint(vectors / scales[:, None]).astype(np.int8),
        scales=scales.astype(np.float32),
    )


def damped(times: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a word counts that occurs so often: the second time says less than the first."""
    return 1 + np.log(times)
