"""Passages through the real engine: agreed with by company, period, metric and kind of answer."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.query.conftest import AddDocument

YEAR = (date(2025, 1, 1), date(2025, 12, 31), 2025)


def test_nobody_else_is_told_of(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "theirs",
        ["公司的海外建厂计划在匈牙利推进，已完成选址。"],
        company="远岫能源",
        code="300998.SZ",
    )
    add("ours", ["公司的海外建厂计划在摩洛哥推进，已完成选址。"])
    answer = engine.ask("星河新材的海外建厂计划")
    assert [each.document_id for each in answer.evidence] == ["ours"]
    # a sentence that names it is about it, whoever the document is about
    add("beside", ["星河新材的海外建厂计划包括越南基地。"], company="澄光储能", code="300997.SZ")
    told = engine.ask("星河新材的海外建厂计划")
    assert {each.document_id for each in told.evidence} == {"ours", "beside"}
    assert "（澄光储能，2026-03-01）" in told.answer


@pytest.mark.parametrize("period", ["25Q1", "1Q25", "2025年第一季度", "2025年一季度"])
def test_a_time_is_one_however_it_is_written(
    engine: QueryEngine, add: AddDocument, period: str
) -> None:
    add("d1", ["2024年第一季度产能利用率保持在九成以上，需求旺盛。"], published_on=date(2024, 5, 1))
    add("d2", ["2025Q1产能利用率回落，需求疲弱。"], published_on=date(2025, 5, 1))
    answer = engine.ask(f"星河新材{period}的产能利用率怎么样？")
    assert [each.document_id for each in answer.evidence] == ["d2"]


def test_a_metric_has_several_names(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司营业收入保持较快增长。", "公司股价保持较快增长。"])
    answer = engine.ask("星河新材的营收表现怎么样？")
    assert [each.quote for each in answer.evidence] == ["公司营业收入保持较快增长。"]


def test_sentences_may_be_long(engine: QueryEngine, add: AddDocument) -> None:
    sentence = (
        "The board of Zyntrex approved a plan under which the company will close its two oldest "
        "plants in Ohio by the end of the next fiscal year, move the production of separators to "
        "the new site in Nevada, offer every affected employee a position there or a severance "
        "of twelve months, and invest the proceeds of the sale of the land in a research center "
        "for solid electrolytes that it will run together with two universities."
    )
    assert len(sentence) > 300
    add("d1", [sentence], company="Zyntrex", code=None, title="Current report")
    answer = engine.ask("Which plants will Zyntrex close?")
    assert answer.status == "answered" and answer.evidence[0].quote in sentence


@pytest.mark.parametrize(
    ("text", "holds"),
    [("公司没有控股股东和实际控制人。", False), ("公司控股股东和实际控制人为李明。", True)],
)
def test_yes_and_no_are_said_by_clear_words(
    engine: QueryEngine, add: AddDocument, text: str, holds: bool
) -> None:
    add("d1", [text])
    answer = engine.ask("星河新材是否有控股股东和实际控制人？")
    assert answer.value == {"boolean": holds}
    assert answer.answer.startswith("是：" if holds else "否：")
    assert answer.evidence[0].quote == text


def test_what_is_not_clear_is_neither(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司将持续关注隔膜行业的并购机会。"])
    answer = engine.ask("星河新材是否完成了对隔膜企业的收购？")
    assert answer.value is None


@pytest.mark.parametrize(
    "text",
    [
        "海外建厂进度不及预期的风险。",
        "图表 5：海外建厂计划 2024-2027E",
        "4.2 海外建厂计划 .............. 17",
        "本报告仅供客户参考，不构成海外建厂计划的投资建议。",
    ],
)
def test_what_says_nothing_is_no_answer(engine: QueryEngine, add: AddDocument, text: str) -> None:
    add("d1", [text])
    assert engine.ask("星河新材的海外建厂计划").status == "insufficient_evidence"


def test_each_thing_that_is_asked_is_told_on_a_line(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "d1",
        ["公司产品已进入六个国家的市场。研发团队扩充至三百人。食堂翻新已完成。"],
        broker="云麓证券",
        period=YEAR,
    )
    answer = engine.ask("星河新材的产品进入了几个国家，研发团队有多少人？")
    assert answer.answer.splitlines() == [
        "公司产品已进入六个国家的市场。（云麓证券，2026-03-01）[1]",
        "研发团队扩充至三百人。（云麓证券，2026-03-01）[2]",
    ]


def test_english_names_stand_as_they_are_written(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["Revenue of the biology unit of Zyntrex rose 5% in 2025."], company=None, code=None)
    refused = engine.ask("What was the revenue of Zyntrex Biologics in 2025?")
    assert refused.status == "insufficient_evidence"
