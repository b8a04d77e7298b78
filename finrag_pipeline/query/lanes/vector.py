"""The vector lane: the chunks and tables whose vectors are nearest to a question's.

The nearest-neighbour search is the store's; what keywords find is the keyword lane's.
"""

from __future__ import annotations

from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings


class VectorLane:
    """Entries whose vectors are near to a question's."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def search(self, asked: Asked, depth: int) -> Found:
        with asked.reading(self._reader) as (connection, space):
            # a question without words has no direction, and no cosine
            if not asked.vector.any():
                return Found([])
            found = embeddings.nearest(connection, space, asked.vector, depth, asked.where)
        return Found([content_hit(hit) for hit in found])
