"""Questions that ask several things at once: each is told, by the line that tells it."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.query.conftest import AddDocument


def test_a_thing_of_another_time_keeps_the_words_before_it(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "d1",
        [
            "国内钠电池装机由2022年的12万台增长至2024年的88万台。预计2030年钠电池装机达到640万台。"
            "2024年钠电池市场规模为102亿元，2030年增至308亿元。"
        ],
        company=None,
        code=None,
        title="钠电池行业研究",
    )
    told = engine.ask("2024年国内钠电池装机多少台，2030年预计多少台？")
    assert "88万台" in told.answer and "640万台" in told.answer
    assert "308亿元" not in told.answer
    assert told.answer.index("88万台") < told.answer.index("640万台")


@pytest.mark.parametrize("parting", ["，", "？", "、", "以及"])
def test_names_of_a_kind_are_told_one_by_one(
    engine: QueryEngine, add: AddDocument, parting: str
) -> None:
    add(
        "d1",
        [
            "公司自研的模型“玄烛”可识别9类器件缺陷。公司与云商合作推出助手“栖迟”，将报告处理效率"
            "提升10倍。",
            "公司在多地设有办事处。公司的股东大会在年内召开两次。",
        ],
    )
    told = engine.ask(f"星河新材的“玄烛”能识别几类缺陷{parting}“栖迟”提效多少")
    assert "9类" in told.answer and "10倍" in told.answer
    assert "股东大会" not in told.answer


def test_what_the_passages_found_lack_is_looked_for_in_their_document(
    engine: QueryEngine, add: AddDocument
) -> None:
    filler = [f"第{n}号产线的设备在年内完成检修，运行平稳，能耗下降。" for n in range(60)]
    add(
        "d1",
        ["公司在建的钠电池基地位于内江，一期在年内投产。", *filler, "员工宿舍由三家酒店改建而成。"],
    )
    told = engine.ask("星河新材在建的钠电池基地在哪里，员工宿舍由什么改建？")
    assert "内江" in told.answer and "三家酒店" in told.answer


def test_the_heads_of_points_are_told_and_not_what_they_say(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "d1",
        [
            "未来储能行业的竞争围绕以下几个核心要素展开：\n人才的培养：工程师是第一资源，能否留住他们"
            "决定水平。\n供应链管理与议价：采购成本影响利润率。\n品牌与信任：储能是安全的生意。"
        ],
        company=None,
        code=None,
        title="储能行业研究",
    )
    told = engine.ask("储能行业竞争的核心要素是哪几个")
    quotes = [each.quote for each in told.evidence]
    assert quotes[1:] == ["人才的培养", "供应链管理与议价", "品牌与信任"]
    assert "第一资源" not in told.answer


def test_headings_under_what_announces_them_are_its_points(
    engine: QueryEngine, add: AddDocument
) -> None:
    over = ("三、竞争", "3.1 评估维度")
    add(
        "d1",
        [
            "储能品牌的评选遵循量化模型，核心指标包括以下三大维度：",
            "(1) 电芯质量\n电芯是长期稳定的基础。",
            "(2) 系统集成\n集成是竞争力的核心。",
            "(3) 交付与服务\n客户需要多样。",
            "3.2 格局\n头部企业份额集中。",
        ],
        company=None,
        code=None,
        title="储能品牌研究",
        sections=[
            over,
            (*over, "(1) 电芯质量"),
            (*over, "(2) 系统集成"),
            (*over, "(3) 交付与服务"),
            ("三、竞争", "3.2 格局"),
        ],
    )
    told = engine.ask("储能品牌评选用了哪三个维度")
    quotes = [each.quote for each in told.evidence]
    assert quotes[1:] == ["(1) 电芯质量", "(2) 系统集成", "(3) 交付与服务"]


def test_figures_that_are_enumerated_are_told_one_by_one(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "d1",
        [
            "公司2025Q1整体出货量为229万片，环比增长15%。产能利用率为89.6%。",
            "公司2025Q1月产能增至97.3万片。公司2025Q1平均晶圆价格下降至933美元。",
        ],
        published_on=date(2025, 5, 12),
    )
    told = engine.ask("星河新材25Q1出货量、月产能和平均晶圆价格分别是多少？")
    assert told.status == "answered"
    lines = told.answer.splitlines()
    assert len(lines) == 3 == len(told.evidence)
    assert [each in line for each, line in zip(("229", "97.3", "933"), lines, strict=True)] == [
        True
    ] * 3


def test_how_large_a_market_is_asks_for_money(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "d1",
        [
            "国内种植牙市场处于爆发式增长态势，由2019年的312万颗增长至2024年686万颗。",
            "2024年中国种植牙行业市场规模为102亿元。",
        ],
        company=None,
        code=None,
        title="种植牙行业研究",
    )
    told = engine.ask("2024年国内种植牙市场有多大？")
    assert "102亿元" in told.answer and "686万颗" not in told.answer


def test_a_name_that_nothing_says_is_not_answered_for(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["公司与澄光储能等客户建立了长期合作，合作内容包括储能系统供应，对价按季结算。"])
    told = engine.ask("澄光储能和QRX那笔合作的内容和对价")
    assert told.status == "insufficient_evidence"
