"""Cross-encoders: a folder in ONNX layout, or a model of the `sentence-transformers` package.

How a folder is read belongs to `models.onnx`; a model is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.extras import install_extra
from finrag_pipeline.models.reranking import Scores


class OnnxReranker:
    """A cross-encoder in the hub's ONNX layout.

    Args:
        folder: as `OnnxCrossEncoder` reads it.

    Raises:
        ConfigurationError: as `OnnxCrossEncoder`.
    """

    def __init__(self, folder: Path) -> None:
        from finrag_pipeline.models.onnx.cross_encoder import OnnxCrossEncoder

        self._model = OnnxCrossEncoder(folder.expanduser())
        self.name = f"onnx:{folder}"

    def score(self, question: str, passages: Sequence[str]) -> Scores:
        if not passages:
            return np.zeros(0)
        return shares(self._model.score(question, passages))


class SentenceTransformersReranker:
    """A `CrossEncoder` with one label.

    Args:
        model: path of a model directory, or hub id of a model that is cached or can be fetched.

    Raises:
        ConfigurationError: the package is missing, the model cannot be loaded, or it sorts pairs
            into classes instead of scoring them.
    """

    def __init__(self, model: str) -> None:
        self.name = f"sentence-transformers:{model}"
        self._model = _load(model)
        if self._model.num_labels != 1:
            raise ConfigurationError(
                f"FINRAG_RERANKER: {model!r} has {self._model.num_labels} labels, a reranker has "
                "one: choose a model that was trained to rank passages"
            )

    def score(self, question: str, passages: Sequence[str]) -> Scores:
        if not passages:
            return np.zeros(0)
        torch: Any = import_module("torch")
        pairs = [(question, passage) for passage in passages]
        # whatever a model's own configuration says its numbers are, they become shares here
        logits = self._model.predict(
            pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False
        )
        return shares(np.asarray(logits, dtype=np.float64))


def shares(logits: Scores) -> Scores:
    """Unbounded scores as shares of one, their order kept.

    >>> shares(np.array([-50.0, 0.0, 50.0])).round(3).tolist()
    [0.0, 0.5, 1.0]
    """
    return 1 / (1 + np.exp(-np.clip(logits, -500, 500)))


def _load(model: str) -> Any:
    try:
        package: Any = import_module("sentence_transformers")
    except ImportError as error:
        raise ConfigurationError(
            f"FINRAG_RERANKER: 'sentence-transformers:{model}' needs a package that is not "
            f"installed: run `{install_extra('models')}`"
        ) from error
    local = Path(model).expanduser()
    try:
        # without its configuration a directory would be loaded as whatever it looks like
        if local.is_dir() and not (local / "config.json").is_file():
            raise FileNotFoundError("config.json is missing")
        return package.CrossEncoder(
            str(local) if local.is_dir() else model, local_files_only=local.is_dir()
        )
    except Exception as error:  # the package lets any error of its many loaders through
        mend = (
            f"{local} is not a complete model directory: copy the model again"
            if local.is_dir()
            else "no such directory here, and no such model in the cache or on the hub: download "
            "it where there is network, copy its directory, and give that path"
        )
        raise ConfigurationError(
            f"FINRAG_RERANKER: cannot load the model {model!r}: {mend} ({_line(error)})"
        ) from error


def _line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:200] if text else type(error).__name__
