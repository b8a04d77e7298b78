"""Rows asked in other words than a table has: in English, in talk, of two times."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

YEAR = (date(2024, 1, 1), date(2024, 12, 31), 2024)
GOODS = simple_table(
    "产销量情况",
    [
        ["主要产品", "单位", "生产量", "销售量", "库存量"],
        ["奶粉及奶制品", "吨", "480", "473", "51"],
        ["冷饮产品", "吨", "626", "667", "27"],
    ],
)
SUBSIDIARIES = simple_table(
    "主要子公司情况（万元）",
    [
        ["公司名称", "经营范围", "净利润"],
        ["宁夏星河乳业有限责任公司", "生鲜牛奶的收购及销售、乳制品、饮料的生产及销售", "5,943"],
        ["广东星河冷饮有限公司", "冷饮的生产及销售、冷库出租、货物运输、农机配件销售", "1,200"],
    ],
)
PROJECTS = simple_table(
    "在研项目",
    [["阶段", "2024H1", "2025H1"], ["商业化项目", "67", "76"], ["临床三期项目", "74", "84"]],
)
SEGMENTS = simple_table(
    "分业务预测（亿元）",
    [
        ["", "2025E", "2026E"],
        ["Galaxy Chemistry 收入", "34.6", "40.8"],
        ["Galaxy Chemistry 毛利率", "51.8%", "53.1%"],
        ["Galaxy Testing 毛利率", "22.0%", "23.0%"],
    ],
)
MARKET = simple_table(
    "宠物医疗细分市场规模（亿元）",
    [["项目", "2023年", "2028年"], ["诊疗及手术服务", "390", "800"], ["疫苗", "110", "230"]],
)

STOCKS = simple_table(
    "证券投资情况（元）",
    [
        ["证券品种", "证券简称", "最初投资成本", "资金来源", "期末账面价值"],
        ["股票", "青禾科技-W", "15,449,703", "自有", "3,300,546"],
        ["股票", "白杨物流", "10,000,000", "自有", "55,503,300"],
    ],
)


@pytest.fixture
def held(add: AddDocument) -> None:
    filing = {"kind": "filing", "company": "星河新材", "code": "300999.SZ", "period": YEAR}
    add(
        "year",
        ["公司产销平稳。"],
        tables=[GOODS, SUBSIDIARIES, STOCKS],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        **filing,
    )
    add("note", ["看好公司。"], tables=[PROJECTS, SEGMENTS], published_on=date(2025, 8, 20))
    trade = {"company": None, "code": None, "kind": "industry", "title": "宠物医疗行业报告"}
    add("trade", ["行业扩容。"], tables=[MARKET], published_on=date(2025, 7, 1), **trade)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Sales volume of dairy products of 星河新材 (300999) in 2024, in tonnes?", 473),
        ("星河新材2024年雪糕冰淇淋卖出去多少吨", 667),
        ("星河新材2024年底冷饮还压着多少吨库存", 27),
        ("星河新材2024年宁夏那家乳业公司赚了多少净利润", 59_430_000),
        ("星河新材化学板块（Galaxy Chemistry）26年毛利率能到多少", 53.1),
        ("星河新材2024年末持有的青禾科技股票账面价值多少", 3_300_546),
        ("星河新材2024年酸奶卖出去多少吨", None),  # no such row
        ("星河新材2024年末冷饮产品有多少员工", None),  # people are counted in no tonnes
    ],
)
def test_talk_and_english_meet_the_rows_of_a_table(
    held: None, engine: QueryEngine, question: str, number: float | None
) -> None:
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer


@pytest.mark.parametrize(
    ("question", "number", "shown"),
    [
        ("星河新材25H1的商业化项目比24H1多了几个", 9, "76 − 67 = 9"),
        ("星河新材2025年上半年临床三期项目比一年前多了几个", 10, "84 − 74 = 10"),
        (
            "诊疗及手术服务市场从2023年到2028年要多出多少钱",
            41_000_000_000,
            "800亿元 − 390亿元 = 410亿元",
        ),
        ("诊疗及手术服务市场从2023年到2026年要多出多少钱", None, ""),  # no such year
    ],
)
def test_a_difference_of_two_times_is_worked_out_and_shown(
    held: None, engine: QueryEngine, question: str, number: float | None, shown: str
) -> None:
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer
    assert shown in answer.answer
    if number:
        assert len(answer.evidence) == 2 and all(answer.checks.values())
