"""Main figures, quarters, staff and segments of filings, on tables made for it."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.stages.facts.cells import is_broken, parted
from finrag_pipeline.stages.facts.sources import fact_sources, rank_of
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline_tests.stages.facts.made_filings import facts_of, filing, table, told

MAIN = """|2024年|2023年调整前|2023年调整后|本年比上年增减|2022年
营业收入（元）|3,000,000,000.50|2,500,000,000.00|2,600,000,000.00|15.4%|2,000,000,000.00
归属于上市公司股东的净利润（元）|300,000,000.00|250,000,000.00|260,000,000.00|15.4%|200,000,000.00
基本每股收益（元/股）|0.30|0.25|0.26|15.4%|0.20
加权平均净资产收益率|12.30%|11.00%|11.20%|1.10%|10.00%
|2024年末|2023年末调整前|2023年末调整后|本年末比上年末增减|2022年末
总资产（元）|9,000,000,000.00|8,000,000,000.00|8,100,000,000.00|11.1%|7,000,000,000.00"""
NINE = filing(date(2024, 9, 30), "星河股份有限公司2024年第三季度报告")
QUARTER = """|本报告期|本报告期比上年同期增减|年初至报告期末|年初至报告期末比上年同期增减
营业收入（元）|1,000,000,000.00|3.0%|3,000,000,000.00|6.0%
归属于上市公司股东的净利润（元）|100,000,000.00|6.8%|300,000,000.00|23.1%
基本每股收益（元/股）|0.10|7.3%|0.30|23.4%
|本报告期末|上年度末|本报告期末比上年度末增减|
总资产（元）|9,000,000,000.00|8,000,000,000.00|12.5%|"""


def test_main_figures_of_three_years_with_what_was_restated() -> None:
    facts = facts_of([table(MAIN, None, None)])
    found = {
        (fact.metric, fact.period.fiscal_year, fact.restated): (f"{fact.value:f}", fact.source)
        for fact in facts
    }
    assert found["revenue", 2024, False] == ("3000000000.50", "annual")
    assert found["revenue", 2023, False] == ("2500000000.00", "annual_prior")
    assert found["revenue", 2023, True] == ("2600000000.00", "annual_prior")
    assert found["total_assets", 2022, False] == ("7000000000.00", "annual_earlier")
    assert found["weighted_roe", 2024, False] == ("12.30", "annual")
    assert not any("%" in fact.text for fact in facts if fact.metric != "weighted_roe")


def test_a_quarters_report_tells_the_quarter_and_the_year_to_date() -> None:
    found = told(facts_of([table(QUARTER, None, None)], NINE))
    assert found["revenue", "2024Q3"] == "1000000000 CNY"
    assert found["revenue", "20249M"] == "3000000000 CNY"
    assert found["total_assets", "20249M"] == "9000000000 CNY"
    assert found["total_assets", "2023FY"] == "8000000000 CNY"
    assert found["eps", "2024Q3"] == "0.1 CNY/股"


def test_quarters_side_by_side_are_single_quarters() -> None:
    text = """|第一季度（1-3月份）|第二季度（4-6月份）|第三季度（7-9月份）|第四季度（10-12月份）
营业收入|100.00|200.00|300.00|400.00
归属于上市公司股东的净利润|10.00|20.00|30.00|40.00
归属于上市公司股东的扣除非经常性损益后的净利润|9.00|19.00|29.00|39.00"""
    facts = facts_of([table(text, "分季度主要财务数据")])
    assert told(facts)["revenue", "2024Q4"] == "400 CNY"
    assert {fact.source for fact in facts} == {"annual_quarters"}


def test_headings_beside_their_figures_are_theirs() -> None:
    text = """||2024年||2023年||本年比上年增减||2022年
营业收入（元）|9,000,000.00||8,000,000.00||12.5%||7,000,000.00|
归属于上市公司股东的净利润（元）|900,000.00||800,000.00||12.5%||700,000.00|
基本每股收益（元/股）|0.90||0.80||12.5%||0.70|"""
    found = told(facts_of([table(text, None, None)]))
    assert found["revenue", "2023FY"] == "8000000 CNY"
    assert found["eps", "2022FY"] == "0.7 CNY/股"


def test_one_cell_over_several_columns_is_parted() -> None:
    text = """主要财务指标|2024年2023年本期比上年同期增减(%)|^|^|2022年
基本每股收益（元／股）|0.9370|1.1553|-18.89|1.1853
稀释每股收益（元／股）|0.9370|1.1553|-18.89|1.1853
加权平均净资产收益率（%）|11.73|14.92 减少3.19个百分点|^|16.71"""
    found = told(facts_of([table(text, "主要财务指标", None)]))
    assert found["eps", "2023FY"] == "1.1553 CNY/股"
    assert found["weighted_roe", "2023FY"] == "14.92 %"
    assert found["weighted_roe", "2022FY"] == "16.71 %"


def test_labels_torn_over_three_rows_are_one() -> None:
    text = """|2024年|2023年
营业收入（元）|9,000.00|8,000.00
归属于上市公司股东|900.00|800.00
的扣除非经常性损益||
的净利润（元）||
经营活动产生的现金|700.00|600.00
流量净额（元）||
总资产（元）|20,000.00|19,000.00"""
    found = told(facts_of([table(text, "主要会计数据", None)]))
    assert found["adjusted_net_profit", "2024FY"] == "900 CNY"
    assert found["operating_cash_flow", "2023FY"] == "600 CNY"


def test_main_figures_go_on_overleaf_from_one_row() -> None:
    first = """|2024年|2023年|本年比上年增减(%)
总资产|9,000.00|8,000.00|12.50"""
    rest = """营业收入|3,000.00|2,000.00|50.00
归属于上市公司股东的净利润|300.00|200.00|50.00"""
    pages = [
        table(first, "主要会计数据和财务指标", page=1, ordinal=0, top=700.0),
        table(rest, None, None, page=2, ordinal=1, top=60.0),
    ]
    found = told(facts_of(pages))
    assert found["total_assets", "2024FY"] == "9000 CNY"
    assert found["revenue", "2023FY"] == "2000 CNY"


def test_what_a_company_owns_and_owes_is_discussed_beside_its_share_of_all_assets() -> None:
    text = """项目名称|本期期末数|占总资产的比例（%）|上期期末数|上期占总资产的比例（%）
货币资金|2,500.00|16.53|4,300.00|28.61
短期借款|1,500.00|9.92|1,200.00|7.98"""
    facts = facts_of([table(text, None)])
    found = told(facts)
    assert found["cash", "2024FY"] == "2500 CNY"
    assert found["short_term_loans", "2023FY"] == "1200 CNY"
    assert {fact.source for fact in facts} == {"annual_discussion", "annual_discussion_prior"}


def test_lines_of_statements_beside_the_year_before_need_no_words_over_them() -> None:
    text = """项目|本期数|上年同期数|变动比例
研发费用|821.00|601.00|36.6
投资收益|243.00|461.00|-47.1
少数股东损益|-112.00|27.00|不适用"""
    found = told(facts_of([table(text, None)]))
    assert found["minority_profit", "2024FY"] == "-112 CNY"
    assert found["investment_income", "2023FY"] == "461 CNY"
    # of a subsidiary, or with lines that no statement has, it is somebody's or something else's
    assert not facts_of([table(text, "主要子公司情况")])
    assert not facts_of([table(text.replace("投资收益", "晶圆销量"), None)])


def test_headings_beside_their_figures_are_theirs_though_remarks_have_one_too() -> None:
    text = """|项目||2024 年||2023 年||同比增减||重大变动说明
销售费用||9,753.00||14,801.00||-34.11%||主要受渠道费用变动影响。|
|管理费用|6,057.00||6,542.00||-7.41%|||
|财务费用|-3,300.00||-3,526.00||6.41%|||"""
    found = told(facts_of([table(text, "□适用 √不适用3、费用")]))
    assert found["selling_expenses", "2024FY"] == "9753 CNY"
    assert found["financial_expenses", "2023FY"] == "-3526 CNY"


def test_what_is_discussed_goes_on_overleaf() -> None:
    first = """项目|本期数|上年同期数|变动比例
研发费用|821.00|601.00|36.6
财务费用|-254.00|-29.00|不适用
投资收益|243.00|461.00|-47.1"""
    rest = """资产减值损失|-792.00|-427.00|85.4
营业外支出|290.00|176.00|64.7"""
    pages = [
        table(first, None, page=1, ordinal=0, top=700.0),
        table(rest, None, None, page=2, ordinal=1, top=60.0),
    ]
    found = told(facts_of(pages))
    assert found["asset_impairment_loss", "2023FY"] == "-427 CNY"
    assert found["non_operating_expenses", "2024FY"] == "290 CNY"


def test_what_is_spent_on_research_stands_under_no_heading() -> None:
    text = """本期费用化研发投入|6,582.00
研发投入合计|8,227.00
研发投入总额占营业收入比例（%）|29.40"""
    found = told(facts_of([table(text, None)]))
    assert found["research_investment", "2024FY"] == "8227 CNY"
    assert found["research_intensity", "2024FY"] == "29.4 %"


def test_figures_torn_over_lines_are_joined_or_left_out() -> None:
    text = """|2024年|2023年
营业收入|7,176,243,|5,634,27
（元）|743.45|4,230.28
归属于上市公司股东的净利润（元）|537,568,592.87|561,472,731.39
归属于上市公司股东的扣除非经常性损益的净利润（元）|443,680,|443,680,111.22"""
    held = parted(table(text, None, None))
    texts = {cell.text for cell in held.cells}
    assert {"7,176,243,743.45", "5,634,274,230.28"} <= texts
    assert is_broken("443,680,")
    found = told(facts_of([table(text, "主要会计数据", None)]))
    assert ("adjusted_net_profit", "2024FY") not in found
    assert found["adjusted_net_profit", "2023FY"] == "443680111.22 CNY"


def test_the_company_employs_and_its_research_staff_is_a_segment() -> None:
    staff = """母公司在职员工的数量|1,200
主要子公司在职员工的数量|3,800
在职员工的数量合计|5,000
母公司及主要子公司需承担费用的离退休职工人数|12
专业构成|
生产人员|2,500
技术人员|1,500
教育程度|
博士|20
硕士|300
本科|1,900"""
    research = """公司研发人员的数量|600
研发人员数量占公司总人数的比例（%）|12.00
研发人员学历结构|
硕士研究生|200
本科|300"""
    spent = """|2024年|2023年
研发投入金额（元）|7,139.03|7,006.61
研发投入占营业收入比例|3.77%|3.43%
研发投入资本化的金额（元）|235.00|244.00"""
    facts = facts_of(
        [
            table(staff, "员工情况", None, ordinal=0),
            table(research, "研发人员情况表", None, ordinal=1),
            table(spent, "公司研发投入情况", None, ordinal=2),
        ]
    )
    held = {
        (fact.metric, fact.segment): f"{fact.value} {fact.unit}"
        for fact in facts
        if fact.period.fiscal_year == 2024
    }
    assert held["employees", ""] == "5000 人"
    assert held["parent_employees", ""] == "1200 人"
    assert held["masters", ""] == "300 人"
    assert held["masters", "研发人员"] == "200 人"
    assert held["research_staff", ""] == "600 人"
    assert held["research_investment", ""] == "7139.03 CNY"


@pytest.mark.parametrize(
    "text",
    [
        "报告期末普通股股东总数|100,453|报告期末表决权恢复的优先股股东总数（如有）|0",
        "截至报告期末普通股股东总数(户)|100,453\n年度报告披露日前上一月末的普通股股东总数(户)|98,000",
        "报告期末普通股股东总数|100,453|年度报告披露日前一个月末普通股股东总数|98,000\n"
        "股东名称|股东性质|持股比例|持股数量\n华润医药控股|国有法人|63.02%|622,569,632",
    ],
)
def test_shareholders_are_counted_at_the_end_of_the_period(text: str) -> None:
    facts = facts_of([table(text, "普通股股东总数及前十名股东持股情况表", "股")])
    held = [(fact.metric, f"{fact.value} {fact.unit}", str(fact.period.last_on)) for fact in facts]
    assert held == [("shareholders", "100453 户", "2024-12-31")]


def test_segments_are_no_figures_of_the_company() -> None:
    text = """分行业|营业收入|营业成本|毛利率（%）|营业收入比上年增减（%）
制造业|900.00|600.00|33.33|5.0
其他|100.00|80.00|20.00|1.0
主营业务分地区情况||||
华东|700.00|500.00|28.57|2.0
其他|300.00|180.00|40.00|3.0"""
    facts = facts_of([table(text, "主营业务分行业、分产品、分地区情况")])
    held = {(fact.metric, fact.segment): fact.value for fact in facts}
    assert all(segment for _, segment in held)
    assert held["revenue", "制造业"] == 900
    assert held["cost_of_sales", "华东"] == 500
    assert held["revenue", "其他（分地区）"] == 300
    assert ("revenue", "其他") not in held


def test_other_companies_figures_are_none_of_the_filers() -> None:
    text = """项目|云岭科技有限公司|澄光医药有限公司
资产合计|500.00|300.00
负债合计|200.00|100.00
归属于母公司股东权益|300.00|200.00
营业收入|900.00|700.00
净利润|90.00|70.00"""
    assert facts_of([table(text, "重要联营企业的主要财务信息")]) == ()


def test_a_quote_is_the_row_as_it_is_stored() -> None:
    made = table(MAIN, None, None)
    (fact,) = [
        each for each in facts_of([made]) if (each.metric, each.period.fiscal_year) == ("eps", 2024)
    ]
    assert fact.quote in {row.quote for row in table_rows(made.cells)}
    assert fact.text in fact.quote
    assert (fact.table, fact.row, fact.column) == (0, 3, 1)


def test_an_annual_reports_own_year_goes_before_what_later_ones_print() -> None:
    order = ["annual", "annual_prior", "half", "quarter", "half_prior", "vendor", "express"]
    assert [rank_of(name) for name in order] == sorted(rank_of(name) for name in order)
    assert len({source.rank for source in fact_sources().values()}) == len(fact_sources())


@pytest.mark.parametrize(
    ("last_on", "title", "source"),
    [
        (date(2024, 12, 31), "星河股份2024年年度报告摘要", "annual_summary"),
        (date(2024, 6, 30), "星河股份2024年半年度报告", "half"),
        (date(2024, 3, 31), "星河股份2024年第一季度报告", "quarter"),
        (date(2024, 12, 31), "星河股份2024年度业绩快报公告", "express"),
    ],
)
def test_what_a_filing_is_ranks_its_figures(last_on: date, title: str, source: str) -> None:
    text = """项目|本报告期|上年同期|增减变动幅度（%）
营业总收入|100.00|90.00|11.1
归属于上市公司股东的净利润|10.00|9.00|11.1
基本每股收益（元）|0.10|0.09|11.1"""
    facts = facts_of([table(text, "主要财务数据")], filing(last_on, title))
    assert facts[0].source == source
    assert {fact.period.fiscal_year for fact in facts} == {2023, 2024}


@pytest.mark.parametrize(
    "title",
    [
        "星河股份2024年度业绩预告",
        "星河股份关于收购云岭科技股权的公告",
        "星河股份2024年度股东大会决议",
    ],
)
def test_other_announcements_are_no_reports_of_its_own_figures(title: str) -> None:
    assert facts_of([table(MAIN, None, None)], filing(title=title)) == ()
