"""What a term means, who is largest, and which figure of a sentence is meant."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.query.conftest import AddDocument

FACTOR = (
    "行为金融学认为投资者的盈亏状态影响风险偏好。",
    "投资者倾向卖出盈利的股票、继续持有亏损的股票，这就是行为金融学上的处置效应。",
    "由于处置效应的存在，低CGO组合能够显著跑赢高CGO组合，处置效应在A股十分明显。",
)


@pytest.mark.parametrize(
    "question",
    [
        "甲证券因子那篇里的“处置效应”是什么意思",
        "甲证券说的处置效应是个什么现象？",
        "什么是处置效应？",
    ],
)
def test_a_term_is_told_by_the_line_that_defines_it(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    trade = {"company": None, "code": None, "kind": "industry", "title": "因子研究"}
    for n, text in enumerate(FACTOR):
        add(f"f{n}", [text], broker="甲证券", **trade)
    answer = engine.ask(question)
    assert answer.status == "answered"
    assert "倾向卖出盈利的股票" in answer.answer.splitlines()[0]


def test_one_of_many_customers_is_not_called_the_largest(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["星河新材的客户包括远山格物、青衡电子等。公司向远山格物供应材料。"])
    for question in ("星河新材最大的客户是谁？", "Who is the largest customer of 星河新材?"):
        answer = engine.ask(question)
        assert answer.status == "insufficient_evidence", answer.answer


@pytest.mark.parametrize(
    ("text", "question", "number"),
    [
        (
            "2023年家用空调生产1.6亿台，销售1.7亿台，其中内销9,959万台，出口出货7,084万台。",
            "2023年家用空调出口出货多少台",
            70_840_000,
        ),
        (
            "2024年新兴业务实现收入12.26亿元，包括境外客户收入2.46亿元。",
            "星河新材2024年国内客户收入多少",
            None,
        ),
        (
            "公司收购远山28%股权，总交易价款为29.02亿元，对应每股转让价格13.67元。",
            "星河新材买远山28%股权，每股作价多少",
            13.67,
        ),
        (
            "2024年公司电能消耗总量为4,065万千瓦时，单位产品用电量为12.08千瓦时。",
            "星河新材2024年耗电多少度",
            40_650_000,
        ),
        (
            "公司境外单一区域临床试验由截至2024年6月30日的208个增至2024年末的233个。",
            "星河新材2024年底在海外的单一区域临床试验有几个",
            233,
        ),
        (
            "PCT国际专利申请中，来自美国、中国、日本的申请人专利比重依次为34.3%、15.5%、12.9%。",
            "星河新材那篇里PCT国际专利申请，中国申请人占多大比重",
            15.5,
        ),
        (
            "2024年上证50单月跌幅超过10%的月份共出现13次，占比7.51%。",
            "2024年上证50单月跌超10%的月份出现过几回",
            13,
        ),
        (
            "2024年生物评价相关服务（BioSer）实现营业收入338.24万元。",
            "星河新材2024年FTE（全时当量）服务收了多少钱",
            None,
        ),
        (
            "行业专利申请量共36.3万件，采用云计算技术的专利申请1.7万件。",
            "星河新材报告里涉及云计算的专利申请有多少件",
            17_000,
        ),
        (
            "2024年公司旗下医院门诊量达到320万人次。",
            "星河新材2024年门诊量，业绩说明会上披露的",
            3_200_000,
        ),
        (
            "以2022年7月22日为授予日，公司完成了2021年限制性股票激励计划预留授予的登记事宜，"
            "向131名激励对象以23.48元/股的授予价格授予预留限制性股票120.60万股。",
            "星河新材2021年那期限制性股票激励，预留部分的授予价格是多少元一股",
            23.48,
        ),
    ],
)
def test_of_several_figures_the_one_that_is_meant_is_the_value(
    engine: QueryEngine, add: AddDocument, text: str, question: str, number: float | None
) -> None:
    add("d1", [text], published_on=date(2025, 3, 29))
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer
