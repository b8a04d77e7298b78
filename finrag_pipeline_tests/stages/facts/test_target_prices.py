"""Target prices: labels beside and before them, currencies, changes, ranges, and whose they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finrag_pipeline_tests.stages.facts.made_reports import REPORT, facts, sentence, table

BOTH = replace(REPORT, company_codes=("600001.SH", "00999.HK"))


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("目标价：97.92 元（6 个月）", "97.92 CNY/股"),
        ("给予公司2026年30倍PE，对应目标价74.25 元/股，维持“买入”评级。", "74.25 CNY/股"),
        ("采用 DCF 估值法，给予129.48 元目标价，维持买入评级。", "129.48 CNY/股"),
        ("将目标价由20.00元上调至25.50元。", "25.50 CNY/股"),
        ("上调目标价至25.5元（前值：20元）。", "25.5 CNY/股"),
        ("目标价(元) 20", "20 CNY/股"),
        ("12个月目标价：RMB 33.0", "33.0 CNY/股"),
        ("上调H股目标价至63港元。", "63 HKD/股"),
        ("We raise our target price from HK$50 to HK$63.", "63 HKD/股"),
        ("Maintain BUY with TP of RMB45.6.", "45.6 CNY/股"),
        ("目标价下调至每股25元。", "25 CNY/股"),
        ("目标价格\u30001,820.00元", "1820.00 CNY/股"),
    ],
)
def test_a_price_as_houses_write_it(text: str, price: str) -> None:
    (fact,) = facts(regions=[sentence(text)])

    assert f"{fact.value} {fact.unit}" == price
    assert (fact.metric, fact.nature, fact.broker) == ("target_price", "forecast", "云岭证券")
    assert fact.period.last_on == REPORT.published_on


@pytest.mark.parametrize(
    "text",
    [
        "目标价：——元（6 个月）",
        "此前目标价 116.56 元",
        "市场一致目标价为30元。",
        "目标价对应2026年30倍PE。",
        "目标价上调20%。",
        "对应目标市值124.30亿元。",
        "目标价（6-12个月）",
    ],
)
def test_no_price(text: str) -> None:
    assert facts(regions=[sentence(text)]) == ()


def test_the_quote_is_the_sentence_as_printed() -> None:
    (fact,) = facts(regions=[sentence("维持预测。上调目标价（６个月）至25.5元；风险提示。")])

    assert fact.quote == "上调目标价（６个月）至25.5元；"
    assert (fact.text, fact.printed_unit) == ("25.5", "元")


def test_both_listings_of_one_report() -> None:
    text = "维持“买入”评级，上调港股、A 股目标价至134.5 港元、人民币124.4 元。"
    found = facts(regions=[sentence(text)], metadata=BOTH)

    assert [f"{each.value} {each.unit}" for each in found] == ["134.5 HKD/股", "124.4 CNY/股"]
    pair = facts(regions=[sentence("目标价HK$63.00/RMB119.00")], metadata=BOTH)
    assert [f"{each.value} {each.unit}" for each in pair] == ["63.00 HKD/股", "119.00 CNY/股"]
    # nothing tells in which currency
    assert facts(regions=[sentence("目标价：30.0")], metadata=BOTH) == ()


def test_a_box_prints_each_listing() -> None:
    box = table("(港币/人民币)|999 HK|600001 CH", "目标价|63.00|119.00", "收盘价|45.55|99.08")
    found = facts(box, metadata=BOTH)

    assert [f"{each.value} {each.unit}" for each in found] == ["63.00 HKD/股", "119.00 CNY/股"]
    assert [(each.row, each.column) for each in found] == [(1, 1), (1, 2)]


@pytest.mark.parametrize("text", ["给予目标价区间20.5-22.0元。", "目标价：20.5元至22.0元"])
def test_a_range_has_two_ends(text: str) -> None:
    found = facts(regions=[sentence(text)])

    assert [(each.metric, str(each.value)) for each in found] == [
        ("target_price_low", "20.5"),
        ("target_price_high", "22.0"),
    ]


def test_two_prices_that_contradict_are_none_but_for_the_cover() -> None:
    lines = [sentence("目标价 20 元"), sentence("给予目标价25元。")]

    assert facts(regions=lines) == ()
    (fact,) = facts(regions=lines, metadata=replace(REPORT, target_price=25.0))
    assert fact.value == 25


def test_earlier_opinions_are_not_todays() -> None:
    history = table("日期|评级|目标价", "2025-01-02|买入|18.0", "2025-04-03|买入|20.0")

    assert facts(history) == ()
    assert facts(regions=[sentence("目标价 20 元", page=9)]) == ()
    assert facts(regions=[sentence("目标价 20 元", rule="disclaimer")]) == ()
