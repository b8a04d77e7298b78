"""What each document brings to the entity graph: typed functions over `contributions.sql`.

Rows of one document each, and the texts and ways of writing that are counted over documents.
Entities and edges, which follow from them, are `entity_graph` and `entity_edges`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/contributions")

#: An entity and the digest of a text that describes it.
EntityText = tuple[str, str]
#: Head, relation and tail of related names, and the digest of a text that describes them.
EdgeText = tuple[str, str, str, str]


def replace(connection: Connection[Row], app_id: str, document_ids: Sequence[str]) -> None:
    """Bring what some documents contribute to what their current revisions say."""
    given = {"document_ids": list(document_ids)}
    names = _names(connection, document_ids)
    texts = set(_edge_texts(connection, document_ids))
    connection.execute(Q.count_variants, given | {"sign": -1})
    connection.execute(Q.delete_contributions, given)
    for block in (
        Q.add_names,
        Q.add_chunks,
        Q.add_name_descriptions,
        Q.add_edge_documents,
        Q.add_edge_descriptions,
    ):
        connection.execute(block, given)
    connection.execute(Q.count_variants, given | {"sign": 1})
    connection.execute(Q.drop_variants, {"app_id": app_id, "name_ids": names})
    texts.update(_edge_texts(connection, document_ids))
    if texts:
        _mark_first(connection, app_id, sorted(texts))


def described_entities(
    connection: Connection[Row], app_id: str, document_ids: Sequence[str], moved: Sequence[str]
) -> set[EntityText]:
    """What entities are described by, in some documents and wherever some names are described."""
    given = {"app_id": app_id, "document_ids": list(document_ids), "name_ids": list(moved)}
    rows = connection.execute(Q.described_entities, given)
    return {(row["entity_id"], row["text_md5"]) for row in rows}


def set_descriptions(connection: Connection[Row], app_id: str, texts: Iterable[EntityText]) -> None:
    """Bring some texts that describe entities to what documents say now."""
    ordered = sorted(texts)
    given = {
        "app_id": app_id,
        "entity_ids": [entity_id for entity_id, _ in ordered],
        "text_md5s": [text for _, text in ordered],
    }
    connection.execute(Q.set_descriptions, given)


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove what every document of an app contributed, and what was counted of it."""
    connection.execute(Q.clear_contributions, {"app_id": app_id})


def _names(connection: Connection[Row], document_ids: Sequence[str]) -> list[str]:
    rows = connection.execute(Q.names_of, {"document_ids": list(document_ids)})
    return [row["name_id"] for row in rows]


def _edge_texts(connection: Connection[Row], document_ids: Sequence[str]) -> list[EdgeText]:
    rows = connection.execute(Q.described_edges, {"document_ids": list(document_ids)})
    return [(row["head_id"], row["relation"], row["tail_id"], row["text_md5"]) for row in rows]


def _mark_first(connection: Connection[Row], app_id: str, texts: Sequence[EdgeText]) -> None:
    given = {
        "app_id": app_id,
        "head_ids": [each[0] for each in texts],
        "relations": [each[1] for each in texts],
        "tail_ids": [each[2] for each in texts],
        "text_md5s": [each[3] for each in texts],
    }
    # one after the other: of one text, one row at most is the first
    connection.execute(Q.unmark_first, given)
    connection.execute(Q.mark_first, given)
