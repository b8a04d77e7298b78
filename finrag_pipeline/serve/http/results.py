"""The forms of what a search and a question answer, as OpenAPI tells them.

The values are those of `query.evidence.results`; nothing is computed here.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Box = list[float]
PDF_BOX = "[x0, y0, x1, y1] in PDF points from the page's upper left corner"


class Form(BaseModel):
    """What is not told is not sent."""

    model_config = ConfigDict(extra="forbid")


class Region(Form):
    """A box on a page."""

    page: int = Field(description="from 1")
    bbox: Box | None = Field(description=PDF_BOX)


class Placed(Form):
    """Where something stands; all null for what stands on no page."""

    document_id: str | None
    source: str | None = Field(description="file name")
    page: int | None = Field(description="from 1")
    bbox: Box | None = Field(description=PDF_BOX)


class Quoted(Placed):
    """A passage word for word."""

    quote: str
    published_on: date | None


class Evidence(Quoted):
    """What the answer cites as `[n]`."""

    n: int
    kind: str = Field(description="chunk, table, fact, community, …")
    regions: list[Region] = Field(description="all boxes of what crosses pages or columns")


class Copy(Form):
    """The same text in another document."""

    document_id: str
    source: str | None
    page: int | None


class Beside(Form):
    """What else was found on the page of a result."""

    kind: str
    bbox: Box | None
    text: str


class Report(Form):
    """A report of the weekly build."""

    kind: str
    id: str
    level: int | None
    title: str
    rating: float | None
    build_id: str
    week: date
    citations: list[Quoted]


class Result(Placed):
    """One ranked piece of evidence."""

    rank: int
    kind: str
    score: float
    rerank: float | None
    lanes: dict[str, int] = Field(description="its rank in each lane that found it")
    regions: list[Region]
    text: str
    title: str | None
    company: str | None
    company_code: str | None
    published_on: date | None
    section: list[str]
    meta: str
    context: str
    value: str | None
    parent_page: int | None
    copies: list[Copy]
    same_page: list[Beside]
    report: Report | None = None


class GraphItem(BaseModel):
    """An entity, a relation or a report around the question: for orientation, not citable."""

    model_config = ConfigDict(extra="allow")

    kind: Literal["entity", "relation", "report"]
    description: str
    citable: Literal[False]


class Build(Form):
    """The weekly build that was used."""

    build_id: str
    week: date
    published_by: date
    published_at: str | None


class Degraded(Form):
    """A lane that could not do its part."""

    lane: str
    reason: str


class Scope(Form):
    """Whom, when and which documents the question names: these went first."""

    companies: list[str]
    publishers: list[str]
    periods: list[str]
    forms: list[str]
    newest: bool
    documents: int


class SearchResponse(Form):
    """Ranked evidence; no answer."""

    question: str
    results: list[Result]
    graph_context: list[GraphItem]
    latency_ms: dict[str, float]
    degraded: list[Degraded]
    warnings: list[str]
    build: Build | None = None
    scope: Scope | None = None


class Route(Form):
    """Which way the question went, and why."""

    lanes: list[str]
    reason: str
    kind: str | None = None
    scope: Scope | None = None
    build: Build | None = None
    read_as: str | None = Field(
        None, description="the question as it was read, where that is not as it was put"
    )


class Choice(Form):
    """What the question may mean, where it is asked back."""

    name: str
    kind: str | None = None
    company_code: str | None = None
    document: str | None = Field(None, description="file name")
    question: str | None = Field(None, description="the question that means it")


class AskResponse(Form):
    """A cited answer, or a clear word that the documents do not hold one."""

    question: str
    status: Literal["answered", "insufficient_evidence", "needs_clarification", "unsupported"]
    answer: str = Field(description="cites evidence as [1]")
    kind: Literal["number", "boolean", "name", "names", "text"]
    value: dict[str, Any] | None = Field(
        description="{number, unit, currency, period, company_code, metric}, {numbers}, {boolean}, "
        "{name} or {names}"
    )
    route: Route
    evidence: list[Evidence]
    graph_context: list[GraphItem]
    checks: dict[str, bool]
    degraded: list[Degraded]
    latency_ms: dict[str, float]
    warnings: list[str]
    choices: list[Choice] | None = None
    grounding: dict[str, Any] | None = Field(
        None, description="where the answer's figures, times and names stand in its evidence"
    )
