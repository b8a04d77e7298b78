"""The reranker without a model's server: a weighed sum of what a candidate shows of itself.

What is looked at is `features`, how the weights are learned `training.reranker`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.reranking.features import FEATURES, features
from finrag_pipeline.query.reranking.registry import Candidate, Scores

WEIGHTS_PATH = Path(__file__).with_name("weights.csv")


class OfflineReranker:
    """Weighs the features of candidates.

    Args:
        weights: by feature; what is not named counts nothing.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = np.array([weights.get(name, 0.0) for name in FEATURES])

    @classmethod
    def packaged(cls) -> Self:
        """By the weights that ship with the package."""
        return cls(_packaged())

    def score(self, asked: Asked, candidates: Sequence[Candidate]) -> Scores:
        return features(asked.question, candidates) @ self._weights


@cache
def _packaged() -> Mapping[str, float]:
    with WEIGHTS_PATH.open(encoding="utf-8", newline="") as rows:
        return {row["feature"]: float(row["weight"]) for row in csv.DictReader(rows)}
