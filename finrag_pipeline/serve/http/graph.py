"""`/v1/entities`: entities of the graph by day, their neighbours, and who says so on which page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from finrag_pipeline.query.browsing import graph
from finrag_pipeline.query.browsing.graph import (
    MOST_HOPS,
    Entity,
    Neighbourhood,
    Node,
    RelationName,
    Statement,
)
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.looking import Asked, Id, Key, Limit, Looking, Name

router = APIRouter(tags=["graph"], responses=ERRORS)

_Relations = Annotated[
    list[Key] | None, Query(max_length=50, description="walk only these; all if left out")
]


class EntitiesAsked(Asked):
    """Entities by a name, as documents write it, or a code."""

    name: Name


@router.get("/v1/relations")
def list_relations(access: Reading) -> list[RelationName]:
    """The relations that edges have."""
    return list(graph.list_relations())


@router.post("/v1/entities/find")
def find_entities(body: EntitiesAsked, access: Reading, service: Served) -> list[Node]:
    """Entities that a name or a code stands for; none where nothing does."""
    with service.browser.view(body.within(access), body.as_of) as view:
        return list(graph.find_entities(view, body.name))


@router.get("/v1/entities/{entity_id}")
def read_entity(entity_id: Id, view: Looking) -> Entity:
    """An entity: its names over time, codes, and what documents say of it."""
    return graph.entity(view, entity_id)


@router.get("/v1/entities/{entity_id}/neighbours")
def list_neighbours(
    entity_id: Id,
    view: Looking,
    hops: Annotated[int, Query(ge=1, le=MOST_HOPS)] = 1,
    limit: Limit = 20,
    relations: _Relations = None,
) -> Neighbourhood:
    """The entities nearest to one, with every edge among them."""
    return graph.neighbours(view, [entity_id], hops=hops, limit=limit, relations=relations)


@router.get("/v1/evidence")
def edge_evidence(
    src: Key, relation: Key, dst: Key, view: Looking, limit: Limit = 10
) -> list[Statement]:
    """What documents assert for an edge, the newest first, with page and box."""
    return list(graph.evidence(view, src, relation, dst, limit=limit))
