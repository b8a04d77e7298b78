"""Changes to the layers of e5, each the product of two narrow matrices.

Hu et al. 2021, LoRA, https://arxiv.org/abs/2106.09685: a hundredth of the numbers of the layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
_IN, _OUT = ".in", ".out"


def read_changes(path: Path) -> dict[str, Numbers]:
    """What is added to each matrix, by its name as `Weights.matrix` knows it, of the same shape."""
    with np.load(path) as stored:
        names = [name.removesuffix(_IN) for name in stored.files if name.endswith(_IN)]
        return {
            name: stored[name + _OUT].astype(np.float32) @ stored[name + _IN].astype(np.float32)
            for name in names
        }


def write_changes(path: Path, changes: Mapping[str, tuple[Numbers, Numbers]]) -> None:
    """Store them, a number as two bytes.

    Args:
        changes: of each matrix what its input goes through first, shape `(rank, columns)`, and
            then, shape `(rows, rank)`.
    """
    told: dict[str, Any] = {}
    for name, (first, then) in changes.items():
        told[name + _IN], told[name + _OUT] = first.astype(np.float16), then.astype(np.float16)
    np.savez_compressed(path, **told)
