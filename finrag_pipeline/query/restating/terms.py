"""Terms that tables print, known by their wordings: which one a phrase most likely stands for.

How they are learned is `training.term_wordings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from finrag_pipeline.models.embedding import Vectors, VectorSpace, unit
from finrag_pipeline.models.fingerprint import same_space

PATH = Path(__file__).with_name("terms.npz")


@dataclass(frozen=True, slots=True)
class Terms:
    """One direction a term in the space of an embedder, and one for phrases that stand for none.

    Attributes:
        names: the terms, as tables print them.
        weights: shape `(1 + len(names), dimension)`; the first row is of none.
        bias: shape `(1 + len(names),)`.
        centre: what vectors of the space have in common, shape `(dimension,)`.
        fingerprint: of the space.
    """

    names: tuple[str, ...]
    weights: Vectors
    bias: Vectors
    centre: Vectors
    fingerprint: str

    @classmethod
    def packaged(cls) -> Terms:
        """Those that ship with the package, read once a process."""
        return _packaged()

    @classmethod
    def read(cls, path: Path) -> Terms:
        """Terms as `write` left them."""
        with np.load(path) as stored:
            return cls(
                tuple(stored["names"].tobytes().decode().split("\n")),
                stored["weights"].astype(np.float32),
                stored["bias"].astype(np.float32),
                stored["centre"].astype(np.float32),
                stored["fingerprint"].tobytes().decode(),
            )

    def write(self, path: Path) -> None:
        """Store them, a number as two bytes."""
        np.savez_compressed(
            path,
            names=np.frombuffer("\n".join(self.names).encode(), dtype=np.uint8),
            weights=self.weights.astype(np.float16),
            bias=self.bias.astype(np.float16),
            centre=self.centre.astype(np.float16),
            fingerprint=np.frombuffer(self.fingerprint.encode(), dtype=np.uint8),
        )

    def are_of(self, space: VectorSpace) -> bool:
        """Whether they were learned in a space: in any other they say nothing."""
        alike = space.dimension == self.weights.shape[1]
        return alike and same_space(space.fingerprint, self.fingerprint)

    def likely(self, vectors: Vectors) -> Vectors:
        """How likely each vector's text stands for each term, 0 to 1, shape
        `(len(vectors), len(names))`; what is missing of 1 is that it stands for none."""
        scores = unit(vectors - self.centre) @ self.weights.T + self.bias
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (raised / raised.sum(axis=1, keepdims=True))[:, 1:].astype(np.float32)


@cache
def _packaged() -> Terms:
    return Terms.read(PATH)
