"""The entity graph by a day: entities, what they are related to, and who says so on which page.

Edges are as heavy as what was published by the day makes them; communities of it are `communities`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.query.browsing.frames import Tabular
from finrag_pipeline.query.browsing.quotes import Quote, read_quotes
from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.query.lanes.entities import named, one_entity
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.records.graph import CO_OCCURS
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS, SYMMETRIC
from finrag_pipeline.store.graph import entity_summaries, graph_search
from finrag_pipeline.store.weeks import community_summaries

__all__ = ["CO_OCCURS"]

#: Steps from where a walk begins.
MOST_HOPS = 3


@dataclass(frozen=True, slots=True)
class EntityName:
    """What an entity is called, and between which days of publication documents do so."""

    name: str
    since: date
    until: date


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity by a day.

    Attributes:
        description: what documents say of it, a line each; `summary` that in one piece, where many
            do.
        degree: how many neighbours it has.
    """

    entity_id: str
    name: str
    type: str
    codes: tuple[str, ...]
    names: tuple[EntityName, ...]
    description: str
    summary: str | None
    mention_count: int
    document_count: int
    degree: int
    published_from: date
    published_to: date


@dataclass(frozen=True, slots=True)
class Node:
    """An entity of a part of the graph, and how many steps from where that begins."""

    entity_id: str
    name: str
    type: str
    codes: tuple[str, ...]
    degree: int
    hops: int


@dataclass(frozen=True, slots=True)
class RelationName:
    """A relation that edges may have; its name with spaces for underscores is English."""

    name: str
    name_zh: str
    directed: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation from `src` to `dst`; `directed` is false where it holds both ways.

    Attributes:
        relation: of the vocabulary; `co_occurs` says that they stand in one passage.
        relation_zh: for a person; with underscores as spaces the name itself is English.
        weight: by how much is said for it.
    """

    src: str
    relation: str
    relation_zh: str
    dst: str
    weight: float
    directed: bool


@dataclass(frozen=True, slots=True)
class NamedEdge:
    """An edge as a table shows it."""

    src: str
    relation: str
    dst: str
    weight: float


@dataclass(frozen=True, slots=True)
class Neighbourhood(Tabular):
    """A part of the graph: the entities that it begins with first, nearer ones before others."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def rows(self) -> tuple[NamedEdge, ...]:
        """Its edges with the names of their ends."""
        names = {each.entity_id: each.name for each in self.nodes}
        return tuple(
            NamedEdge(names[each.src], each.relation, names[each.dst], each.weight)
            for each in self.edges
            if each.src in names and each.dst in names
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """What a document says for an edge; `period` is the time it speaks of, as written."""

    description: str
    period: str | None
    quote: Quote


def list_relations() -> tuple[RelationName, ...]:
    """Every relation of the vocabulary."""
    return tuple(
        RelationName(each.name, each.zh, each.name not in SYMMETRIC) for each in RELATIONS.values()
    )


def find_entities(view: Viewpoint, name: str) -> tuple[Node, ...]:
    """Entities that a name, a securities code or an id stands for; none where nothing does."""
    found = named(view.connection, view.app_id, name, view.as_of)
    return _nodes(view, {each.entity_id: 0 for each in found})


def entity(view: Viewpoint, name: str) -> Entity:
    """The one entity that an id, a name or a securities code stands for.

    Raises:
        NotFound: none is, or there are several.
    """
    entity_id = one_entity(view.connection, view.app_id, name, view.as_of)
    rows = graph_search.describe(view.connection, view.app_id, [entity_id], view.as_of)
    if entity_id not in rows:
        raise NotFound(f"no entity is named {name!r}: give a name as documents write it")
    row = rows[entity_id]
    written = entity_summaries.summaries(view.connection, view.app_id, [entity_id])
    summary = written[entity_id].summary_text if entity_id in written else None
    lists = {"codes": tuple(row["codes"]), "names": tuple(map(_name, row["aliases"]))}
    told: dict[str, Any] = {name: row[name] for name in Entity.__slots__ if name in row}
    told |= lists
    return Entity(**told, summary=summary)


def neighbours(
    view: Viewpoint,
    entity_ids: Sequence[str],
    *,
    hops: int = 1,
    limit: int = 20,
    relations: Sequence[str] | None = None,
) -> Neighbourhood:
    """The entities nearest to some, and every edge among all of these.

    Args:
        hops: how many steps away, 1 to 3.
        limit: how many entities beside those.
        relations: walk and show only these.

    Raises:
        InvalidQuestion: a number is out of range.
        NotFound: one of them is no entity by the day, or there is no such relation.
    """
    _check(hops, limit, relations)
    there = graph_search.existing(view.connection, view.app_id, entity_ids, view.as_of)
    if lost := sorted(set(entity_ids) - set(there)):
        raise NotFound(f"app {view.app_id!r} has no entity {lost[0]!r}")
    near = graph_search.neighbours(
        view.connection,
        view.app_id,
        there,
        view.as_of,
        hops=hops,
        k=limit,
        edge_types=relations,
    )
    found = dict.fromkeys(there, 0) | {each.entity_id: each.hops for each in near}
    return Neighbourhood(_nodes(view, found), edges_among(view, tuple(found), relations))


def edges_among(
    view: Viewpoint, entity_ids: Sequence[str], relations: Sequence[str] | None = None
) -> tuple[Edge, ...]:
    """Every edge between some entities, the heaviest first, what only shares a passage last."""
    most = len(entity_ids) ** 2 * len(RELATIONS)
    held = graph_search.edges_among(view.connection, view.app_id, entity_ids, view.as_of, most)
    return tuple(
        edge_of(src, relation, dst, weight)
        for (src, relation, dst), weight in held
        if relations is None or relation in relations
    )


def edge_of(src: str, relation: str, dst: str, weight: float) -> Edge:
    """An edge as it is shown."""
    known = RELATIONS.get(relation)
    name = known.zh if known else relation
    return Edge(src, relation, name, dst, weight, relation not in SYMMETRIC)


def evidence(
    view: Viewpoint, src: str, relation: str, dst: str, *, limit: int = 10
) -> tuple[Statement, ...]:
    """What documents assert for an edge, the newest first, with page and box.

    Raises:
        InvalidQuestion: `limit` is out of range.
        NotFound: there is no such relation.
    """
    _check(1, limit, [relation])
    key, day = (src, relation, dst), graph_search.last_day(view.as_of)
    held = community_summaries.statements(
        view.connection, view.app_id, day, [key], SYMMETRIC, limit
    )
    rows = held.get(key, [])
    passages = [_passage(row) for row in rows]
    quotes = read_quotes(view, passages)
    return tuple(
        Statement(row["description"], row["period"], quotes[passage])
        for row, passage in zip(rows, passages, strict=True)
        if passage in quotes
    )


def nodes_of(view: Viewpoint, entity_ids: Iterable[str]) -> tuple[Node, ...]:
    """Some entities as they are by the day, each once."""
    return _nodes(view, dict.fromkeys(entity_ids, 0))


def _nodes(view: Viewpoint, hops: Mapping[str, int]) -> tuple[Node, ...]:
    rows = graph_search.describe(view.connection, view.app_id, hops, view.as_of)
    return tuple(
        Node(
            entity_id,
            rows[entity_id]["name"],
            rows[entity_id]["type"],
            tuple(rows[entity_id]["codes"]),
            rows[entity_id]["degree"],
            far,
        )
        for entity_id, far in hops.items()
        if entity_id in rows
    )


def _passage(row: dict[str, Any]) -> Passage:
    ends = (row["start_at"], row["end_at"])
    place = (row["document_id"], row["chunk"], *ends, row["page"])
    return Passage(*place, row["quote"], row["published_on"])


def _name(alias: dict[str, Any]) -> EntityName:
    days = {end: date.fromisoformat(alias[end]) for end in ("since", "until")}
    return EntityName(alias["name"], **days)


def _check(hops: int, limit: int, relations: Sequence[str] | None) -> None:
    if not 1 <= hops <= MOST_HOPS:
        raise InvalidQuestion(f"hops is 1 to {MOST_HOPS}, not {hops}")
    if not 1 <= limit <= MOST:
        raise InvalidQuestion(f"limit is 1 to {MOST}, not {limit}")
    if unknown := sorted(set(relations or ()) - RELATIONS.keys()):
        raise NotFound(f"there is no relation {unknown[0]!r}: there are {', '.join(RELATIONS)}")
