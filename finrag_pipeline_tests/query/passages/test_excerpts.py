"""Lines told with what stands around them, and lines that are near in other words."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

DEAL = (
    "公司与远山资本签订股权转让协议。标的股份为1,200万股，转让价格为每股29元。"
    "同年8月，双方签订补充协议，受让方变更为远山二期基金。"
)


def test_a_line_is_told_with_its_passage(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [DEAL, "公司食堂完成翻新。"], company="星河新材", code="300999.SZ")
    told = engine.ask("星河新材股权转让协议的受让方后来变更成谁了？")
    assert told.status == "answered"
    assert "远山二期基金" in told.answer and "每股29元" in told.answer
    assert "食堂" not in told.answer
    quote = told.evidence[0].quote
    assert "".join(quote.split()) in DEAL


@pytest.mark.parametrize(
    "begins", ["➢ 海外：新签订单下降。", "海外：新签订单下降。", "3.2 海外布局情况"]
)
def test_another_point_or_heading_is_not_told_beside_it(
    engine: QueryEngine, add: AddDocument, begins: str
) -> None:
    add("d1", [f"公司新基地在年内投产，良率提升至九成。\n{begins}"])
    told = engine.ask("星河新材的新基地良率怎么样了？")
    assert "九成" in told.answer and "海外" not in told.answer


def test_lines_that_reach_into_each_other_are_one(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["远山工艺采用干法路线。远山工艺的能耗降低三成。远山工艺已用于两条产线。"])
    told = engine.ask("星河新材的远山工艺有什么特点")
    assert len(told.evidence) == 1 == told.answer.count("采用干法路线")


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("星河新材2024年水泥销量是多少？", "insufficient_evidence"),
        ("星河新材2024年隔膜销量是多少？", "answered"),
    ],
)
def test_a_figure_is_of_the_thing_that_is_asked_about(
    engine: QueryEngine, add: AddDocument, question: str, status: str
) -> None:
    add("d1", ["2024年公司隔膜销售12.5亿平方米，占前五名客户采购量的八成。"])
    assert engine.ask(question).status == status


def test_a_row_is_told_though_only_its_day_stands_behind_it(
    engine: QueryEngine, add: AddDocument
) -> None:
    """A day in brackets behind a row is neither what its figures count nor their time."""
    pledged = simple_table(
        "前十名股东持股情况", [["股东", "持股数量", "质押数量"], ["周明远", "8,100", "5,300"]]
    )
    add("d1", ["股东情况见下表。"], tables=[pledged], published_on=date(2025, 10, 30))
    told = engine.ask("周明远质押了多少星河新材的股份？")
    assert told.status == "answered" and "5,300" in told.answer
    assert all(told.checks.values())


def test_a_list_of_something_else_is_told_behind_the_passage(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["公司客户分级评价从交付、质量和价格三个维度展开，按季度更新。"])
    add(
        "d2",
        ["隔膜安全评估框架的建议维度包括热收缩、穿刺强度和闭孔温度。"],
        company="澄光储能",
        code="300998.SZ",
    )
    told = engine.ask("隔膜安全评估框架建议从哪些维度看").answer
    assert "热收缩" in told and "闭孔温度" in told


DOUBTS = (
    "市场担心集成模块毛利率低于阀类，放量会摊薄盈利。"
    "我们认为这一担忧只说对了一半：模块所用水泵的自供率已升至68%，自供部分的利润留在体内。"
)
ADVICE = (
    "五项建议以社区为入口：把体验点设在社区食堂。\n用医生背书：与全科医生共建评估单。\n"
    "小件化、套餐化：降低首单门槛。\n双端设计：本人端只留一键。\n先试后买：提供三十天试用。\n"
    "行业里最稀缺的是服务人员。"
)


def test_what_is_thought_of_a_doubt_is_told_with_it(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [DOUBTS], company="星河新材", code="300999.SZ", broker="东海证券")
    told = engine.ask("市场担心模块放量会摊薄星河新材的盈利，东海证券持什么看法？")
    assert "68%" in told.answer


def test_a_list_that_is_announced_is_told_to_its_end(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [ADVICE], title="养老消费白皮书", kind="industry", broker="知衡咨询")
    told = engine.ask("知衡咨询的养老消费白皮书提出了哪五项建议？").answer
    assert "先试后买" in told and "医生背书" in told and "最稀缺" not in told


def test_a_heading_that_answers_is_told_with_what_it_heads(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["年内值得跟踪的事件\n8月发布半年报；\n11月医保谈判；\n12月披露三期数据。"])
    told = engine.ask("星河新材年内值得跟踪的事件有哪些")
    assert told.status != "answered" or "医保谈判" in told.answer
