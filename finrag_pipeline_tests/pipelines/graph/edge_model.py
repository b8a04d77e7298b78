"""Edges as a plain reading of all statements makes them: what sums in the store must equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.graph import EdgeKey, Membership
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.graph.edges import edge_key
from finrag_pipeline.store.graph import entity_members
from finrag_pipeline.store.graph.entity_edges import CHUNKS_TOLD, DESCRIBED_BY


@dataclass(frozen=True, slots=True)
class Evidence:
    """One asserted statement about two names; `weight` is what its chunk adds to the edge."""

    head_id: str
    relation: str
    tail_id: str
    document_id: str
    chunk: int
    ordinal: int
    weight: float
    description: str
    valid_from: date | None
    valid_to: date | None
    published_on: date

    @property
    def chunk_id(self) -> str:
        return f"{self.document_id}:{self.chunk}"


@dataclass(frozen=True, slots=True)
class Step:
    """The weight of an edge for days of publication by `since` and before `until`."""

    since: date
    until: date | None
    weight: float


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge as it is now, and the steps of its weight; no `chunk_ids` when it is history only."""

    key: EdgeKey
    steps: tuple[Step, ...]
    weight: float = 0.0
    description: str = ""
    valid_from: date | None = None
    valid_to: date | None = None
    published_from: date | None = None
    published_to: date | None = None
    chunk_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Share:
    """A statement as evidence of one edge, from a day on and before another."""

    evidence: Evidence
    since: date
    until: date | None


def edges_of(
    evidence: Iterable[Evidence],
    members: Mapping[str, Sequence[Membership]],
    symmetric: Set[str],
) -> dict[EdgeKey, Edge]:
    """Edges that statements make, in the order of their keys.

    The weight of an edge is the sum over distinct chunks of what each adds: a chunk that says the
    same twice counts once, by its heaviest statement. Sums do not depend on the order of rows.

    Args:
        members: entities of names that are not entities by themselves.
        symmetric: relations without direction: their ends are in the order of ids.
    """
    shares: dict[EdgeKey, list[_Share]] = defaultdict(list)
    for each in evidence:
        for head in members.get(each.head_id, (Membership(each.head_id),)):
            for tail in members.get(each.tail_id, (Membership(each.tail_id),)):
                days = (each.published_on, head.since, tail.since)
                since = max(day for day in days if day is not None)
                until = _earlier(head.until, tail.until)
                if head.entity_id == tail.entity_id or (until is not None and since >= until):
                    continue
                key = edge_key(head.entity_id, each.relation, tail.entity_id, symmetric)
                shares[key].append(_Share(each, since, until))
    return {key: _edge(key, shares[key]) for key in sorted(shares)}


def described(descriptions: Iterable[tuple[date, str, int, str]], most: int) -> str:
    """The newest distinct descriptions, one a line, given as (day, document, ordinal, text)."""
    newest = sorted(descriptions, key=lambda each: (-each[0].toordinal(), *each[1:]))
    return "\n".join(list(dict.fromkeys(text for *_, text in newest if text))[:most])


def _edge(key: EdgeKey, shares: Sequence[_Share]) -> Edge:
    steps = _steps(shares)
    now = [share.evidence for share in shares if share.until is None]
    if not now:
        return Edge(key, steps)
    first = [each.valid_from for each in now if each.valid_from]
    last = [each.valid_to for each in now if each.valid_to]
    chunks = {(each.published_on, each.document_id, each.chunk): each.chunk_id for each in now}
    return Edge(
        key,
        steps,
        steps[-1].weight,
        described(
            ((each.published_on, each.document_id, each.ordinal, each.description) for each in now),
            DESCRIBED_BY,
        ),
        min(first, default=None),
        max(last, default=None),
        min(each.published_on for each in now),
        max(each.published_on for each in now),
        tuple(chunks[place] for place in sorted(chunks)[-CHUNKS_TOLD:]),
    )


def _steps(shares: Sequence[_Share]) -> tuple[Step, ...]:
    days = sorted({day for share in shares for day in (share.since, share.until) if day})
    steps: list[Step] = []
    # what a chunk adds is in tenths: sums of whole numbers do not depend on the order of rows
    tenths: dict[str, int] = {}
    total = 0
    starting: dict[date, list[_Share]] = defaultdict(list)
    for share in shares:
        starting[share.since].append(share)
    ends = {share.until for share in shares if share.until}
    for since, until in zip(days, [*days[1:], None], strict=True):
        if since in ends:  # names moved to another entity: what held them counts no more
            tenths, total = {}, 0
            held = [
                share
                for share in shares
                if share.since <= since and (share.until is None or since < share.until)
            ]
        else:
            held = starting[since]
        for share in held:
            chunk = share.evidence.chunk_id
            before = tenths.get(chunk, 0)
            tenths[chunk] = max(before, round(10 * share.evidence.weight))
            total += tenths[chunk] - before
        weight = total / 10
        if steps and steps[-1].until == since and steps[-1].weight == weight:
            steps[-1] = Step(steps[-1].since, until, weight)
        elif weight:
            steps.append(Step(since, until, weight))
    return tuple(steps)


def _earlier(one: date | None, other: date | None) -> date | None:
    return min((day for day in (one, other) if day is not None), default=None)


def assert_edges_are_as_modelled(connection: Connection[dict[str, Any]], app_id: str) -> None:
    """Edges and their steps, at both ends, are those of every statement that readers see."""
    rows = connection.execute(
        "select r.head_id, r.relation, r.tail_id, r.document_id, r.chunk, r.ordinal, r.weight,"
        " r.description, r.valid_from, r.valid_to, r.published_on"
        " from relation_evidence r join documents d on d.document_id = r.document_id"
        " and d.current_revision = r.revision where r.app_id = %s and r.modality = 'asserted'",
        (app_id,),
    )
    evidence = [Evidence(**row) for row in rows]
    names = {name for each in evidence for name in (each.head_id, each.tail_id)}
    edges = edges_of(evidence, entity_members.members(connection, app_id, names), SYMMETRIC)
    stored = connection.execute(
        "select src_entity_id as src, edge_type, dst_entity_id as dst, weight, description,"
        " valid_from, valid_to, published_from, published_to, evidence_chunk_ids"
        " from entity_edges where app_id = %s order by 1, 2, 3",
        (app_id,),
    ).fetchall()
    assert [tuple(row.values()) for row in stored] == [
        (*key, edge.weight, edge.description, edge.valid_from, edge.valid_to,
         edge.published_from, edge.published_to, list(edge.chunk_ids))
        for key, edge in edges.items()
        if edge.chunk_ids
    ]  # fmt: skip
    steps = connection.execute(
        "select case when outgoing then entity_id else neighbour_id end as src, edge_type,"
        " case when outgoing then neighbour_id else entity_id end as dst, since,"
        " nullif(until, 'infinity') as until, weight"
        " from entity_neighbours where app_id = %s order by 1, 2, 3, 4, outgoing",
        (app_id,),
    ).fetchall()
    assert [tuple(row.values()) for row in steps] == [
        (*key, step.since, step.until, step.weight)
        for key, edge in edges.items()
        for step in edge.steps
        for _ in ("one end", "the other")
    ]
