"""How surely each of some sentences answers, learned from questions with known answers
(`training.sentence_choice`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from finrag_pipeline.models.trees import Matrix, Trees, matrix

CHOICE_PATH = Path(__file__).with_name("choice.npz")


def chances(traits: Sequence[Mapping[str, float]], trees: Trees | None = None) -> Matrix:
    """How surely each sentence answers, 0 to 1.

    Args:
        traits: of each, as `sentences` tells them.
        trees: that say so; None: those that ship.
    """
    trees = trees or _packaged()
    return 1 / (1 + np.exp(-trees.sums(matrix(traits, trees.names))))


@cache
def _packaged() -> Trees:
    return Trees.read(CHOICE_PATH)
