"""A lane that looks into the documents that a question names and, beside them, into all.

What a question names is `question.scope`'s: where it names nothing, the lane runs as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from finrag_pipeline.query.evidence.keys import Key, LaneHit
from finrag_pipeline.query.lanes.registry import Found, Lane
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.scope import Scope


class ScopedLane:
    """A lane of documents, as one ranking by score and by how far each document agrees.

    Ranks would not do: the second best of a document of two pages may say nothing of the matter,
    and what other documents say of it still has to be found.
    """

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    def search(self, asked: Asked, depth: int) -> Found:
        scope = asked.scope
        if not scope.narrows:
            return self._lane.search(asked, depth)
        wide = self._lane.search(asked, depth)
        every = set(asked.where.document_ids or ())
        inside = [
            self._lane.search(asked.within(each.document_ids), depth)
            for each in scope.groups
            if set(each.document_ids) != every  # those were looked into
        ]
        # a lane scores an entry alike wherever it looks
        scores = {hit.key: hit.score for found in (wide, *inside) for hit in found.hits}
        shares = weighed(scores, scope)
        order = sorted(scores, key=lambda key: -shares[key])
        # what a lane scored is told as it was: rerankers weigh agreement themselves
        return replace(wide, hits=[LaneHit(key, scores[key]) for key in order][:depth])


def weighed(scores: Mapping[Key, float], scope: Scope) -> dict[Key, float]:
    """What each entry counts, 0 to 1: its score between the lowest and the best, times agreement.

    Where a question names several companies, the best of each counts as much.
    """
    lowest = min(scores.values(), default=0.0)
    best = max(scores.values(), default=0.0)
    groups = [set(group.document_ids) for group in scope.groups] if len(scope.groups) > 1 else []
    highest = [
        max((score for key, score in scores.items() if key.id[0] in group), default=best)
        for group in groups
    ]
    shares: dict[Key, float] = {}
    for key, score in scores.items():
        own = [top for group, top in zip(groups, highest, strict=True) if key.id[0] in group]
        reach = (min(own, default=best) - lowest) or 1.0
        shares[key] = (score - lowest) / reach * scope.agreement(str(key.id[0]))
    return shares
