"""Whether the stored graph is what documents bring to it: computed afresh for some, and compared.

Nothing is written and nobody waits: all is read as it was at one moment.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import accumulate, pairwise
from typing import TypeVar

from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.graph.members import memberships
from finrag_pipeline.store.database.connections import Connection, Database, Row
from finrag_pipeline.store.graph import (
    entity_decisions,
    entity_edges,
    entity_graph,
    entity_members,
    entity_neighbours,
    graph_check,
)

K = TypeVar("K")

#: What so many documents bring is summed up anew: of names that are rare first, so that it is all
#: of them in most documents. Summing up the rest would read most of a store.
_SUMMED_UP = 5_000
#: Of the rest so many are, others every time.
_LARGE_ONES = 2


def differences(database: Database, app_id: str, most: int, salt: str = "") -> list[str]:
    """Tables of an app's graph that hold other rows than are computed afresh.

    Compared are the rows of some documents, of all names, entities and edges in them, and the sums
    of these as far as few documents bring them: a check costs as much as the documents say.

    Args:
        most: documents that are compared; where there are no more, it is the whole graph.
        salt: chooses which.
    """
    digest = hashlib.sha256(salt.encode()).hexdigest()
    with database.transaction() as connection:
        graph_check.snapshot(connection)
        documents = graph_check.some_documents(connection, app_id, digest, most + 1)
        whole = len(documents) <= most
        documents = documents[:most]
        found = graph_check.contributions(connection, documents)
        used = graph_check.named(connection, app_id, documents)
        names = _chosen(used, digest)
        found |= graph_check.sums(connection, app_id, names)
        found |= _members(connection, app_id, used)
        entities = set(entity_graph.entities_of(connection, app_id, documents))
        edges = {
            key for key, _ in entity_neighbours.changes(connection, app_id, SYMMETRIC, documents)
        }
        if whole:
            entities |= entity_graph.every_entity(connection, app_id)
            edges |= graph_check.every_edge(connection, app_id)
        found |= _entities_and_edges(connection, app_id, entities, edges, digest)
    return sorted(found)


def _members(connection: Connection[Row], app_id: str, names: Iterable[str]) -> set[str]:
    linked = entity_members.connected(connection, app_id, names)
    afresh = memberships(
        linked,
        entity_members.alias_links(connection, app_id, linked),
        entity_decisions.standing(connection, app_id, linked),
    )
    held = entity_members.members(connection, app_id, linked)
    return set() if held == afresh else {"entity_members"}


def _entities_and_edges(
    connection: Connection[Row],
    app_id: str,
    entities: set[str],
    edges: set[EdgeKey],
    digest: str,
) -> set[str]:
    found: set[str] = set()
    stored = graph_check.entities(
        connection, app_id, entities | {end for src, _, dst in edges for end in (src, dst)}
    )
    documents = {row["entity_id"]: row["document_count"] for row in stored}
    summed = _chosen({each: documents.get(each, 0) for each in entities}, digest)
    held = [row for row in stored if row["entity_id"] in summed]
    if held != entity_graph.describe_entities(connection, app_id, summed):
        found.add("entities")
    if graph_check.edges(connection, app_id, edges) != entity_edges.edges_now(
        connection, app_id, SYMMETRIC, edges
    ):
        found.add("entity_edges")
    weighed = _chosen(
        {key: min(documents.get(key[0], 0), documents.get(key[2], 0)) for key in edges}, digest
    )
    if graph_check.steps(connection, app_id, weighed) != _steps(connection, app_id, weighed):
        found.add("entity_neighbours")
    return found


def _steps(
    connection: Connection[Row], app_id: str, keys: set[EdgeKey]
) -> dict[EdgeKey, graph_check.Steps]:
    """Steps of some edges from all that documents bring, at the one end and at the other."""
    ends = {end for src, _, dst in keys for end in (src, dst)}
    names = entity_members.names_of(connection, app_id, ends)
    pairs = {(head, tail) for src, _, dst in keys for head in names[src] for tail in names[dst]}
    pairs |= {(tail, head) for head, tail in pairs}
    days: dict[EdgeKey, list[tuple[date | None, int]]] = defaultdict(list)
    changed = entity_neighbours.changes(connection, app_id, SYMMETRIC, pairs=pairs)
    for (key, day), tenths in sorted(changed.items()):
        if key in keys and tenths:
            days[key].append((day, tenths))
    found: dict[EdgeKey, graph_check.Steps] = {}
    for key, rises in days.items():
        steps: graph_check.Steps = []
        total = 0
        for (since, tenths), (until, _) in pairwise([*rises, (None, 0)]):
            total += tenths
            if total and since:
                steps.append((since, until, total))
        found[key] = steps + steps
    return found


def _chosen(documents: Mapping[K, int], digest: str) -> set[K]:
    """What few documents bring, and a few that many do: others with every digest."""
    rare = sorted(documents, key=lambda each: (documents[each], str(each)))
    sums = accumulate(documents[each] for each in rare)
    few = sum(total <= _SUMMED_UP for total in sums)
    rest = sorted(rare[few:], key=lambda each: hashlib.sha256(f"{digest}{each}".encode()).digest())
    return {*rare[:few], *rest[:_LARGE_ONES]}
