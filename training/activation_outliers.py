"""Measures which columns of e5's activations are outliers: `finrag_pipeline.models.e5.outliers`.

    python -m training.activation_outliers HOME FILE.gz…

HOME holds or gets the folder of e5. Each FILE is gzipped UTF-8, one paragraph a line. A column
whose greatest value is more than three times that of the median column is divided down to that, see
`models.e5.graph`. Needs the package `onnx`, which the extra `dev` brings; a minute of a core.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from finrag_pipeline.models import e5
from finrag_pipeline.models.e5.graph import OUTLIERS_PATH
from finrag_pipeline.models.onnx.tokenizers import read_tokenizer
from training.distillation import sample

#: Texts that are looked at.
_TEXTS = 300
_LONGEST = 512
# Cosine to the package's engine, mean and least of 400 paragraphs: 1 .9979 and .9963, 2 .9985 and
# .9973, 3 .9988 and .9976, 4 .9987 and .9978.
_TIMES_MEDIAN = 3
_WATCHED = re.compile(r"l(\d+)\.(attended|active)")


def greatest(folder: Path, texts: list[str]) -> dict[str, NDArray[np.float32]]:
    """By kind of activation, the greatest absolute value of each column in each layer.

    Returns:
        Shape `(layers, columns)` each.
    """
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    names = [name for node in model.graph.node for name in node.output if _WATCHED.fullmatch(name)]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    watched = folder / "watched.onnx"
    onnx.save(model, watched)
    try:
        session = onnxruntime.InferenceSession(watched, providers=["CPUExecutionProvider"])
    finally:
        watched.unlink()
    tokenizer = read_tokenizer(folder, _LONGEST)
    found: dict[str, NDArray[np.float32]] = {}
    for text in texts:
        ids = np.array([tokenizer.encode(f"passage: {text}").ids], dtype=np.int64)
        for name, made in zip(names, session.run(names, {"input_ids": ids}), strict=True):
            highest = np.abs(np.asarray(made)[0]).max(axis=0)
            found[name] = np.maximum(found.get(name, 0), highest)
    layers: defaultdict[str, list[NDArray[np.float32]]] = defaultdict(list)
    for name in names:
        layers[name.rpartition(".")[2]].append(found[name])
    return {kind: np.stack(rows) for kind, rows in layers.items()}


def divisors(highest: NDArray[np.float32]) -> NDArray[np.float16]:
    """What columns are divided by, 1 for all but outliers; same shape.

    >>> divisors(np.array([[1, 2, 2, 24]], dtype=np.float32)).tolist()
    [[1.0, 1.0, 1.0, 4.0]]
    """
    usual = _TIMES_MEDIAN * np.median(highest, axis=1, keepdims=True)
    return np.maximum(1, highest / usual).astype(np.float16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("texts", nargs="+", type=Path)
    options = parser.parse_args()
    texts = sample(options.texts, seed=1)
    chosen = np.random.default_rng(1).permutation(len(texts))[:_TEXTS]
    found = greatest(e5.folder(options.home), [texts[n] for n in chosen])
    np.savez_compressed(
        OUTLIERS_PATH, attended=divisors(found["attended"]), active=divisors(found["active"])
    )
    for kind, rows in found.items():
        print(f"{kind}: {int((divisors(rows) > 1).sum())} of {rows.size} columns are outliers")


if __name__ == "__main__":
    main()
