"""The community lane: reports of a weekly build that share words with a question or are near to it.

How they answer a question that asks for the whole belongs to `descent` and the writers.
"""

from __future__ import annotations

from finrag_pipeline.query.evidence import builds
from finrag_pipeline.query.evidence.keys import LaneHit
from finrag_pipeline.query.evidence.report import report_key
from finrag_pipeline.query.evidence.reports import CHAIN, COMMUNITY
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import REPORTS, Filter
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.weeks import community_search


class CommunityLane:
    """Reports of the build that a question goes to, by words and by vectors, fused by rank."""

    def __init__(self, reader: Reader, index: KeywordIndex) -> None:
        self._reader = reader
        self._index = index

    def search(self, asked: Asked, depth: int) -> Found:
        if asked.build is None:
            return Found([], reason=builds.no_build(asked.where.as_of))
        build_id = asked.build.build.build_id
        with asked.reading(self._reader) as (connection, space):
            near = nearest(connection, asked, build_id, space, depth)
        within = Filter(asked.where.app_id, document_ids=(build_id,), kinds=REPORTS)
        worded = self._index.search(asked.question, depth, within)
        # the copy holds a report as the entry of its build, its id where others have a revision
        ranked = {"keyword": [(hit.kind, hit.revision) for hit in worded], "vector": near}
        hits = [LaneHit(report_key(build_id, *entry.key), entry.score) for entry in fuse(ranked)]
        return Found(hits[:depth])


def nearest(
    connection: Connection[Row], asked: Asked, build_id: str, space: Space, k: int
) -> list[tuple[str, str]]:
    """What the reports nearest to a question are on, and their ids; none without words."""
    if not asked.vector.any():
        return []
    given = (connection, asked.where.app_id, build_id, space, asked.vector, k)
    found = [
        *((score, COMMUNITY, key) for key, score in community_search.nearest_communities(*given)),
        *((score, CHAIN, key) for key, score in community_search.nearest_chains(*given)),
    ]
    found.sort(key=lambda each: (-each[0], each[1:]))
    return [(of, key) for _, of, key in found[:k]]
