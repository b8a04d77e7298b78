"""Rows of other companies: by code, where their figures agree, and whose expectations they are."""

from __future__ import annotations

from finrag_pipeline_tests.stages.facts.made_reports import facts, table

HEAD = ("代码|公司|股价（元）|EPS（元）*2|PE*2", "|||2024A|2025E|2024A|2025E")
ROWS = (
    "600001.SH|星河科技|20.00|0.50|0.80|40.0|25.0",
    "300999.SZ|云帆股份|30.00|1.00|1.50|30.0|20.0",
    "688998.SH|澄光电子|12.00|2.63|3.18|60.0|50.0",
    "平均|||||35|22",
)


def test_rows_by_code_whose_figures_agree() -> None:
    found = facts(
        table(*HEAD, *ROWS, title="表3：可比公司估值", footnote="资料来源：Wind 一致预期")
    )

    assert [(f.company_key, f.metric, f.period.fiscal_year, str(f.value)) for f in found] == [
        ("300999.SZ", "eps", 2024, "1.00"),
        ("300999.SZ", "eps", 2025, "1.50"),
        ("300999.SZ", "pe", 2024, "30.0"),
        ("300999.SZ", "pe", 2025, "20.0"),
    ]
    assert {f.company_name for f in found} == {"云帆股份"}
    assert {f.broker for f in found} == {None}
    assert [f.nature for f in found] == ["actual", "forecast"] * 2


def test_whom_a_house_covers_it_forecasts_itself() -> None:
    found = facts(table(*HEAD, *ROWS, title="重点公司盈利预测与评级"))

    assert {f.broker for f in found if f.nature == "forecast"} == {"云岭证券"}


def test_target_prices_of_whom_a_house_covers() -> None:
    covered = table(
        "股票代码|公司|现价 (LC)|评级|目标价 (LC)",
        "6990.HK Equity|云帆股份|302.4|买入|295.0",
        "688998 CH Equity|澄光电子|12.0|持有|14.5",
        title="图表 5：医药行业覆盖公司",
    )

    assert [(f.company_key, f.metric, str(f.value), f.unit) for f in facts(covered)] == [
        ("06990.HK", "target_price", "295.0", "HKD/股"),
        ("688998.SH", "target_price", "14.5", "CNY/股"),
    ]


def test_profit_is_weighed_against_market_value() -> None:
    worth = table(
        "代码|公司|总市值（亿元）|归母净利润（亿元）*2|PE*2",
        "|||2024A|2025E|2024A|2025E",
        "300999.SZ|云帆股份|163|10.31|11.23|15.8|14.5",
        "688998.SH|澄光电子|290|2.63|3.18|30.6|26.3",
        title="可比公司估值",
    )

    assert [(f.company_key, f.metric, f"{f.value:f}") for f in facts(worth)] == [
        ("300999.SZ", "net_profit_attributable", "1031000000"),
        ("300999.SZ", "net_profit_attributable", "1123000000"),
        ("300999.SZ", "pe", "15.8"),
        ("300999.SZ", "pe", "14.5"),
    ]
