"""Learns the two kinds of trees of `finrag_pipeline.query.answers.choice`: those that set what was
found for a question in order, and those that say how sure the first ones are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.trees import Trees, matrix
from finrag_pipeline.query.answers.choice import Choice, Traits, contenders
from training.folds import FOLDS
from training.trees import SAME, as_trees


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a question, or some of it.

    Attributes:
        fold: of whom the question is on.
        traits: of each thing beside the others.
        same: equal for those that tell the same; None: each tells something of its own.
        right: which are.
        counts: what the question counts.
    """

    fold: int
    traits: Sequence[Traits]
    same: Sequence[float] | None
    right: NDArray[np.bool_]
    counts: float = 1.0

    @property
    def teaches(self) -> bool:
        """Whether a right one stands beside another."""
        return bool(self.right.any()) and not self.right.all()


@dataclass(frozen=True, slots=True)
class Growing:
    """How many trees of a kind are grown, and how."""

    trees: int
    how: Mapping[str, object]


def learn_choice(found: Sequence[Found], order: Growing, surety: Growing) -> Choice:
    """What sets things in order and says how sure the first are, from some questions.

    The second is learned from how those of each part of the questions are set in order by what was
    learned from all other parts: in the order of questions that were learned from the right one
    leads too far.
    """
    first = _learned_order(found, order)
    placed: list[tuple[dict[str, float], bool, float]] = []
    for fold in range(FOLDS):
        others = [each for each in found if each.fold != fold]
        if len(others) == len(found) or not any(each.teaches for each in others):
            continue
        unseen = _learned_order(others, order)
        for each in found:
            if each.fold == fold:
                chosen, traits = contenders(each.traits, each.same, unseen)
                right = each.right[chosen].tolist()
                placed += zip(traits, right, [each.counts] * len(chosen), strict=True)
    return Choice(first, _learned_surety(placed, surety))


def _learned_order(found: Sequence[Found], grown: Growing) -> Trees:
    """Trees from the questions whose right thing is beside others."""
    told = [each for each in found if each.teaches]
    names = _names(each for one in told for each in one.traits[:1])
    rows = np.vstack([matrix(each.traits, names) for each in told])
    right = np.concatenate([each.right for each in told])
    sizes = [len(each.right) for each in told]
    counts = np.repeat([each.counts for each in told], sizes)
    held = lightgbm.Dataset(rows, right, weight=counts, group=sizes)
    return as_trees(lightgbm.train({**SAME, **grown.how}, held, grown.trees), names)


def _learned_surety(
    placed: Sequence[tuple[dict[str, float], bool, float]], grown: Growing
) -> Trees:
    names = _names(each for each, _, _ in placed)
    rows = matrix([each for each, _, _ in placed], names)
    right, counts = (np.array([each[n] for each in placed], float) for n in (1, 2))
    held = lightgbm.Dataset(rows, right, weight=counts)
    return as_trees(lightgbm.train({**SAME, **grown.how}, held, grown.trees), names)


def _names(traits: Iterable[Traits]) -> tuple[str, ...]:
    return tuple(sorted({name for each in traits for name in each}))
