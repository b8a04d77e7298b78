"""The embedder protocol and what its vectors are; each implementation has its own module.

Which one the settings choose is `embedders`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError

Vectors = NDArray[np.float32]

#: The longest vectors that pgvector indexes in half precision.
MAX_DIMENSION = 4000


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Identity of an embedding space: vectors of different spaces are never compared.

    `fingerprint` is a sketch of the vectors themselves, see `models.fingerprint`. `floor` is the
    cosine of texts that have nothing to do with each other: .8 for models of the family of E5.

    Raises:
        ConfigurationError: `dimension` is more than the store can hold.
    """

    name: str
    dimension: int
    fingerprint: str
    floor: float = field(default=0.0, compare=False)

    def nearness(self, cosine: float) -> float:
        """A cosine told so that thresholds hold in every space: 0 at the floor, 1 for sameness.

        >>> VectorSpace("e5", 384, "00", floor=0.8).nearness(0.9)
        0.5
        """
        return round((cosine - self.floor) / (1 - self.floor), 6)

    def __post_init__(self) -> None:
        if self.dimension > MAX_DIMENSION:
            raise ConfigurationError(
                f"FINRAG_EMBEDDER: {self.name} makes vectors of {self.dimension} numbers, the "
                f"store holds {MAX_DIMENSION} at most: set FINRAG_EMBEDDING_DIMENSION if the model "
                "can shorten its vectors, or choose another model"
            )


def unit(rows: NDArray[np.floating]) -> Vectors:
    """Rows scaled to length one; those of no length stay zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).astype(np.float32)


class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def space(self) -> VectorSpace: ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored text, shape `(len(texts), dimension)`, rows of length one or zero."""
        ...

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, same shape; some models prefix them."""
        ...
