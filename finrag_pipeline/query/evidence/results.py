"""What a search and a question hand back, and how it is written as JSON.

What a piece of evidence fills in of it is said by its kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from finrag_pipeline.query.evidence.citation import Citation, box
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem

if TYPE_CHECKING:
    import pandas as pd

Json = dict[str, Any]

#: The contract of a result, as far as kinds of evidence fill it in.
_BLANK: Json = {
    "document_id": None,
    "source": None,
    "page": None,
    "bbox": None,
    "regions": [],
    "text": "",
    "title": None,
    "company": None,
    "company_code": None,
    "published_on": None,
    "section": [],
    "meta": "",
    "context": "",
    "value": None,
    "parent_page": None,
}


@dataclass(frozen=True, slots=True)
class Result:
    """One ranked piece of evidence.

    Attributes:
        score: its fused score.
        lanes: its 1-based rank in each lane that found it, or the best rank of a copy.
        rerank: what the reranker made of it, which orders those that it saw; None: it saw it not.
        copies: what else says the same.
        same_page: what else was found on its page and is not shown by itself, best first.
    """

    rank: int
    score: float
    lanes: dict[str, int]
    item: EvidenceItem
    copies: tuple[DocumentItem, ...] = ()
    rerank: float | None = None
    same_page: tuple[DocumentItem, ...] = ()

    @property
    def kind(self) -> str:
        return self.item.key.kind

    @property
    def text(self) -> str:
        return self.item.text

    def to_dict(self) -> Json:
        ranked: Json = {
            "rank": self.rank,
            "kind": self.kind,
            "score": self.score,
            "rerank": self.rerank,
            "lanes": self.lanes,
        }
        copies = [
            {"document_id": each.document_id, "source": each.source, "page": each.page}
            for each in self.copies
        ]
        same_page = [
            {"kind": each.key.kind, "bbox": box(each.places[0]), "text": each.text}
            for each in self.same_page
        ]
        beside: Json = {"copies": copies, "same_page": same_page}
        return ranked | _BLANK | self.item.to_dict() | beside


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked evidence for a question; times in milliseconds.

    Attributes:
        graph_context: what the graph says around it: for orientation, never to be cited.
        build: the weekly build that was used, None where none was.
        way: which lanes it came from, and what kept the others; part of an answer's reason.
        scope: which documents went first, None where the question names none.
        broken: what of `degraded` failed, and did not only have nothing to say.
        looked: whether any lane looked.
    """

    question: str
    results: tuple[Result, ...]
    latency_ms: dict[str, float]
    degraded: tuple[dict[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    graph_context: tuple[Json, ...] = ()
    build: Json | None = None
    way: str = ""
    scope: Json | None = None
    broken: tuple[dict[str, str], ...] = ()
    looked: bool = True

    def to_pandas(self) -> pd.DataFrame:
        """The results in a table, one row each, with the columns of `Result.to_dict`."""
        import pandas as pd

        return pd.DataFrame([each.to_dict() for each in self.results])

    def to_dict(self) -> Json:
        return {
            "question": self.question,
            "results": [result.to_dict() for result in self.results],
            "graph_context": list(self.graph_context),
            "latency_ms": self.latency_ms,
            "degraded": list(self.degraded),
            "warnings": list(self.warnings),
        } | {name: held for name in ("build", "scope") if (held := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer, or why there is none; the text cites evidence as ``[1]``.

    Attributes:
        choices: what there is to choose from where the question is asked back.
        grounding: where its figures stand in its evidence; None where it says nothing.
    """

    question: str
    status: str
    answer: str
    evidence: tuple[Citation, ...]
    checks: dict[str, bool]
    route: Json
    latency_ms: dict[str, float]
    kind: str = "text"
    value: Json | None = None
    choices: tuple[Json, ...] = ()
    grounding: Json | None = None
    graph_context: tuple[Json, ...] = ()
    degraded: tuple[dict[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    def to_pandas(self) -> pd.DataFrame:
        """What it cites in a table, one row a citation, with the columns of its evidence."""
        import pandas as pd

        return pd.DataFrame([each.to_dict() for each in self.evidence])

    def to_dict(self) -> Json:
        return {
            "question": self.question,
            "status": self.status,
            "answer": self.answer,
            "kind": self.kind,
            "value": self.value,
            "route": self.route,
            "evidence": [each.to_dict() for each in self.evidence],
            "graph_context": list(self.graph_context),
            "checks": self.checks,
            "degraded": list(self.degraded),
            "latency_ms": self.latency_ms,
            "warnings": list(self.warnings),
        } | {
            name: held
            for name, held in (("choices", list(self.choices)), ("grounding", self.grounding))
            if held
        }
