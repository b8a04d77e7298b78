"""Embeddings by a folder in the hub's ONNX layout.

Pooling and prefixes are those of its configuration; how vectors are stored belongs to the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from finrag_pipeline.models.embedding import Vectors, unit
from finrag_pipeline.models.fingerprint import measured_space
from finrag_pipeline.models.onnx.model import Numbers, OnnxModel
from finrag_pipeline.models.prompts import Prompts, family_prompts

#: The output of graphs that pool by themselves.
_POOLED = "sentence_embedding"
#: Switches of a pooling layer, and how newer releases of sentence-transformers name each.
_POOLING = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_max_tokens": "max",
}
#: Questions whose vectors are kept, a few kilobytes each; and passages, where those come again.
_REMEMBERED, _PASSAGES = 2048, 8192
#: Layers behind the graph that leave directions as they are.
_HARMLESS = ("Transformer", "Pooling", "Normalize")


class OnnxEmbedder:
    """Vectors of a graph's tokens pooled as its folder says, of length one.

    Args:
        folder: holds the graph, its tokenizer and its configuration.
        dimension: length to cut vectors to, for models trained for it; None: what the model makes.
        name: of the vector space; None: by the folder's last name, so that the same model
            elsewhere is the same space.
        final: the graph needs no fusing, see `OnnxModel`.
        again: whether the same short passages are asked for again and again, and are kept, too.

    Raises:
        ConfigurationError: a file is missing or broken, or asks for what this class cannot do.
    """

    def __init__(
        self,
        folder: Path,
        dimension: int | None = None,
        name: str | None = None,
        final: bool = False,
        again: bool = False,
    ) -> None:
        self._model = OnnxModel(folder, "FINRAG_EMBEDDER", final)
        self._prompts = _prompts(self._model)
        self._dimension = dimension
        # what surrounds an entity is part of every question about it
        self._remembered = lru_cache(_REMEMBERED)(self._vector)
        self._passage = lru_cache(_PASSAGES)(self._vector) if again else self._vector
        outputs = self._model.outputs
        self._output = outputs.index(_POOLED) if _POOLED in outputs else 0
        self._pooling = "" if _POOLED in outputs else _pooling(self._model)
        self.space = measured_space(name or f"onnx:{folder.name}", self.embed_passages)
        if dimension is not None and self.space.dimension < dimension:
            raise self._model.wrong(
                f"makes vectors of {self.space.dimension} numbers, FINRAG_EMBEDDING_DIMENSION asks "
                f"for {dimension}: unset it"
            )

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._rows([self._prompts.document + text for text in texts], self._passage)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self._rows([self._prompts.query + text for text in texts], self._remembered)

    def _rows(self, texts: Sequence[str], vector: Callable[[str], Numbers]) -> Vectors:
        if not texts:
            return np.zeros((0, self.space.dimension), dtype=np.float32)
        rows = np.stack(self._model.each(vector, texts))
        return unit(rows[:, : self._dimension])

    def _vector(self, text: str) -> Numbers:
        made, _ = self._model.run(text, output=self._output)
        match self._pooling:
            case "cls":
                return made[0]
            case "lasttoken":
                return made[-1]
            case "max":
                return made.max(axis=0)
            case "mean":
                return made.mean(axis=0)
            case _:  # the graph pooled
                return made


def _pooling(model: OnnxModel) -> str:
    modules: list[dict[str, str]] = model.configuration("modules.json") or []
    layers = {each.get("type", "").rpartition(".")[2]: each.get("path", "") for each in modules}
    if strange := [layer for layer in layers if layer not in _HARMLESS]:
        raise model.wrong(
            f"modules.json asks for {strange[0]}, which is not in its graph: export the model with "
            f"its output {_POOLED}"
        )
    says = model.configuration(f"{layers.get('Pooling', '1_Pooling')}/config.json") or {}
    asked = [name for name, value in says.items() if value and name.startswith("pooling_mode")]
    ways = [str(_POOLING.get(name, says[name])) for name in asked]
    if any(way not in _POOLING.values() for way in ways) or len(ways) > 1:
        raise model.wrong(
            f"pools by {' and '.join(asked)}: export the model with its output {_POOLED}"
        )
    return ways[0] if ways else "mean"


def _prompts(model: OnnxModel) -> Prompts:
    """The folder's own prompts, else those of its family."""
    says = model.configuration("config_sentence_transformers.json") or {}
    own: dict[str, str] = says.get("prompts") or {}
    if not any(own.values()):
        return family_prompts(str(model.folder))
    return Prompts(own.get("query", ""), own.get("document") or own.get("passage", ""))
