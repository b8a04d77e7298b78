"""The vector lane: content, summaries and documents near to a question, as one ranking.

Each nearest-neighbour search is the store's; what keywords find is the keyword lane's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.weights import DOCUMENT_SHARE, PASSAGES_SHARE, SUMMARY_SHARE
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.embeddings import Row
from finrag_pipeline.store.search.filters import Filter, Hit

#: Nearest passages of a document whose mean cosine counts.
PASSAGES = 3
# A question that shares hardly a word with what it asks for is moved towards what is nearest to it
# (Rocchio's feedback). Of 605 headings whose words are gone from their section .32 instead of .24
# find it among the first 10, of those as they are .76 instead of .78, fused .84 in both cases. No
# question on annual reports is that weak; fed back all the same, a tenth of them lose their page.
#: Cosine of the nearest passage below which a question is weak. Models whose cosines are all higher
#: have none.
WEAK = 0.35
#: Passages that a weak question is moved towards, half the way.
FEEDBACK = 2
#: Documents chosen before chunks: their best chunks are looked for whatever else is near.
DOCUMENTS = 10


class VectorLane:
    """Entries whose vectors are near to a question's."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def search(self, asked: Asked, depth: int) -> Found:
        with asked.reading(self._reader) as (connection, space):
            # a question without words has no direction, and no cosine
            if not asked.vector.any():
                return Found([])
            found = search_vectors(connection, space, asked.vector, depth, asked.where)
        return Found([content_hit(hit) for hit in found])


def search_vectors(
    connection: Connection[Row],
    space: Space,
    vector: NDArray[np.floating],
    depth: int,
    where: Filter,
) -> list[Hit]:
    """The `depth` chunks and tables nearest to a question's vector, best first.

    Four index scans: nearest content, nearest summaries, nearest documents, and the nearest content
    inside the documents that these name. Two less where a single document is asked about, one more
    for a weak question.
    """
    content = embeddings.nearest(connection, space, vector, depth, where)
    if content and content[0].score < WEAK:
        vector = towards(vector, embeddings.vectors(connection, space, content[:FEEDBACK]))
        content = embeddings.nearest(connection, space, vector, depth, where)
    summaries = embeddings.nearest(
        connection, space, vector, depth, where, kinds=embeddings.SUMMARIES
    )
    if where.document_ids is not None and len(where.document_ids) == 1:
        return combine(content, summaries, (), depth)
    near = embeddings.nearest(
        connection, space, vector, DOCUMENTS, where, kinds=embeddings.DOCUMENTS
    )
    inside = replace(where, document_ids=chosen_documents(content, near))
    within = embeddings.nearest(connection, space, vector, depth, inside) if content else []
    return combine([*content, *within], summaries, near, depth)


def towards(vector: NDArray[np.floating], passages: NDArray[np.floating]) -> NDArray[np.floating]:
    """A question's vector moved half the way to the middle of some passages, of length one.

    >>> towards(np.array([1.0, 0.0]), np.array([[0.0, 1.0]])).round(2).tolist()
    [0.71, 0.71]
    """
    middle = passages.sum(axis=0)
    moved = vector + middle / (np.linalg.norm(middle) or 1.0)
    return moved / (np.linalg.norm(moved) or 1.0)


def chosen_documents(content: Sequence[Hit], documents: Sequence[Hit]) -> tuple[str, ...]:
    """The documents to look into: those near as a whole, and those of the nearest content."""
    of_content = list(dict.fromkeys(hit.document_id for hit in content))[:DOCUMENTS]
    return tuple(dict.fromkeys([*(hit.document_id for hit in documents), *of_content]))


def combine(
    content: Sequence[Hit],
    summaries: Sequence[Hit],
    documents: Sequence[Hit],
    depth: int,
    summary_share: float = SUMMARY_SHARE,
    document_share: float = DOCUMENT_SHARE,
    passages_share: float = PASSAGES_SHARE,
) -> list[Hit]:
    """One ranking by cosine: content and summary weighed together, plus the document's share.

    What a list does not hold is no nearer than the last that it holds. A table has no summary: its
    content counts in full.
    """
    contents = {_key(hit): hit.score for hit in content}
    said = {_key(hit): hit.score for hit in summaries}
    near = {hit.document_id: hit.score for hit in documents}
    floors = [
        min(scores.values(), default=0.0)
        for scores in (contents, said, near if len(near) >= DOCUMENTS else {})
    ]
    passages: defaultdict[str, list[float]] = defaultdict(list)
    for key, score in contents.items():
        passages[key[1]].append(score)
    spoken = {document: _nearness(scores) for document, scores in passages.items()}
    hits: list[Hit] = []
    for key in dict.fromkeys([*contents, *said]):
        score = contents.get(key, floors[0])
        if key[0] == "chunk":
            score += summary_share * (said.get(key, min(floors[1], score)) - score)
        score += document_share * near.get(key[1], floors[2])
        score += passages_share * spoken.get(key[1], floors[0])
        hits.append(Hit(*key, score))
    return sorted(hits, key=lambda hit: -hit.score)[:depth]


def _nearness(scores: Sequence[float]) -> float:
    """How near a document's best passages are, on average."""
    best = sorted(scores, reverse=True)[:PASSAGES]
    return sum(best) / len(best)


def _key(hit: Hit) -> tuple[str, str, str, int]:
    return (hit.kind, hit.document_id, hit.revision, hit.ordinal)
