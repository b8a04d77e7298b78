"""What follows from evidence alone: memberships, edges with their steps, summaries."""

from __future__ import annotations

import itertools
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records.graph import (
    AliasLink,
    Anchor,
    Decision,
    EntitySource,
    Membership,
)
from finrag_pipeline.stages.graph.members import memberships
from finrag_pipeline.stages.graph.summaries import extract_summary
from finrag_pipeline_tests.pipelines.graph.edge_model import Evidence, edges_of

DAY = date(2026, 3, 2)
NAMES = "abcde"

links = st.builds(
    AliasLink,
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.integers(0, 4).map(lambda days: DAY + timedelta(days)),
).filter(lambda link: link.alias_id != link.name_id)
decisions = st.builds(
    Decision,
    st.sampled_from(("merge", "split")),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
).filter(lambda each: each.name_id != each.other_id)
evidence = st.builds(
    Evidence,
    st.sampled_from(NAMES),
    st.sampled_from(("supplies", "co_occurs")),
    st.sampled_from(NAMES),
    st.sampled_from(("d1", "d2")),
    st.integers(0, 2),
    st.integers(0, 9),
    st.sampled_from((0.3, 0.6, 1.0)),
    st.just("said"),
    st.none(),
    st.none(),
    st.integers(0, 4).map(lambda days: DAY + timedelta(days)),
)


def entity_on(steps: tuple[Membership, ...], name: str, day: date) -> str:
    for step in steps:
        if (step.since is None or step.since <= day) and (step.until is None or day < step.until):
            return step.entity_id
    return name


@given(st.lists(links, max_size=6), st.lists(decisions, max_size=3), st.randoms())
def test_memberships_cover_all_days_and_forget_the_order_of_rows(links, decisions, random):
    found = memberships(NAMES, links, decisions)
    for name, steps in found.items():
        assert steps[0].since is None and steps[-1].until is None
        assert all(a.until == b.since for a, b in itertools.pairwise(steps))
        assert steps != (Membership(name),)
    random.shuffle(links)
    random.shuffle(decisions)
    assert memberships(reversed(NAMES), links, decisions) == found


@given(st.lists(links, max_size=6), st.integers(0, 4))
def test_a_day_of_memberships_is_what_was_declared_by_then(links, days):
    day = DAY + timedelta(days)
    now = memberships(NAMES, [link for link in links if link.published_on <= day], ())
    then = memberships(NAMES, links, ())
    for name in NAMES:
        assert entity_on(then.get(name, ()), name, day) == entity_on(
            now.get(name, ()), name, DAY + timedelta(99)
        )


def test_two_names_that_are_each_other_s_alias_are_one_entity():
    declared = [AliasLink("a", "b", DAY), AliasLink("b", "a", DAY)]
    found = memberships("ab", declared, ())
    assert {steps[-1].entity_id for steps in (found["b"],)} == {"a"}


@given(st.lists(evidence, max_size=12), st.lists(links, max_size=3), st.integers(0, 4))
def test_the_weight_of_a_day_is_that_of_what_was_said_by_then(given_evidence, links, days):
    unique = {(e.document_id, e.chunk, e.ordinal): e for e in given_evidence}.values()
    day = DAY + timedelta(days)
    symmetric = frozenset({"co_occurs"})
    edges = edges_of(unique, memberships(NAMES, links, ()), symmetric)
    early = memberships(NAMES, [link for link in links if link.published_on <= day], ())
    by_then = edges_of([e for e in unique if e.published_on <= day], early, symmetric)
    then = {
        key: step.weight
        for key, edge in edges.items()
        for step in edge.steps
        if step.since <= day and (step.until is None or day < step.until)
    }
    assert then == {key: edge.weight for key, edge in by_then.items() if edge.chunk_ids}
    for edge in edges.values():
        assert edge.key[0] != edge.key[2]
        assert all(
            a.until is None or a.until <= b.since
            for a, b in zip(edge.steps, edge.steps[1:], strict=False)
        )


def test_a_chunk_that_says_it_twice_counts_once():
    def said(chunk: int, ordinal: int, weight: float) -> Evidence:
        return Evidence("a", "co_occurs", "b", "d", chunk, ordinal, weight, "", None, None, DAY)

    edge = edges_of([said(0, 0, 0.6), said(0, 1, 1.0), said(1, 2, 0.3)], {}, frozenset())
    assert edge["a", "co_occurs", "b"].weight == 1.3
    assert edge["a", "co_occurs", "b"].chunk_ids == ("d:0", "d:1")


def source(*contents: str, description: str = "") -> EntitySource:
    anchors = tuple(Anchor(f"d:{n}", content) for n, content in enumerate(contents))
    return EntitySource("e1", "容量电价", "policy", ("capacity tariff",), description, anchors, DAY)


def test_a_summary_sorts_sentences_of_the_entity_into_parts():
    found = extract_summary(
        source(
            "容量电价是对独立储能按可用容量支付的电价。\n今日天气晴朗，交易清淡，没有更多消息。",
            "申报容量电价的电站应当满足连续放电不低于四小时的要求。",
            "申报容量电价须首先提交测试报告，随后由电网核验，最后公示。",
            "容量电价不适用于用户侧储能，除非另有规定。",
        )
    )
    lines = found.text.splitlines()
    assert lines[0] == "概念：容量电价是对独立储能按可用容量支付的电价。"
    assert lines[1].startswith("核心规则与关系：申报容量电价的电站应当")
    assert lines[2].startswith("流程：")
    assert lines[3] == "例外与不确定：容量电价不适用于用户侧储能，除非另有规定。"
    assert found.anchor_chunk_ids == ("d:0", "d:1", "d:2", "d:3")


def test_a_summary_of_an_entity_that_no_sentence_names_tells_its_description():
    found = extract_summary(source("没有提到它。", description="独立储能的收入来源之一。"))
    assert found.text == "概念：独立储能的收入来源之一。"
    assert found.anchor_chunk_ids == ("d:0",)
