"""Mappings of a vendor's files: what they say, and one line for each way to get them wrong."""

from __future__ import annotations

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.stages.structured.mapping import read_mapping

WIDE = """
files:
  - file: income.xlsx
    sheet: 利润表
    columns: {code: 股票代码, company: 股票简称, year: 年度, period: 报告期}
    period_codes: {Q2: H1, Q3: 9M}
    unit: 万元
    metrics:
      营业总收入(万元): total_revenue
      每股收益(元): {metric: eps, unit: 元}
      营业成本: 营业成本
"""


def test_a_mapping_says_what_columns_are() -> None:
    (mapping,) = read_mapping(WIDE, "vendor.yaml")
    assert mapping.sheet == "利润表" and mapping.columns["period"] == "报告期"
    assert {word: said.metric.name for word, said in mapping.metrics.items()} == {
        "营业总收入(万元)": "total_revenue",
        "每股收益(元)": "eps",
        "营业成本": "cost_of_sales",
    }
    assert mapping.unit is not None and (mapping.unit.unit, mapping.unit.power) == ("CNY", 4)
    assert mapping.period_codes == {"Q2": "H1", "Q3": "9M"}


LONG = "files: [{file: a.csv, columns: {code: c, year: y, metric: m, value: v}%s}]"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("files: [", "v.yaml:1: this is no YAML"),
        ("tables: []", "it needs `files:`"),
        ("- a", "it needs `files:`"),
        ("files: [a.csv]", "file 1: the entry: write `name: value` lines"),
        ("files: [{sheet: a}]", "file 1: `file` is missing"),
        (LONG % ", colums: {}", "a.csv: the entry: 'colums' is unknown"),
        (LONG % ", unit: bushels", "unit is 'bushels': write it as"),
        (LONG % ", metrics: {umsatz: revenu}", "'revenu' is no metric; did you mean revenue?"),
        (LONG % ", metrics: {umsatz: {metric: revenue, units: 元}}", "'units' is unknown"),
        (LONG % ", period_codes: {Q2: half}", "'half' is none of FY, H1"),
        (LONG % ", scope: group", "`scope` is 'group', allowed are consolidated, parent"),
        (LONG % ", currency: 元", "`currency` is '元'"),
        (LONG % ", published_on: soon", "`published_on` is 'soon': write a day"),
        (LONG % ", fiscal_year_end: Sep", "`fiscal_year_end` is 'Sep'"),
        (LONG % ", header: 0", "`header` is '0'"),
        (LONG % ", dates: monthly", "`dates` is 'monthly', allowed are cumulative"),
        (LONG % "}, {file: a.csv, columns: {code: c, year: y, metric: m, value: v}", "map it once"),
        ("files: [{file: a.csv, columns: {year: y, metric: m, value: v}}]", "whose figures"),
        ("files: [{file: a.csv, columns: {code: c, metric: m, value: v}}]", "of when"),
        ("files: [{file: a.csv, columns: {code: c, year: y, metric: m}}]", "needs both"),
        ("files: [{file: a.csv, columns: {code: c, year: y}}]", "name the columns"),
        ("files: [{file: a.csv, columns: {code: c, year: y, price: m}}]", "'price' is unknown"),
    ],
)
def test_what_is_wrong_is_one_line(text: str, line: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_mapping(text, "v.yaml")
    assert line in str(caught.value) and "\n" not in str(caught.value)
