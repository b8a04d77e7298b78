"""How sure each of several figures is the one that is asked for, learned from questions with known
answers (`training.figure_choice`): trees that set the figures in order, then trees that say of the
first ones how sure they are, by how far they lead.

The second are asked apart since a figure far ahead of all others is right more often than one that
says as much beside another that does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from finrag_pipeline.models.trees import Matrix, Trees, matrix
from finrag_pipeline.query.answers.closest.traits import compared

_ORDER, _SURETY = "order.npz", "surety.npz"
#: Figures, the first in order, of which it is said how sure they are.
FIRST = 8
#: How far a figure leads where there is no other one.
_ALONE = 9.0

Traits = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """Trees that set figures in order, and trees that say how sure the first ones are."""

    order: Trees
    surety: Trees

    @classmethod
    def packaged(cls) -> Choice:
        """Those that ship with the package, read once a process."""
        return _packaged()

    @classmethod
    def read(cls, folder: Path) -> Choice:
        """Trees as `write` left them."""
        return cls(Trees.read(folder / _ORDER), Trees.read(folder / _SURETY))

    def write(self, folder: Path) -> None:
        """Store them in a folder, a file each."""
        self.order.write(folder / _ORDER)
        self.surety.write(folder / _SURETY)

    def chances(self, figures: Sequence[Traits]) -> Matrix:
        """How sure each figure is the one that is asked for, 0 to 1; 0 of all but the first.

        Args:
            figures: the traits of each by itself.
        """
        first, placed = contenders(figures, self.order)
        chances = np.zeros(len(figures))
        chances[first] = self.surety.chances(placed)
        return chances


def contenders(figures: Sequence[Traits], order: Trees) -> tuple[list[int], list[dict[str, float]]]:
    """The figures that come first, by their places in the sequence, and their traits: beside all
    others, and how far each leads all that print another number."""
    traits = compared(figures)
    sums = order.sums(matrix(traits, order.names))
    numbers = np.array([round(abs(float(each["number"])), 6) for each in figures])
    whole = float(np.logaddexp.reduce(sums))
    first = [int(n) for n in np.argsort(-sums, kind="stable")[:FIRST]]
    placed: list[dict[str, float]] = []
    for n in first:
        others = np.sort(sums[numbers != numbers[n]])[::-1]
        leads = [float(sums[n] - each) for each in others[:2]] + [_ALONE, _ALONE]
        placed.append(
            {
                **traits[n],
                "order": float(sums[n]),
                "order lead": leads[0],
                "order lead of second": leads[1],
                "order place": float((sums > sums[n]).sum()),
                "order share": float(sums[n]) - whole,
                "order printed": float((numbers == numbers[n]).sum()),
            }
        )
    return first, placed


@cache
def _packaged() -> Choice:
    return Choice.read(Path(__file__).parent)
