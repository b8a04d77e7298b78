"""The morning note of a day, and what changed between two days.

The note is written by `query.answers.digest`, changes are read by `query.browsing.days`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from finrag_pipeline.query.answers.digest.composing import Digest
from finrag_pipeline.query.answers.digest.writer import note_of
from finrag_pipeline.query.browsing import days
from finrag_pipeline.serve.page.answers import Piece
from finrag_pipeline.serve.page.companies import views_listing
from finrag_pipeline.serve.page.company_figures import figures_listing
from finrag_pipeline.serve.page.documents import documents_listing
from finrag_pipeline.serve.page.places import sheet_address
from finrag_pipeline.serve.page.rendering import page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.visits import Visit, Visiting, day_of
from finrag_pipeline.settings import today

router = APIRouter(route_class=PageRoute)

_MARK = re.compile(r"\[(\d+)\]")


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
    last = day_of(until) or visit.as_of or (visit.days[-1] if visit.days else today())
    earlier = [each for each in visit.days if each < last]
    first = day_of(since) or (earlier[-1] if earlier else None)
    found = None
    if first is not None and first < last:
        with visit.on(last).view() as view:
            found = days.changes_since(view, first, about=company or None)
    return page(
        "changes.html",
        visit,
        first=first,
        last=last,
        company=company,
        found=found,
        documents=documents_listing(found.documents) if found else None,
        views=views_listing(found.views, visit) if found else None,
        figures=figures_listing(found.figures, visit) if found else None,
        names={each.entity_id: each.name for each in found.nodes} if found else {},
    )


def _pieces(line: str, cited: dict[int, str]) -> Iterator[Piece]:
    at = 0
    for mark in _MARK.finditer(line):
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
