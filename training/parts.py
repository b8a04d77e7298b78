"""Parts of what was found for a question, as a small store would hold them: what says most of a
question may still be of something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from training.folds import Example

#: Things beside which others are learned from: fewer than this of any, and of those that say most.
MOST_OF_FEW, MOST_OF_NEAR = 10, 4
#: What a question with some of its things counts beside one with all of them.
OF_SOME = 0.15


def parts_of(
    example: Example,
    chance: np.random.Generator,
    told: Callable[[Mapping[str, float]], float],
) -> Iterator[NDArray[np.int64]]:
    """Which things of a question are learned from together: all, all but the right ones, and some.

    Args:
        told: how much one says of the question, by its traits.
    """
    right, others = np.flatnonzero(example.right), np.flatnonzero(~example.right)
    yield np.arange(len(example.traits))
    if not len(others):
        return
    if len(right):
        yield others
    few = chance.choice(others, min(int(chance.integers(1, MOST_OF_FEW)), len(others)), False)
    yield few
    if len(right):
        yield np.concatenate([right, few])
    most = np.array([-told(example.traits[n]) for n in others])
    yield others[np.argsort(most, kind="stable")[: int(chance.integers(1, MOST_OF_NEAR))]]
