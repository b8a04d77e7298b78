"""Trees that were learned (`training.trees`), and what their leaves add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees as arrays over all their nodes.

    Attributes:
        names: of the columns that they ask for.
        roots: the first node of each tree.
        column: asked for by a node; of a leaf -1.
        bound: up to which a node goes left.
        left, right: the nodes below.
        leaf: what a leaf adds.
    """

    names: tuple[str, ...]
    roots: NDArray[np.int64]
    column: NDArray[np.int64]
    bound: Matrix
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    leaf: Matrix

    @classmethod
    def read(cls, path: Path) -> Trees:
        """Trees as `write` left them."""
        with np.load(path) as stored:
            names = tuple(stored["names"].tobytes().decode().split("\n"))
            whole = {key: stored[key].astype(np.int64) for key in ("roots", "left", "right")}
            return cls(
                names,
                column=stored["column"].astype(np.int64),
                bound=stored["bound"].astype(np.float64),
                leaf=stored["leaf"].astype(np.float64),
                **whole,
            )

    def write(self, path: Path) -> None:
        """Store them, a bound and a leaf as four bytes."""
        np.savez_compressed(
            path,
            names=np.frombuffer("\n".join(self.names).encode(), dtype=np.uint8),
            roots=self.roots.astype(np.int32),
            column=self.column.astype(np.int16),
            bound=self.bound.astype(np.float32),
            left=self.left.astype(np.int32),
            right=self.right.astype(np.int32),
            leaf=self.leaf.astype(np.float32),
        )

    def sums(self, rows: Matrix) -> Matrix:
        """What the leaves add up to for each row.

        Args:
            rows: shape `(n, len(names))`.
        """
        at = np.tile(self.roots, (len(rows), 1))
        each = np.arange(len(rows))[:, None]
        while (self.column[at] >= 0).any():
            column = np.maximum(self.column[at], 0)
            down = np.where(rows[each, column] <= self.bound[at], self.left[at], self.right[at])
            at = np.where(self.column[at] >= 0, down, at)
        return self.leaf[at].sum(axis=1)

    def chances(self, traits: Sequence[Mapping[str, float]]) -> Matrix:
        """How sure each is that the traits are of, 0 to 1, by trees that were learned for that."""
        return 1 / (1 + np.exp(-self.sums(matrix(traits, self.names))))


def matrix(traits: Sequence[Mapping[str, float]], names: Sequence[str]) -> Matrix:
    """Traits by name as rows of numbers, in the order of the names; what is not told is -1."""
    rows = [[float(each.get(name, -1.0)) for name in names] for each in traits]
    return np.array(rows, dtype=np.float64)
