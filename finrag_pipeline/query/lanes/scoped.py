"""A lane that looks into the documents that a question names and, beside them, into all.

What a question names is `question.scope`'s: where it names nothing, the lane runs as it is.
"""

from __future__ import annotations

from dataclasses import replace

from finrag_pipeline.query.evidence.keys import Key, LaneHit
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes.registry import Found, Lane
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.weights import WIDE_SHARE

_WIDE = "wide"


class ScopedLane:
    """A lane of documents, as one ranking.

    Each company that a question names has an equal share of the first places; what all documents
    hold follows with less weight, so that a wrong guess of whom is meant still finds.
    """

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    def search(self, asked: Asked, depth: int) -> Found:
        groups = asked.scope.groups
        if not groups:
            return self._lane.search(asked, depth)
        wide = self._lane.search(asked, depth)
        found = [self._lane.search(asked.within(group), depth) for group in groups]
        hits: dict[Key, LaneHit] = {}
        for each in (wide, *found):
            hits |= {hit.key: hit for hit in each.hits}
        ranked = {str(n): [hit.key for hit in each.hits] for n, each in enumerate(found)}
        ranked[_WIDE] = [hit.key for hit in wide.hits]
        order = fuse(ranked, weights={_WIDE: WIDE_SHARE})
        return replace(wide, hits=[hits[entry.key] for entry in order][:depth])
