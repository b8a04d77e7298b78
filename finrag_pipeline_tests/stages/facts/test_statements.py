"""Figures of statements by heading, layout, unit and sums, on filings made for it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Metadata
from finrag_pipeline.stages.facts.statements import StatementName
from finrag_pipeline.stages.facts.titles import statement_named
from finrag_pipeline_tests.stages.facts.made_filings import facts_of, filing, line, table, told

BALANCE = """资产|附注|{a}|{b}
流动资产：|||
货币资金|七、1|1,200.00|1,000.00
应收账款|七、2|800.00|700.00
流动资产合计||2,000.00|1,700.00
非流动资产：|||
固定资产|七、3|3,000.00|2,800.00
非流动资产合计||3,000.00|2,800.00
资产总计||5,000.00|4,500.00
流动负债：|||
短期借款|七、20|600.00|500.00
应付账款|七、21|400.00|400.00
流动负债合计||1,000.00|900.00
负债合计||1,000.00|900.00
所有者权益合计||4,000.00|3,600.00
负债和所有者权益总计||5,000.00|4,500.00"""
INCOME = """项目|附注|{a}|{b}
一、营业总收入||3,000.50|2,500.40
其中：营业收入|五、40|3,000.50|2,500.40
二、营业总成本||2,500.50|2,100.40
其中：营业成本|五、40|2,500.50|2,100.40
三、营业利润（亏损以“－”号填列）||500.00|400.00
减：营业外支出||20.00|15.00
四、利润总额（亏损总额以“－”号填列）||480.00|385.00
减：所得税费用||80.00|85.00
五、净利润（净亏损以“－”号填列）||400.00|300.00
1.归属于母公司股东的净利润||380.00|290.00
2.少数股东损益||20.00|10.00
（一）基本每股收益（元/股）||0.38|0.29"""
HALF = filing(date(2024, 6, 30), "星河股份有限公司2024年半年度报告")
NINE = filing(date(2024, 9, 30), "星河股份有限公司2024年第三季度报告")


@pytest.mark.parametrize(
    ("closing", "opening"),
    [
        ("期末余额", "年初余额"),
        ("2024年12月31日", "2023年12月31日"),
        ("年末数", "年初数"),
        ("2024年末", "2023年末"),
        ("本期末", "上年年末"),
        ("2024.12.31", "2023.12.31"),
        ("二〇二四年十二月三十一日", "二〇二三年十二月三十一日"),
        ("期末数", "期初数"),
        ("2024-12-31", "2024-01-01"),
    ],
)
def test_a_balance_sheet_stands_at_two_ends(closing: str, opening: str) -> None:
    found = told(facts_of([table(BALANCE.format(a=closing, b=opening), "合并资产负债表")]))
    assert found["total_assets", "2024FY"] == "5000 CNY"
    assert found["total_assets", "2023FY"] == "4500 CNY"
    assert found["cash", "2024FY"] == "1200 CNY"


@pytest.mark.parametrize(
    ("own", "before", "metadata", "periods"),
    [
        ("本期发生额", "上期发生额", filing(), "2024FY 2023FY"),
        ("本年累计数", "上年累计数", filing(), "2024FY 2023FY"),
        ("2024年1—12月", "2023年1—12月", filing(), "2024FY 2023FY"),
        ("2024年度", "2023年度", filing(), "2024FY 2023FY"),
        ("截至2024年12月31日止年度", "截至2023年12月31日止年度", filing(), "2024FY 2023FY"),
        ("2024年1-6月", "2023年1-6月", HALF, "2024H1 2023H1"),
        ("2024年半年度", "2023年半年度", HALF, "2024H1 2023H1"),
        ("本期金额", "上期金额", HALF, "2024H1 2023H1"),
        ("本期发生额", "上期发生额", NINE, "20249M 20239M"),
        ("2024年前三季度（1-9月）", "2023年前三季度（1-9月）", NINE, "20249M 20239M"),
        ("本期金额（7-9月）", "上期金额（7-9月）", NINE, "2024Q3 2023Q3"),
        (
            "年初至报告期期末金额（1-9月）",
            "上年年初至报告期期末金额（1-9月）",
            NINE,
            "20249M 20239M",
        ),
    ],
)
def test_an_income_statement_is_of_spans(
    own: str, before: str, metadata: Metadata, periods: str
) -> None:
    found = told(facts_of([table(INCOME.format(a=own, b=before), "合并利润表")], metadata))
    spans = [period for metric, period in found if metric == "revenue"]
    assert " ".join(spans) == periods
    assert found["revenue", spans[0]] == "3000.5 CNY"


@pytest.mark.parametrize(
    ("unit", "revenue"),
    [
        ("元", "3000.5 CNY"),
        ("千元", "3000500 CNY"),
        ("万元", "30005000 CNY"),
        ("人民币百万元", "3000500000 CNY"),
        ("单位：人民币千元", "3000500 CNY"),
        (None, None),
    ],
)
def test_amounts_are_in_the_tables_unit_and_money_a_share_is_not(
    unit: str | None, revenue: str | None
) -> None:
    found = told(facts_of([table(INCOME.format(a="2024年", b="2023年"), "利润表", unit)]))
    assert found.get(("revenue", "2024FY")) == revenue
    assert found["eps", "2024FY"] == "0.38 CNY/股"


def test_whose_a_statement_is() -> None:
    facts = facts_of(
        [
            table(BALANCE.format(a="期末余额", b="期初余额"), "合并资产负债表", ordinal=0),
            table(INCOME.format(a="2024年", b="2023年"), "母公司利润表（续）", ordinal=1),
            table(BALANCE.format(a="期末余额", b="期初余额"), None, ordinal=2, page=2),
        ]
    )
    assert {(fact.table, fact.scope) for fact in facts} == {
        (0, "consolidated"),
        (1, "parent"),
        (2, "parent"),
    }


def test_columns_of_the_group_and_of_the_company_stand_side_by_side() -> None:
    text = """项目|2024年12月31日合并|2023年12月31日合并|2024年12月31日公司|2023年12月31日公司
货币资金|10.00|9.00|3.00|2.00
应收账款|10.00|9.00|3.00|2.00
资产总计|20.00|18.00|6.00|4.00"""
    facts = facts_of([table(text, "合并及公司资产负债表", "千元")])
    held = {(fact.metric, fact.scope, fact.period.fiscal_year): fact.value for fact in facts}
    assert held["total_assets", "consolidated", 2024] == 20_000
    assert held["total_assets", "parent", 2023] == 4_000


def test_assets_stand_beside_liabilities() -> None:
    text = """资产|期末余额|年初余额|负债和所有者权益|期末余额|年初余额
货币资金|10.00|9.00|短期借款|3.00|2.00
应收账款|10.00|9.00|负债合计|3.00|2.00
固定资产|10.00|9.00|所有者权益合计|27.00|25.00
资产总计|30.00|27.00|负债和所有者权益总计|30.00|27.00"""
    facts = facts_of([table(text, "资产负债表")])
    found = told(facts)
    assert found["short_term_loans", "2024FY"] == "3 CNY"
    assert found["equity", "2023FY"] == "25 CNY"
    assert {fact.checked for fact in facts if fact.metric == "total_assets"} == {True}


def test_a_statement_goes_on_overleaf_without_a_heading() -> None:
    rows = BALANCE.format(a="期末余额", b="期初余额").splitlines()
    first = table("\n".join(rows[:8]), "合并资产负债表", ordinal=0)
    rest = table("\n".join(["|||", *rows[9:]]), None, None, ordinal=1, page=2, top=60.0)
    found = told(facts_of([first, rest]))
    assert found["cash", "2024FY"] == "1200 CNY"
    assert found["total_liabilities", "2023FY"] == "900 CNY"


def test_headings_and_unit_end_the_page_before() -> None:
    rows = BALANCE.format(a="", b="").splitlines()[1:]
    grid = table("\n".join(rows), None, None, ordinal=0, page=2, top=60.0)
    above = [
        line("合并资产负债表", page=1, top=680.0),
        line("单位：万元 项目 2024年12月31日 2023年12月31日", page=1, top=730.0),
    ]
    found = told(facts_of([grid], regions=above))
    assert found["total_assets", "2024FY"] == "50000000 CNY"
    assert found["cash", "2023FY"] == "10000000 CNY"


def test_costs_printed_as_deductions_are_what_is_spent() -> None:
    text = """|附註|2024年|2023年
收入|4|3,000,100|2,500,200
銷售成本||(1,500,000)|(1,200,000)
毛利||1,500,100|1,300,200
行政開支||(200,000)|(190,000)
除稅前溢利||1,300,100|1,110,200
所得稅開支||(190,000)|(150,000)
年內溢利||1,110,100|960,200"""
    found = told(facts_of([table(text, "綜合損益表", "人民幣千元")]))
    assert found["revenue", "2024FY"] == "3000100000 CNY"
    assert found["cost_of_sales", "2024FY"] == "1500000000 CNY"
    assert found["income_tax", "2023FY"] == "150000000 CNY"
    assert found["net_profit", "2023FY"] == "960200000 CNY"


@pytest.mark.parametrize(
    "title",
    [
        "合并现金流量表补充资料",
        "合并利润表项目注释",
        "利润表及现金流量表相关科目变动分析表",
        "资产负债表日后事项",
        "合并资产负债表及合并利润表",
    ],
)
def test_what_speaks_of_a_statement_is_none(title: str) -> None:
    assert statement_named(title) is None


@pytest.mark.parametrize(
    ("title", "kind", "scope"),
    [
        ("（一）合并资产负债表", "balance sheet", "consolidated"),
        ("2、母公司利润表（续）", "income statement", "parent"),
        ("星河股份有限公司现金流量表2024年度 单位：元", "cash flow statement", None),
        ("綜合財務狀況表", "balance sheet", "consolidated"),
        ("公司利润表", "income statement", "parent"),
    ],
)
def test_headings_name_statements(title: str, kind: str, scope: str | None) -> None:
    found = statement_named(title)
    assert isinstance(found, StatementName)
    assert (found.kind, found.scope) == (kind, scope)


@given(st.sampled_from(["货币资金", "资产总计", "负债合计"]), st.integers(1, 9), st.booleans())
def test_a_line_whose_sum_fails_is_marked(label: str, digit: int, later: bool) -> None:
    rows = list(map(str, BALANCE.format(a="期末余额", b="期初余额").splitlines()))
    at = next(n for n, row in enumerate(rows) if row.startswith(label))
    cells = rows[at].split("|")
    column = 3 if later else 2
    cells[column] = f"{Decimal(cells[column].replace(',', '')) + 10 * digit:,}"
    rows[at] = "|".join(cells)
    facts = facts_of([table("\n".join(rows), "合并资产负债表")])
    wrong = {(f.label.split(" ")[-1], f.period.fiscal_year) for f in facts if f.checked is False}
    assert (label, 2023 if later else 2024) in wrong
    right = {fact.period.fiscal_year for fact in facts if fact.checked is False}
    assert right == {2023 if later else 2024}
