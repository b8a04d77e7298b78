"""The embedder protocol and the choice of one by settings; each implementation has its own module.

Chunk boundaries never depend on the choice: segmentation always uses the offline embedder.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.records import Space
from finrag_pipeline.settings import Settings

Vectors = NDArray[np.float32]

#: The longest vectors that pgvector indexes in half precision.
MAX_DIMENSION = 4000


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Identity of an embedding space: vectors of different spaces are never compared.

    `fingerprint` is a sketch of the vectors themselves, see `models.fingerprint`.

    Raises:
        ConfigurationError: `dimension` is more than the store can hold.
    """

    name: str
    dimension: int
    fingerprint: str

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


@dataclass(frozen=True, slots=True)
class StoredEmbedder:
    """An embedder whose space goes by the identity under which its vectors are stored."""

    embedder: Embedder
    space: VectorSpace

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_passages(texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_questions(texts)


def recognised(embedder: Embedder, stored: Iterable[Space]) -> Embedder:
    """The embedder in that of the stored spaces which is its own; as it is if none is.

    Fingerprints of one model differ a little between machines and requests, so the key of a space
    is only used after the store was asked for the spaces that it holds.
    """
    from finrag_pipeline.models.fingerprint import same_space

    own = embedder.space
    for space in stored:
        if space.dimension == own.dimension and same_space(space.fingerprint, own.fingerprint):
            found = VectorSpace(space.name, space.dimension, space.fingerprint)
            return StoredEmbedder(embedder, found)
    return embedder


_loading = threading.Lock()


def load_embedder(settings: Settings) -> Embedder:
    """The embedder that `FINRAG_EMBEDDER` names, loaded once a process and configuration.

    ``offline``, ``sentence-transformers:<hub id or local path>`` or ``openai:<model>``; the last
    one makes no request before its first use, to which its `space` belongs.

    Raises:
        ConfigurationError: unknown name, or the model, its packages or its server's address cannot
            be had here.
    """
    key = settings.embedding_api_key
    with _loading:
        return _load(
            settings.embedder,
            settings.embedding_base_url,
            key.get_secret_value() if key else None,
            settings.embedding_dimension,
            settings.model_timeout_s,
        )


@cache
def _load(
    name: str, base_url: str | None, api_key: str | None, dimension: int | None, timeout_s: float
) -> Embedder:
    family, _, argument = name.partition(":")
    if name == "offline":
        from finrag_pipeline.models.offline import OfflineEmbedder

        return OfflineEmbedder()
    if family == "sentence-transformers" and argument:
        from finrag_pipeline.models.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(argument, dimension)
    if family == "openai" and argument:
        from finrag_pipeline.models.openai_embeddings import OpenAIEmbedder
        from finrag_pipeline.models.openai_server import EMBEDDING, ModelServer

        server = ModelServer(EMBEDDING, base_url, api_key, timeout_s)
        return OpenAIEmbedder(server, argument, dimension)
    raise ConfigurationError(
        f"FINRAG_EMBEDDER: {name!r} is unknown; use 'offline', "
        "'sentence-transformers:<hub id or local path>' or 'openai:<model>'"
    )
