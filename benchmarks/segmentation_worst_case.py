"""Seconds that segmentation takes for sections made to have as many cliques as can be.

python benchmarks/segmentation_worst_case.py
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline.stages.chunking.chunks import divide
from finrag_pipeline.stages.chunking.cliques import (
    maximal_cliques,
    neighbour_sets,
    window_similarities,
)

THRESHOLD = 0.2


def near_identical(count: int) -> NDArray[np.float32]:
    """Sentences that all say the same but for a little noise."""
    noise = np.random.default_rng(0).normal(0, 0.01, (count, 64))
    rows = np.ones((count, 64)) + noise
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def moon_moser(count: int) -> NDArray[np.float32]:
    """All similar but the three of each triple: 3^(count/3) maximal cliques without a window."""
    similarities = np.full((count, count), THRESHOLD + 0.1)
    for start in range(0, count, 3):
        similarities[start : start + 3, start : start + 3] = 0
    np.fill_diagonal(similarities, 1)
    weights, rows = np.linalg.eigh(similarities)
    return (rows * np.sqrt(np.maximum(weights, 0))).astype(np.float32)


def main() -> None:
    divide(near_identical(10), [30] * 10, Calibration(THRESHOLD, 20, 0.1))  # imports, first calls
    print("| section | sentences | window | cliques | chunks | seconds |")
    print("|---|---|---|---|---|---|")
    for name, make, count in (
        ("near-identical", near_identical, 400),
        ("Moon-Moser", moon_moser, 120),
        ("Moon-Moser", moon_moser, 240),
        ("Moon-Moser", moon_moser, 399),
    ):
        vectors = make(count)
        for window in (20, 40, 80):
            started = time.perf_counter()
            parts = divide(vectors, [30] * count, Calibration(THRESHOLD, window, 0.1))
            seconds = time.perf_counter() - started
            neighbours = neighbour_sets(window_similarities(vectors, window), THRESHOLD)
            cliques = sum(1 for _ in maximal_cliques(neighbours))
            print(f"| {name} | {count} | {window} | {cliques} | {len(parts)} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
