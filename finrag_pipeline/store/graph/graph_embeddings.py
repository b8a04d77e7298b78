"""Vectors of what the graph says of entities and relations: functions over `graph_embeddings.sql`.

Spaces, and the vectors of documents, belong to `embeddings`; searching to `graph_search`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection

from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.graph import unfinished_elements
from finrag_pipeline.store.graph.unfinished_elements import Element
from finrag_pipeline.store.search.embeddings import space_id

Row = dict[str, Any]
Q = load_queries("graph/graph_embeddings")


@dataclass(frozen=True, slots=True)
class GraphText:
    """What is said of an entity (`src`) or a relation (`src`, `edge_type`, `dst`); or a report."""

    kind: str
    src: str
    edge_type: str
    dst: str
    text: str
    text_sha256: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """As that of an `Element`."""
        return self.kind, self.src, self.edge_type, self.dst


def texts(
    connection: Connection[Row], app_id: str, space: Space, elements: Sequence[Element]
) -> list[GraphText]:
    """What is said of some elements and has no vector of that very text in a space, in order."""
    given = {
        "app_id": app_id,
        "space_id": space_id(space),
        "kinds": [each.kind for each in elements],
        "srcs": [each.src for each in elements],
        "edge_types": [each.edge_type for each in elements],
        "dsts": [each.dst for each in elements],
    }
    return [GraphText(**row) for row in connection.execute(Q.texts, given)]


def set_vectors(
    connection: Connection[Row],
    app_id: str,
    space: Space,
    texts: Iterable[GraphText],
    vectors: Iterable[NDArray[np.floating]],
) -> None:
    """Store the vectors of texts, one each, shape `(dimension,)`."""
    rows = [
        {
            "app_id": app_id,
            "kind": text.kind,
            "src": text.src,
            "edge_type": text.edge_type,
            "dst": text.dst,
            "space_id": space_id(space),
            "text_sha256": text.text_sha256,
            "embedding": HalfVector(vector),
        }
        for text, vector in zip(texts, vectors, strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.set_vector, rows)


def delete_stale(
    connection: Connection[Row], app_id: str, entities: Iterable[str], edges: Iterable[EdgeKey]
) -> None:
    """Remove vectors of what changed of entities and relations, and list them to be made anew.

    The caller holds the lock of the app's graph, and has changed it already.

    Args:
        entities: those whose rows, names or chunks are others now, or may be; or gone.
        edges: those whose description is another now, or may be; or gone.
    """
    ids, keys = sorted(set(entities)), sorted(set(edges))
    given = {
        "app_id": app_id,
        "entity_ids": ids,
        "srcs": [src for src, _, _ in keys],
        "edge_types": [edge_type for _, edge_type, _ in keys],
        "dsts": [dst for _, _, dst in keys],
    }
    connection.execute(Q.delete_stale_entities, given)
    connection.execute(Q.delete_stale_relations, given)
    unfinished_elements.list_changed(connection, app_id, ids, keys)


def delete_every_stale(connection: Connection[Row], app_id: str) -> None:
    """Remove every vector of a text that the graph of an app no longer holds."""
    connection.execute(Q.delete_every_stale, {"app_id": app_id})


def apps(connection: Connection[Row]) -> list[str]:
    """Every app that has a graph."""
    return [row["app_id"] for row in connection.execute(Q.apps)]
