"""How well texts answer a question, by a model that reads both together.

What is done with the scores belongs to reranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.onnx.model import Numbers, OnnxModel


class OnnxCrossEncoder:
    """A classifier of pairs in the hub's ONNX layout, with one output, or with no and yes.

    Args:
        folder: holds the graph and its tokenizer.

    Attributes:
        name: the folder's last name.

    Raises:
        ConfigurationError: a file is missing or broken, or the model is no cross-encoder.
    """

    def __init__(self, folder: Path) -> None:
        self._model = OnnxModel(folder, "FINRAG_RERANKER")
        self.name = folder.name
        labels = self._logits("probe", "probe")
        if labels.ndim != 1 or len(labels) > 2:
            raise self._model.wrong(
                f"is no cross-encoder: its graph makes an array of {labels.shape}, not one number "
                "for a pair"
            )

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Scores of texts, shape `(len(texts),)`: the greater, the better the text answers.

        Logits, without bounds: their logistic function is the model's probability. The end of a
        text is cut off where both are too long for the model.
        """
        pairs = self._model.each(lambda text: self._logits(question, text), texts)
        # of two labels the difference of logits is the logit of the second
        return np.array([float(row[-1] - (row[0] if len(row) == 2 else 0)) for row in pairs])

    def _logits(self, question: str, text: str) -> Numbers:
        made, _ = self._model.run(question, text)
        return made
