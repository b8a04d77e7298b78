"""The keyword lane: content that shares words with a question, by the keyword copy of this host."""

from __future__ import annotations

from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.both_languages import in_both
from finrag_pipeline.query.question.signals import asks_reason
from finrag_pipeline.query.weights import METRIC_SHARE
from finrag_pipeline.store.search.keyword_index import KeywordIndex


class KeywordLane:
    """Entries that share words with a question, or hold lines that it names."""

    def __init__(self, index: KeywordIndex) -> None:
        self._index = index

    def search(self, asked: Asked, depth: int) -> Found:
        # what a line is called leads to tables, why it is as it is stands in prose
        share = 0.0 if asks_reason(asked.question) else METRIC_SHARE
        found = self._index.search(in_both(asked.question), depth, asked.where, share)
        return Found([content_hit(hit) for hit in found])
