"""The entity graph as it is computed from mentions and evidence: functions over `entity_graph.sql`.

What follows from what is arithmetic of `stages.graph`; when it is computed, `pipelines` decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records.graph import AliasLink, Edge, EdgeKey, Evidence, Membership
from finrag_pipeline.store.queries import load_queries

Row = dict[str, Any]
Q = load_queries("entity_graph")

#: Entities with so many neighbours are reported, and expanded no further than a fan-out limit.
SUPER_NODE_DEGREE = 100


def lock(connection: Connection[Row], app_id: str) -> None:
    """Wait until no other transaction changes the graph of an app; held until this one ends."""
    connection.execute(Q.lock_graph, {"app_id": app_id})


def touched(
    connection: Connection[Row], document_ids: Sequence[str]
) -> tuple[set[str], set[EdgeKey]]:
    """Names, and related pairs of names, of what readers see of some documents."""
    given = {"document_ids": list(document_ids)}
    names = {row["name_id"] for row in connection.execute(Q.touched_names, given)}
    return names, _pairs(connection.execute(Q.touched_relations, given))


def relations_of(connection: Connection[Row], app_id: str, names: Iterable[str]) -> set[EdgeKey]:
    """Related pairs of names with one of some names at an end."""
    given = {"app_id": app_id, "name_ids": sorted(names)}
    return _pairs(connection.execute(Q.relations_of_names, given))


def connected(connection: Connection[Row], app_id: str, names: Iterable[str]) -> list[str]:
    """Names that aliases and decisions connect with some names, those included, in order."""
    given = {"app_id": app_id, "name_ids": sorted(names)}
    return [row["name_id"] for row in connection.execute(Q.connected, given)]


def alias_links(connection: Connection[Row], app_id: str, names: Sequence[str]) -> list[AliasLink]:
    """What some names are declared an alias of, since the first day that it was published."""
    rows = connection.execute(Q.alias_links, {"app_id": app_id, "name_ids": list(names)})
    return [AliasLink(**row) for row in rows]


def members(
    connection: Connection[Row], app_id: str, names: Iterable[str]
) -> dict[str, tuple[Membership, ...]]:
    """The entities of some names, without those that are entities by themselves."""
    found: dict[str, list[Membership]] = {}
    for row in connection.execute(Q.members, {"app_id": app_id, "name_ids": sorted(names)}):
        found.setdefault(row.pop("name_id"), []).append(Membership(**row))
    return {name: tuple(held) for name, held in found.items()}


def set_members(
    connection: Connection[Row],
    app_id: str,
    names: Sequence[str],
    held: Mapping[str, Sequence[Membership]],
) -> None:
    """Replace what is known of the entities of `names` by `held`."""
    connection.execute(Q.delete_members, {"app_id": app_id, "name_ids": list(names)})
    rows = [
        {
            "app_id": app_id,
            "name_id": name,
            "entity_id": each.entity_id,
            "since": each.since,
            "until": each.until,
        }
        for name in sorted(held)
        for each in held[name]
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_member, rows)


def names_of(
    connection: Connection[Row], app_id: str, entities: Iterable[str]
) -> dict[str, list[str]]:
    """Names that belong or belonged to some entities, by entity."""
    found: dict[str, list[str]] = {}
    given = {"app_id": app_id, "entity_ids": sorted(entities)}
    for row in connection.execute(Q.names_of, given):
        found.setdefault(row["entity_id"], []).append(row["name_id"])
    return found


def evidence_between(
    connection: Connection[Row], app_id: str, pairs: Iterable[tuple[str, str]]
) -> list[Evidence]:
    """What is asserted between pairs of names in what readers see, in either direction."""
    ordered = sorted(set(pairs))
    rows = connection.execute(
        Q.evidence,
        {
            "app_id": app_id,
            "head_ids": [head for head, _ in ordered],
            "tail_ids": [tail for _, tail in ordered],
        },
    )
    return [Evidence(**row) for row in rows]


def set_document_names(connection: Connection[Row], document_ids: Sequence[str]) -> None:
    """Write anew which names some documents use, and in which chunks."""
    given = {"document_ids": list(document_ids)}
    for block in (Q.delete_names, Q.add_names, Q.delete_chunks, Q.add_chunks):
        connection.execute(block, given)


def move_chunks(connection: Connection[Row], app_id: str, names: Sequence[str]) -> None:
    """Put the chunks of some names under the entities that they belong to now."""
    connection.execute(Q.move_chunks, {"app_id": app_id, "name_ids": list(names)})


def set_edges(
    connection: Connection[Row], app_id: str, keys: Iterable[EdgeKey], edges: Mapping[EdgeKey, Edge]
) -> None:
    """Replace the edges of `keys`: those that are in `edges` stay, with what is said there."""
    now: list[Row] = []
    steps: list[Row] = []
    ordered = sorted(set(keys))
    for src, edge_type, dst in ordered:
        place = {"app_id": app_id, "src": src, "edge_type": edge_type, "dst": dst}
        edge = edges.get((src, edge_type, dst))
        if edge is None:
            continue
        if edge.chunk_ids:
            now.append(
                place
                | {
                    "weight": edge.weight,
                    "description": edge.description,
                    "valid_from": edge.valid_from,
                    "valid_to": edge.valid_to,
                    "published_from": edge.published_from,
                    "published_to": edge.published_to,
                    "evidence_chunk_ids": Jsonb(list(edge.chunk_ids)),
                }
            )
        steps += [
            place | {"since": step.since, "until": step.until, "weight": step.weight}
            for step in edge.steps
        ]
    gone = {
        "app_id": app_id,
        "srcs": [src for src, _, _ in ordered],
        "edge_types": [edge_type for _, edge_type, _ in ordered],
        "dsts": [dst for _, _, dst in ordered],
    }
    connection.execute(Q.delete_edges, gone)
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_edge, now)
        cursor.executemany(Q.add_step, steps)


def describe_entities(
    connection: Connection[Row],
    app_id: str,
    entity_ids: Iterable[str],
    as_of: date | None = None,
) -> list[Row]:
    """Some entities as they are, or as they were by a day of publication, in order of ids.

    Returns:
        Rows as in `entities`, without its times; none for what does not exist (then).
    """
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "as_of": as_of}
    return connection.execute(Q.describe_entities, given).fetchall()


def set_entities(connection: Connection[Row], app_id: str, entity_ids: Iterable[str]) -> None:
    """Write some entities anew; summaries of them, which may tell what is gone, are removed."""
    ids = sorted(set(entity_ids))
    connection.execute(Q.delete_entities, {"app_id": app_id, "entity_ids": ids})
    rows = [
        row | {"app_id": app_id, "aliases": Jsonb(row["aliases"])}
        for row in describe_entities(connection, app_id, ids)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_entity, rows)


def clear(connection: Connection[Row], app_id: str) -> None:
    """Remove everything that is computed of an app's graph."""
    for block in (
        Q.clear_names,
        Q.clear_members,
        Q.clear_chunks,
        Q.clear_edges,
        Q.clear_neighbours,
        Q.clear_summaries,
        Q.clear_entities,
    ):
        connection.execute(block, {"app_id": app_id})


def digests(connection: Connection[Row], app_id: str) -> dict[str, str]:
    """One digest for each table of an app's graph; equal only for equal rows, moments aside."""
    rows = connection.execute(Q.digests, {"app_id": app_id})
    return {row["name"]: row["digest"] for row in rows}


def every_document(connection: Connection[Row], app_id: str) -> list[str]:
    """Documents that have or had a part in the graph of an app."""
    return [row["document_id"] for row in connection.execute(Q.every_document, {"app_id": app_id})]


def every_name(connection: Connection[Row], app_id: str) -> set[str]:
    """Every name in the graph of an app."""
    return {row["name_id"] for row in connection.execute(Q.every_name, {"app_id": app_id})}


def counts(connection: Connection[Row], app_id: str) -> Row:
    """Entities, edges, co-occurrences among them, summaries and super-nodes of an app."""
    row = connection.execute(
        Q.counts, {"app_id": app_id, "super_node": SUPER_NODE_DEGREE}
    ).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row


def edges_of(connection: Connection[Row], app_id: str, entity_id: str, k: int) -> list[Row]:
    """The `k` weightiest edges of an entity, relations before co-occurrences."""
    given = {"app_id": app_id, "entity_id": entity_id, "k": k}
    return connection.execute(Q.edges_of, given).fetchall()


def largest(connection: Connection[Row], app_id: str, k: int) -> list[Row]:
    """The `k` entities with the most neighbours: id, name, type, degree, mention count."""
    return connection.execute(Q.largest, {"app_id": app_id, "k": k}).fetchall()


def _pairs(rows: Iterable[Row]) -> set[EdgeKey]:
    return {(row["head_id"], row["relation"], row["tail_id"]) for row in rows}
