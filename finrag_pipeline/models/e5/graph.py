"""multilingual-e5-small as an ONNX graph for `onnxruntime`: int8 where it is multiplied.

BERT with learned positions, see `weights` for the paper. The table of words keeps its four bits,
layer norms and sums stay exact. Weights are rounded by output channel to seven bits: pairs of
eight do not fit processors that multiply into sixteen (AVX2).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.e5.onnx_format import Graph, Kind
from finrag_pipeline.models.e5.weights import RUN, Weights

#: Largest step of a weight.
_STEPS = 63
OUTLIERS_PATH = Path(__file__).with_name("outliers.npz")


def write_graph(
    weights: Weights, values: BinaryIO, changes: Mapping[str, NDArray[np.float32]]
) -> bytes:
    """The graph: `input_ids`, shape `(batch, tokens)`, to `last_hidden_state`, shape
    `(batch, tokens, width)`. It attends to every token, so that texts of a batch are of one length.

    Args:
        values: takes what the tensors hold, see `Graph`.
        changes: what is added to matrices, by their names.
    """
    return _Writer(weights, Graph(values), changes).write()


class _Writer:
    def __init__(
        self, weights: Weights, graph: Graph, changes: Mapping[str, NDArray[np.float32]]
    ) -> None:
        self._weights = weights
        self._changes = changes
        self._graph = graph

    def write(self) -> bytes:
        hidden = self._embedded()
        for layer in range(self._weights.layers):
            hidden = self._layer(f"l{layer}", layer, hidden)
        self._graph.node("Identity", [hidden], "last_hidden_state")
        return self._graph.model(["input_ids"], ["last_hidden_state"], self._weights.width)

    def _embedded(self) -> str:
        weights, graph = self._weights, self._graph
        words = weights.matrix("emb.word")
        packed = (words.steps[:, ::2] & 15 | words.steps[:, 1::2] << 4).astype(np.uint8)
        table = [
            graph.tensor("words", packed, Kind.INT4, words.steps.shape),
            "input_ids",
            graph.tensor("words.scales", words.scales, Kind.FLOAT),
        ]
        spelt = graph.node(
            "com.microsoft:GatherBlockQuantized",
            table,
            "spelt",
            gather_axis=0,
            quantize_axis=1,
            block_size=RUN,
        )
        # there is one kind of text: what tells kinds apart is added to positions
        kind = weights.vector("emb.type")[: weights.width]
        positions = weights.vector("emb.pos").reshape(-1, weights.width) + kind
        tokens = graph.node("Shape", ["input_ids"], "tokens", start=1)
        zero = graph.tensor("zero", np.zeros(1, np.int64), Kind.INT64)
        of = graph.tensor("positions", positions, Kind.FLOAT)
        placed = graph.node("Slice", [of, zero, tokens, zero], "placed")
        return self._normed([spelt, placed], "emb.ln", "embedded")

    def _layer(self, name: str, number: int, hidden: str) -> str:
        graph = self._graph
        three = self._product(f"{name}.q", hidden, f"{name}.k", f"{name}.v")
        graph.node("Split", [three], f"{name}.Q {name}.K {name}.V", axis=-1, num_outputs=3)
        heads = [f"{name}.Q", f"{name}.K", f"{name}.V"]
        seen = graph.node(
            "com.microsoft:MultiHeadAttention",
            heads,
            f"{name}.seen",
            num_heads=self._weights.heads,
        )
        told = self._product(f"{name}.ao", seen)
        hidden = self._normed([hidden, told], f"{name}.aln", f"{name}.attended")
        outliers = _outliers()
        inner = self._product(f"{name}.fi", hidden, divisors=outliers["attended"][number])
        active = graph.node("com.microsoft:Gelu", [inner], f"{name}.active")
        outer = self._product(f"{name}.fo", active, divisors=outliers["active"][number])
        return self._normed([hidden, outer], f"{name}.oln", f"{name}.hidden")

    def _product(
        self, name: str, hidden: str, *beside: str, divisors: NDArray[np.float32] | None = None
    ) -> str:
        """A matrix and its bias applied; those beside it in the same go.

        Args:
            divisors: what the columns of the input are divided by before they are rounded, as
                their weights are multiplied by it: a few columns are 20 times as large as the
                others, which would be rounded away beside them (Xiao et al. 2022, SmoothQuant,
                https://arxiv.org/abs/2211.10438).
        """
        weights, graph = self._weights, self._graph
        names = [name, *beside]
        numbers = np.concatenate([self._matrix(f"{each}.w") for each in names])
        bias = np.concatenate([weights.vector(f"{each}.b") for each in names])
        if divisors is not None:
            numbers = numbers * divisors
            scale = graph.tensor(f"{name}.smooth", 1 / divisors, Kind.FLOAT)
            hidden = graph.node("Mul", [hidden, scale], f"{name}.smoothed")
        scales = np.abs(numbers).max(axis=1) / _STEPS
        steps = np.rint(numbers / scales[:, None]).astype(np.int8)
        given = [
            hidden,
            graph.tensor(f"{name}.w", steps.T, Kind.INT8),
            graph.tensor(f"{name}.scales", scales, Kind.FLOAT),
            graph.tensor(f"{name}.zeros", np.zeros(len(scales), np.int8), Kind.INT8),
            graph.tensor(f"{name}.b", bias, Kind.FLOAT),
        ]
        return graph.node("com.microsoft:DynamicQuantizeMatMul", given, f"{name}.product")

    def _matrix(self, name: str) -> NDArray[np.float32]:
        numbers = self._weights.matrix(name).numbers
        return numbers + self._changes[name] if name in self._changes else numbers

    def _normed(self, terms: list[str], name: str, output: str) -> str:
        """The layer norm of a sum: the operator that fuses both took four times as long."""
        graph, weights = self._graph, self._weights
        total = graph.node("Add", terms, f"{output}.sum")
        gain, bias = (
            graph.tensor(part, weights.vector(part), Kind.FLOAT)
            for part in (f"{name}.w", f"{name}.b")
        )
        return graph.node(
            "LayerNormalization", [total, gain, bias], output, axis=-1, epsilon=weights.epsilon
        )


@cache
def _outliers() -> dict[str, NDArray[np.float32]]:
    """By kind of input, the divisors of its columns in each layer: 1 but for outliers.

    `training.activation_outliers` measures them.
    """
    with np.load(OUTLIERS_PATH) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}
