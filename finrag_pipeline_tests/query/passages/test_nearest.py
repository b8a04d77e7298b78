"""Refusals with what comes nearest: quoted and cited below it, never called an answer."""

from __future__ import annotations

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.query.conftest import AddDocument

SAID = "受存量合同取消及金额为负的合同变更影响，净新增合同金额低于新增合同金额。"
ASKED = "星河新材的订单缩水这么厉害，最后落袋的咋少了一截？"


def test_what_is_nearest_is_quoted_below_a_refusal(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [SAID])
    answer = engine.ask(ASKED)
    assert answer.status == "insufficient_evidence" and answer.value is None
    first, label, *lines = answer.answer.splitlines()
    assert first.startswith("资料不足") and label.startswith("最接近的内容")
    assert lines[0].startswith(SAID.rstrip("。")) and lines[0].endswith("[1]")
    assert [each.document_id for each in answer.evidence] == ["d1"]
    assert answer.checks["citations_verified"]


def test_a_house_without_documents_is_not_answered_by_others(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["风险提示：原材料价格波动的风险。"])
    assert engine.ask("星河新材的风险有哪些").status == "answered"
    assert engine.ask("高盛认为星河新材的风险有哪些").status == "insufficient_evidence"
    add("d2", ["高盛认为公司的主要风险是海外需求走弱。"])
    answer = engine.ask("高盛认为星河新材的风险有哪些")
    assert [each.document_id for each in answer.evidence] == ["d2"]


def test_nothing_is_near_to_a_stranger(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [SAID])
    answer = engine.ask("远山格物的订单缩水这么厉害，最后落袋的咋少了一截？")
    assert answer.status == "insufficient_evidence" and not answer.evidence


def test_nothing_is_near_where_nothing_is_about_it(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [SAID])
    answer = engine.ask("明天无锡下不下雨")
    assert answer.status != "answered" and not answer.evidence
