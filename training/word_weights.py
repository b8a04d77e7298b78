"""Counts how common words are: the table of `finrag_pipeline.models.word_weights`.

    python -m training.word_weights FILE.gz…

Each FILE is gzipped UTF-8, one paragraph a line. Only counts leave the text, no passage.
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.word_weights import RARE, ROWS, STEP, TABLE_PATH, WIDTH, cells_of
from finrag_pipeline.words import search_words


def count_weights(texts: Iterable[Iterable[str]]) -> NDArray[np.uint8]:
    """The table for some texts, each an iterable of paragraphs: a word is as common as in the
    text where it is most common, so that each language is measured against its own paragraphs.

    Returns:
        Shape `(ROWS, WIDTH)`, for `WordWeights`; the same for the same texts.
    """
    share = np.zeros((ROWS, WIDTH))
    paragraph_count = RARE
    for paragraphs in texts:
        counts: Counter[str] = Counter()
        total = 0
        for paragraph in paragraphs:
            counts.update(set(search_words(paragraph)))
            total += 1
        for word, count in counts.items():
            if count >= RARE:
                for row, cell in enumerate(cells_of(word)):
                    share[row, cell] = max(share[row, cell], count / total)
        paragraph_count = max(paragraph_count, total)
    np.maximum(share, RARE / 4 / paragraph_count, out=share)
    return np.clip(np.rint(-np.log(share) / STEP), 0, 255).astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="+", type=Path, help="gzip, one paragraph a line, UTF-8")
    parser.add_argument("--out", type=Path, default=TABLE_PATH)
    options = parser.parse_args()

    def paragraphs(path: Path) -> Iterable[str]:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from lines

    steps = count_weights(paragraphs(path) for path in options.texts)
    np.savez_compressed(options.out, steps=steps)
    print(f"{options.out}: {options.out.stat().st_size} bytes, lightest {steps.min() * STEP:.2f}")


if __name__ == "__main__":
    main()
