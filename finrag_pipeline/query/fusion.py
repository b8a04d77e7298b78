"""Reciprocal rank fusion: one ranking from several, by ranks and how far a lane is trusted.

How the rankings came about belongs to `lanes`, what a lane counts to `weights`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from finrag_pipeline.query.weights import LANE_WEIGHTS, RRF_K

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fused(Generic[Key]):
    """One entry of the fused ranking: its score and its 1-based rank in each lane that has it.

    `rerank` is what a reranker made of it; None where none saw it.
    """

    key: Key
    score: float
    lanes: dict[str, int]
    rerank: float | None = None

    def scored(self, score: float) -> Fused[Key]:
        """The same entry with another score."""
        return Fused(self.key, score, self.lanes, self.rerank)


def fuse(
    lanes: Mapping[str, Sequence[Key]],
    k: int = RRF_K,
    weights: Mapping[str, float] = LANE_WEIGHTS,
) -> list[Fused[Key]]:
    """Order entries by the sum of weight / (k + rank) over the lanes that hold them, best first.

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
        Fused(
            key,
            sum(weights.get(lane, 1.0) / (k + rank) for lane, rank in sorted(held.items())),
            held,
        )
        for key, held in ranks.items()
    ]
    return sorted(fused, key=lambda entry: (-entry.score, min(entry.lanes.values())))
