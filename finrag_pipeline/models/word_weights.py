"""How rare a word is in the language of finance, and how much of a question a text covers by that.

Which words a text has is `finrag_pipeline.words`, how the table is counted `training.word_weights`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

TABLE_PATH = Path(__file__).with_name("word_weights.npz")

# Two rows of 2^16: a word's frequency is the smaller of its two cells, so that a rare word is
# taken for a common one only where both collide.
ROWS = 2
WIDTH = 1 << 16
# Rarer words share one weight: of 607,000 words in 280,000 Chinese paragraphs 73,000 reach this
# count, few enough for the cells above to keep them apart.
RARE = 16
#: One step of the stored weight; 255 steps reach beyond ln(300,000), the training paragraphs.
STEP = 0.05


class WordWeights:
    """Inverse document frequencies (natural logarithm, 0 to 12.75) from a count-min sketch.

    Args:
        steps: shape `(ROWS, WIDTH)`, uint8, in units of `STEP`.
    """

    def __init__(self, steps: NDArray[np.uint8]) -> None:
        self._rows = [row.tobytes() for row in steps]
        self._known: dict[str, float] = {}

    @classmethod
    def packaged(cls) -> WordWeights:
        """The table that ships with the package, read once a process."""
        return _PACKAGED.weights

    def weight(self, word: str) -> float:
        """The inverse document frequency of a word as `words` or `search_words` gives it."""
        known = self._known.get(word)
        if known is None:
            cells = zip(self._rows, cells_of(word), strict=True)
            known = max(row[cell] for row, cell in cells) * STEP
            if len(self._known) < 500_000:
                self._known[word] = known
        return known

    def covered(self, question: Sequence[str], text: Iterable[str]) -> float:
        """The share, 0 to 1, of the question's weight whose words occur in the text.

        Args:
            question: words of the question, each counted once.
            text: words of the text, `search_words` of it for the forgiving measure.
        """
        present = set(text)
        total = found = 0.0
        for word in dict.fromkeys(question):
            weight = self.weight(word)
            total += weight
            found += weight if word in present else 0.0
        return found / total if total else 0.0


class _Packaged:
    @cached_property
    def weights(self) -> WordWeights:
        with np.load(TABLE_PATH) as stored:
            return WordWeights(stored["steps"])


_PACKAGED = _Packaged()


def cells_of(word: str) -> tuple[int, int]:
    """The cell of a word in each of the rows."""
    code = word.encode()
    return crc32(code) % WIDTH, crc32(code, 0x9E3779B9) % WIDTH
