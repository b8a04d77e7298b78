"""Embeddings by a local or hub model of the `sentence-transformers` package, an extra.

Which model is used is `FINRAG_EMBEDDER`; how its vectors are stored belongs to the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.embedding import Vectors, VectorSpace
from finrag_pipeline.models.fingerprint import fingerprint


class SentenceTransformersEmbedder:
    """A `SentenceTransformer`, with the prompts that its own configuration defines.

    Args:
        model: path of a model directory, or hub id of a model that is cached or can be fetched.

    Raises:
        ConfigurationError: the package is missing, or the model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        self._model = _load(model)
        probe = self.embed_passages(["probe"])
        # the directory's last name: the same model elsewhere is the same space
        name = f"sentence-transformers:{Path(model).name}"
        self.space = VectorSpace(name, probe.shape[1], fingerprint(self.embed_passages))

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return _unit(self._model.encode_document(list(texts), show_progress_bar=False))

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return _unit(self._model.encode_query(list(texts), show_progress_bar=False))


def _load(model: str) -> Any:
    try:
        package: Any = import_module("sentence_transformers")
    except ImportError as error:
        raise ConfigurationError(
            f"FINRAG_EMBEDDER: 'sentence-transformers:{model}' needs a package that is not "
            "installed: run `pip install 'finrag-pipeline[models]'`"
        ) from error
    local = Path(model).expanduser()
    try:
        # a directory is complete in itself: no request to a hub for what it may lack
        return package.SentenceTransformer(
            str(local) if local.is_dir() else model, device="cpu", local_files_only=local.is_dir()
        )
    except Exception as error:  # the package lets any error of its many loaders through
        mend = (
            f"{local} is not a complete model directory: copy the model again"
            if local.is_dir()
            else "no such directory here, and no such model in the cache or on the hub: download "
            "it where there is network, copy its directory, and give that path"
        )
        raise ConfigurationError(
            f"FINRAG_EMBEDDER: cannot load the model {model!r}: {mend} ({_line(error)})"
        ) from error


def _line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:200] if text else type(error).__name__


def _unit(vectors: object) -> Vectors:
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
