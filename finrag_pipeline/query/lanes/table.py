"""The table lane: tables that hold the lines and statements which a question names."""

from __future__ import annotations

from dataclasses import replace

from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_reason
from finrag_pipeline.query.weights import ABOUT_METRICS, TABLE_METRIC_SHARE
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.search.keyword_question import read_question

_TABLES = ("table",)


class TableLane:
    """Tables by caption, header, labels and figures; lines that are asked for count most.

    Beside other lanes it speaks of questions that are about metrics or statements, and ask not why.
    """

    def __init__(self, index: KeywordIndex) -> None:
        self._index = index

    def search(self, asked: Asked, depth: int) -> Found:
        alone = asked.options.lane is not None
        about = read_question(asked.question).about_metrics
        if not alone and (asks_reason(asked.question) or about < ABOUT_METRICS):
            return Found([], aside=True)
        within = replace(asked.where, kinds=_TABLES)
        found = self._index.search(asked.question, depth, within, TABLE_METRIC_SHARE)
        return Found([content_hit(hit) for hit in found])
