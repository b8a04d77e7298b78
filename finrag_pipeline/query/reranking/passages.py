"""Models that judge texts, as rerankers of candidates: what they read, and what their word counts.

The models are `models.reranking`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finrag_pipeline.models.reranking import Reranker
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.reranking.registry import Candidate, Scores

#: What a model's judgement counts beside the retrieval, which alone knows of ranks in lanes: the
#: shares of the winner of RAG-Challenge-2.
MODEL_SHARE = 0.7


class PassageReranker:
    """A model's judgement of each text, beside the score of the retrieval.

    Args:
        model: judges the texts.
        by_page: whether it reads together what was found on one page, and judges that.
    """

    def __init__(self, model: Reranker, *, by_page: bool = False) -> None:
        self._model = model
        self._by_page = by_page

    def score(self, asked: Asked, candidates: Sequence[Candidate]) -> Scores:
        units: dict[object, list[int]] = {}
        for n, candidate in enumerate(candidates):
            units.setdefault(_page(candidate.item) if self._by_page else n, []).append(n)
        texts = [_told([candidates[n].item for n in found]) for found in units.values()]
        judged = self._model.score(asked.question, texts)
        relevance = np.zeros(len(candidates))
        for of_unit, found in zip(judged, units.values(), strict=True):
            relevance[found] = of_unit
        fused = np.array([candidate.fused for candidate in candidates])
        best = fused.max() or 1.0
        return MODEL_SHARE * relevance + (1 - MODEL_SHARE) * fused / best


def _page(item: EvidenceItem) -> object:
    """What tells the page of a piece from all others; of what stands on none, the piece."""
    if isinstance(item, DocumentItem) and item.places:
        return (item.document_id, item.revision, item.page)
    return item.key


def _told(items: Sequence[EvidenceItem]) -> str:
    """Whose text it is, said once, and what was found of it in the order of print."""
    ordered = sorted(items, key=lambda item: item.key)
    return "\n\n".join([ordered[0].identity, *(item.text for item in ordered)])
