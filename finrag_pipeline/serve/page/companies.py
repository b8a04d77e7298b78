"""Companies on the page: which there are, names, views of houses, relations, documents.

Their figures are `company_figures`; everything is read by `query.browsing`, as of the day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.answers.numbers.wording import metric_told
from finrag_pipeline.query.browsing import companies, documents, graph, series
from finrag_pipeline.query.browsing.companies import Company, HouseView, ListedCompany
from finrag_pipeline.query.browsing.documents import DocumentFilter
from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.records.graph import CO_OCCURS
from finrag_pipeline.serve.page import company_figures
from finrag_pipeline.serve.page.documents import documents_listing
from finrag_pipeline.serve.page.listings import (
    WHERE,
    Column,
    Form,
    Listing,
    box_of,
    every,
    exported,
)
from finrag_pipeline.serve.page.places import page_address
from finrag_pipeline.serve.page.rendering import page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.visits import Visit, Visiting

router = APIRouter(route_class=PageRoute)

PARTS = {
    "": "Overview",
    "figures": "Figures",
    "views": "Views of houses",
    "forecasts": "Forecasts and outcomes",
    "contradictions": "Contradictions",
    "documents": "Documents",
}
_COMPANIES = (
    Column("name", "Company"),
    Column("codes", "Codes"),
    Column("documents", "Documents", number=True),
    Column("last_published_on", "Newest"),
)
_VIEWS = (
    Column("day", "Day"),
    Column("house", "House"),
    Column("rating", "Rating"),
    Column("price", "Target price", number=True),
    Column("unit", "Unit"),
    Column("changed", "Changed"),
    Column("title", "Report"),
    Column("printed_unit", "Printed unit", exported=True),
    *WHERE,
)
#: The newest ones beside other things; what they changed is long.
_NEWEST_VIEWS = tuple(each for each in _VIEWS if each.name != "changed")
#: Neighbours that the overview lists, and views.
_RELATED, _NEWEST = 20, 4


@router.get("/companies")
def list_companies(visit: Visiting, text: str = "", offset: int = 0) -> HTMLResponse:
    """Companies that documents are about, those with the most first."""
    with visit.view() as view:
        found = companies.list_companies(view, text, offset=max(0, offset))
    listing = _companies(found.items)
    return page("companies.html", visit, listing=listing, found=found, asked={"text": text})


@router.get("/companies.{form}")
def export_companies(visit: Visiting, form: Form, text: str = "") -> Response:
    """The same as a file."""
    with visit.view() as view:
        found = every(lambda at: companies.list_companies(view, text, limit=MOST, offset=at))
    return exported(_companies(found), form)


@router.get("/companies/{key}")
def company(visit: Visiting, key: str, part: str = "", metric: str = "") -> HTMLResponse:
    """One part of what is held of a company."""
    if part not in PARTS:
        raise NotFound("a company has no such part")
    with visit.view() as view:
        whom = companies.company(view, key)
        told: dict[str, Any] = {"whom": whom, "part": part, "parts": PARTS}
        match part:
            case "figures":
                told |= company_figures.of_a_metric(view, visit, whom, metric)
            case "views":
                told["listing"] = views_listing(_house_views(view, key), visit)
            case "forecasts":
                told |= company_figures.forecasts(view, visit, key)
            case "contradictions":
                told["matters"] = company_figures.contradictions(view, visit, key)
            case "documents":
                told["listing"] = _documents(view, key)
            case _:
                told |= _overview(view, visit, whom, key)
    return page("company.html", visit, **told)


@router.get("/companies/{key}/{part}.{form}")
def export_company(visit: Visiting, key: str, part: str, form: Form, metric: str = "") -> Response:
    """A list of a company as a file."""
    with visit.view() as view:
        match part:
            case "figures" if metric:
                told = series.series(view, key, metric, period=None)
                made = company_figures.points(told, visit)
            case "figures":
                made = company_figures.every_figure(view, visit, key)
            case "views":
                made = views_listing(_house_views(view, key), visit)
            case "forecasts":
                made = company_figures.outcomes(series.outcomes(view, company=key), visit)
            case "contradictions":
                made = company_figures.side_by_side(view, visit, key)
            case "documents":
                made = _documents(view, key)
            case _:
                raise NotFound("a company has no such list")
    return exported(made, form)


def _companies(found: Iterable[ListedCompany]) -> Listing:
    rows = tuple(
        {column.name: getattr(each, column.name) for column in _COMPANIES}
        | {"href": f"/companies/{quote(each.company_key)}"}
        for each in found
    )
    return Listing("companies", "Companies", _COMPANIES, rows)


def _overview(view: Viewpoint, visit: Visit, whom: Company, key: str) -> dict[str, object]:
    newest = companies.house_views(view, company=key, limit=_NEWEST).items
    views = replace(views_listing(newest, visit), columns=_NEWEST_VIEWS)
    told: dict[str, object] = {"entity": None, "related": (), "views": views}
    if whom.entity_id is None:
        return told
    entity = graph.entity(view, whom.entity_id)
    near = graph.neighbours(view, [entity.entity_id], limit=_RELATED)
    nodes = {each.entity_id: each for each in near.nodes}
    related = [
        (each, nodes[each.dst if each.src == entity.entity_id else each.src])
        for each in near.edges
        if entity.entity_id in (each.src, each.dst) and each.relation != CO_OCCURS
    ]
    return told | {"entity": entity, "related": related}


def _house_views(view: Viewpoint, key: str) -> list[HouseView]:
    return every(lambda at: companies.house_views(view, company=key, limit=MOST, offset=at))


def views_listing(found: Iterable[HouseView], visit: Visit) -> Listing:
    """What houses said, the newest first, with what each changed."""
    rows: list[dict[str, object]] = []
    for each in found:
        price = each.prices[0] if each.prices else None
        own = [one.place for one in each.prices if one.place]
        places = [*each.rating_places, *own]
        address = page_address(each.document_id, places, visit.kept) if places else ""
        rows.append(
            {
                "day": each.published_on,
                "house": each.house,
                "rating": each.rating,
                "price": price.value if price else None,
                "unit": price.unit if price else "",
                "printed_unit": price.printed_unit if price else "",
                "changed": _changed(each),
                "title": each.title,
                "document_id": each.document_id,
                "source": each.source,
                "page": places[0].page if places else None,
                "box": box_of(places[0]) if places else "",
                "href": address or f"/documents/{each.document_id}",
                "sheet": bool(places),
            }
        )
    return Listing("views", "Views of houses", _VIEWS, tuple(rows))


def _changed(view: HouseView) -> str:
    """What a house says otherwise than before, in a line."""
    told: list[str] = []
    for each in view.changes:
        if each.direction:
            year = f" {each.fiscal_year}" if each.fiscal_year else ""
            way = "raised" if each.direction > 0 else "cut"
            told.append(
                f"{metric_told(each.field, False)}{year} {way}, {each.before} to {each.now}"
            )
    return "; ".join(told)


def _documents(view: Viewpoint, key: str) -> Listing:
    wanted = DocumentFilter(document_ids=documents.documents_about(view, key))
    return documents_listing(
        every(lambda at: documents.list_documents(view, wanted, limit=MOST, offset=at))
    )
