"""Which of the things that were found a question means: trees set them in order, and tell of the
first ones how sure they are, by how far they lead.

The second are asked apart since what is far ahead of all others is right more often than what says
as much beside another that does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from finrag_pipeline.models.trees import Matrix, Trees, matrix

_ORDER, _SURETY = "order.npz", "surety.npz"
#: Things, the first in order, of which it is said how sure they are.
FIRST = 8
#: How far a thing leads where there is no other one.
_ALONE = 9.0

Traits = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """Trees that set things in order, and trees that say how sure the first ones are."""

    order: Trees
    surety: Trees

    @classmethod
    def read(cls, folder: Path) -> Choice:
        """Trees as `write` left them."""
        return cls(Trees.read(folder / _ORDER), Trees.read(folder / _SURETY))

    def write(self, folder: Path) -> None:
        """Store them in a folder, a file each."""
        self.order.write(folder / _ORDER)
        self.surety.write(folder / _SURETY)

    def chances(self, traits: Sequence[Traits], same: Sequence[float] | None = None) -> Matrix:
        """How sure each thing is the one that is asked for, 0 to 1; 0 of all but the first.

        Args:
            traits: of each beside the others.
            same: equal for those that tell the same, which do not stand against each other; None:
                each tells something of its own.
        """
        first, placed = contenders(traits, same, self.order)
        chances = np.zeros(len(traits))
        chances[first] = self.surety.chances(placed)
        return chances


def contenders(
    traits: Sequence[Traits], same: Sequence[float] | None, order: Trees
) -> tuple[list[int], list[dict[str, float]]]:
    """The things that come first, by their places in the sequence, and their traits: beside all
    others, and how far each leads all that tell something else."""
    sums = order.sums(matrix(traits, order.names))
    told = np.arange(len(traits)) if same is None else np.array(same)
    whole = float(np.logaddexp.reduce(sums))
    first = [int(n) for n in np.argsort(-sums, kind="stable")[:FIRST]]
    placed: list[dict[str, float]] = []
    for n in first:
        others = np.sort(sums[told != told[n]])[::-1]
        leads = [float(sums[n] - each) for each in others[:2]] + [_ALONE, _ALONE]
        placed.append(
            {
                **traits[n],
                "order": float(sums[n]),
                "order lead": leads[0],
                "order lead of second": leads[1],
                "order place": float((sums > sums[n]).sum()),
                "order share": float(sums[n]) - whole,
                "order printed": float((told == told[n]).sum()),
            }
        )
    return first, placed


@cache
def packaged(folder: Path) -> Choice:
    """Those that ship with the package in a folder, read once a process."""
    return Choice.read(folder)
