"""Forecast tables of brokers: years, marks, units, whose profit, and whose figures they are not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.records import Table
from finrag_pipeline.stages.facts.report_labels import report_metric
from finrag_pipeline.stages.facts.sources import rank_of
from finrag_pipeline_tests.stages.facts.made_reports import REPORT, facts, table, told

EXPECTED = [("revenue", 2024, "1000000000", "actual"), ("revenue", 2025, "1200000000", "forecast")]


@pytest.mark.parametrize(
    ("head", "row", "unit"),
    [
        ("会计年度|2024A|2025E", "营业收入（百万元）|1,000|1,200", None),
        ("项目/年度|2024|2025E", "营业收入(亿元)|10.0|12.0", None),
        ("指标|2024年(实际)|2025年(预测)", "营业收入|1,000|1,200", "百万元"),
        ("单位：万元|2024A|2025F", "营业收入|100,000|120,000", "万元"),
        ("|24A|25E", "营业收入(百万元)|1000|1200", None),
        ("RMB mn|FY24A|FY25E", "Revenue|1,000|1,200", "RMB mn"),
        ("(RMB million)|2024|2025E", "Revenue|1,000|1,200", "RMB million"),
        ("年度截止12 月31 日|2024A|2025E", "营业收入|1000|1200", "人民币百万元"),
        ("Year end 31 Dec|FY2024A|FY2025F", "Revenue (RMB bn)|1.000|1.200", None),
        ("|2024-12-31|2025-12-31", "营业收入（百万元）|1,000|1,200", None),
        ("主营数据|2024|2025", "主营收入（百万元）|1,000|1,200", None),
    ],
)
def test_years_and_units_as_houses_write_them(head: str, row: str, unit: str | None) -> None:
    found = facts(table(head, row, "净利润增长率|5%|20%", unit=unit))

    assert told(found) == EXPECTED
    assert [each.unit for each in found] == ["CNY", "CNY"]
    assert [each.broker for each in found] == [None, "云岭证券"]


def test_years_may_stand_beside_and_metrics_above() -> None:
    upright = table(
        "年度|营业收入(百万元)|归母净利润(百万元)|EPS(元)|增速(%)",
        "2024A|1,000|100|0.50|5",
        "2025E|1,200|130|0.65|20",
    )

    assert told(facts(upright)) == [
        ("revenue", 2024, "1000000000", "actual"),
        ("net_profit_attributable", 2024, "100000000", "actual"),
        ("eps", 2024, "0.5", "actual"),
        ("revenue", 2025, "1200000000", "forecast"),
        ("net_profit_attributable", 2025, "130000000", "forecast"),
        ("eps", 2025, "0.65", "forecast"),
    ]


def test_amounts_with_their_growth_beside_them() -> None:
    upright = table("年度|营业收入（亿元）*2", "|金额|同比", "2024A|10|5%", "2025E|12|20%")

    assert told(facts(upright)) == EXPECTED


def test_income_alone_is_the_companys_where_its_profit_stands_below() -> None:
    whole = table("RMB mn|FY24A|FY25E", "收入|1,000|1,200", "归母净利|94|112", unit="RMB mn")
    part = table("RMB mn|FY24A|FY25E", "收入|1,000|1,200", "毛利率|40%|41%", unit="RMB mn")

    assert told(facts(whole))[:2] == EXPECTED
    assert {each.metric for each in facts(part)} == {"printed_gross_margin"}


def test_a_year_is_expected_by_its_mark_or_once_it_lies_ahead() -> None:
    rows = ("营业收入(百万元)|800|1,000|1,200", "EPS(元)|0.4|0.5|0.6")
    unmarked = table("|2023|2024|2025", *rows)
    marked = table("|2023|2024E|2025E", *rows)
    spring = replace(REPORT, published_on=date(2025, 2, 14))

    assert [each.nature for each in facts(unmarked)][:3] == ["actual", "actual", "forecast"]
    # in February nobody knows whether the accounts of the year before are out
    assert [each.period.fiscal_year for each in facts(unmarked, metadata=spring)] == [
        2023,
        2025,
    ] * 2
    assert [each.nature for each in facts(marked, metadata=spring)][:2] == ["actual", "forecast"]
    assert facts(table("|2022|2023", "营业收入(百万元)|700|800")) == ()


def test_growth_is_no_level() -> None:
    growing = table(
        "主要财务比率|2024A|2025E",
        "成长能力||",
        "营业收入|14.6|18.6",
        "归母净利润（%）|12.0|30.0",
        "获利能力||",
        "毛利率(%)|40.1|41.2",
        "每股指标（元）||",
        "每股收益（最新摊薄）|0.50|0.65",
        unit="百万元",
    )

    assert {each.metric for each in facts(growing)} == {"printed_gross_margin", "eps"}


def test_the_parents_profit_under_the_name_of_the_whole() -> None:
    summary = table("|2024A|2025E", "净利润(百万元)|94|112")
    statement = table(
        "利润表(百万元)|2024A|2025E",
        "少数股东损益|2|3",
        "归属于母公司净利润|94|112",
        ordinal=1,
        unit="百万元",
    )
    alone = facts(summary)
    both = facts(summary, statement)

    assert {each.metric for each in alone} == {"net_profit"}
    assert {each.metric for each in both} == {"minority_profit", "net_profit_attributable"}


def test_of_two_rows_of_profit_the_one_after_minorities_is_the_parents() -> None:
    rows = ("税前利润|110|130", "税后利润|100|120", "少数股东权益|(6)|(8)")
    parted = table("损益表|2024A|2025E", *rows, "净利润|94|112", unit="百万元")
    other = table("损益表|2024A|2025E", *rows, "净利润|97|119", unit="百万元")

    values = {(f.metric, f.period.fiscal_year): int(f.value / 10**6) for f in facts(parted)}
    assert (values["net_profit", 2025], values["net_profit_attributable", 2025]) == (120, 112)
    assert {"net_profit", "net_profit_attributable"}.isdisjoint(f.metric for f in facts(other))


def test_costs_printed_as_what_is_subtracted() -> None:
    statement = table(
        "利润表|2024A|2025E", "营业收入|100|120", "营业成本|-60|-70", "财务费用|-3|2", unit="百万元"
    )

    values = {(each.metric, each.period.fiscal_year): each.value for each in facts(statement)}

    assert values["cost_of_sales", 2025] == 70_000_000
    assert values["financial_expenses", 2024] == 3_000_000
    assert values["financial_expenses", 2025] == 2_000_000


def test_changes_in_a_cash_flow_are_no_balances() -> None:
    flow = table(
        "现金流量表|2024A|2025E",
        "净利润|96|115",
        "财务费用|-3|2",
        "短期借款|-12|5",
        "经营活动现金流|120|130",
        "投资活动现金流|-50|-40",
        unit="百万元",
    )

    assert {each.metric for each in facts(flow)} == {
        "net_profit",
        "operating_cash_flow",
        "investing_cash_flow",
    }


@pytest.mark.parametrize(
    "other",
    [
        table("|2025E|2025E", "|调整前|变动", "营业收入(百万元)|1|2"),
        table("|2024A|2025E", "一致预期营业收入(百万元)|1|2"),
        table("Wind一致预期|2024A|2025E", "营业收入(百万元)|1|2"),
        table("|2024A|2025E", "营业收入(百万元)|1|2", title="市场预期"),
        table("|2024A|2025E", "化学业务||", "营业收入(百万元)|1|2"),
        table("|2024A|2025E", "营业收入(百万元)|1|2", title="表2：公司分业务收入预测"),
        table("|2024A|2025E", "营业收入(百万元)|1|2", title="表3：DCF 估值"),
        table("|2024A|2025E", "市场一致预期||", "营业收入(百万元)|1|2"),
        table("|2024A|2025E", "营业收入（%）|14.6|18.6"),
        table("|2024A|2025E", "营业收入|14.6|18.6"),
    ],
)
def test_what_is_not_the_whole_companys_own(other: Table) -> None:
    assert facts(other) == ()


@pytest.mark.parametrize("heads", ["新|旧", "调整后|调整前", "本次预测|前次预测", "New|Old"])
def test_of_a_forecast_and_the_one_before_the_new_one_counts(heads: str) -> None:
    changed = table("|2025E*2|2026E*2", f"|{heads}|{heads}", "营业收入(百万元)|1|2|3|4")

    assert [each.text for each in facts(changed)] == ["1", "3"]


def test_forecasts_of_another_company_are_that_companys() -> None:
    other = table("|2024A|2025E", "归母净利润(亿元)|1.0|1.2", title="云帆股份（300999.SZ）盈利预测")
    own = table(
        "|2024A|2025E", "归母净利润(亿元)|2.0|2.2", title="星河科技(600001)盈利预测", ordinal=1
    )

    assert [(each.company_key, each.value) for each in facts(other, own)] == [
        ("300999.SZ", Decimal("1.0E8")),
        ("300999.SZ", Decimal("1.2E8")),
        ("600001.SH", Decimal("2.0E8")),
        ("600001.SH", Decimal("2.2E8")),
    ]


def test_a_table_that_contradicts_the_summary_is_anothers() -> None:
    summary = table("|2024A|2025E", "营业收入(百万元)|1,000|1,200", "EPS(元)|0.50|0.60")
    other = table(
        "|2024A|2025E",
        "营业收入(百万元)|300|400",
        "毛利率(%)|20|21",
        title="云帆股份盈利预测",
        ordinal=1,
    )
    same = table("|2024A|2025E", "营业收入(亿元)|10.0|12.0", "毛利率(%)|20|21", ordinal=1)

    assert {each.metric for each in facts(summary, other)} == {"revenue", "eps"}
    assert {each.metric for each in facts(summary, same)} == {
        "revenue",
        "eps",
        "printed_gross_margin",
    }


def test_an_industry_report_tells_of_whom_its_tables_name() -> None:
    industry = replace(
        REPORT, kind="industry", company_name=None, company_code=None, company_codes=()
    )
    named = table("|2024A|2025E", "EPS(元)|0.50|0.60", title="云帆股份（300999.SZ）盈利预测")
    unnamed = table("|2024A|2025E", "EPS(元)|0.50|0.60")

    assert {each.company_key for each in facts(named, metadata=industry)} == {"300999.SZ"}
    assert facts(unnamed, metadata=industry) == ()


def test_figures_of_two_listings_in_one_table_are_nobodys() -> None:
    both = table("|2024A|2025E", "P/B|2.2|2.1", "A 股（600001.SH）指标||", "P/B|4.8|4.6")

    assert facts(both) == ()


def test_the_currency_of_most_tables_counts() -> None:
    summary = table("|2024A|2025E", "净利润(百万美元)|49|57", "营业收入(百万美元)|803|933")
    slip = table(
        "现金流量表（百万元）|2024A|2025E",
        "净利润|49|57",
        "折旧摊销|32|38",
        ordinal=1,
        unit="百万元",
    )
    hong_kong = replace(REPORT, company_code="00999.HK", company_codes=("00999.HK",))

    assert {each.unit for each in facts(summary, slip, metadata=hong_kong)} == {"USD"}


def test_fiscal_years_end_when_their_heading_says() -> None:
    march = table(
        "截至3月31日止年度|FY2025A|FY2026E", "营业收入(百万港元)|100|120", "总资产(百万港元)|9|9"
    )
    first = facts(march)[0].period
    assets = facts(march)[-1].period

    assert (first.fiscal_year, first.first_on, first.last_on) == (
        2025,
        date(2024, 4, 1),
        date(2025, 3, 31),
    )
    assert (assets.first_on, assets.last_on) == (None, date(2026, 3, 31))


def test_a_fact_says_where_it_stands() -> None:
    (_, fact) = facts(table("|2024A|2025E", "EPS(摊薄/元)|0.50|0.65", page=3, ordinal=7))

    assert (fact.table, fact.row, fact.column, fact.place.page) == (7, 1, 2, 3)
    assert fact.place.bbox == (100.0, 12.0, 148.0, 22.0)
    assert (fact.text, fact.label, fact.heading) == ("0.65", "EPS(摊薄/元)", "2025E")
    assert fact.quote.endswith("EPS(摊薄/元) 0.50 0.65")
    assert rank_of(fact.source) > rank_of("annual")


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("EPS(最新摊薄)", "eps"),
        ("每股收益（元）", "eps"),
        ("稀释EPS（元）", "diluted_eps"),
        ("每股盈余 (EPS) RMB 元", "eps"),
        ("营业收入 Revenue", "revenue"),
        ("营业收入 growth", None),
        ("归属母公司股东净利润（百万元）", "net_profit_attributable"),
        ("归属母公司股东权", "equity_attributable"),
        ("经调整净利润", None),
        ("净利润（归母）", "net_profit_attributable"),
        ("净利润(归属于母公司)", "net_profit_attributable"),
        ("净利润（Non-GAAP）", None),
        ("净利润增长率", None),
        ("目标价", None),
        ("收盘价(元)", None),
    ],
)
def test_labels_of_houses(label: str, name: str | None) -> None:
    metric = report_metric(label)

    assert (metric.name if metric else None) == name


@given(
    st.sampled_from([("百万元", 6), ("亿元", 8), ("万元", 4), ("千元", 3), ("元", 0)]),
    st.decimals(1, 99_999, places=2),
)
def test_values_are_exact_in_every_unit(unit: tuple[str, int], value: Decimal) -> None:
    found = facts(table("|2024A|2025E", f"营业收入({unit[0]})|{value}|{value:,}"))

    assert [each.value for each in found] == [value.scaleb(unit[1])] * 2


def test_every_label_is_one_of_a_metric() -> None:
    assert report_metric("归母股东净利润") == fact_metrics()["net_profit_attributable"]
