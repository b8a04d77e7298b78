"""What tells one vector space from another: the vectors themselves of two fixed texts.

Names of models do not: the same name may hold other weights tomorrow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from finrag_pipeline.models.embedding import Vectors

_PROBES = (
    "公司2024年实现营业收入58.05亿元，同比增长12.5%，毛利率较上年提升1.2个百分点。",
    "Revenue grew 7.5% to $1,234.5 million as demand for the new product line recovered.",
)


def fingerprint(embed_passages: Callable[[Sequence[str]], Vectors]) -> str:
    """16 hexadecimal digits that change when the probe texts get other vectors.

    Vectors are rounded to two decimals first: the last bits of a float differ between machines.
    """
    rounded = np.rint(embed_passages(_PROBES).astype(np.float64) * 100) + 0.0
    return blake2b(rounded.astype("<i2").tobytes(), digest_size=8).hexdigest()
