"""Units that headings and labels print, and the kinds of quantities that names mean."""

from __future__ import annotations

import pytest

from finrag_pipeline.grammar.kinds import Kind, counts, depends, kind_of
from finrag_pipeline.grammar.measures import Measure, bare_label, measure_of, printed_measure
from finrag_pipeline.grammar.metrics import metrics


@pytest.mark.parametrize(
    ("text", "unit", "power"),
    [
        ("百万元", "CNY", 6),
        ("人民币百万元", "CNY", 6),
        ("百万人民币", "CNY", 6),
        ("单位：千元 币种：人民币", "CNY", 3),
        ("千港元", "HKD", 3),
        ("HK$m", "HKD", 6),
        ("USDmn", "USD", 6),
        ("in millions of US dollars", "USD", 6),
        ("RMB in thousands", "CNY", 3),
        ("RMB'000", "CNY", 3),
        ("in millions, except per share amounts", "", 6),
        ("百万", "", 6),
        ("亿股", "股", 8),
        ("元／股", "CNY/股", 0),
        ("万元/台", "CNY/台", 4),
        ("％", "%", 0),
        ("个百分点", "pp", 0),
        ("万吨", "吨", 4),
    ],
)
def test_units_of_headings(text: str, unit: str, power: int) -> None:
    assert measure_of(text) is not None
    assert measure_of(text) == Measure(text.removeprefix("单位："), unit, power)


@pytest.mark.parametrize(
    "text",
    ["续", "合计", "A股", "2024A", "港币/人民币", "亿元，%", "营业收入", "", "1M", "人民币升值"],
)
def test_what_is_no_unit(text: str) -> None:
    assert measure_of(text) is None


def test_labels_lose_only_what_is_a_unit() -> None:
    assert bare_label("归母净利润（百万元）") == "归母净利润"
    assert bare_label("EPS (当年)(元)") == "EPS (当年)"
    assert bare_label("earnings per share") == "earnings per share"
    assert printed_measure("市场平均预估每股收益 (人民币)") == Measure("人民币", "CNY")


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Turnover", "amount"),
        ("Inventory turnover", "multiple"),
        ("Diluted earnings per common share", "per_share"),
        ("归属于母公司净利润增长率", "change"),
        ("同比增速", "change"),
        ("资产减值损失", "amount"),
        ("净资产收益率ROE", "share"),
        ("研发费用率", "share"),
        ("四项费用/营业收入", "ratio"),
        ("换手率", None),
        ("汇率", None),
        ("资产负债表", None),
        ("最低价", "price"),
        ("排名", "rank"),
    ],
)
def test_kinds_of_names(label: str, kind: Kind | None) -> None:
    assert kind_of(label) == kind


def test_every_wording_of_a_metric_is_of_a_kind_that_the_metric_has() -> None:
    wrong = [
        (metric.concept, wording, kind)
        for metric in metrics().values()
        for wording in metric.wordings
        if metric.kinds and (kind := kind_of(wording)) and kind not in (*metric.kinds, "ratio")
    ]
    assert wrong == []


def test_what_a_kind_is_counted_in() -> None:
    assert counts("amount", Measure("百万元", "CNY", 6))
    assert not counts("per_share", Measure("百万元", "CNY", 6))
    assert counts("per_share", Measure("元", "CNY"))
    assert not counts("share", Measure("百万元", "CNY", 6))
    assert counts(None, Measure("吨", "吨"))


def test_labels_that_continue_the_row_above() -> None:
    assert all(
        map(depends, ("同比增长 (%)", "(+/-%)", "% YoY", "占比", "％营业收入", "占收入比重"))
    )
    assert not any(map(depends, ("营业收入增长率", "毛利率", "其他", "占地面积", "")))
