"""What a filing proposes to pay: the form of annual reports, else a sentence of its notices."""

from __future__ import annotations

import pytest

from finrag_pipeline_tests.stages.facts.made_filings import facts_of, line, table, told

TEN, CASH = ("dividends_per_ten", "2024FY"), ("cash_dividends", "2024FY")
PAYOUT = ("printed_dividend_payout", "2024FY")
FORM = """每10股送红股数（股）|0
每10股派息数（元）（含税）|9.43
每10股转增数（股）|0
现金分红金额（含税）|230.74
合并报表中归属于上市公司普通股股东的净利润|324.96
现金分红金额占合并报表中归属于上市公司普通股股东的净利润的比率（%）|71.00
合计分红金额（含税）|230.74"""


def test_a_form_tells_what_ten_shares_and_all_are_paid() -> None:
    """What ten shares are paid is in yuan though the form counts in 亿元."""
    assert told(facts_of([table(FORM, "利润分配", "亿元")])) == {
        TEN: "9.43 CNY",
        CASH: "23074000000 CNY",
        PAYOUT: "71 %",
    }


def test_three_years_together_are_no_form() -> None:
    text = """最近三个会计年度累计现金分红金额（含税）|500.00
现金分红金额（含税）|230.74"""
    assert not told(facts_of([table(text, "最近三个会计年度", "亿元")]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("本次利润分配方案如下：公司拟向全体股东每10股派发现金红利12.20元（含税）。", "12.2 CNY"),
        ("利润分配预案为：向全体股东按每 10 股派发现金股利 2.00 元（含税）。", "2 CNY"),
        ("以此为基数计算，拟向全体股东每10股派发现金红利0.3元（含税）。", "0.3 CNY"),
        ("经审议通过的利润分配预案为：每10股派现金3元，送红股0股。", "3 CNY"),
        ("公司已实施中期利润分配，每10股派发现金红利1.00元。", ""),
        ("每10股转增4股，不派发现金红利。", ""),
    ],
)
def test_a_filing_without_a_form_says_it_in_a_sentence(text: str, expected: str) -> None:
    assert told(facts_of([], regions=[line(text)])) == ({TEN: expected} if expected else {})


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("，合计拟派发现金红利10,581,381.09元（含税），不送红股。", "10581381.09 CNY"),
        ("。共计派发现金股利1.06亿元，剩余未分配利润结转。", "106000000 CNY"),
        ("，总股本373,270,285股。", ""),
        ("。公司上年共派发现金红利500万元。", ""),
    ],
)
def test_a_sentence_tells_what_all_shares_are_paid(rest: str, expected: str) -> None:
    said = line(f"利润分配预案：拟向全体股东每10股派发现金红利0.3元（含税）{rest}")
    whole = {CASH: expected} if expected else {}
    assert told(facts_of([], regions=[said])) == {TEN: "0.3 CNY"} | whole


def test_a_form_that_a_page_parts_is_one_on_both() -> None:
    first = "每10股送红股数（股）|0\n每10股派息数（元）（含税）|23.8"
    second = "分配预案的股本基数（股）|5,521,943,646\n现金分红金额（元）（含税）|13,142,225,877.48"
    found = told(facts_of([table(first, "利润分配", ""), table(second, "", "")]))
    assert (found[TEN], found[CASH]) == ("23.8 CNY", "13142225877.48 CNY")


def test_the_form_goes_before_a_sentence() -> None:
    said = line("本次利润分配方案：每10股派发现金红利5.00元（含税）。")
    assert told(facts_of([table(FORM, "利润分配", "亿元")], regions=[said]))[TEN] == "9.43 CNY"
