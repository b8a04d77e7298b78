"""Edges from the statements behind them: weight now and on every day, time, description, chunks.

Which statements there are, and whose names their ends are, is given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.records.graph import Edge, EdgeKey, Evidence, Membership, Step

#: Statements that describe an edge: more say little new, and a description is embedded as a whole.
DESCRIBED_BY = 5
#: Chunks that an edge tells, the newest: all of them stand in its evidence, and an edge that every
#: report adds to is written again with each.
CHUNKS_TOLD = 100


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


def edge_key(src: str, relation: str, dst: str, symmetric: Set[str]) -> EdgeKey:
    """The edge between two entities; without direction its ends are in the order of ids."""
    first, last = sorted((src, dst)) if relation in symmetric else (src, dst)
    return first, relation, last


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
