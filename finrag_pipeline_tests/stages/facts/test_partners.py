"""The five largest customers and suppliers: a sentence in Shanghai, a table in Shenzhen."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline_tests.stages.facts.made_filings import facts_of, filing, line, table, told

SALES, SHARE = ("top_customers_sales", "2024FY"), ("top_customers_share", "2024FY")
LARGEST, PART_OF_IT = ("largest_customer_sales", "2024FY"), ("largest_customer_share", "2024FY")
BOUGHT, PART = ("top_suppliers_purchases", "2024FY"), ("top_suppliers_share", "2024FY")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A.公司主要销售客户情况前五名客户销售额1,762,423.77万元，占年度销售总额55.72%；"
            "其中前五名客户销售额中关联方销售额0万元，占年度销售总额0%。",
            {SALES: "17624237700 CNY", SHARE: "55.72 %"},
        ),
        (
            "前五名供应商采购额 1,945,598.44 万元，占年度采购总额 29.55%；",
            {BOUGHT: "19455984400 CNY", PART: "29.55 %"},
        ),
        ("前五名客户销售额7,756,190万元，占境内年度销售总额93.43%；", {SALES: "77561900000 CNY"}),
        (
            "向最大客户和前五名客户销售额分别占年度主营业务收入的8.1%和36.0%；",
            {SHARE: "36 %", PART_OF_IT: "8.1 %"},
        ),
        ("其中前五名客户销售额中关联方销售额5万元，占年度销售总额0.1%。", {}),
    ],
)
def test_sentences_tell_amount_and_share_of_the_whole(
    text: str, expected: dict[tuple[str, str], str]
) -> None:
    assert told(facts_of([], regions=[line(text)])) == expected


def test_tables_tell_both() -> None:
    text = """前五名客户合计销售金额（元）|32,115,902,791.82
前五名客户合计销售金额占年度销售总额比例|16.90%
前五名客户销售额中关联方销售额占年度销售总额比例|2.83%"""
    assert told(facts_of([table(text, "公司主要销售客户情况", None)])) == {
        SALES: "32115902791.82 CNY",
        SHARE: "16.9 %",
    }


@pytest.mark.parametrize(
    "text",
    [
        """序号|客户名称|销售额（万元）|占年度销售总额比例
1|第一名|1,200.50|5.68%
2|第二名|886.10|4.32%
合计||2,086.60|10.00%""",
        """客户名称|销售金额（万元）|占公司全部营业收入的比例（%）
客户B|886.10|4.32
星海电网有限公司|1,200.50|5.68
其他|9,000.00|90""",
    ],
)
def test_lists_tell_the_largest(text: str) -> None:
    assert told(facts_of([table(text, "公司前5大客户资料", None)])) == {
        LARGEST: "12005000 CNY",
        PART_OF_IT: "5.68 %",
    }


def test_lists_of_others_tell_none() -> None:
    text = """客户名称|期末余额|占应收账款比例
甲公司|1,200.50|5.68%
乙公司|886.10|4.32%"""
    assert told(facts_of([table(text, "应收账款前五名")])) == {}


def test_half_years_have_none() -> None:
    half = filing(date(2024, 6, 30), "星河股份有限公司2024年半年度报告")
    text = "前五名客户销售额1,000万元，占年度销售总额10%。"
    assert told(facts_of([], half, regions=[line(text)])) == {}
