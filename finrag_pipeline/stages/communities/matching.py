"""Which of this week's communities are last week's, and what became of the others.

Communities are compared by the entities that they share, on every level on which both stand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from finrag_pipeline.records.communities import CommunityEvent, EventKind
from finrag_pipeline.stages.communities.graph import Ints
from finrag_pipeline.stages.communities.hierarchy import Hierarchy, grouped

#: Shared entities among the entities of both: so many, and it is the same community.
SAME = 0.5
#: The part of a community that makes it a fragment of another: most of it.
_MOST = 0.5
#: Where less of a community came from, or went to, is not told.
_TOLD = 0.1


@dataclass(frozen=True, slots=True)
class _Shared:
    """Entities that communities share on one level: of the week before, of this week, how many."""

    before: Ints
    now: Ints
    count: Ints


@dataclass(frozen=True, slots=True)
class Matching:
    """For each of this week's communities last week's that it is (-1: none), and on which level."""

    before: Ints
    levels: Ints


def match(before: Hierarchy, now: Hierarchy) -> Matching:
    """Find last week's communities in this week's; each is found once at the most.

    First those that share at least half of the entities of both, on coarse levels before finer
    ones. Then clear successors: each has the greatest part of the other, and it is most of the
    smaller one.
    """
    shared = _shared_by_level(before, now)
    found = np.full(len(now.sizes), -1, dtype=np.int64)
    levels = np.full(len(now.sizes), -1, dtype=np.int64)
    used = np.zeros(len(before.sizes), dtype=np.bool_)

    def take(level: int, pairs: _Shared, chosen: Ints) -> None:
        for place in chosen.tolist():
            old, new = int(pairs.before[place]), int(pairs.now[place])
            if found[new] < 0 and not used[old]:
                found[new], levels[new], used[old] = old, level, True

    likeness = [
        pairs.count / (before.sizes[pairs.before] + now.sizes[pairs.now] - pairs.count)
        for pairs in shared
    ]
    for level, pairs in enumerate(shared):
        like = np.flatnonzero(likeness[level] >= SAME)
        # at exactly one half there may be two: the earlier one in order
        take(level, pairs, like[np.argsort(-likeness[level][like], kind="stable")])
    for level, pairs in enumerate(shared):
        smaller = np.minimum(before.sizes[pairs.before], now.sizes[pairs.now])
        clear = _greatest(pairs.before, pairs) & _greatest(pairs.now, pairs)
        take(level, pairs, np.flatnonzero(clear & (pairs.count > _MOST * smaller)))
    return Matching(found, levels)


def name_communities(
    now: Hierarchy,
    matching: Matching,
    ids_before: Sequence[str],
    entity_ids: Sequence[str],
    app_id: str,
    week: date,
) -> list[str]:
    """Ids by number: last week's where matched, else of app, week, level and entities."""
    found: list[int] = matching.before.tolist()
    names = [ids_before[old] if old >= 0 else "" for old in found]
    for level, labels in enumerate(now.levels):
        for number, places in grouped(labels):
            if not names[number]:
                of = (app_id, week.isoformat(), str(level), *(entity_ids[each] for each in places))
                names[number] = "c" + hashlib.sha256("\0".join(of).encode()).hexdigest()[:20]
    return names


def events_between(
    before: Hierarchy,
    now: Hierarchy,
    matching: Matching,
    ids_before: Sequence[str],
    ids_now: Sequence[str],
) -> list[CommunityEvent]:
    """What became of every community, in order of level, id and event; the unchanged have none."""
    shared = _shared_by_level(before, now)
    now_of = np.full(len(before.sizes), -1, dtype=np.int64)
    kept = np.flatnonzero(matching.before >= 0)
    now_of[matching.before[kept]] = kept
    events: list[CommunityEvent] = []

    def note(
        community: str, event: EventKind, level: int, others: list[str], was: int, is_now: int
    ) -> None:
        events.append(CommunityEvent(community, event, level, tuple(others), was, is_now))

    partners_now = [_partners(pairs.now, pairs.before, pairs.count) for pairs in shared]
    partners_before = [_partners(pairs.before, pairs.now, pairs.count) for pairs in shared]
    for number, (old, size) in enumerate(
        zip(matching.before.tolist(), now.sizes.tolist(), strict=True)
    ):
        level = int(now.first_levels[number])
        if old < 0:
            sources = _told(partners_now[level].get(number, []), size)
            note(ids_now[number], "born", level, [ids_before[each] for each in sources], 0, size)
            continue
        was, met = int(before.sizes[old]), int(matching.levels[number])
        if size != was:
            note(ids_now[number], "grew" if size > was else "shrank", level, [], was, size)
        fragments = [
            ids_now[other]
            for other, count in partners_before[met].get(old, [])
            if matching.before[other] < 0 and count > _MOST * now.sizes[other]
        ]
        if fragments:
            note(ids_now[number], "split", level, fragments, was, size)
        taken = [
            ids_before[other]
            for other, count in partners_now[met].get(number, [])
            if now_of[other] < 0 and count > _MOST * before.sizes[other]
        ]
        if taken:
            note(ids_now[number], "merged", level, taken, was, size)
    for old in np.flatnonzero(now_of < 0).tolist():
        level, was = int(before.first_levels[old]), int(before.sizes[old])
        heirs = _told(partners_before[level].get(old, []), was)
        note(ids_before[old], "died", level, [ids_now[each] for each in heirs], was, 0)
    return sorted(events, key=lambda each: (each.level, each.community_id, each.event))


def _shared_by_level(before: Hierarchy, now: Hierarchy) -> list[_Shared]:
    found: list[_Shared] = []
    for level in range(max(len(before.levels), len(now.levels))):
        old, new = before.on_level(level), now.on_level(level)
        both = (old >= 0) & (new >= 0)
        width = np.int64(len(now.sizes))
        pairs, count = np.unique(old[both] * width + new[both], return_counts=True)
        found.append(_Shared(pairs // width, pairs % width, count))
    return found


def _greatest(side: Ints, pairs: _Shared) -> np.ndarray:
    """Which pairs share most among those of their community of one side; one for each."""
    order = np.lexsort((pairs.now, pairs.before, -pairs.count, side))
    first = np.zeros(len(order), dtype=np.bool_)
    first[order[np.diff(side[order], prepend=-1) != 0]] = True
    return first


def _partners(own: Ints, other: Ints, count: Ints) -> dict[int, list[tuple[int, int]]]:
    """For each community those that it shares entities with, and how many; most first."""
    order = np.lexsort((other, -count, own))
    found: dict[int, list[tuple[int, int]]] = {}
    columns = zip(own[order].tolist(), other[order].tolist(), count[order].tolist(), strict=True)
    for one, another, shared in columns:
        found.setdefault(one, []).append((another, shared))
    return found


def _told(partners: list[tuple[int, int]], size: int) -> list[int]:
    """Those that a part of a community worth telling is shared with."""
    return [other for other, count in partners if count >= _TOLD * size]
