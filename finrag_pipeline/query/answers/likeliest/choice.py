"""The trees that say how surely each of some sentences answers, learned from questions with known
answers (`training.sentence_choice`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from finrag_pipeline.models.trees import Trees

CHOICE_PATH = Path(__file__).with_name("choice.npz")


@cache
def packaged() -> Trees:
    """Those that ship with the package, read once a process."""
    return Trees.read(CHOICE_PATH)
