"""Small models in the hub's ONNX layout, made here: a vector or a score for each character."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

CHARACTERS = ["<unk>", "<s>", "</s>", *map(chr, range(32, 127)), *"营收毛利率增长下降的问题："]
UNKNOWN, BEGIN, END = range(3)


def table(width: int, seed: int = 7) -> NDArray[np.float32]:
    """A row for each character."""
    return np.random.default_rng(seed).normal(size=(len(CHARACTERS), width)).astype(np.float32)


def ids(text: str) -> list[int]:
    """Numbers of a text's tokens as the folder's tokenizer makes them."""
    known = {character: n for n, character in enumerate(CHARACTERS)}
    return [BEGIN, *(known.get(character, UNKNOWN) for character in text), END]


def make_folder(
    folder: Path,
    rows: NDArray[np.float32],
    graph: str = "model.onnx",
    output: str = "last_hidden_state",
    summed: bool = False,
    **configuration: Any,
) -> Path:
    """A folder whose graph looks up a row for each token, and adds them up where it is to.

    Args:
        configuration: contents of JSON files by their names, slashes and dots written as ``__``
            and ``_json`` left out.
    """
    path = folder / graph
    path.parent.mkdir(parents=True, exist_ok=True)
    tokens = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"])
    nodes = [
        helper.make_node("Gather", ["rows", "input_ids"], ["found" if summed else output]),
        *([helper.make_node("ReduceSum", ["found", "axis"], [output], keepdims=0)] * summed),
    ]
    shape = ["batch", rows.shape[1]] if summed else ["batch", "tokens", rows.shape[1]]
    made = helper.make_graph(
        nodes,
        "small",
        [tokens, mask],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [
            numpy_helper.from_array(rows, "rows"),
            *([numpy_helper.from_array(np.array([1]), "axis")] * summed),
        ],
    )
    operators = [helper.make_opsetid("", 21)]
    onnx.save(helper.make_model(made, opset_imports=operators, ir_version=10), path)
    make_tokenizer(folder)
    for name, contents in configuration.items():
        file = folder / f"{name.replace('__', '/')}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(contents))
    return folder


def make_tokenizer(folder: Path) -> None:
    """A `tokenizer.json` that takes each character for a token."""
    known = {character: n for n, character in enumerate(CHARACTERS)}
    tokenizer: Any = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.post_processor = processors.TemplateProcessing(
        "<s> $A </s>", "<s> $A </s> $B:1 </s>:1", [("<s>", BEGIN), ("</s>", END)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
