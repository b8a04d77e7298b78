"""The morning note of a day, and what changed between two days.

The note is written by `query.answers.digest`, changes are read by `query.browsing.days`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Literal
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.answers.digest.composing import Digest
from finrag_pipeline.query.answers.digest.writer import note_of
from finrag_pipeline.query.browsing import days
from finrag_pipeline.query.browsing.days import DayChanges
from finrag_pipeline.query.browsing.viewpoint import MOST
from finrag_pipeline.query.evidence.citation import MARK
from finrag_pipeline.serve.page.answers import Piece
from finrag_pipeline.serve.page.companies import views_listing
from finrag_pipeline.serve.page.company_figures import figures_listing
from finrag_pipeline.serve.page.documents import documents_listing
from finrag_pipeline.serve.page.listings import Column, Form, Listing, exported
from finrag_pipeline.serve.page.places import sheet_address
from finrag_pipeline.serve.page.rendering import page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.visits import Visit, Visiting, day_of
from finrag_pipeline.settings import today

router = APIRouter(route_class=PageRoute)

PARTS = ("documents", "views", "figures", "relations")
_RELATIONS = (
    Column("src", "From"),
    Column("relation", "Relation"),
    Column("dst", "To"),
    Column("weight_before", "Weight before", number=True),
    Column("weight", "Now", number=True),
)


@router.get("/morning")
def morning(visit: Visiting, day: str = "") -> HTMLResponse:
    """What came on a day; by default on the day that is looked from, else on the newest."""
    last = visit.days[visit.place - 1] if visit.place else None
    on = day_of(day) or visit.as_of or last or today()
    note = note_of(visit.service.reader, visit.app_id, on)
    by_number = {each.n: sheet_address(each, visit) for each in note.citations}
    sections = [
        (each.title, [tuple(_pieces(line, by_number)) for line in each.lines])
        for each in note.sections
    ]
    return page(
        "morning.html",
        visit,
        note=note,
        day=on,
        sections=sections,
        sources=_sources(note, visit),
        before=max((each for each in visit.days if each < on), default=None),
        after=min((each for each in visit.days if each > on), default=None),
    )


@router.get("/changes")
def changes(visit: Visiting, since: str = "", until: str = "", company: str = "") -> HTMLResponse:
    """What the days after one, up to another, brought."""
    first, last = _span(visit, since, until)
    found = _changes(visit, first, last, company)
    return page(
        "changes.html",
        visit,
        first=first,
        last=last,
        company=company,
        found=found,
        lists={part: _list(part, found, visit) for part in PARTS} if found else {},
    )


@router.get("/changes/{part}.{form}")
def export_changes(
    visit: Visiting,
    part: Literal["documents", "views", "figures", "relations"],
    form: Form,
    since: str = "",
    until: str = "",
    company: str = "",
) -> Response:
    """One kind of change as a file."""
    found = _changes(visit, *_span(visit, since, until), company)
    if found is None:
        raise InvalidQuestion("choose a first day that lies before the last one")
    return exported(_list(part, found, visit), form)


def _span(visit: Visit, since: str, until: str) -> tuple[date | None, date]:
    """The days that are compared: those asked for, else the newest and the one before it."""
    last = day_of(until) or visit.as_of or (visit.days[-1] if visit.days else today())
    earlier = [each for each in visit.days if each < last]
    return day_of(since) or (earlier[-1] if earlier else None), last


def _changes(visit: Visit, first: date | None, last: date, company: str) -> DayChanges | None:
    if first is None or first >= last:
        return None
    with visit.on(last).view() as view:
        return days.changes_since(view, first, about=company or None, limit=MOST)


def _list(part: str, found: DayChanges, visit: Visit) -> Listing:
    """Changes of one kind as a list."""
    match part:
        case "documents":
            return documents_listing(found.documents)
        case "views":
            return views_listing(found.views, visit)
        case "figures":
            return figures_listing(found.figures, visit)
        case _:
            return _relations(found, visit)


def _relations(found: DayChanges, visit: Visit) -> Listing:
    names = {each.entity_id: each.name for each in found.nodes}
    rows = tuple(
        {
            "src": names.get(each.edge.src, each.edge.src),
            "relation": each.edge.relation.replace("_", " "),
            "dst": names.get(each.edge.dst, each.edge.dst),
            "weight_before": each.weight_before,
            "weight": each.edge.weight,
            "href": f"/graph?{urlencode(visit.kept | {'entity': each.edge.src})}",
        }
        for each in found.edges
    )
    return Listing("relations", "Relations", _RELATIONS, rows)


def _pieces(line: str, cited: dict[int, str]) -> Iterator[Piece]:
    at = 0
    for mark in MARK.finditer(line):
        if at < mark.start():
            yield Piece(line[at : mark.start()])
        n = int(mark[1])
        yield Piece(mark[1], "cite", n, cited.get(n, ""))
        at = mark.end()
    if line[at:]:
        yield Piece(line[at:])


def _sources(note: Digest, visit: Visit) -> list[dict[str, object]]:
    return [
        {
            "n": each.n,
            "source": each.source or "",
            "page": each.places[0].page if each.places else None,
            "published_on": each.published_on,
            "quote": each.quote,
            "href": sheet_address(each, visit),
        }
        for each in note.citations
    ]
