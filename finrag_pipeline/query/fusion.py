"""Reciprocal rank fusion: one ranking from several, by ranks and how far a lane is trusted.

How the rankings came about and how long they took belongs to `lanes`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

# Cormack, Clarke and Büttcher (SIGIR 2009) took 60 for lanes of like quality. Here one is clearly
# the better one: of 274 questions on annual reports the keyword lane finds the page of .81 among
# its first 10 (MRR .52), the vector lane of .36. Fused with equal trust and 60 .70 (.45), with 60
# and .4 .80 (.50), with 10 and .3 .82 (.54) (docs/evaluation.md, Ranking). The lite graph lane
# alone finds .45 (.19) of 137; beside both it changes nothing of .825 (.535) with .05, with .1 and
# .2 two and three of them leave the first 3, with .3 one the first 10, with .5 three.
RRF_K = 10
#: What a rank in a lane counts; 1 for lanes that are not named.
LANE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    # below 1 / 20 for the first report: no passage among the first 10 of the keyword lane loses its
    # place to one that only this lane has
    {"vector": 0.3, "graph": 0.05, "community": 0.5}
)
#: The same for who asks for the graph: it counts as much as the vector lane.
GRAPH_WEIGHTS: Mapping[str, float] = MappingProxyType({"vector": 0.3, "graph": 0.3})
#: The same for a question that asks for the whole: two reports stand before any passage, though
#: all other lanes have it first, and the next ones among them.
WHOLE_WEIGHTS: Mapping[str, float] = MappingProxyType({**LANE_WEIGHTS, "community": 1.5})


@dataclass(frozen=True, slots=True)
class Fused(Generic[Key]):
    """One entry of the fused ranking: its score and its 1-based rank in each lane that has it."""

    key: Key
    score: float
    lanes: dict[str, int]


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
