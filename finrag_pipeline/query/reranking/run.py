"""Reranking as a step of retrieval: the first entries to their reranker, its order to the ranking.

A reranker whose server fails leaves the ranking as it was fused, and says why.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from finrag_pipeline.errors import BudgetExhausted, ModelReplyUnusable, ModelUnavailable
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.keys import Key, LaneHit, content_key
from finrag_pipeline.query.evidence.reading import RankedItems
from finrag_pipeline.query.fusion import Fused
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.reranking import registry
from finrag_pipeline.query.reranking.order import reordered, to_judge
from finrag_pipeline.query.reranking.registry import Candidate, CandidateReranker, Tools
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Hit

#: What the times and failures of this step go by, beside those of lanes.
STEP = "rerank"
#: The lane that has compared the question's vector, without which none is made here.
_VECTOR = "vector"
#: What a reranker may fail with without being configured wrongly.
_FAILURES = (ModelUnavailable, ModelReplyUnusable, BudgetExhausted)


class Reranking:
    """The configured reranker over one store, for any number of threads; loaded when first used.

    Args:
        reader: reads the vectors of candidates.
        settings: `reranker`, and how many are `reranked`.
        tools: what rerankers are made of.
    """

    def __init__(self, reader: Reader, settings: Settings, tools: Tools) -> None:
        self._reader = reader
        self._setting = settings.reranker
        self._most = settings.reranked
        self._tools = tools
        self._guard = threading.Lock()
        self._loaded: list[CandidateReranker | None] = []

    def rerank(
        self, asked: Asked, found: RankedItems, hits: Mapping[str, Sequence[LaneHit]]
    ) -> tuple[Sequence[Fused[Key]], list[dict[str, str]]]:
        """The ranking as the reranker has it, and why it has none, where it failed.

        Args:
            found: by fused score and factor, best first.
            hits: what each lane found, by its label.

        Raises:
            ConfigurationError: the reranker cannot be had as it is configured.
        """
        reranker = self._reranker()
        if reranker is None or not (first := to_judge(found.ranked, self._most)):
            return found.ranked, []
        candidates = self.candidates(asked, found, first, hits)
        try:
            scores = reranker.score(asked, candidates)
        except _FAILURES as error:
            reason = f"the ranking is as fused: {error}"
            return found.ranked, [{"lane": STEP, "reason": reason}]
        by_key = {entry.key: float(each) for entry, each in zip(first, scores, strict=True)}
        return reordered(found.ranked, by_key), []

    def candidates(
        self,
        asked: Asked,
        found: RankedItems,
        first: Sequence[Fused[Key]],
        hits: Mapping[str, Sequence[LaneHit]],
    ) -> list[Candidate]:
        """Entries with all that retrieval knows of them."""
        scores = {lane: {hit.key: hit.score for hit in of} for lane, of in hits.items()}
        cosines = self._cosines(asked, first, found) if hits.get(_VECTOR) else {}
        items = [found.items[entry.key] for entry in first]
        return [
            Candidate(
                item,
                entry.score,
                entry.lanes,
                {lane: scores[lane][entry.key] for lane in entry.lanes},
                cosines.get(entry.key),
                asked.scope.agreement(item.document_id) if isinstance(item, DocumentItem) else 1.0,
            )
            for entry, item in zip(first, items, strict=True)
        ]

    def _cosines(
        self, asked: Asked, entries: Sequence[Fused[Key]], found: RankedItems
    ) -> dict[Key, float]:
        """Those of all content, of what other lanes found as well: a vector lane ends somewhere."""
        items = [found.items[entry.key] for entry in entries]
        stored = [
            Hit(item.key.kind, item.document_id, item.revision, int(item.key.id[2]), 0.0)
            for item in items
            if isinstance(item, DocumentItem)
        ]
        with asked.reading(self._reader) as (connection, space):
            near = embeddings.cosines(connection, space, asked.vector, stored)
        return {
            content_key(hit.kind, hit.document_id, hit.revision, hit.ordinal): hit.score
            for hit in near
        }

    def _reranker(self) -> CandidateReranker | None:
        with self._guard:
            if not self._loaded:
                self._loaded.append(registry.load(self._setting, self._tools))
            return self._loaded[0]
