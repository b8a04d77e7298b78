"""Which figures are judged: what lacks a part of a question is not passed over, but says less."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

WHOM: dict[str, Any] = {"company": "星河新材", "code": "300999.SZ"}
AGED = "截至2025H1，公司账龄在1年以内、1-2年、3年以上的应收账款账面余额分别为55.16/12.57/6.78亿元。"
GOAL = "2030年吨产品碳排放量较基准年2012年下降40%，排放管理体系已经运行。"
SHARE = "据能源局统计，2023年全国可再生能源新增装机3.05亿千瓦，占全国新增发电装机的82.7%。"
POLICY = "固定资产是使用年限超过一年，单位价值超过2000元的有形资产，2022年未作变更。"
PRICE = "集采落地后，种植体系统从原采购中位价5000元降至1850元。"
FARE = "受需求带动，公司中位票价由原先320元上调至480元。"
RANKS = simple_table(
    "指数增强基金",
    [
        ["基金简称", "超额收益", "超额收益排名"],
        ["东海千股量化", "13.67%", "3"],
        ["南山千股量化", "9.21%", "8"],
    ],
)
YEARS = simple_table(
    "财务预测",
    [
        ["指标", *(f"{year}E" for year in range(2025, 2035))],
        *([name, *(f"{at}.{n}" for n in range(10))] for at, name in enumerate(("ROIC", "ROE"), 1)),
    ],
)


@pytest.fixture
def filing(add: AddDocument) -> None:
    add(
        "half",
        [AGED, GOAL, SHARE, POLICY, PRICE, FARE],
        tables=[RANKS, YEARS],
        published_on=date(2025, 8, 27),
        title="星河新材2025年半年度报告",
        kind="filing",
        **WHOM,
        period=(date(2025, 1, 1), date(2025, 6, 30), 2025),
    )


def judged(engine: QueryEngine, question: str) -> list[FoundFigure]:
    return worded(engine, question)[0]


def worded(engine: QueryEngine, question: str) -> tuple[list[FoundFigure], Wording]:
    """The figures that a question may mean, and its words."""
    asked, _ = engine.passages(question)
    judge = Judge(engine.tools)
    return judge.figures(judge.read(asked), Stated(asked))


@pytest.mark.usefixtures("filing")
@pytest.mark.parametrize(
    ("question", "number", "lacking"),
    [
        ("星河新材25年6月末账龄三年以上的应收款还有多少", 678_000_000, ""),
        ("星河新材到2030年吨产品的碳排放要削减多少？", 40, ""),
        ("星河新材援引能源局统计，2023年全国新投产装机里可再生能源占多大份额？", 82.7, "other"),
        ("星河新材固定资产的确认门槛单价是多少元", 2000, "no_topics"),
    ],
)
def test_what_lacks_something_is_judged(
    engine: QueryEngine, question: str, number: float, lacking: str
) -> None:
    right = [each for each in judged(engine, question) if each.value["number"] == number]
    assert right
    traits = right[0].traits
    assert not lacking or traits[lacking], traits


@pytest.mark.usefixtures("filing")
@pytest.mark.parametrize(
    ("question", "meant", "other"),
    [
        ("星河新材的种植体系统在集采前的采购中位价是多少元", 5000, 1850),
        ("星河新材的种植体系统采购中位价是从多少元降下来的", 5000, 1850),
        ("星河新材的种植体系统采购中位价是多少元", 1850, 5000),
        ("星河新材调价前的中位票价是多少元", 320, 480),
        ("星河新材中位票价是从多少元涨上来的", 320, 480),
        ("星河新材中位票价现在是多少元", 480, 320),
    ],
)
def test_of_what_rose_or_fell_one_end_is_meant(
    engine: QueryEngine, question: str, meant: float, other: float
) -> None:
    said = [each for each in judged(engine, question) if not each.traits["table"]]
    ends = {each.value["number"]: each.traits["other_end"] for each in said}
    assert (ends[meant], ends[other]) == (False, True)


@pytest.mark.usefixtures("filing")
def test_places_are_no_amounts(engine: QueryEngine) -> None:
    figures = judged(engine, "星河新材列出的东海千股量化超额收益排第几")
    assert 3 in {each.value["number"] for each in figures}
    assert "%" not in {each.value["unit"] for each in figures}
    figures = judged(engine, "星河新材列出的东海千股量化超额收益是多少")
    assert 13.67 in {each.value["number"] for each in figures}


@pytest.mark.usefixtures("filing")
def test_cells_are_compared_by_names_without_times(engine: QueryEngine) -> None:
    figures = judged(engine, "星河新材2031年ROIC预测多少")
    named = {each.name for each in figures if each.traits["table"]}
    assert "ROIC" in named and not any("20" in each for each in named)
    right = [each for each in figures if each.text == "ROIC 2031E"]
    assert [each.value["number"] for each in right] == [1.6]


def test_numbers_of_names_and_other_counters_are_not_judged(
    add: AddDocument, engine: QueryEngine
) -> None:
    add(
        "note",
        [
            "受益于GLP-1类药物，公司入选Top100，"
            "向267名激励对象以14.84元/股授予限制性股票合计824万股，占总股本的0.8%。",
            "截至期末股东总数为35,212户，公司持有云岭科技51%的股权。",
        ],
        published_on=date(2025, 8, 27),
        title="星河新材点评",
        **WHOM,
    )
    told = {each.value["number"] for each in judged(engine, "星河新材授予激励对象多少股限制性股票")}
    assert 8_240_000 in told and told.isdisjoint({1, 100, 267})
    assert 267 in {each.value["number"] for each in judged(engine, "星河新材有多少名激励对象")}
    # 股东 and 股权 are no shares that are counted
    assert 35_212 in {each.value["number"] for each in judged(engine, "星河新材期末有多少股东")}
    held = judged(engine, "星河新材持有云岭科技多少股权")
    assert 51 in {each.value["number"] for each in held}


def test_a_metric_as_a_whole_is_no_part_of_it(add: AddDocument, engine: QueryEngine) -> None:
    add(
        "year",
        ["公司未开展保险业务，员工的保费由公司承担。"],
        tables=[
            simple_table("利润表", [["科目", "本期数"], ["营业收入", "1,257,581.17"]]),
        ],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        kind="filing",
        **WHOM,
        period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
    )
    assert engine.ask("查一下星河新材2024年报里的营业收入").status == "answered"
    refused = engine.ask("查一下星河新材2024年报里的保费收入")
    assert (refused.status, refused.value) == ("insufficient_evidence", None)


def test_rates_and_numbers_of_things_are_judged_by_what_they_are(
    add: AddDocument, engine: QueryEngine
) -> None:
    add(
        "note",
        [
            "2024年云岭种植行业规模为102.0亿元，有望以20.3%的年复合增速增至2030年的308.6亿元。",
            "股票增值权将向不超过31人授予25.19万份（约占股本总额的0.21%），HG3918项目暂停。",
            "在研管线HG146的累计投入为6,951万元。",
        ],
        published_on=date(2025, 8, 27),
        title="星河新材点评",
        **WHOM,
    )
    growth = judged(engine, "星河新材研报 云岭种植行业24到30年CAGR")
    assert {each.value["number"] for each in growth if each.value["unit"]} == {20.3, 0.21}
    size = judged(engine, "星河新材研报里云岭种植行业2030年规模有多少亿元")
    (at,) = {each.traits["change"] for each in size if each.value["number"] == 30_860_000_000}
    assert not at, "what has grown to a figure is that figure"
    shares = judged(engine, "星河新材股票增值权激励 授予份数")
    kinds = {each.value["number"]: each.traits["kind"] for each in shares}
    assert kinds[251_900] and not kinds[0.21]
    spent = {each.value["number"] for each in judged(engine, "星河新材HG146一共投了多少钱")}
    assert 69_510_000 in spent and spent.isdisjoint({146, 3918})


def test_whom_no_document_is_about_is_told_by_their_name_alone(
    add: AddDocument, engine: QueryEngine
) -> None:
    add(
        "industry",
        ["药明康德以显著规模稳居第一，门诊量从2022年1125.12万次增至2024年1694.07万次。"],
        published_on=date(2025, 11, 30),
        title="眼科专题：盈利分化",
        kind="report",
    )
    figures = judged(engine, "药明康德2024年一年接待了多少人次门诊？")
    assert 16_940_700 in {each.value["number"] for each in figures}


def test_a_name_that_opens_a_question_has_to_stand_with_its_figure(
    add: AddDocument, engine: QueryEngine
) -> None:
    text = "2024年净利润324.96亿元，同比增长19.28%。2024年Tesla净利润71亿美元，同比下降53%。"
    add("industry", [text], published_on=date(2025, 11, 30), title="行业周报", kind="report")
    asked, _ = engine.passages("Tesla2024年净利润同比变动多少？")
    told = {each.value["number"] for _, each in Judge(engine.tools)(asked, any_name=True)}
    assert -53 in told and 19.28 not in told


def test_what_stands_over_a_figure_is_no_part_of_what_is_compared(
    add: AddDocument, engine: QueryEngine
) -> None:
    add(
        "deals",
        ["2025年上半年的总交易额为227亿美元，其间公布了两项交易。"],
        published_on=date(2025, 9, 24),
        title="医疗保健信息技术私募股权更新",
        kind="report",
    )
    figures, wording = worded(engine, "医疗信息技术私募股权2025年上半年总交易额有多少美元")
    (at,) = [n for n, each in enumerate(figures) if each.value["number"] == 22_700_000_000]
    traits = wording.traits(figures)[at]
    assert traits["near_left"] > traits["near"]
