"""What a search and a question hand back, and how it is written as JSON.

How it is found belongs to `engine`, how an answer is put together to `extractive`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from finrag_pipeline.records import Place

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableContent:
    """What a table result has beside its skeleton: what is printed around it, and its cells."""

    caption: str | None
    unit: str | None
    cells: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """Another place that says the same as a result."""

    document_id: str
    source: str
    page: int

    def to_dict(self) -> Json:
        return {"document_id": self.document_id, "source": self.source, "page": self.page}


@dataclass(frozen=True, slots=True)
class ReportContent:
    """What a result has that is a report of a weekly build: whose it is, and what it rests on.

    `kind` is ``community``, ``industry_chain`` or ``sector_links``; a chain has no level and no
    rating. `citations` are those of its passages that its reader may see.
    """

    kind: str
    report_id: str
    level: int | None
    title: str
    rating: float | None
    build_id: str
    week: date
    citations: tuple[Evidence, ...]

    def to_dict(self) -> Json:
        return {
            "kind": self.kind,
            "id": self.report_id,
            "level": self.level,
            "title": self.title,
            "rating": self.rating,
            "build_id": self.build_id,
            "week": _day(self.week),
            "citations": [each.place_to_dict() for each in self.citations],
        }


@dataclass(frozen=True, slots=True)
class Result:
    """One ranked piece of evidence.

    A report of a weekly build stands in no document: it has no place and no source, the build and
    its own id stand for document and revision, and `report` has what its text rests on.

    Attributes:
        places: every box it stands in, the first one first.
        text: a chunk's content; a table's skeleton.
        lanes: its 1-based rank in each lane that found it, or the best rank of a copy.
        meta: the line that says whose text it is.
        context: the line that places it in its document; a table has neither.
        value: a chunk's class for ranking.
        parent_page: the page that holds most of a chunk.
        copies: where else the same is said.
        page_text: the kept text of the page it starts on.
        regions_text: kept regions of all its pages, to find where a sentence of it stands.
    """

    rank: int
    kind: str
    document_id: str
    revision: str
    ordinal: int
    source: str
    places: tuple[Place, ...]
    score: float
    text: str
    lanes: dict[str, int]
    title: str | None = None
    company: str | None = None
    company_code: str | None = None
    broker: str | None = None
    published_on: date | None = None
    section: tuple[str, ...] = ()
    meta: str = ""
    context: str = ""
    value: str | None = None
    parent_page: int | None = None
    copies: tuple[Copy, ...] = ()
    table: TableContent | None = None
    report: ReportContent | None = None
    page_text: str = ""
    regions_text: tuple[tuple[Place, str], ...] = ()

    @property
    def identity(self) -> str:
        """Whose text it is: what a sentence of it need not say again."""
        known = (self.meta, self.title, self.company, self.company_code, self.broker, self.source)
        published = f"{self.published_on:%Y-%m}" if self.published_on else ""
        return "\n".join([*(part for part in known if part), published, *self.section])

    def to_dict(self) -> Json:
        first = self.places[0] if self.places else None
        return {
            "rank": self.rank,
            "kind": self.kind,
            "document_id": None if self.report else self.document_id,
            "source": None if self.report else self.source,
            "page": first.page if first else None,
            "bbox": _box(first) if first else None,
            "regions": _regions(self.places),
            "score": self.score,
            "text": self.text,
            "lanes": self.lanes,
            "title": self.title,
            "company": self.company,
            "company_code": self.company_code,
            "published_on": _day(self.published_on),
            "section": list(self.section),
            "meta": self.meta,
            "context": self.context,
            "value": self.value,
            "parent_page": self.parent_page,
            "copies": [copy.to_dict() for copy in self.copies],
        } | ({"report": self.report.to_dict()} if self.report else {})


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked evidence for a question; times in milliseconds.

    `graph_context` is what the graph says around it: for orientation, never to be cited. `build` is
    the weekly build whose reports were used, None where none were.
    """

    question: str
    results: tuple[Result, ...]
    latency_ms: dict[str, float]
    degraded: tuple[dict[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    graph_context: tuple[Json, ...] = ()
    build: Json | None = None

    def to_dict(self) -> Json:
        return {
            "question": self.question,
            "results": [result.to_dict() for result in self.results],
            "graph_context": list(self.graph_context),
            "latency_ms": self.latency_ms,
            "degraded": list(self.degraded),
            "warnings": list(self.warnings),
        } | ({"build": self.build} if self.build else {})


@dataclass(frozen=True, slots=True)
class Evidence:
    """One cited passage: `quote` is the text as it is stored."""

    n: int
    kind: str
    document_id: str
    source: str
    places: tuple[Place, ...]
    quote: str
    published_on: date | None

    def to_dict(self) -> Json:
        place = self.place_to_dict()
        head = {"n": self.n, "kind": self.kind}
        regions = {"regions": _regions(self.places)}
        quoted = {name: place.pop(name) for name in ("quote", "published_on")}
        return head | place | regions | quoted

    def place_to_dict(self) -> Json:
        """Where it stands and what it says, without its number in an answer."""
        first = self.places[0]
        return {
            "document_id": self.document_id,
            "source": self.source,
            "page": first.page,
            "bbox": _box(first),
            "quote": self.quote,
            "published_on": _day(self.published_on),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer, or why there is none; the text cites evidence as ``[1]``."""

    question: str
    status: str
    answer: str
    evidence: tuple[Evidence, ...]
    checks: dict[str, bool]
    route: Json
    latency_ms: dict[str, float]
    kind: str = "text"
    value: Json | None = None
    graph_context: tuple[Json, ...] = ()
    degraded: tuple[dict[str, str], ...] = ()
    warnings: tuple[str, ...] = field(default=())

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
        }


def _regions(places: tuple[Place, ...]) -> list[Json]:
    if len(places) < 2:
        return []
    return [{"page": place.page, "bbox": _box(place)} for place in places]


def _box(place: Place) -> list[float] | None:
    """None for a box without area: the format of the document has none."""
    x0, y0, x1, y1 = place.bbox
    return list(place.bbox) if x1 > x0 and y1 > y0 else None


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None
