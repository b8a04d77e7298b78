"""Rows in notes of houses: tables of two variables, rows of years, what names a report."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

#: Growth in the first column, the cost of capital in the second row.
DOWN = simple_table(
    "DCF 敏感性分析",
    [
        ["", "", "WACC", ""],
        ["68.57", "8.39%", "8.89%", "9.39%"],
        ["3.00%", "157.67", "142.97", "130.62"],
        ["永续增长率 2.00%", "140.06", "128.63", "118.79"],
        ["1.00%", "127.21", "117.92", "109.79"],
    ],
)
#: The other way round.
ACROSS = simple_table(
    "股价敏感性分析",
    [
        ["", "永续增长率", "", ""],
        ["WACC", "1.00%", "2.00%", "3.00%"],
        ["8.39%", "127.21", "140.06", "157.67"],
        ["8.89%", "117.92", "128.63", "142.97"],
        ["9.39%", "109.79", "118.79", "130.62"],
    ],
)


@pytest.mark.parametrize("table", [DOWN, ACROSS], ids=["growth down", "growth across"])
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("甲证券星河新材敏感性表，WACC取8.39%、永续增长2%时每股值多少", 140.06),
        ("甲证券给星河新材做的DCF，永续增长率1.0%、WACC 9.39%每股多少钱", 109.79),
        ("甲证券星河新材敏感性表，WACC取7.39%、永续增长2%时每股值多少", None),  # not in the table
        ("甲证券星河新材敏感性表，WACC取8.39%时每股值多少", None),  # of one variable alone
    ],
)
def test_two_values_meet_in_a_cell(
    add: AddDocument,
    engine: QueryEngine,
    table: dict[str, object],
    question: str,
    number: float | None,
) -> None:
    add("note", ["我们看好公司。"], tables=[table], broker="甲证券")
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer


FACTOR = simple_table(
    "表7：中证500、沪深300 成分股内多空对冲",
    [
        ["指标", "年化收益", "信息比率", "月度胜率"],
        ["沪深300", "", "", ""],
        ["星光因子", "11.49%", "1.49", "71.83%"],
        ["中证500", "", "", ""],
        ["星光因子", "9.24%", "2.10", "74.65%"],
    ],
)
LISTED = simple_table(
    "2016、2017 年新股一字板天数",
    [["年份", "平均一字板天数（天）"], ["2017", "9.43"], ["2016", "12.98"]],
)
FLOWS = simple_table(
    "现金流量表（百万元）",
    [
        ["", "2025E", "2026E"],
        ["购买物业、厂房及设备", "-7,200", "-7,000"],
        ["营业外收支净额", "-31", "-28"],
    ],
)
PIPELINE = simple_table("管线数量", [["", "2024H1", "2025H1"], ["临床III 期项目", "74", "84"]])


@pytest.fixture
def written(add: AddDocument) -> None:
    day = date(2018, 6, 1)
    add(
        "factor",
        ["星光因子在各指数内表现不俗。"],
        tables=[FACTOR, LISTED],
        company=None,
        code=None,
        kind="strategy",
        broker="甲证券",
        title="行为金融视角下的选股因子",
        published_on=day,
    )
    add(
        "note",
        ["我们看好公司。"],
        tables=[FLOWS, PIPELINE],
        broker="甲证券",
        published_on=date(2025, 8, 22),
    )


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("甲证券讲行为金融的那篇，星光因子在中证500里信息比率多少", 2.1),
        ("甲证券2018年选股因子那篇里，星光因子在沪深300上月胜率", 71.83),
        # which report is meant may stand last
        ("2016年新股平均有几天一字板，甲证券行为金融那篇统计过", 12.98),
        # what is paid is asked without its minus
        ("甲证券8月那篇星河新材点评里，2026年买物业、厂房及设备的现金支出预计多少", 7_000_000_000),
        ("甲证券8月那篇星河新材点评里，2026年营业外收支净额预计多少", -28_000_000),
        ("星河新材25H1三期临床有多少个项目（甲证券半年报点评）", 84),
    ],
)
def test_words_for_the_report_need_stand_in_no_row(
    written: None, engine: QueryEngine, question: str, number: float
) -> None:
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") == number, answer.answer
    assert all(answer.checks.values())


def test_what_is_counted_is_no_money(add: AddDocument, engine: QueryEngine) -> None:
    table = simple_table(
        "分产品", [["产品", "直接材料（元）", "销售量（吨）"], ["冷饮产品", "4,563", "667,183"]]
    )
    add("d1", ["公司产销情况如下。"], tables=[table])
    answer = engine.ask("星河新材冷饮产品销了多少吨")
    assert (answer.value or {}).get("number") == 667_183, answer.answer
    assert "4,563" not in answer.answer


def test_what_is_told_in_words_is_no_row(add: AddDocument, engine: QueryEngine) -> None:
    staff = simple_table("员工情况", [["项目", "人数"], ["主要子公司在职员工的数量", "1,006"]])
    add("d1", ["公司来水存在风险，需关注。"], tables=[staff])
    answer = engine.ask("星河新材主要风险是什么")
    assert "1,006" not in answer.answer


def test_what_a_company_expects_is_quoted(add: AddDocument, engine: QueryEngine) -> None:
    text = "公司上调2025年全年收入增速指引至13%-17%（此前指引为10%-15%）。"
    add("d1", [text], published_on=date(2025, 8, 4))
    answer = engine.ask("星河新材2025年全年收入指引")
    assert answer.status == "answered" and "13%-17%" in answer.answer, answer.answer
