"""Questions for figures answered from facts in Postgres."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.query.numbers.held import answered, fact, hold, told

_YEARS = [
    fact("星河", "revenue", 2022, 8_000_000_000),
    fact("星河", "revenue", 2023, 10_000_000_000),
    fact("星河", "revenue", 2024, 12_100_000_000),
    fact("星河", "cost_of_sales", 2024, 7_260_000_000),
    fact("星河", "net_profit", 2024, 1_000_000_000),
    fact("星河", "net_profit_attributable", 2024, 900_000_000),
    fact("星河", "operating_cash_flow", 2024, -5_000_000),
    fact("星河", "total_assets", 2024, 30_000_000_000, instant=True),
    fact("云岭", "revenue", 2024, 5_000_000_000),
    fact("云岭", "net_profit", 2024, 400_000_000),
    fact("云岭", "operating_cash_flow", 2024, 7_000_000),
    fact("澄光", "revenue", 2024, 5_000_000_000),
    fact("澄光", "net_profit", 2024, -20_000_000),
]


def test_figures_are_told_grown_and_divided(database: Database, reader: Reader) -> None:
    hold(database, _YEARS)

    assert told(answered(reader, "星河智造2024年营业收入是多少？")) == [
        "星河 revenue 2024 12100000000 CNY"
    ]
    grown = answered(reader, "星河智造2024年营业收入同比增长多少？")
    assert told(grown) == ["星河 revenue_growth 2024 21 %"]
    (step,) = grown.rows[0].steps
    assert step.shown == "((12100000000 - 10000000000) / 10000000000) * 100"
    assert [each.fiscal_year for each in grown.rows[0].facts] == [2024, 2023]
    for margin in ("毛利率", "毛利占收入之比", "毛利占营业收入的比重"):
        assert told(answered(reader, f"星河智造2024年{margin}")) == ["星河 gross_margin 2024 40 %"]
    for sales in ("总营收", "销售总额"):
        assert told(answered(reader, f"星河智造2024年{sales}是多少")) == [
            "星河 total_sales 2024 12100000000 CNY"
        ]
    assert told(answered(reader, "2022-2024年星河智造营业收入的复合增长率")) == [
        "星河 revenue_cagr 2024 22.9837 %"
    ]
    assert told(answered(reader, "星河智造2022到2024年营业收入")) == [
        "星河 revenue 2022 8000000000 CNY",
        "星河 revenue 2023 10000000000 CNY",
        "星河 revenue 2024 12100000000 CNY",
    ]


@pytest.mark.parametrize("question", ["较年初增长多少", "比上年末增长百分之几", "较期初的增幅"])
def test_since_the_years_beginning_is_not_on_the_same_day_before(
    database: Database, reader: Reader, question: str
) -> None:
    held = [(2024, "H1", 130), (2023, "FY", 100), (2023, "H1", 65)]
    rows = [fact("星河", "total_assets", year, n, kind, instant=True) for year, kind, n in held]
    hold(database, rows)
    result = answered(reader, f"星河智造2024年6月末总资产{question}")
    assert told(result) == ["星河 total_assets_growth 2024H1 30 %"]


def test_what_is_not_held_is_missing_and_the_nearest_named(
    database: Database, reader: Reader
) -> None:
    hold(database, [row for row in _YEARS if row["metric"] != "net_profit"])

    absent_year = answered(reader, "星河智造2019年营业收入")
    assert told(absent_year) == ["星河 revenue 2019 - missing"]
    assert absent_year.nearest[0].fiscal_year == 2022
    alike = answered(reader, "星河智造2024年净利润")
    assert told(alike) == ["星河 net_profit 2024 - missing"]
    assert alike.nearest[0].metric == "net_profit_attributable"
    # one year lacks: no mean of the others
    lacking = answered(reader, "星河智造2021到2023年营业收入的平均值")
    assert lacking.summary is not None and lacking.summary.value is None


def test_a_half_is_the_sum_of_quarters_that_one_document_prints(
    database: Database, reader: Reader
) -> None:
    table: dict[str, Any] = {
        "document_id": "星河-2024FY",
        "source": "annual_quarters",
        "source_rank": 44,
    }
    hold(
        database,
        [
            fact("星河", "revenue", 2024, 1_000, "Q1", **table),
            fact("星河", "revenue", 2024, 2_500, "Q2", **table),
            fact("星河", "revenue", 2024, 3_000, "Q3", document_id="another"),
            fact("星河", "eps", 2024, "0.1", "Q1", unit="CNY/股", **table),
            fact("星河", "eps", 2024, "0.2", "Q2", unit="CNY/股", **table),
        ],
    )
    half = answered(reader, "星河智造2024年上半年营业收入")
    assert told(half) == ["星河 revenue 2024H1 3500 CNY"]
    assert half.rows[0].steps[0].shown == "1000 + 2500"
    assert answered(reader, "星河智造2024年前三季度营业收入").rows[0].value is None
    assert answered(reader, "星河智造2024年上半年每股收益").rows[0].value is None


def test_one_figure_is_so_many_times_another(database: Database, reader: Reader) -> None:
    hold(database, _YEARS)
    times = answered(reader, "星河智造2024年营业收入是云岭A的几倍").summary
    assert times is not None and (f"{times.value:f}", times.unit) == ("2.42", "")
    assert times.steps[0].shown == "12100000000 / 5000000000"
    share = answered(reader, "云岭A2024年净利润相当于星河智造的百分之几").summary
    assert share is not None and (f"{share.value:f}", share.unit) == ("40.0", "%")
    # nothing is a multiple of a loss
    assert answered(reader, "云岭A2024年净利润是澄光电气的几倍").summary is None


def test_a_quarter_is_the_rest_of_sums_that_go_together(database: Database, reader: Reader) -> None:
    hold(
        database,
        [
            fact("星河", "revenue", 2024, 60, "9M"),
            fact("星河", "revenue", 2024, 35, "H1"),
            fact("星河", "eps", 2024, "0.6", "9M", unit="CNY/股"),
            fact("星河", "eps", 2024, "0.4", "H1", unit="CNY/股"),
            fact("云岭", "revenue", 2024, 60, "9M", restated=True),
            fact("云岭", "revenue", 2024, 35, "H1"),
            fact("星河", "inventory", 2024, 9, "9M", instant=True),
        ],
    )

    quarter = answered(reader, "星河智造2024年第三季度营业收入")
    assert told(quarter) == ["星河 revenue 2024Q3 25 CNY"]
    assert quarter.rows[0].steps[0].shown == "60 - 35"
    assert told(answered(reader, "星河智造2024年三季报营业收入")) == ["星河 revenue 2024-9M 60 CNY"]
    # a balance at the end of the quarter
    assert told(answered(reader, "星河智造2024年第三季度末存货")) == ["星河 inventory 2024Q3 9 CNY"]
    share = answered(reader, "星河智造2024年第三季度每股收益")
    assert told(share) == ["星河 eps 2024-9M 0.6 CNY/股"]
    assert "only_cumulative_held" in share.rows[0].notes
    adjusted = answered(reader, "云岭A2024年第三季度营业收入")
    assert adjusted.rows[0].notes == ("restated", "only_cumulative_held")


def test_growth_goes_by_what_one_document_tells(database: Database, reader: Reader) -> None:
    hold(
        database,
        [
            fact("星河", "revenue", 2023, 100),
            fact("星河", "revenue", 2024, 121),
            fact(
                "星河",
                "revenue",
                2023,
                110,
                document_id="星河-2024FY",
                source_rank=2,
                restated=True,
            ),
        ],
    )

    grown = answered(reader, "星河智造2024年营业收入增长率")
    assert told(grown) == ["星河 revenue_growth 2024 10 %"]
    assert "restated" in grown.rows[0].notes


def test_companies_are_ordered_filtered_and_counted(database: Database, reader: Reader) -> None:
    hold(database, _YEARS)

    most = answered(reader, "2024年营业收入排名前二的公司有哪些")
    assert [(row.rank, row.value) for row in most.rows] == [
        (1, 12_100_000_000),
        (2, 5_000_000_000),
        (2, 5_000_000_000),
    ]
    assert told(answered(reader, "2024年净利润超过3亿元的公司有哪些？")) == [
        "云岭 net_profit 2024 400000000 CNY",
        "星河 net_profit 2024 1000000000 CNY",
    ]
    both = answered(reader, "2024年净利润为正且经营活动现金流量净额为负的公司有哪些")
    assert {row.company_code for row in both.rows} == {"300999.SZ"}
    counted = answered(reader, "2024年净利润在4亿元及以上的公司有几家")
    assert counted.summary is not None and counted.summary.value == 2
    below = answered(reader, "2024年净利润低于平均值的公司")
    assert {row.company_code for row in below.rows} == {"000998.SZ", "600997.SH"}
    middle = answered(reader, "2024年各公司净利润的中位数是多少")
    assert middle.summary is not None and middle.summary.value == 400_000_000
    more = answered(reader, "星河智造和云岭A2024年谁的净利润更高？")
    assert more.rows[0].company_code == "300999.SZ"


def test_forecasts_stand_by_broker(database: Database, reader: Reader) -> None:
    def expected(value: int, broker: str, day: date = date(2025, 4, 1)) -> dict[str, object]:
        return fact(
            "星河",
            "net_profit",
            2026,
            value,
            nature="forecast",
            broker=broker,
            source_rank=80,
            document_id=f"{broker}{day}",
            published_on=day,
        )

    hold(
        database,
        [
            expected(90, "长风证券", date(2025, 1, 1)),
            expected(100, "长风证券"),
            expected(120, "海石证券"),
            fact("星河", "net_profit", 2024, 80),
        ],
    )

    assert told(answered(reader, "长风证券对星河智造2026年净利润的预测")) == [
        "星河 net_profit 2026 100 CNY 长风证券"
    ]
    consensus = answered(reader, "星河智造2026年净利润一致预期")
    assert consensus.summary is not None and consensus.summary.value == 110
    assert [
        row.value for row in answered(reader, "各券商对星河智造2026年净利润预测的区间").rows
    ] == [
        100,
        120,
    ]
    ahead = answered(reader, "星河智造2026年净利润")
    assert {note for row in ahead.rows for note in row.notes} == {"only_forecast_held"}


def test_forecasts_of_houses_are_held_against_each_other(
    database: Database, reader: Reader
) -> None:
    def expected(value: int, broker: str, day: date) -> dict[str, object]:
        document = f"{broker}{day}"
        more = {"nature": "forecast", "broker": broker, "source_rank": 80, "published_on": day}
        return fact("星河", "eps", 2026, value, unit="CNY/股", document_id=document, **more)

    hold(
        database,
        [
            expected(2, "长风证券", date(2025, 1, 20)),
            expected(3, "长风证券", date(2025, 4, 2)),
            expected(5, "海石证券", date(2025, 4, 9)),
        ],
    )

    apart = answered(reader, "长风和海石对星河智造2026年EPS的预测差多少")
    assert apart.summary is not None and apart.summary.value == 2
    assert apart.summary.steps[0].shown == "5 - 3"
    assert told(answered(reader, "星河智造2026年EPS，长风和海石谁更保守"))[0].endswith("长风证券")
    assert told(answered(reader, "星河智造2026年EPS，长风1月那份和海石分别预测多少")) == [
        "星河 eps 2026 2 CNY/股 长风证券",
        "星河 eps 2026 5 CNY/股 海石证券",
    ]
    revised = answered(reader, "长风1月和4月那份对星河智造2026年EPS的预测变了多少")
    assert revised.summary is not None and revised.summary.value == 1
    # a house that says nothing is no house that says what others say
    assert told(answered(reader, "海石2月那份对星河智造2026年EPS的预测")) == [
        "星河 eps 2026 - missing 海石证券"
    ]


def test_a_growth_is_told_as_its_sentence_prints_it(database: Database, reader: Reader) -> None:
    more = {"value": "900000000", "text": "9.0", "quote": "实现营收9.0亿元（+20.6%），利润略增"}
    hold(
        database,
        [
            fact("星河", "revenue", 2024, **more),
            fact("云岭", "revenue", 2024, 900),
        ],
    )

    (row,) = answered(reader, "星河智造2024年营收同比增长多少").rows
    assert (str(row.value), row.unit, row.notes) == ("20.6", "%", ("as_printed",))
    assert answered(reader, "星河智造2024年营收环比增长多少").rows[0].value is None
    assert answered(reader, "云岭A2024年营收同比增长多少").rows[0].value is None


def test_units_that_differ_are_not_added(database: Database, reader: Reader) -> None:
    hold(
        database,
        [
            fact("星河", "revenue", 2024, 100),
            fact("云岭", "revenue", 2024, 90, unit="USD"),
        ],
    )

    both = answered(reader, "星河智造和云岭A2024年营业收入的合计")
    assert both.summary is not None
    assert (both.summary.value, both.summary.status) == (None, "units_differ")
