"""What a vector space is like: a sketch of the vectors of two fixed texts, which tells it from
others, and how near to each other it has texts that have nothing in common.

Names of models do not: the same name may hold other weights tomorrow. Which spaces are stored, and
under what key, belongs to the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import shake_128

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.embedding import Vectors, VectorSpace

_PROBES = (
    "公司2024年实现营业收入58.05亿元，同比增长12.5%，毛利率较上年提升1.2个百分点。",
    "Revenue grew 7.5% to $1,234.5 million as demand for the new product line recovered.",
)
# By language: models take texts in one language for nearer than they are.
_UNRELATED = (
    ("今天天气晴朗，适合外出散步。", "这首歌的旋律来自民间小调。", "把面团揉匀后放在温暖处发酵。"),
    (
        "Bees carry pollen from one flower to the next.",
        "The bridge was closed for repairs until spring.",
        "He forgot the tickets and missed the train.",
    ),
)
#: Numbers of a sketch, one byte each. Unrelated spaces pass for one another once in 10^12 pairs.
_NUMBERS = 12
#: One unit of a number, as a share of its spread: rounding moves two sketches apart by 0.013.
_UNIT = 1 / 32
# Spread of the difference from which spaces are apart. Half precision and batching move vectors to
# a cosine of .9999, 8-bit weights to .999: one space in all of 1,200 trials each, where comparing
# strings refused nearly all. At .98, as a tuned model's, 0.5 % pass, at .95 none.
_APART = 0.1


def measured_space(name: str, embed_passages: Callable[[Sequence[str]], Vectors]) -> VectorSpace:
    """The space of an embedder, by the vectors of a few texts."""
    texts = [*_PROBES, *(text for language in _UNRELATED for text in language)]
    vectors = embed_passages(texts)
    known = dict(zip(texts, vectors, strict=True))
    groups = [np.stack([known[text] for text in language]) for language in _UNRELATED]
    cosines = [(group @ group.T)[np.triu_indices(len(group), 1)] for group in groups]
    floor = max(0.0, float(np.concatenate(cosines).mean()))
    sketch = fingerprint(lambda probes: np.stack([known[text] for text in probes]))
    return VectorSpace(name, vectors.shape[1], sketch, floor)


def fingerprint(embed_passages: Callable[[Sequence[str]], Vectors]) -> str:
    """24 hexadecimal digits: twelve fixed projections of the probe texts' vectors, rounded.

    Rounding has borders, and vectors differ a little between machines and, from a server, between
    requests: compare fingerprints by `same_space`, not as strings.
    """
    vectors = embed_passages(_PROBES).astype(np.float64)
    projected = _signs(vectors.size) @ vectors.ravel() / np.sqrt(len(_PROBES))
    return np.clip(np.rint(projected / _UNIT), -127, 127).astype(np.int8).tobytes().hex()


def same_space(first: str, second: str) -> bool:
    """Whether two fingerprints of vectors of equal dimension are those of one space.

    >>> same_space("10f02a" + "00" * 9, "11f02a" + "00" * 9)
    True
    >>> same_space("10f02a" + "00" * 9, "50b02a" + "00" * 9)
    False
    """
    if len(first) != 2 * _NUMBERS or len(second) != 2 * _NUMBERS:
        return first == second  # made by a release that compared them as strings
    difference = (_numbers(first) - _numbers(second)) * _UNIT
    return float(np.sqrt(np.mean(difference**2))) < _APART


def _numbers(text: str) -> NDArray[np.float64]:
    return np.frombuffer(bytes.fromhex(text), dtype=np.int8).astype(np.float64)


def _signs(size: int) -> NDArray[np.float64]:
    """Rows of plus and minus one, the same in every release of numpy."""
    bits = np.frombuffer(shake_128(b"finrag").digest(_NUMBERS * size // 8 + 1), dtype=np.uint8)
    rows = np.unpackbits(bits)[: _NUMBERS * size].reshape(_NUMBERS, size)
    return rows.astype(np.float64) * 2.0 - 1.0
