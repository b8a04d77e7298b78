"""Sentences that lead to points: in their passage or the next, counted, parted by semicolons."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.answers.passages.leading import counted_in, end_of, end_of_points
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.clauses import placed
from finrag_pipeline_tests.query.conftest import AddDocument


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Our goals are below:\n• Growth of 5%;\n• A margin of 10%.\nRates rose.",
            "margin of 10%.",
        ),
        ("Three pillars:\n1. Stores;\n2. Services; and\n3. Canada.\nWe hired.", "3. Canada."),
        ("The following two categories:\nGrocery.\nFuel.\nSales rose.", "Fuel."),
        ("It was due to the following:\nLower volumes.\nSales rose.", "Lower volumes."),
        (
            "Sales fell on $28 million for radars;\nabout $20 million for jets.\nIt rose.",
            "for jets.",
        ),
        ("公司有三大产品：\n1、储能；\n2、逆变器；\n3、充电桩。\n收入增长。", "3、充电桩。"),
        ("Sales rose.\nCosts fell.", "Sales rose."),
    ],
)
def test_a_sentence_is_told_with_what_it_leads_to(text: str, told: str) -> None:
    end = end_of(text, [*placed(text)], 0)
    assert text[:end].endswith(told)


def test_points_of_the_next_passage() -> None:
    assert end_of_points("• Fuel;\n• Grocery.\nSales rose.", 0) == len("• Fuel;\n• Grocery.")
    assert end_of_points("Sales rose.\nCosts fell.", 0) == 0
    assert end_of_points("Fuel.\nGrocery.\nSales rose.", 2) == len("Fuel.\nGrocery.")
    assert (counted_in("in five categories:"), counted_in("as follows:")) == (5, 0)


def test_a_lead_is_not_told_alone(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "d1",
        ["Zyntrex sells in two store formats:", "• Warehouses for traders;\n• Kiosks in malls."],
        company="Zyntrex",
        code=None,
        title="Current report",
    )
    answer = engine.ask("What store formats does Zyntrex sell in?")
    assert answer.status == "answered"
    assert "Warehouses for traders" in answer.answer and "Kiosks in malls" in answer.answer


def test_points_that_are_announced_behind_a_line_are_told_with_it(
    engine: QueryEngine, add: AddDocument
) -> None:
    text = (
        "尽管关注度高，宠物保险的渗透率仍然极低，不足百分之一。瓶颈在于：\n"
        "定价与风控难：宠物没有身份识别，存在骗保风险。\n"
        "理赔体验差：流程复杂，免赔额高。\n"
        "认知度不足：主人没有购买的习惯。"
    )
    add("d1", [text], company=None, code=None, title="宠物行业报告")
    answer = engine.ask("宠物保险的渗透率现状怎么样")
    assert answer.status == "answered", answer.answer
    for head in ("定价与风控难", "理赔体验差", "认知度不足"):
        assert head in answer.answer


def test_a_lead_without_its_points_is_no_answer(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "d1",
        ["The store formats of Zyntrex are shown in the table below.", "Zyntrex has kiosks."],
        company="Zyntrex",
        code=None,
        title="Current report",
    )
    answer = engine.ask("What store formats does Zyntrex have?")
    assert "below" not in answer.answer
