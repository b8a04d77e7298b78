"""Reciprocal rank fusion: one ranking from several, by ranks alone.

How the rankings came about and how long they took belongs to `lanes`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

#: Cormack, Clarke and Büttcher (SIGIR 2009) found 60 on four TREC collections.
RRF_K = 60


@dataclass(frozen=True, slots=True)
class Fused(Generic[Key]):
    """One entry of the fused ranking: its score and its 1-based rank in each lane that has it."""

    key: Key
    score: float
    lanes: dict[str, int]


def fuse(lanes: Mapping[str, Sequence[Key]], k: int = RRF_K) -> list[Fused[Key]]:
    """Order entries by the sum of 1 / (k + rank) over the lanes that hold them, best first.

    Equal sums are ordered by their best rank, then as the lanes name them.

    Args:
        lanes: per lane its entries, best first; a repeated entry counts where it stands first.

    >>> [entry.key for entry in fuse({"keyword": ["a", "b"], "vector": ["b", "c"]})]
    ['b', 'a', 'c']
    """
    ranks: dict[Key, dict[str, int]] = {}
    for lane, keys in lanes.items():
        for rank, key in enumerate(dict.fromkeys(keys), 1):
            ranks.setdefault(key, {})[lane] = rank
    fused = [
        Fused(key, sum(1 / (k + rank) for rank in sorted(held.values())), held)
        for key, held in ranks.items()
    ]
    return sorted(fused, key=lambda entry: (-entry.score, min(entry.lanes.values())))
