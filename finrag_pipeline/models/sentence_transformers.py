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
from finrag_pipeline.extras import install_extra
from finrag_pipeline.models.embedding import Vectors, unit
from finrag_pipeline.models.fingerprint import measured_space
from finrag_pipeline.models.prompts import Prompts, family_prompts


class SentenceTransformersEmbedder:
    """A `SentenceTransformer` with its own pooling and prompts; without prompts, its family's.

    Args:
        model: path of a model directory, or hub id of a model that is cached or can be fetched.
        dimension: length to cut vectors to, for models trained for it; None: what the model makes.

    Raises:
        ConfigurationError: the package is missing, or the model cannot be loaded.
    """

    def __init__(self, model: str, dimension: int | None = None) -> None:
        self._model = _load(model, dimension)
        own: dict[str, str] = self._model.prompts
        self._prompts: Prompts | None = None if any(own.values()) else family_prompts(model)
        # the directory's last name: the same model elsewhere is the same space
        name = f"sentence-transformers:{Path(model).name}"
        self.space = measured_space(name, self.embed_passages)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        given = {} if self._prompts is None else {"prompt": self._prompts.document}
        return self._rows(self._model.encode_document, texts, given)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        given = {} if self._prompts is None else {"prompt": self._prompts.query}
        return self._rows(self._model.encode_query, texts, given)

    def _rows(self, encode: Any, texts: Sequence[str], given: dict[str, str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.space.dimension), dtype=np.float32)
        rows = encode(list(texts), show_progress_bar=False, **given)
        return unit(np.asarray(rows, dtype=np.float32))


def _load(model: str, dimension: int | None) -> Any:
    try:
        package: Any = import_module("sentence_transformers")
    except ImportError as error:
        raise ConfigurationError(
            f"FINRAG_EMBEDDER: 'sentence-transformers:{model}' needs a package that is not "
            f"installed: run `{install_extra('models')}`"
        ) from error
    local = Path(model).expanduser()
    try:
        # without its list of modules a directory would be pooled by a guess
        if local.is_dir() and not (local / "modules.json").is_file():
            raise FileNotFoundError("modules.json is missing")
        # a directory is complete in itself: no request to a hub for what it may lack
        return package.SentenceTransformer(
            str(local) if local.is_dir() else model,
            local_files_only=local.is_dir(),
            truncate_dim=dimension,
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
