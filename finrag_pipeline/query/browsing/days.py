"""What changed between two days: documents, views of houses, figures, relations, weekly build."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.browsing.companies import HouseView, company, house_views
from finrag_pipeline.query.browsing.documents import DocumentFilter, ListedDocument, list_documents
from finrag_pipeline.query.browsing.figures import Figure, FigureFilter, keys_of, published_figures
from finrag_pipeline.query.browsing.graph import Edge, Node, edge_of, nodes_of
from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.store.graph import graph_days
from finrag_pipeline.store.weeks import community_builds

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ChangedEdge:
    """A relation of which more or less is said than before; a weight of 0: nothing."""

    edge: Edge
    weight_before: float


@dataclass(frozen=True, slots=True)
class DayChanges:
    """What the days after `since`, up to `until`, brought.

    Attributes:
        documents: published in them, the newest first, of `documents_total`.
        views: what houses said in them, with what they changed.
        figures: reported in them and believed since, of `figures_total`.
        edges: that changed most, of `edges_total`, between `nodes`.
        week_before: of the weekly build that answered at first; `week` at last.
    """

    since: date
    until: date
    documents: tuple[ListedDocument, ...]
    documents_total: int
    views: tuple[HouseView, ...]
    figures: tuple[Figure, ...]
    figures_total: int
    nodes: tuple[Node, ...]
    edges: tuple[ChangedEdge, ...]
    edges_total: int
    week_before: date | None
    week: date | None


def changes_since(
    view: Viewpoint, since: date, *, about: str | None = None, limit: int = 50
) -> DayChanges:
    """What changed between a day and the one that is looked from.

    Args:
        view: of the later day.
        about: of a company alone, by a name or a code.
        limit: of each kind of change.

    Raises:
        InvalidQuestion: the view is of no day, or of one before `since`; `limit` is out of range.
        NotFound: there is no such company, or there are several.
    """
    if view.as_of is None or view.as_of < since:
        raise InvalidQuestion(f"give a day to compare {since} with that comes after it")
    if not 1 <= limit <= MOST:
        raise InvalidQuestion(f"limit is 1 to {MOST}, not {limit}")
    first_on = min(since, date.max - _DAY) + _DAY
    documents = list_documents(
        view, DocumentFilter(published_from=first_on), company=about, limit=limit
    )
    views = house_views(view, company=about, limit=limit).items
    keys = keys_of(view, about) if about else None
    figures = published_figures(
        view, FigureFilter(company_keys=keys, nature="actual", published_from=first_on), limit
    )
    entity_id = company(view, about).entity_id if about else None
    changed: list[graph_days.ChangedEdge] = []
    total = 0
    if entity_id or not about:
        changed, total = graph_days.changed_edges(
            view.connection, view.app_id, since, view.as_of, limit, entity_id
        )
    before = community_builds.current(view.connection, view.app_id, since)
    now = community_builds.current(view.connection, view.app_id, view.as_of)
    return DayChanges(
        since,
        view.as_of,
        documents.items,
        documents.total,
        tuple(each for each in views if each.published_on > since),
        figures.items,
        figures.total,
        nodes_of(view, [end for each in changed for end in (each.key[0], each.key[2])]),
        tuple(ChangedEdge(edge_of(*each.key, each.now), each.before) for each in changed),
        total,
        before.build.week if before else None,
        now.build.week if now else None,
    )
