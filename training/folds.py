"""Cross-validation by whom questions are on: each part judged by what was learned from others."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

#: Questions are parted by whom they are on, to judge each part by trees that have not seen it.
FOLDS = 4


class Example(Protocol):
    """What was found for a question: whom it is on, the traits of each thing, which is right."""

    @property
    def about(self) -> str: ...

    @property
    def traits(self) -> list[dict[str, float]]: ...

    @property
    def right(self) -> NDArray[np.bool_]: ...


class Learned(Protocol):
    """What says how sure each thing that was found is the one."""

    def chances(self, traits: list[dict[str, float]], /) -> NDArray[np.float64]:
        """How sure each is, 0 to 1."""
        ...


AnExample = TypeVar("AnExample", bound=Example)


def fold_of(example: Example) -> int:
    """The part of the questions to which one belongs."""
    return zlib.crc32(example.about.encode()) % FOLDS


def surest(
    found: Sequence[AnExample], learn: Callable[[Sequence[AnExample]], Learned]
) -> list[tuple[float, bool]]:
    """How sure the surest thing of each question is, and whether it is right, by what was learned
    from the questions on others."""
    best: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        learned = learn([each for each in found if fold_of(each) != fold])
        for each in found:
            if fold_of(each) == fold and each.traits:
                sure = learned.chances(each.traits)
                best.append((float(sure.max()), bool(each.right[sure.argmax()])))
    return best
