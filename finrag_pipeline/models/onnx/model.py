"""A folder in the hub's ONNX layout: its graph, its tokenizer, its configuration.

What the numbers mean that come out is the embedder's and the cross-encoder's to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.machine import usable_cores
from finrag_pipeline.models.onnx.tokenizers import Encoded, Tokenizer, read_tokenizer

Numbers = NDArray[np.float32]

#: Where exporters put the graph; further ones are other precisions of the same.
_GRAPHS = ("model.onnx", "onnx/model.onnx")
#: Longest input of a model that does not say.
_TOKENS = 512
#: Positions that RoBERTa and its kin keep for padding.
_OFFSET = 2


class OnnxModel:
    """A graph and its tokenizer, to be run by any number of threads at a time.

    Each text runs alone, as many at a time as there are cores: texts of a batch would have to be
    padded to the longest, and quantised graphs would round each by all the others. 330 tokens of
    the `e5` graph take 45 ms of a core alone, 52 in batches of eight.

    Args:
        folder: holds `model*.onnx`, here or under `onnx/`, and its tokenizer.
        variable: what named the folder, for lines that say what to mend.
        final: the graph is as it shall run: looking for what could be fused would only take time.

    Raises:
        ConfigurationError: a file is missing or broken.
    """

    def __init__(self, folder: Path, variable: str, final: bool = False) -> None:
        self.folder = folder
        self._variable = variable
        if not folder.is_dir():
            raise self.wrong("is no folder")
        self._tokenizer: Tokenizer = self._read_tokenizer()
        self._session = self._open(self._graph(), final)
        self._inputs = [each.name for each in self._session.get_inputs()]
        self.outputs = [each.name for each in self._session.get_outputs()]
        if lacking := {"input_ids"}.difference(self._inputs):
            raise self.wrong(f"its graph does not ask for {', '.join(lacking)}: export it anew")

    def run(self, text: str, pair: str | None = None, output: int = 0) -> tuple[Numbers, Encoded]:
        """What the graph makes of a text, or of two that are read together.

        Returns:
            The output of that place without its batch dimension, and the tokens it was made of.

        Raises:
            ConfigurationError: the graph does not take what its tokenizer makes.
        """
        encoded = self._tokenizer.encode(text, pair)
        ids = np.array([encoded.ids], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoded.types], dtype=np.int64),
            "position_ids": np.arange(ids.shape[1], dtype=np.int64)[None],
        }
        try:
            made = self._session.run(
                [self.outputs[output]], {name: given[name] for name in self._inputs}
            )
        except KeyError as error:
            raise self.wrong(f"its graph asks for {error}, which texts do not have") from None
        except Exception as error:  # onnxruntime has no common base of its errors
            raise self.wrong(f"its graph cannot run: {_first_line(error)}") from None
        return np.asarray(made[0], dtype=np.float32)[0], encoded

    def each(self, work: Callable[[str], Numbers], texts: Sequence[str]) -> list[Numbers]:
        """Work done on texts by as many threads as there are cores, in the order of the texts."""
        if len(texts) == 1:
            return [work(texts[0])]
        # the longest first: threads end together
        order = sorted(range(len(texts)), key=lambda n: -len(texts[n]))
        with ThreadPoolExecutor(usable_cores(), thread_name_prefix="onnx") as threads:
            done = dict(zip(order, threads.map(work, [texts[n] for n in order]), strict=True))
        return [done[n] for n in range(len(texts))]

    def configuration(self, name: str) -> Any:
        """What a JSON file of the folder says; None if there is none.

        Raises:
            ConfigurationError: it is no JSON.
        """
        path = self.folder / name
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise self.wrong(f"{name} cannot be read: {_first_line(error)}") from None

    def wrong(self, what: str) -> ConfigurationError:
        """The error of a folder that does not serve."""
        return ConfigurationError(f"{self._variable}: onnx:{self.folder}: {what}")

    @cached_property
    def _longest(self) -> int:
        """Tokens that the model reads of a text."""
        says = self.configuration("sentence_bert_config.json") or {}
        if says.get("max_seq_length"):
            return int(says["max_seq_length"])
        config = self.configuration("config.json") or {}
        positions = int(config.get("max_position_embeddings", _TOKENS))
        kind = str(config.get("model_type", ""))
        if "roberta" in kind or "xlm" in kind or "camembert" in kind:
            positions -= _OFFSET
        tokenizer = self.configuration("tokenizer_config.json") or {}
        return min(positions, int(tokenizer.get("model_max_length") or positions))

    def _read_tokenizer(self) -> Tokenizer:
        try:
            return read_tokenizer(self.folder, self._longest)
        except FileNotFoundError:
            raise self.wrong(
                "holds no tokenizer.json: save the model's fast tokenizer beside its graph"
            ) from None
        except Exception as error:  # tokenizers raises bare exceptions
            raise self.wrong(f"its tokenizer cannot be read: {_first_line(error)}") from None

    def _graph(self) -> Path:
        usual = [self.folder / name for name in _GRAPHS if (self.folder / name).is_file()]
        others = sorted([*self.folder.glob("model*.onnx"), *self.folder.glob("onnx/model*.onnx")])
        if not (found := usual or others):
            raise self.wrong(
                "holds no model*.onnx: export it, e.g. by `optimum-cli export onnx --model NAME`"
            )
        return found[0]

    def _open(self, path: Path, final: bool) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # warnings of exporters are nobody's here
        options.intra_op_num_threads = 1  # texts run beside each other
        if final:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            return onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has no common base of its errors
            raise self.wrong(f"{path.name} cannot be loaded: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
