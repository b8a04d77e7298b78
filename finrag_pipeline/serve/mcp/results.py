"""The forms of what tools answer; each is one object, as structured content has to be.

Values are those of `query.browsing` and of REST; nothing is computed here.
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from finrag_pipeline.query.browsing.communities import CommunityLine, WeekChanges, WholeCommunity
from finrag_pipeline.query.browsing.figures import Figure
from finrag_pipeline.query.browsing.graph import Edge, Entity, Node, Statement
from finrag_pipeline.query.browsing.series import Series


class PageText(BaseModel):
    """A page as text; its image is the resource of the same content."""

    document_id: str
    source: str = Field(description="file name")
    title: str | None
    published_on: str | None
    page: int = Field(description="from 1")
    pages: int
    text: str = Field(description="what is kept of it, tables as Markdown, in reading order")
    image: str = Field(description="URI of its image, a resource")


class Figures(BaseModel):
    """Figures with their cells: one metric over time, or what is held of a company."""

    series: Series | None = Field(description="where a metric is asked for, the oldest first")
    figures: list[Figure] = Field(description="where none is, the newest period first")
    total: int = Field(description="figures held, of which these are the first")


class EdgeQuotes(BaseModel):
    """What documents say for an edge, the newest first."""

    edge: Edge
    statements: list[Statement]


class Neighbours(BaseModel):
    """An entity with the nearest of the graph, the edges among them and who says so."""

    entity: Entity
    nodes: list[Node]
    edges: list[Edge]
    quotes: list[EdgeQuotes]


class Communities(BaseModel):
    """Communities of a week with what it changed, or one of them whole."""

    communities: list[CommunityLine]
    total: int
    changes: WeekChanges | None
    community: WholeCommunity | None
