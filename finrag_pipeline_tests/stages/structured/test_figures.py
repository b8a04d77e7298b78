"""Vendors' tables to figures: long and wide, every unit and period code, and what is refused."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.records.facts import FactPeriod, SuppliedFact
from finrag_pipeline.stages.structured.cells import Sheet
from finrag_pipeline.stages.structured.figures import Supplied, supplied_facts
from finrag_pipeline.stages.structured.mapping import read_mapping

DAY = date(2025, 5, 1)
LONG = """
files:
  - file: long.csv
    columns: {code: code, company: name, year: year, period: period, metric: item, value: value,
              unit: unit, scope: scope, nature: nature, broker: broker, published_on: on}
    period_codes: {Q2: H1, Q3: 9M}
    metrics: {营收: revenue}
"""
HEADINGS = (
    *("code", "name", "year", "period", "item", "value"),
    *("unit", "scope", "nature", "broker", "on"),
)


def read(mapping: str, headings: tuple[str, ...], *rows: tuple[Any, ...]) -> Supplied:
    (told,) = read_mapping(mapping, "v.yaml")
    return supplied_facts(Sheet(headings, tuple(enumerate(rows, start=2))), told, DAY)


def long_row(**changed: Any) -> tuple[Any, ...]:
    row: dict[str, Any] = dict.fromkeys(HEADINGS)
    told = {"code": "600519", "year": 2024, "period": "FY", "item": "revenue", "value": 1}
    return tuple((row | told | {"unit": "元"} | changed).values())


def one(**changed: Any) -> SuppliedFact:
    found = read(LONG, HEADINGS, long_row(**changed))
    assert found.refused == (), found.refused
    return found.facts[0]


def test_a_row_says_all_of_its_figure() -> None:
    fact = one(
        name="星河新材", period="Q3", item="营收", value="1,234.5", unit="万元", scope="母公司",
        nature="预测", broker="甲证券", on="2025/4/30",
    )  # fmt: skip
    assert fact == SuppliedFact(
        metric="revenue", company_key="600519.SH", company_code="600519.SH",
        company_name="星河新材", value=Decimal("12345000"), unit="CNY", text="1,234.5",
        period=FactPeriod(2024, "9M", date(2024, 9, 30), date(2024, 1, 1)),
        printed_unit="万元", source="vendor", label="营收", sheet="", line=2,
        quote="600519 | 星河新材 | 2024 | Q3 | 营收 | 1,234.5 万元", published_on=date(2025, 4, 30),
        nature="forecast", scope="parent", broker="甲证券",
    )  # fmt: skip
    assert fact.currency == "CNY"


@pytest.mark.parametrize(
    ("item", "value", "unit", "expected", "base"),
    [
        ("revenue", 1.5, "亿元", "150000000", "CNY"),
        ("revenue", "(1,234)", "百万元", "-1234000000", "CNY"),
        ("revenue", "1.5亿元", None, "150000000", "CNY"),
        ("revenue", 0.1, "USD mn", "100000", "USD"),
        ("revenue", "1e3", "元", "1000", "CNY"),
        ("eps", 0.1234, "元/股", "0.1234", "CNY/股"),
        ("eps", -2, "元", "-2", "CNY/股"),
        ("weighted_roe", 12.3, None, "12.3", "%"),
        ("weighted_roe", "12.3%", None, "12.3", "%"),
        ("weighted_roe", 0.123, "fraction", "12.3", "%"),
        ("employees", 1200, None, "1200", "人"),
        ("shares_outstanding", 1.5, "亿股", "150000000", "股"),
        ("pe", 23.4, None, "23.4", "x"),
        ("target_price", 88, "港元", "88", "HKD/股"),
    ],
)
def test_figures_are_kept_in_base_units(
    item: str, value: Any, unit: str | None, expected: str, base: str
) -> None:
    fact = one(item=item, value=value, unit=unit)
    assert (fact.value, fact.unit) == (Decimal(expected), base)


@pytest.mark.parametrize(
    ("year", "period", "item", "kind", "first", "last"),
    [
        (2024, "FY", "revenue", "FY", (2024, 1, 1), (2024, 12, 31)),
        (2024, None, "revenue", "FY", (2024, 1, 1), (2024, 12, 31)),
        ("2024年", "Q2", "revenue", "H1", (2024, 1, 1), (2024, 6, 30)),
        (2024.0, "中报", "revenue", "H1", (2024, 1, 1), (2024, 6, 30)),
        (None, "2024Q3", "revenue", "9M", (2024, 1, 1), (2024, 9, 30)),
        (None, "2024-9M", "revenue", "9M", (2024, 1, 1), (2024, 9, 30)),
        (None, "FY2024", "revenue", "FY", (2024, 1, 1), (2024, 12, 31)),
        (2024, "Q1", "total_assets", "Q1", None, (2024, 3, 31)),
        (2024, "H2", "total_assets", "FY", None, (2024, 12, 31)),
        (None, "2024-06-30", "total_assets", "H1", None, (2024, 6, 30)),
        (None, "20240331", "total_assets", "Q1", None, (2024, 3, 31)),
        (None, datetime(2024, 12, 31), "total_assets", "FY", None, (2024, 12, 31)),
        (None, "2024-05-15", "closing_price", "other", None, (2024, 5, 15)),
    ],
)
def test_periods(
    year: Any, period: Any, item: str, kind: str, first: Any, last: tuple[int, int, int]
) -> None:
    found = one(year=year, period=period, item=item).period
    begun = date(*first) if first else None
    assert (found.kind, found.first_on, found.last_on) == (kind, begun, date(*last))


def test_days_and_fiscal_years_as_the_mapping_says() -> None:
    mapping = (
        "files: [{file: a.csv, columns: {company: c, period: p, metric: m, value: v},"
        " unit: USD mn, fiscal_year_end: '09-30', dates: cumulative}]"
    )
    found = read(
        mapping, ("c", "p", "m", "v"),
        ("Northlight, Inc.", "2024-03-31", "revenue", 1), ("Northlight, Inc.", 2024, "revenue", 2),
    )  # fmt: skip
    assert [fact.period for fact in found.facts] == [
        FactPeriod(2024, "H1", date(2024, 3, 31), date(2023, 10, 1)),
        FactPeriod(2024, "FY", date(2024, 9, 30), date(2023, 10, 1)),
    ]
    assert {(fact.company_key, fact.company_code) for fact in found.facts} == {("northlight", None)}


def test_columns_of_a_wide_table() -> None:
    mapping = """
files:
  - file: wide.xlsx
    columns: {code: 股票代码, year: 年度}
    unit: 万元
    currency: CNY
    metrics: {营业总收入(亿元): total_revenue, 净利润: net_profit, 每股收益: eps,
              净资产收益率(%): printed_roe}
"""
    headings = ("年度", "每股收益", "股票代码", "净利润", "营业总收入(亿元)", "净资产收益率(%)")
    whole, short = (2024, 0.5, "000651.SZ", "--", 3, 8.1), (2023, None, "000651.SZ")
    found = read(mapping, headings, whole, short)
    assert found.refused == ()
    assert [(fact.metric, f"{fact.value:f}", fact.unit) for fact in found.facts] == [
        ("total_revenue", "300000000", "CNY"),
        ("eps", "0.5", "CNY/股"),
        ("printed_roe", "8.1", "%"),
    ]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"value": "abc"}, "'abc' is no number"),
        ({"value": True}, "True is no number"),
        ({"value": float("inf")}, "inf is no number"),
        ({"value": "1-2"}, "'1-2' is no number"),
        ({"unit": None}, "without a unit is no revenue"),
        ({"unit": "bushels"}, "'bushels' is no unit"),
        ({"unit": "%"}, "in '%' is no revenue"),
        ({"item": "weighted_roe", "unit": "元"}, "in '元' is no weighted_roe"),
        ({"item": "operating revenue growth"}, "is no metric"),
        ({"year": "last year"}, "'last year' is no year"),
        ({"period": "Q4"}, "Q4 may be a quarter or all months up to its end"),
        ({"period": "三季报"}, "may be a quarter"),
        ({"period": "monthly"}, "'monthly' is no period"),
        ({"period": "2024-06-30"}, "say `dates: cumulative`"),
        ({"period": "2024-02-30"}, "is no day"),
        ({"code": 651}, "lost its zeros"),
        ({"code": "6005190000"}, "is no securities code"),
        ({"code": None}, "neither code nor company"),
        ({"scope": "group"}, "'group' is no scope"),
        ({"nature": "maybe"}, "'maybe' is no nature"),
        ({"on": "soon"}, "'soon' is no day"),
    ],
)
def test_what_cannot_be_certain_is_refused_with_its_line(
    changed: dict[str, Any], reason: str
) -> None:
    found = read(LONG, HEADINGS, long_row(value=7), long_row(**{"year": 2020} | changed))
    assert [fact.text for fact in found.facts] == ["7"]
    (refused,) = found.refused
    assert refused.line == 3 and reason in refused.reason and "\n" not in refused.reason


def test_rows_that_contradict_each_other_are_both_refused() -> None:
    before = [long_row(value=value, year=2023) for value in (2, 3)]
    found = read(LONG, HEADINGS, long_row(value=1), long_row(value=1), *before)
    assert [fact.line for fact in found.facts] == [2]
    assert [(each.line, each.reason) for each in found.refused] == [
        (4, "line 5 says 3 of the same: revenue of 600519.SH"),
        (5, "line 4 says 2 of the same: revenue of 600519.SH"),
    ]
    # what was told on another day is another telling of it
    found = read(LONG, HEADINGS, long_row(value=1), long_row(value=2, on="2024-04-01"))
    assert len(found.facts) == 2 and found.refused == ()


def test_a_column_that_is_lacking_or_doubled_is_one_line() -> None:
    with pytest.raises(ConfigurationError, match="there is no column 'unit'; there are code, name"):
        read(LONG, tuple(name for name in HEADINGS if name != "unit"))
    with pytest.raises(ConfigurationError, match="two columns are headed 'code'"):
        read(LONG, (*HEADINGS, "code"))
