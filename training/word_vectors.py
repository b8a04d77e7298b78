"""Trains the table of `finrag_pipeline.models.semantic`: a text finds its partner among a thousand.

    python -m training.word_vectors FILE.gz…

Each FILE is gzipped UTF-8, one paragraph a line, an empty line between what does not belong
together. Numpy and scipy alone; the same files and numbers of threads give the same table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from finrag_pipeline.models.embedding import unit
from finrag_pipeline.models.semantic import SEGMENTATION_PATH, damped, write
from training.text_pairs import Features, PairSampler, read_training_text

Matrix = NDArray[np.float32]

DIMENSION = 128
#: Pairs of a step: every text is told apart from so many others at once.
BATCH = 1024
# More steps fit the training text better and reports worse: heading to section of reports .21
# after 300 steps, .15 after 1,000.
STEPS = 300
# Similarities are divided by it. Sharper ones (0.05) learn words, not meaning: .13 against .21.
TEMPERATURE = 0.2
LEARNING_RATE = 0.01
WARM_UP = 50
#: Standard deviation of the first vectors, times the rarity of their word.
FIRST_SPREAD = 0.02


class Optimizer:
    """Adam that touches the rows of a step alone, one second moment a row (Kingma and Ba 2015)."""

    def __init__(self, table: Matrix) -> None:
        self._table = table
        self._mean = np.zeros_like(table)
        self._square = np.zeros(len(table), dtype=np.float32)
        self._steps = 0

    def step(self, rows: NDArray[np.signedinteger], gradient: Matrix, rate: float) -> None:
        """Move `rows` of the table against their gradient, shape `(len(rows), dimension)`."""
        self._steps += 1
        mean = 0.9 * self._mean[rows] + 0.1 * gradient
        square = 0.999 * self._square[rows] + 0.001 * (gradient**2).mean(axis=1)
        self._mean[rows], self._square[rows] = mean, square
        corrected = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
        self._table[rows] -= rate * mean / corrected[:, None]


def contrast(first: Matrix, second: Matrix) -> tuple[float, Matrix, Matrix]:
    """The loss of unit rows that are pairs by position (InfoNCE, both ways), and its gradients.

    Returns:
        Loss, gradient of `first`, gradient of `second`.
    """
    similarity = np.exp((first @ second.T - 1) / TEMPERATURE)
    forth = similarity / similarity.sum(axis=1, keepdims=True)
    back = similarity / similarity.sum(axis=0, keepdims=True)
    loss = -float(np.log(np.diag(forth)).mean() + np.log(np.diag(back)).mean()) / 2
    slope = (forth + back) / 2 - np.eye(len(first), dtype=np.float32)
    slope /= len(first) * TEMPERATURE
    return loss, slope @ second, slope.T @ first


def train(sampler: PairSampler, table: Matrix, steps: int) -> None:
    """Improve a table in place, shape `(features, dimension)`; 0.2 s of a core a step."""
    optimizer = Optimizer(table)
    started = time.monotonic()
    for step in range(steps):
        rate = LEARNING_RATE * min(1.0, (step + 1) / WARM_UP) * max(0.02, 1 - step / steps)
        firsts, seconds = sampler.draw(BATCH)
        texts = _matrix([*firsts, *seconds], len(table))
        rows = np.unique(texts.indices)
        texts = texts[:, rows]
        sums = texts @ table[rows]
        lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-9
        vectors = unit(sums)
        loss, first, second = contrast(vectors[:BATCH], vectors[BATCH:])
        slope = np.concatenate([first, second])
        # the gradient of scaling to length one
        slope = (slope - (slope * vectors).sum(axis=1, keepdims=True) * vectors) / lengths
        optimizer.step(rows, texts.T @ slope.astype(np.float32), rate)
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss:.3f}, {time.monotonic() - started:.0f} s")


def _matrix(texts: Sequence[Features], width: int) -> csr_array:
    """How much each feature counts in each text, shape `(len(texts), width)`."""
    counted = [np.unique(text, return_counts=True) for text in texts]
    return csr_array(
        (
            damped(np.concatenate([times for _, times in counted]).astype(np.float32)),
            np.concatenate([features for features, _ in counted]),
            np.cumsum([0, *(len(features) for features, _ in counted)]),
        ),
        shape=(len(texts), width),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=SEGMENTATION_PATH)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    text = read_training_text(options.texts)
    print(f"{len(text.features)} features, {len(text.line)} pieces, {text.heading.sum()} headings")
    chance = np.random.default_rng(options.seed)
    table = chance.normal(0, FIRST_SPREAD, (len(text.features), DIMENSION)).astype(np.float32)
    table *= text.rarity[:, None]
    train(PairSampler(text, options.seed), table, options.steps)
    write(options.out, text.features, table)
    print(f"{options.out}: {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
