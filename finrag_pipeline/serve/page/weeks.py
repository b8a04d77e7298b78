"""Weeks on the page: communities and chains of a weekly build, and what became of them since.

They are read by `query.browsing.communities`; a morning note is `notes`.
"""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from finrag_pipeline.query.browsing import chains, communities
from finrag_pipeline.query.browsing.communities import CommunityChange, CommunityLine
from finrag_pipeline.query.browsing.graph import Neighbourhood
from finrag_pipeline.query.browsing.quotes import Quote
from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.records.communities import Json
from finrag_pipeline.serve.page.graph import elements
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
from finrag_pipeline.serve.page.visits import Visit, Visiting, day_of
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC

router = APIRouter(route_class=PageRoute)

_COMMUNITIES = (
    Column("title", "Community"),
    Column("level", "Level", number=True),
    Column("entities", "Entities", number=True),
    Column("rating", "Weight, 0 to 10", number=True),
    Column("summary", "What it is about"),
    Column("community_id", "Id", exported=True),
    Column("parent_id", "Part of", exported=True),
)
_CHANGES = (
    Column("title", "Community"),
    Column("event", "What became of it"),
    Column("level", "Level", number=True),
    Column("entities_before", "Entities before", number=True),
    Column("entities_after", "Now", number=True),
    Column("community_id", "Id", exported=True),
    Column("others", "Which others", exported=True),
)
_LINKS = (
    Column("src", "From"),
    Column("relation", "Relation"),
    Column("dst", "To"),
    Column("statements", "Statements", number=True),
    Column("quote", "Quote"),
    Column("published_on", "Published"),
    *WHERE,
)


@router.get("/weeks")
def weeks(visit: Visiting, week: str = "") -> HTMLResponse:
    """A week: what changed in it, its chains, its communities."""
    day = day_of(week)
    with visit.view() as view:
        builds = every(lambda at: communities.list_builds(view, limit=MOST, offset=at))
        shown = [each for each in builds if not visit.as_of or each.published_by <= visit.as_of]
        if not shown:
            return page("weeks.html", visit, builds=(), changes=None)
        changes = communities.week_changes(view, week=day)
        drawn = chains.list_chains(view, week=day)
        listing = _communities(view, day, visit)
    return page("weeks.html", visit, builds=shown, changes=changes, chains=drawn, listing=listing)


@router.get("/weeks/communities.{form}")
def export_communities(visit: Visiting, form: Form, week: str = "") -> Response:
    """The communities of a week as a file."""
    with visit.view() as view:
        return exported(_communities(view, day_of(week), visit), form)


@router.get("/weeks/changes.{form}")
def export_changes(visit: Visiting, form: Form, week: str = "") -> Response:
    """What became of communities in a week as a file."""
    with visit.view() as view:
        changes = communities.week_changes(view, week=day_of(week)).communities
    rows = tuple(map(_change, changes))
    return exported(Listing("changes", "What changed", _CHANGES, rows), form)


@router.get("/weeks/communities/{community_id}")
def community(visit: Visiting, community_id: str, week: str = "") -> HTMLResponse:
    """One community: its report with the words it rests on, its members as a picture."""
    with visit.view() as view:
        found = communities.community(view, community_id, week=day_of(week))
    findings = [
        (each, [(quote, quote_address(quote, visit)) for quote in each.quotes])
        for each in found.findings
    ]
    return page(
        "community.html",
        visit,
        found=found,
        findings=findings,
        names={each.entity_id: each.name for each in found.members},
        elements=elements(Neighbourhood(found.members, found.edges)),
    )


@router.get("/weeks/chains/{chain_id}")
def chain(visit: Visiting, chain_id: str, week: str = "") -> HTMLResponse:
    """One report on a chain or on linked sectors, with what changed in it."""
    with visit.view() as view:
        found = chains.chain(view, chain_id, week=day_of(week))
    return page(
        "chain.html",
        visit,
        found=found,
        names={each["entity_id"]: each["name"] for each in found.content["nodes"]},
        elements=_drawn(found.content),
        cited=[(each, quote_address(each.quote, visit)) for each in found.citations],
    )


@router.get("/weeks/chains/{chain_id}/links.{form}")
def export_links(visit: Visiting, chain_id: str, form: Form, week: str = "") -> Response:
    """The links of a chain as a file, a row for each quote that says so."""
    with visit.view() as view:
        found = chains.chain(view, chain_id, week=day_of(week))
    names = {each["entity_id"]: each["name"] for each in found.content["nodes"]}
    quotes = {each.n: each.quote for each in found.citations}
    rows = [
        _link(each, names) | (_said(quotes[n]) if n in quotes else {})
        for each in found.content["links"]
        for n in (each["passages"] or [None])
    ]
    return exported(Listing("links", found.chain.title, _LINKS, tuple(rows)), form)


def _link(each: Json, names: dict[str, str]) -> dict[str, object]:
    relation = each["relation"].replace("_", " ")
    return {
        "src": names[each["src"]],
        "relation": relation,
        "dst": names[each["dst"]],
        "statements": each["statements"],
    }


def _said(quote: Quote) -> dict[str, object]:
    return {
        "quote": quote.text,
        "published_on": quote.published_on,
        "document_id": quote.document_id,
        "source": quote.source,
        "page": quote.page,
        "box": box_of(quote.places[0] if quote.places else None),
    }


def _change(each: CommunityChange) -> dict[str, object]:
    told: dict[str, object] = {column.name: getattr(each, column.name) for column in _CHANGES}
    return told | {"title": each.title or "without a report", "others": " ".join(each.others)}


def _drawn(content: Json) -> list[dict[str, Any]]:
    """Nodes and links of a chain as the picture takes them, nodes in rows of its layers."""
    subject = content["subject"]
    nodes = [
        {
            "id": each["entity_id"],
            "label": each["name"],
            "type": each["type"],
            "degree": 8,
            "first": each["entity_id"] == subject,
            "layer": each.get("layer"),
        }
        for each in content["nodes"]
    ]
    links = [
        {
            "id": f"{each['src']} {each['relation']} {each['dst']}",
            "source": each["src"],
            "target": each["dst"],
            "relation": each["relation"],
            "label": each["relation"].replace("_", " "),
            "weight": each["weight"],
            "directed": each["relation"] not in SYMMETRIC,
            "stated": True,
        }
        for each in content["links"]
    ]
    return [{"data": each} for each in (*nodes, *links)]


def quote_address(quote: Quote, visit: Visit) -> str:
    """Where words of a document stand."""
    if quote.places:
        return page_address(quote.document_id, quote.places, visit.kept)
    return f"/documents/{quote.document_id}/pages/{quote.page}"


def _communities(view: Viewpoint, week: date | None, visit: Visit) -> Listing:
    found = every(lambda at: communities.list_communities(view, week=week, limit=MOST, offset=at))
    rows = tuple(_row(each, week, visit) for each in found)
    return Listing("communities", "Communities", _COMMUNITIES, rows)


def _row(each: CommunityLine, week: date | None, visit: Visit) -> dict[str, object]:
    query = urlencode(visit.kept | ({"week": week} if week else {}))
    told: dict[str, object] = {column.name: getattr(each, column.name) for column in _COMMUNITIES}
    title = each.title or f"{each.entities} entities"
    summary = each.summary or each.no_report
    href = f"/weeks/communities/{each.community_id}?{query}".rstrip("?")
    return told | {"title": title, "summary": summary, "href": href}
