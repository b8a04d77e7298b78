"""Where judged entries go in a ranking.

How they are judged belongs to the rerankers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.query.evidence.fact import FACT
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.fusion import Fused


def to_judge(ranked: Sequence[Fused[Key]], most: int) -> list[Fused[Key]]:
    """The first `most` entries that a passage's features can be compared on.

    A report says a little of everything, so that no passage's measure fits it: how many of them
    stand where is settled by the weight of their lane. A figure is the one that is asked for, or
    was not found.
    """
    return [entry for entry in ranked if entry.key.kind not in (COMMUNITY, FACT)][:most]


def reordered(ranked: Sequence[Fused[Key]], scores: Mapping[Key, float]) -> list[Fused[Key]]:
    """Judged entries by score in the places that they hold together; all others keep theirs.

    Equal scores leave the order as it was.
    """
    judged = [replace(each, rerank=scores[each.key]) for each in ranked if each.key in scores]
    best_first = iter(sorted(judged, key=lambda entry: -(entry.rerank or 0.0)))
    return [next(best_first) if entry.key in scores else entry for entry in ranked]
