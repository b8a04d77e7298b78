"""Keeps the entity graph in step with what readers see, inside the transaction that changes it.

What was read of documents comes from `entity_mentions`; texts that are embedded or written by a
model afterwards are `graph_texts`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager

from finrag_pipeline.records.graph import EdgeKey, Membership
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.graph.edges import edge_key, edges_of
from finrag_pipeline.stages.graph.members import memberships
from finrag_pipeline.store.database.connections import Connection, Database, Rollback, Row
from finrag_pipeline.store.documents import documents as document_store
from finrag_pipeline.store.graph import (
    entity_decisions,
    entity_edges,
    entity_graph,
    entity_members,
    graph_embeddings,
)

Members = Mapping[str, Sequence[Membership]]


@contextmanager
def refreshed(
    connection: Connection[Row],
    app_id: str,
    document_ids: Collection[str] = (),
    names: Collection[str] = (),
) -> Generator[None]:
    """Recompute what a change of documents or decisions touches, when the block has made it.

    The graph of an app changes one transaction at a time: the rows are the same in whatever order,
    and however much at once, documents come, change and go.

    Args:
        document_ids: what readers see of them may change in the block.
        names: ids of names that a decision made in the block is about.
    """
    entity_graph.lock(connection, app_id)
    documents = sorted(document_ids)
    names_before, pairs_before = _touched(connection, documents)
    yield
    names_after, pairs_after = _touched(connection, documents)
    _recompute(
        connection,
        app_id,
        documents,
        names_before | names_after | set(names),
        pairs_before | pairs_after,
    )
    # keyword entries hold the names of their chunk
    document_store.tell_copies(connection, documents)


def differences(database: Database, app_id: str, most: int, salt: str = "") -> list[str]:
    """Tables of an app's graph that hold other rows than are computed afresh; nothing changes.

    Publications of the app wait meanwhile.

    Args:
        most: documents whose part is computed; where there are no more, it is the whole graph.
        salt: chooses which.
    """
    with database.connection() as connection, connection.transaction() as transaction:
        entity_graph.lock(connection, app_id)
        held = entity_graph.digests(connection, app_id)
        documents = entity_graph.every_document(connection, app_id)
        if len(documents) <= most:
            rebuild(connection, app_id)
        else:
            chosen = sorted(documents, key=lambda each: name_id(salt, each))[:most]
            names, pairs = _touched(connection, chosen)
            _recompute(connection, app_id, sorted(chosen), names, pairs)
        afresh = entity_graph.digests(connection, app_id)
        raise Rollback(transaction)
    return [table for table in held if held[table] != afresh[table]]


def rebuild(connection: Connection[Row], app_id: str) -> None:
    """Compute the whole graph of an app anew from mentions, evidence and decisions."""
    entity_graph.lock(connection, app_id)
    documents = entity_graph.every_document(connection, app_id)
    names, pairs = _touched(connection, documents)
    names |= entity_graph.every_name(connection, app_id)
    for part in (entity_graph, entity_members, entity_edges):
        part.clear(connection, app_id)
    _recompute(connection, app_id, documents, names, pairs)


def name_id(app_id: str, key: str) -> str:
    """Id of a name in an app: the same on every machine, whatever came before it.

    >>> name_id("default", "company:600519.SH")
    'ed2d7c43bca2289066ef5'
    """
    digest = hashlib.sha256(f"{app_id}\n{key}".encode()).hexdigest()
    return f"e{digest[:20]}"


def _touched(
    connection: Connection[Row], documents: Sequence[str]
) -> tuple[set[str], set[EdgeKey]]:
    """Names, and related pairs of names, of what readers see of some documents."""
    return (
        entity_graph.touched(connection, documents),
        entity_edges.touched(connection, documents),
    )


def _recompute(
    connection: Connection[Row],
    app_id: str,
    documents: Sequence[str],
    names: set[str],
    pairs: set[EdgeKey],
) -> None:
    linked = entity_members.connected(connection, app_id, names)
    before = entity_members.members(connection, app_id, linked)
    after = memberships(
        linked,
        entity_members.alias_links(connection, app_id, linked),
        entity_decisions.standing(connection, app_id, linked),
    )
    moved = [name for name in linked if before.get(name) != after.get(name)]
    entity_members.set_members(
        connection, app_id, moved, {name: after[name] for name in moved if name in after}
    )
    entity_graph.set_document_names(connection, documents)
    entity_graph.move_chunks(connection, app_id, moved)
    pairs |= entity_edges.relations_of(connection, app_id, moved)
    ends = {name for head, _, tail in pairs for name in (head, tail)}
    now = entity_members.members(connection, app_id, ends)
    keys = _edge_keys(pairs, before) | _edge_keys(pairs, now)
    _set_edges(connection, app_id, keys)
    entities = {entity for name in names | set(moved) for entity in _entities(name, before, after)}
    entities |= {entity for src, _, dst in keys for entity in (src, dst)}
    entity_graph.set_entities(connection, app_id, entities)
    graph_embeddings.delete_stale(connection, app_id, entities, keys)


def _set_edges(connection: Connection[Row], app_id: str, keys: set[EdgeKey]) -> None:
    names = entity_members.names_of(
        connection, app_id, {entity for src, _, dst in keys for entity in (src, dst)}
    )
    evidence = entity_edges.evidence_between(
        connection,
        app_id,
        {(head, tail) for src, _, dst in keys for head in names[src] for tail in names[dst]},
    )
    members = entity_members.members(
        connection, app_id, {name for each in evidence for name in (each.head_id, each.tail_id)}
    )
    edges = edges_of(evidence, members, SYMMETRIC)
    entity_edges.set_edges(connection, app_id, keys, edges)


def _edge_keys(pairs: Iterable[EdgeKey], members: Members) -> set[EdgeKey]:
    found: set[EdgeKey] = set()
    for head, relation, tail in pairs:
        for src in _entities(head, members):
            for dst in _entities(tail, members):
                if src != dst:
                    found.add(edge_key(src, relation, dst, SYMMETRIC))
    return found


def _entities(name: str, *members: Members) -> set[str]:
    """Every entity that a name belongs to at some time."""
    own = (Membership(name),)
    return {each.entity_id for held in members for each in held.get(name, own)}
