"""Local search: what surrounds the entities of a question, with the reports on their communities.

Hits are chunks; reports, entities and relations are told beside them and never cited themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.query.evidence import builds
from finrag_pipeline.query.evidence.context import (
    Budgets,
    context,
    entity_item,
    relation_item,
    within,
)
from finrag_pipeline.query.evidence.report import ReportItem, ReportKind, report_key
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.lanes.anchors import anchors_of, fitting_chunks
from finrag_pipeline.query.lanes.entities import NO_ENTITY, find_seeds
from finrag_pipeline.query.lanes.entity_summaries import summaries
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.lanes.relations import statements
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import HOPS
from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_search
from finrag_pipeline.store.graph.graph_chunks import ChunkKey
from finrag_pipeline.store.weeks import community_search

Json = dict[str, Any]

#: Entities around those of the question, and relations among all of them, that are told.
NEIGHBOURS = 20
RELATIONS = 40
#: Reports on the communities of the entities, the finest first.
REPORTS = 5


@dataclass(frozen=True, slots=True)
class Shares:
    """Tokens of what is handed on: GraphRAG's shares of 12,000."""

    reports: int = 3_000
    entities: int = 1_000
    relations: int = 3_000
    chunks: int = 5_000


class LocalLane:
    """Chunks that state what surrounds the entities of a question, then those that name them.

    Args:
        reader: of the store.
        shares: tokens of what is handed on.
    """

    def __init__(self, reader: Reader, shares: Shares | None = None) -> None:
        self._reader = reader
        self._shares = shares or Shares()

    def search(self, asked: Asked, depth: int) -> Found:
        """How far from the entities the sub-graph goes, the options of the question say."""
        where, shares = asked.where, self._shares
        if asked.build is None:
            return Found([], reason=builds.no_build(where.as_of))
        with asked.reading(self._reader) as (connection, space):
            seeds = find_seeds(connection, asked, space)
            if not seeds:
                return Found([], reason=NO_ENTITY)
            ids = [seed.entity_id for seed in seeds]
            hops = asked.options.hops or HOPS
            near = graph_search.neighbours(
                connection, where.app_id, ids, where.as_of, hops=hops, k=NEIGHBOURS
            )
            every = [*ids, *(each.entity_id for each in near)]
            told, keys = self._context(connection, asked, ids, every)
            found = _reports(connection, asked, asked.build.build.build_id, ids)
            reports, _ = within(found, shares.reports, _report_text)
            chunks = _chunks(connection, asked, space, ids, keys)
            fitting = fitting_chunks(connection, chunks[:depth], shares.chunks)
        return Found(fitting, (*reports, *told))

    def _context(
        self, connection: Connection[Row], asked: Asked, ids: Sequence[str], every: Sequence[str]
    ) -> tuple[tuple[Json, ...], list[EdgeKey]]:
        """Entities of a question and relations around them, and the keys of the relations told."""
        where = asked.where
        rows = graph_search.describe(connection, where.app_id, every, where.as_of)
        said = summaries(connection, where.app_id, ids, where.as_of)
        edges = [
            (key, weight)
            for key, weight in graph_search.edges_among(
                connection, where.app_id, every, where.as_of, RELATIONS
            )
            if key[0] in rows and key[2] in rows
        ]
        stated: dict[EdgeKey, dict[str, None]] = {}
        keys = [key for key, _ in edges]
        for each in statements(connection, asked, keys):
            if each.description:
                stated.setdefault(keys[each.edge], {})[each.description] = None
        items, _ = context(
            [entity_item(rows[each], said.get(each, "")) for each in ids if each in rows],
            [
                relation_item(key, weight, rows, "\n".join(stated.get(key, ())))
                for key, weight in edges
            ],
            Budgets(self._shares.entities, self._shares.relations),
        )
        count = sum(item["kind"] == "relation" for item in items)
        return items, keys[:count]


def _reports(
    connection: Connection[Row], asked: Asked, build_id: str, ids: Sequence[str]
) -> list[Json]:
    """The reports on the communities of some entities as they are told."""
    kind = ReportKind()
    communities = community_search.of_entities(connection, build_id, ids)[:REPORTS]
    keys = [report_key(build_id, COMMUNITY, community_id) for community_id in communities]
    read = kind.read(connection, keys, asked, REPORTS)
    return [_told(item) for item in kind.complete(connection, list(read.items.values()))]


def _told(item: ReportItem) -> Json:
    own = item.report_to_dict()
    named = {"kind": "report", "report_kind": own.pop("kind"), "name": own.pop("title")}
    return named | own | {"description": item.text, "citable": False}


def _report_text(item: Json) -> str:
    return item["description"]


def _chunks(
    connection: Connection[Row],
    asked: Asked,
    space: Space,
    ids: Sequence[str],
    relations: Sequence[EdgeKey],
) -> list[tuple[ChunkKey, float]]:
    """Chunks that name the entities and chunks that state relations around them, in turn."""
    named = anchors_of(connection, asked, space, ids)
    stating = dict.fromkeys(each.key for each in statements(connection, asked, relations))
    known = dict(named)
    turned: dict[ChunkKey, float] = {}
    stated = list(stating)
    for n in range(max(len(named), len(stated))):
        for keys in ([key for key, _ in named[n : n + 1]], stated[n : n + 1]):
            for key in keys:
                turned.setdefault(key, known.get(key, 0.0))
    return list(turned.items())
