"""The embedder protocol and the choice of one by name; each implementation has its own module.

Chunk boundaries never depend on the choice: segmentation always uses the offline embedder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Identity of an embedding space: vectors of different spaces are never compared.

    `fingerprint` changes whenever the same text may get another vector.
    """

    name: str
    dimension: int
    fingerprint: str


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


@cache
def load_embedder(name: str) -> Embedder:
    """The embedder that `FINRAG_EMBEDDER` names, loaded once a process.

    Args:
        name: ``hashing``, or ``sentence-transformers:<hub id or local path>``.

    Raises:
        ConfigurationError: unknown name, or the model or its packages cannot be had here.
    """
    family, _, argument = name.partition(":")
    if family == "hashing" and not argument:
        from finrag_pipeline.models.hashing import HashingEmbedder

        return HashingEmbedder()
    if family == "sentence-transformers" and argument:
        from finrag_pipeline.models.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(argument)
    raise ConfigurationError(
        f"FINRAG_EMBEDDER: {name!r} is unknown; use 'hashing' or "
        "'sentence-transformers:<hub id or local path>'"
    )
