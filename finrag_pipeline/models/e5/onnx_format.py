"""Writing ONNX graphs: the few messages that one needs, without the 17 MB of the package `onnx`.

Numbers of fields: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. Values of tensors go to a
file of their own, which `onnxruntime` maps into memory instead of reading it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

#: What operators are taken from: ONNX's own set, and that of onnxruntime.
_OPERATOR_SETS = (("", 21), ("com.microsoft", 1))
#: Version of the format that knows numbers of four bits.
_FORMAT = 10
#: Where values may begin, so that they can be mapped.
_ALIGNED = 4096


class Kind(IntEnum):
    """Types of a tensor's elements, as ONNX numbers them."""

    FLOAT = 1
    INT8 = 3
    INT64 = 7
    INT4 = 22


class Graph:
    """A graph under construction: operators in the order they run, values as they come.

    Args:
        values: takes the values of tensors; named beside the graph.
    """

    def __init__(self, values: BinaryIO) -> None:
        self._values = values
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def tensor(
        self, name: str, array: NDArray[Any], kind: Kind, shape: Sequence[int] | None = None
    ) -> str:
        """Add a constant and return its name.

        Args:
            shape: that of its elements, where the array holds them packed.
        """
        self._values.write(b"\0" * (-self._values.tell() % _ALIGNED))
        place, data = self._values.tell(), np.ascontiguousarray(array).tobytes()
        self._values.write(data)
        entries = {
            "location": Path(self._values.name).name,
            "offset": str(place),
            "length": str(len(data)),
        }
        self._tensors.append(
            b"".join(_number(1, size) for size in (shape or array.shape))
            + _number(2, kind)
            + _text(8, name)
            + b"".join(
                _bytes(13, _text(1, key) + _text(2, value)) for key, value in entries.items()
            )
            + _number(14, 1)
        )
        return name

    def node(
        self, operator: str, inputs: Sequence[str], output: str, **attributes: int | float
    ) -> str:
        """Add an operator and return its output; more than one are parted by spaces.

        An operator of onnxruntime's own set is written ``com.microsoft:Name``.
        """
        domain, _, kind = operator.rpartition(":")
        self._nodes.append(
            b"".join(_text(1, name) for name in inputs)
            + b"".join(_text(2, name) for name in output.split())
            + _text(4, kind)
            + b"".join(_bytes(5, _attribute(*each)) for each in attributes.items())
            + _text(7, domain)
        )
        return output

    def model(self, inputs: Sequence[str], outputs: Sequence[str], width: int) -> bytes:
        """The whole model: numbers of tokens in, rows of `width` numbers for each token out."""
        graph = (
            b"".join(_bytes(1, node) for node in self._nodes)
            + _text(2, "graph")
            + b"".join(_bytes(5, tensor) for tensor in self._tensors)
            + b"".join(_bytes(11, _described(name, Kind.INT64)) for name in inputs)
            + b"".join(_bytes(12, _described(name, Kind.FLOAT, width)) for name in outputs)
        )
        sets = (_text(1, domain) + _number(2, version) for domain, version in _OPERATOR_SETS)
        return _number(1, _FORMAT) + _bytes(7, graph) + b"".join(_bytes(8, each) for each in sets)


def _described(name: str, kind: Kind, width: int | None = None) -> bytes:
    sizes = [_text(2, "batch"), _text(2, "tokens"), *([] if width is None else [_number(1, width)])]
    shape = b"".join(_bytes(1, size) for size in sizes)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + b"\x15" + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _number(field: int, value: int) -> bytes:
    return _variable(field << 3) + _variable(value)


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _bytes(field: int, data: bytes) -> bytes:
    return _variable(field << 3 | 2) + _variable(len(data)) + data


def _variable(value: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers as their complement of 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
