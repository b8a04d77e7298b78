"""The keyword lane: content that shares words with a question, by the keyword copy of this host."""

from __future__ import annotations

from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.search.keyword_index import KeywordIndex


class KeywordLane:
    """Entries that share words with a question."""

    def __init__(self, index: KeywordIndex) -> None:
        self._index = index

    def search(self, asked: Asked, depth: int) -> Found:
        found = self._index.search(asked.question, depth, asked.where)
        return Found([content_hit(hit) for hit in found])
