"""The graph as a picture that can be walked: entities, their relations, who says so on which page.

What is near to what is read by `query.browsing.graph`; the picture is drawn by `static/graph.js`.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, JSONResponse, Response

from finrag_pipeline.query.browsing import graph
from finrag_pipeline.query.browsing.graph import Edge, Neighbourhood, Node, Statement
from finrag_pipeline.query.browsing.viewpoint import Viewpoint
from finrag_pipeline.records.graph import CO_OCCURS
from finrag_pipeline.serve.page.listings import Column, Form, Listing, exported
from finrag_pipeline.serve.page.places import page_address
from finrag_pipeline.serve.page.rendering import page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.visits import Visit, Visiting
from finrag_pipeline.store.database.connections import Row
from finrag_pipeline.store.graph import entity_graph, graph_search

router = APIRouter(route_class=PageRoute)

Ids = Annotated[list[str] | None, Query(max_length=40)]
#: Entities that a picture begins with beside the one that it is of, and those of a step.
_NEAREST, _STEP = 18, 10
_EDGES = (
    Column("src", "From"),
    Column("relation", "Relation"),
    Column("dst", "To"),
    Column("weight", "Weight", number=True),
    Column("src_id", "From id", exported=True),
    Column("dst_id", "To id", exported=True),
)


@router.get("/graph")
def show(visit: Visiting, entity: Ids = None, name: str = "") -> HTMLResponse:
    """Some entities with what is near them; or a box to name one."""
    with visit.view() as view:
        meant = [each.entity_id for each in graph.find_entities(view, name)] if name else []
        ids = entity or meant[:1]
        near = graph.neighbours(view, ids, limit=_NEAREST) if ids else None
        largest = [] if near else _largest(view)
    return page(
        "graph.html",
        visit,
        name=name,
        ids=ids,
        near=near,
        largest=largest,
        others=meant[1:],
        names={each.entity_id: each.name for each in near.nodes} if near else {},
        elements=elements(near) if near else [],
    )


@router.get("/graph/near")
def near(visit: Visiting, entity: str) -> JSONResponse:
    """What is near one entity, for the picture to grow by."""
    with visit.view() as view:
        return JSONResponse(elements(graph.neighbours(view, [entity], limit=_STEP)))


@router.get("/graph/evidence")
def evidence(visit: Visiting, src: str, relation: str, dst: str) -> HTMLResponse:
    """What documents say for one edge, each with its page."""
    with visit.view() as view:
        said = graph.evidence(view, src, relation, dst)
        ends = {each.entity_id: each.name for each in graph.neighbours(view, [src, dst]).nodes}
        edge = graph.edge_of(src, relation, dst, 0.0)
    return page(
        "edge.html",
        visit,
        edge=edge,
        ends=ends,
        said=[(each, _address(each, visit)) for each in said],
    )


@router.get("/graph/edges.{form}")
def export_edges(visit: Visiting, form: Form, entity: Ids = None) -> Response:
    """The edges of the picture as a file."""
    with visit.view() as view:
        found = graph.neighbours(view, entity or [], limit=_NEAREST)
    names = {each.entity_id: each.name for each in found.nodes}
    rows = tuple(
        {
            "src": names.get(each.src, each.src),
            "relation": each.relation,
            "dst": names.get(each.dst, each.dst),
            "weight": each.weight,
            "src_id": each.src,
            "dst_id": each.dst,
        }
        for each in found.edges
    )
    return exported(Listing("edges", "Edges", _EDGES, rows), form)


def _largest(view: Viewpoint) -> list[Row]:
    """The entities to begin with where none is named: of today, as far as they are of the day."""
    found = entity_graph.largest(view.connection, view.app_id, _NEAREST)
    ids = [each["entity_id"] for each in found]
    there = set(graph_search.existing(view.connection, view.app_id, ids, view.as_of))
    return [each for each in found if each["entity_id"] in there]


def elements(near: Neighbourhood) -> list[dict[str, Any]]:
    """Nodes and edges as the picture takes them."""
    return [
        *({"data": _node(each)} for each in near.nodes),
        *({"data": _edge(each)} for each in near.edges),
    ]


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.entity_id,
        "label": node.name,
        "type": node.type,
        "degree": node.degree,
        "first": node.hops == 0,
    }


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "id": f"{edge.src} {edge.relation} {edge.dst}",
        "source": edge.src,
        "target": edge.dst,
        "relation": edge.relation,
        "label": "" if edge.relation == CO_OCCURS else edge.relation.replace("_", " "),
        "weight": edge.weight,
        "directed": edge.directed,
        "stated": edge.relation != CO_OCCURS,
    }


def _address(each: Statement, visit: Visit) -> str:
    quote = each.quote
    if quote.places:
        return page_address(quote.document_id, quote.places, visit.kept)
    return f"/documents/{quote.document_id}/pages/{quote.page}"
