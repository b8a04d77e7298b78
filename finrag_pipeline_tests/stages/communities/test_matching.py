"""Ids that carry over, events, the tree of communities and its check, on any two partitions."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records.communities import Community, CommunityEvent
from finrag_pipeline.stages.communities.check import inconsistencies
from finrag_pipeline.stages.communities.graph import first_seen, make_graph
from finrag_pipeline.stages.communities.hierarchy import make_hierarchy, read_hierarchy, records
from finrag_pipeline.stages.communities.matching import events_between, match, name_communities

FIRST, SECOND = date(2026, 3, 1), date(2026, 3, 8)
NOTHING = np.zeros(0, dtype=np.int64)

#: For each of some entities its community on three levels; None where it is not there.
Week = dict[str, tuple[int, int, int]]
weeks = st.dictionaries(
    st.sampled_from([f"e{number:02}" for number in range(24)]),
    st.tuples(*[st.integers(0, 2)] * 3),
    min_size=1,
)


def build(
    week: Week, day: date, last: Sequence[Community] = ()
) -> tuple[list[Community], list[CommunityEvent]]:
    """What a week's partition becomes, after another or as the first."""
    entity_ids = sorted(week)
    paths = [week[each] for each in entity_ids]
    graph = make_graph(len(entity_ids), NOTHING, NOTHING, NOTHING.astype(float))
    levels: list[np.ndarray] = []
    for depth in range(3):
        numbers: dict[tuple[int, ...], int] = {}
        labels = [numbers.setdefault(each[: depth + 1], len(numbers)) for each in paths]
        levels.append(first_seen(np.array(labels)))
    # numbers go over all levels, and what is not divided keeps its own
    for coarse, fine in pairwise(range(3)):
        whole = (
            np.bincount(levels[coarse])[levels[coarse]] == np.bincount(levels[fine])[levels[fine]]
        )
        levels[fine] = np.where(whole, levels[coarse], levels[fine] + levels[coarse].max() + 1)
    everything = np.unique(np.concatenate(levels), return_inverse=True)[1].reshape(3, -1)
    now = make_hierarchy(list(everything))
    before, ids_before = read_hierarchy(last, entity_ids)
    found = match(before, now)
    ids = name_communities(now, found, ids_before, entity_ids, "default", day)
    communities = records(now, graph, entity_ids, ids)
    return communities, events_between(before, now, found, ids_before, ids)


@given(weeks)
def test_communities_are_whole_and_can_be_read_again(week: Week) -> None:
    communities, _ = build(week, FIRST)
    assert inconsistencies(communities, sorted(week)) == []
    again, events = build(week, SECOND, communities)
    assert again == communities
    assert events == []


@given(weeks, weeks)
def test_every_community_lives_on_or_died(one: Week, other: Week) -> None:
    before, _ = build(one, FIRST)
    now, events = build(other, SECOND, before)
    assert inconsistencies(now, sorted(other)) == []
    was = {each.community_id: each for each in before}
    has = {each.community_id: each for each in now}
    assert len(has) == len(now)
    died = {each.community_id for each in events if each.event == "died"}
    born = {each.community_id for each in events if each.event == "born"}
    assert died == set(was) - set(has)
    assert born == set(has) - set(was)
    assert len({(each.community_id, each.event) for each in events}) == len(events)
    for each in events:
        old, new = was.get(each.community_id), has.get(each.community_id)
        assert each.entities_before == (old.entity_count if old else 0)
        assert each.entities_after == (new.entity_count if new else 0)
        assert each.level == (new or old or now[0]).level
        assert (each.event == "grew") <= (each.entities_after > each.entities_before)
        assert (each.event == "shrank") <= (each.entities_after < each.entities_before)
        if each.event in ("born", "merged"):
            assert set(each.others) <= set(was)
        if each.event in ("died", "split"):
            assert set(each.others) <= set(has)
        assert each.community_id not in each.others
    changed = {each.community_id for each in events if each.event in ("grew", "shrank")}
    kept = set(was) & set(has)
    assert changed == {each for each in kept if was[each].entity_count != has[each].entity_count}


@given(weeks, weeks, st.randoms())
def test_the_order_of_the_input_changes_nothing(one: Week, other: Week, random) -> None:
    before, _ = build(one, FIRST)
    shuffled = random.sample(before, len(before))
    assert build(other, SECOND, shuffled) == build(other, SECOND, before)


def named(events: list[CommunityEvent]) -> list[tuple[str, int]]:
    return [(each.event, len(each.others)) for each in events]


def flat(*groups: str) -> Week:
    """Communities on level 0 alone, an entity a letter."""
    return {letter: (number, 0, 0) for number, group in enumerate(groups) for letter in group}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (flat("abcdef", "xyz"), flat("abcdefg", "xyz"), [("grew", 0)]),
        (flat("abcdef", "xyz"), flat("abcde", "xyz"), [("shrank", 0)]),
        (flat("abcdef"), flat("abcd", "ef"), [("born", 1), ("shrank", 0), ("split", 1)]),
        (flat("abcd", "ef"), flat("abcdef"), [("died", 1), ("grew", 0), ("merged", 1)]),
        (flat("abc"), flat("abc", "xyz"), [("born", 0)]),
        (flat("abc", "xyz"), flat("abc"), [("died", 0)]),
        # less than half is left of it, but it is the clear successor
        (
            flat("abcdefghi"),
            flat("abcd", "ef", "gh"),
            [("born", 1)] * 2 + [("shrank", 0), ("split", 2)],
        ),
        # nobody has most of it, and it is most of nobody
        (flat("abcd"), flat("ablmn", "cdopq"), [("born", 1)] * 2 + [("died", 2)]),
    ],
)
def test_events(one: Week, other: Week, expected: list[tuple[str, int]]) -> None:
    before, _ = build(one, FIRST)
    _, events = build(other, SECOND, before)
    assert sorted(named(events)) == expected


def test_a_community_that_is_divided_later_keeps_its_id() -> None:
    one = {letter: (0, 0, 0) for letter in "abcdef"} | {"x": (1, 0, 0)}
    other = {letter: (0, int(letter > "c"), 0) for letter in "abcdef"} | {"x": (1, 0, 0)}
    before, _ = build(one, FIRST)
    now, events = build(other, SECOND, before)
    top = {each.community_id for each in now if each.level == 0}
    assert top == {each.community_id for each in before}
    assert named(events) == [("born", 1), ("born", 1)]


def test_a_community_keeps_its_id_when_another_takes_it_in() -> None:
    one = flat("abcdef", "xyzuvwrst")
    other = {letter: (0, int(letter > "f"), 0) for letter in "abcdefxyzuvwrst"}
    before, _ = build(one, FIRST)
    now, _ = build(other, SECOND, before)
    assert {each.community_id for each in before} <= {each.community_id for each in now}


WHOLE, _ = build({letter: (0, int(letter > "c"), 0) for letter in "abcdef"}, FIRST)


@pytest.mark.parametrize(
    ("place", "change", "told"),
    [
        (1, {"entity_ids": ("a", "b", "c", "d")}, "two finest communities"),
        (1, {"entity_ids": ("a", "b"), "entity_count": 2}, "in no community, e.g. c"),
        (1, {"entity_ids": ("a", "b", "c", "z"), "entity_count": 4}, "not in the graph, e.g. z"),
        (1, {"level": 0}, "no parent on a coarser level"),
        (1, {"parent_id": "c0"}, "no parent on a coarser level"),
        (1, {"parent_id": None}, "stands alone on level 1"),
        (1, {"level": 2}, "not divided on one level"),
        (0, {"entity_count": 5}, "counts 5 entities and holds 6"),
        (0, {"last_leaf": 0}, "does not span the leaves"),
        (1, {"first_leaf": 4, "last_leaf": 4}, "not numbered one by one"),
    ],
)
def test_what_is_not_whole_is_told(place: int, change: dict[str, object], told: str) -> None:
    assert inconsistencies(WHOLE, "abcdef") == []
    broken = list(WHOLE)
    broken[place] = dataclasses.replace(broken[place], **change)  # type: ignore[arg-type]
    assert any(told in each for each in inconsistencies(broken, "abcdef"))
    assert inconsistencies([*WHOLE, WHOLE[1]], "abcdef") != []
