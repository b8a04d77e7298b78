"""Keeps the entity graph in step with what readers see, inside the transaction that changes it.

What was read of documents comes from `entity_mentions`; texts that are embedded or written by a
model afterwards are `graph_texts`; whether the graph is in step, `graph_check` tells.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date

from finrag_pipeline.records.graph import EdgeKey, Membership
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.graph.members import memberships
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.documents import documents as document_store
from finrag_pipeline.store.graph import (
    contributions,
    entity_decisions,
    entity_edges,
    entity_graph,
    entity_members,
    entity_neighbours,
    graph_embeddings,
)

#: Documents whose part of the graph is computed together when all of it is: more need more memory
#: and are hardly faster.
_BATCH = 500


@contextmanager
def refreshed(
    connection: Connection[Row],
    app_id: str,
    document_ids: Collection[str] = (),
    names: Collection[str] = (),
) -> Generator[None]:
    """Bring the graph to what a change of documents or decisions makes of it, after the block.

    The graph of an app changes one transaction at a time: the rows are the same in whatever order,
    and however much at once, documents come, change and go. It changes by the difference between
    what the documents brought and what they bring, so that it costs as much as they say, however
    much is stored.

    Args:
        document_ids: what readers see of them may change in the block.
        names: ids of names that a decision made in the block is about.
    """
    entity_graph.lock(connection, app_id)
    documents = sorted(document_ids)
    links = entity_members.declared_links(connection, documents)
    yield
    links |= entity_members.declared_links(connection, documents)
    decided = entity_members.set_links(connection, app_id, links) | set(names)
    moves = _moves(connection, app_id, decided)
    _bring(connection, app_id, documents, moves)
    # keyword entries hold the names of their chunk
    document_store.tell_copies(connection, documents)


def rebuild(connection: Connection[Row], app_id: str) -> None:
    """Compute the whole graph of an app anew from mentions, evidence and decisions."""
    entity_graph.lock(connection, app_id)
    entities = entity_graph.every_entity(connection, app_id)
    edges = entity_edges.every_described(connection, app_id)
    for part in (contributions, entity_graph, entity_members, entity_edges, entity_neighbours):
        part.clear(connection, app_id)
    entity_members.set_every_link(connection, app_id)
    moves = _moves(connection, app_id, entity_members.linked_names(connection, app_id))
    entity_members.set_members(connection, app_id, moves.names, moves.after)
    documents = entity_graph.every_document(connection, app_id)
    for start in range(0, len(documents), _BATCH):
        batch = documents[start : start + _BATCH]
        _bring(connection, app_id, batch, _Moves())
    entities |= entity_graph.every_entity(connection, app_id)
    edges |= entity_edges.every_described(connection, app_id)
    graph_embeddings.delete_stale(connection, app_id, entities, edges)


def name_id(app_id: str, key: str) -> str:
    """Id of a name in an app: the same on every machine, whatever came before it.

    >>> name_id("default", "company:600519.SH")
    'ed2d7c43bca2289066ef5'
    """
    digest = hashlib.sha256(f"{app_id}\n{key}".encode()).hexdigest()
    return f"e{digest[:20]}"


@dataclass(frozen=True, slots=True)
class _Moves:
    """Names that belong to other entities than before, among those they are linked with."""

    names: Sequence[str] = ()
    linked: Sequence[str] = ()
    after: dict[str, tuple[Membership, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class _Differences:
    """What documents bring now, less what they brought."""

    tenths: Counter[tuple[EdgeKey, date]] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    texts: set[contributions.EntityText] = field(default_factory=set)

    def count(
        self,
        connection: Connection[Row],
        app_id: str,
        documents: Sequence[str],
        moves: _Moves,
        sign: int,
    ) -> None:
        named = entity_graph.entities_of(
            connection, app_id, documents, moved=moves.names, linked=moves.linked
        )
        weighed = entity_neighbours.changes(
            connection, app_id, SYMMETRIC, documents, moved=moves.names, linked=moves.linked
        )
        for entity, count in named.items():
            self.documents[entity] += sign * count
        for change, tenths in weighed.items():
            self.tenths[change] += sign * tenths
        self.texts |= contributions.described_entities(connection, app_id, documents, moves.names)


def _moves(connection: Connection[Row], app_id: str, names: Iterable[str]) -> _Moves:
    """Which names belong to other entities now that aliases of, or decisions on, some changed."""
    linked = entity_members.connected(connection, app_id, names)
    before = entity_members.members(connection, app_id, linked)
    after = memberships(
        linked,
        entity_members.alias_links(connection, app_id, linked),
        entity_decisions.standing(connection, app_id, linked),
    )
    moved = [name for name in linked if before.get(name) != after.get(name)]
    return _Moves(moved, linked, {name: after[name] for name in moved if name in after})


def _bring(
    connection: Connection[Row],
    app_id: str,
    documents: Sequence[str],
    moves: _Moves,
) -> None:
    """Put what documents bring now in place of what they brought; names move on the way."""
    differences = _Differences()
    differences.count(connection, app_id, documents, moves, -1)
    entity_members.set_members(connection, app_id, moves.names, moves.after)
    contributions.replace(connection, app_id, documents)
    entity_graph.move_chunks(connection, app_id, moves.names)
    differences.count(connection, app_id, documents, moves, +1)
    contributions.set_descriptions(connection, app_id, differences.texts)
    edges, neighbours = _set_edges(connection, app_id, differences.tenths)
    changed = entity_graph.set_entities(connection, app_id, differences.documents, neighbours)
    # the text that a summary was written from may be another one where the row is the same
    changed |= differences.documents.keys()
    entity_graph.delete_summaries(connection, app_id, changed)
    graph_embeddings.delete_stale(connection, app_id, changed, edges)


def _set_edges(
    connection: Connection[Row], app_id: str, tenths: Counter[tuple[EdgeKey, date]]
) -> tuple[set[EdgeKey], Counter[str]]:
    """Change edges by tenths of their weights on days of publication.

    Returns:
        Edges that are described otherwise than before, and how many neighbours more entities have.
    """
    keys = {key for key, _ in tenths}
    entity_neighbours.change_steps(connection, app_id, tenths)
    before = entity_edges.held_edges(connection, app_id, keys)
    now = entity_edges.edges_now(connection, app_id, SYMMETRIC, keys)
    came, gone = now.keys() - before.keys(), before.keys() - now.keys()
    entity_edges.set_edges(connection, app_id, now, gone)
    kept = entity_edges.edges_between(connection, app_id, came | gone)
    pairs_now, pairs_before = _pairs(kept), _pairs(kept - came) | _pairs(gone)
    neighbours: Counter[str] = Counter()
    for pairs, sign in ((pairs_now - pairs_before, 1), (pairs_before - pairs_now, -1)):
        for end in (end for pair in pairs for end in pair):
            neighbours[end] += sign
    described = {
        key
        for key in keys
        if before.get(key, "") != (now[key]["description"] if key in now else "")
    }
    return described, neighbours


def _pairs(edges: Iterable[EdgeKey]) -> set[frozenset[str]]:
    return {frozenset((src, dst)) for src, _, dst in edges}
