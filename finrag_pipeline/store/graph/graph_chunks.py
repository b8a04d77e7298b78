"""Chunks that the entity graph leads to: typed functions over `graph_chunks.sql`.

Which entities and edges to follow is found by `graph_search`; what chunks hold reads `search`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection

from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.graph.graph_search import edge_columns, last_day
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter

Row = dict[str, Any]
Q = load_queries("graph/graph_chunks")

#: Chunks of one name that are looked at: what names several entities is among them as far as one of
#: these is named in no more.
_CANDIDATES = 1000

#: (document, revision, ordinal)
ChunkKey = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A chunk that names some of the entities asked for: how many, and how weightily."""

    document_id: str
    revision: str
    ordinal: int
    entities: int
    weight: float

    @property
    def key(self) -> ChunkKey:
        return (self.document_id, self.revision, self.ordinal)


@dataclass(frozen=True, slots=True)
class EdgeStatement:
    """One statement behind an edge, given by its place among those asked for, from 0."""

    edge: int
    document_id: str
    revision: str
    ordinal: int
    weight: float
    description: str

    @property
    def key(self) -> ChunkKey:
        return (self.document_id, self.revision, self.ordinal)


@dataclass(frozen=True, slots=True)
class NamedCompany:
    """A company where a chunk names it.

    Attributes:
        key: one for all its names: its entity, as far as name and registry tell.
        name: as the registry has it, else as it is written there.
        start_at: in the chunk's content.
    """

    document_id: str
    revision: str
    ordinal: int
    start_at: int
    key: str
    name: str

    @property
    def chunk(self) -> ChunkKey:
        return (self.document_id, self.revision, self.ordinal)


def anchors(
    connection: Connection[Row], names: Mapping[str, Sequence[str]], where: Filter, k: int
) -> list[Anchor]:
    """The `k` chunks that name most of some entities, the weightiest first.

    Args:
        names: the names of each entity, as `names_of` says.
    """
    # the best of a single name are the first of its index
    each = k if sum(map(len, names.values())) == 1 else max(k, _CANDIDATES)
    given = _names(names) | _filter(where) | {"k": k, "each": each}
    rows = connection.execute(Q.anchors, given)
    return [Anchor(**row) for row in rows]


def statements(
    connection: Connection[Row],
    edges: Sequence[EdgeKey],
    symmetric: Sequence[bool],
    names: Mapping[str, Sequence[str]],
    where: Filter,
    each: int = 10,
) -> list[EdgeStatement]:
    """What is asserted of some edges, the newest `each` for each edge, in the order of edges.

    Args:
        symmetric: for each edge whether its relation has no direction.
        names: the names of the ends, as `names_of` says.
    """
    given = edge_columns(edges) | {"symmetric": list(symmetric), "each": each}
    rows = connection.execute(Q.statements, given | _names(names) | _filter(where))
    return [EdgeStatement(**row | {"edge": row["edge"] - 1}) for row in rows]


def companies_in(connection: Connection[Row], chunks: Sequence[ChunkKey]) -> list[NamedCompany]:
    """Companies that some chunks name, in the order of chunks and places."""
    rows = connection.execute(Q.companies_in, _chunks(chunks))
    return [NamedCompany(**row) for row in rows]


def chunk_nearness(
    connection: Connection[Row],
    space: Space,
    vector: NDArray[np.floating],
    chunks: Sequence[ChunkKey],
) -> dict[ChunkKey, float]:
    """Cosines of some chunks with a question's vector, as far as they have one."""
    rows = connection.execute(
        Q.chunk_nearness,
        _chunks(chunks) | {"space_id": embeddings.space_id(space), "vector": HalfVector(vector)},
    )
    return {(row["document_id"], row["revision"], row["ordinal"]): row["score"] for row in rows}


def _chunks(chunks: Sequence[ChunkKey]) -> Row:
    return {
        "document_ids": [document_id for document_id, _, _ in chunks],
        "revisions": [revision for _, revision, _ in chunks],
        "ordinals": [ordinal for _, _, ordinal in chunks],
    }


def _names(names: Mapping[str, Sequence[str]]) -> Row:
    pairs = [(entity_id, name_id) for entity_id, held in names.items() for name_id in held]
    return {
        "entity_ids": [entity_id for entity_id, _ in pairs],
        "name_ids": [name_id for _, name_id in pairs],
    }


def _filter(where: Filter) -> Row:
    return {
        "app_id": where.app_id,
        "day": last_day(where.as_of),
        "company": where.company.casefold() if where.company else None,
        "document_ids": list(where.document_ids) if where.document_ids is not None else None,
        "names": list(where.entity) if where.entity is not None else None,
        "narrowed": (where.document_ids, where.company, where.entity) != (None, None, None),
    }
