"""What evidence holds of an answer, and what not: figures, units, times, companies, scopes."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import assume, given, settings, strategies

from finrag_pipeline.evaluation.mutations import mutations
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.grounding.evidence import (
    CLOUD,
    GALAXY,
    PLACE,
    figure,
    lacks,
    passage,
    say,
)

REVENUE = figure("revenue", "12195976312.91")
BEFORE = figure("revenue", "13408000000", year=2023, ordinal=1)
COST = figure("cost_of_sales", "987000000", ordinal=2)
PARENT = figure("revenue", "5000000000", scope="parent", ordinal=3)
SALES = figure("revenue", "12345000000", whose=GALAXY, year=2022, unit="USD")
EPS = figure("eps_basic", "1.25", whose=GALAXY, year=2022, unit="USD/股", ordinal=1)
MARGIN = (
    "毛利率 = (营业收入 − 营业成本) / 营业收入 = "
    "(12,195,976,312.91 − 987,000,000) / 12,195,976,312.91 = "
)


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("星河电器2024年营业收入：121.96亿元（12,195,976,312.91元，同比 -9.04%）[1][2]", set()),
        ("二〇二四年营业收入：１２１．９６亿元[1]", set()),
        ("2024年营业收入12,195.98百万元，即122亿元[1]", set()),
        ("2024年营业收入：121.97亿元[1]", {"numbers"}),
        ("2024年营业收入：121.9597亿元[1]", {"numbers"}),
        ("2024年营业收入：-121.96亿元[1]", {"numbers"}),
        ("2024年营业收入：121.96万元[1]", {"units"}),
        ("2024年营业收入：121.96亿美元[1]", {"units"}),
        ("2024年营业收入：121.96亿元/股[1]", {"numbers", "units"}),
        ("2023年营业收入：121.96亿元[1]", {"periods"}),
        ("2024年上半年营业收入：121.96亿元[1]", {"periods"}),
        ("云岭药业2024年营业收入：121.96亿元[1]", {"companies"}),
        ("青屿能源2024年营业收入：121.96亿元[1]", {"companies"}),
        ("星河电器（600902.SH）2024年营业收入：121.96亿元[1]", {"companies"}),
        ("2024年营业收入（母公司口径）：121.96亿元[1]", {"scopes"}),
        ("2024年营业收入（母公司口径）：50.00亿元[4]", set()),
        ("2024年营业收入：50.00亿元[4]", {"scopes"}),
        ("营业收入同比下降9.04%[1][2]", set()),
        ("营业收入同比增长9.04%[1][2]", {"numbers"}),
        ("营业收入同比下降9.04个百分点[1][2]", {"numbers", "units"}),
        (f"2024年毛利率：91.91%[1][3]\n{MARGIN}91.91%[1][3]", set()),
        (f"2024年毛利率：91.92%[1][3]\n{MARGIN}91.91%[1][3]", {"numbers"}),
        (f"2023年毛利率：91.91%[1][3]\n{MARGIN}91.91%[1][3]", {"periods"}),
        (f"2024年毛利率：91.92%[1][3]\n{MARGIN}91.92%[1][3]", {"numbers"}),
        (f"2024年毛利率：91.90%[1][3]\n{MARGIN.replace('987', '988')}91.90%[1][3]", {"numbers"}),
        ("1. 营业收入121.96亿元，排名第3，见第12页和图表4[1]", set()),
    ],
)
def test_a_figure_is_the_cited_one(answer: str, lacking: set[str]) -> None:
    found = lacks(say(answer, REVENUE, BEFORE, COST, PARENT))
    assert found <= lacking and bool(found) == bool(lacking)


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("Galaxy Works FY2022 revenue: USD 12.345 billion (12,345,000,000 USD) [1]", set()),
        ("Galaxy Works' revenue was $12,345 million in fiscal 2022 [1].", set()),
        ("Galaxy Works FY2023 revenue: USD 12.345 billion [1]", {"periods"}),
        ("Galaxy Works FY2022 revenue: USD 12.345 million [1]", {"units"}),
        ("Globex FY2022 revenue: USD 12.345 billion [1]", {"companies"}),
        ("FY2022 diluted EPS: USD 1.25 per share [2]", set()),
        ("FY2022 EPS: 1.25 USD/share [2]", set()),
        ("FY2022 EPS: a loss of USD 1.25 per share [2]", {"numbers"}),
        ("FY2022 revenue of the parent company: USD 12.345 billion [1]", {"scopes"}),
    ],
)
def test_english_figures_are_the_cited_ones(answer: str, lacking: set[str]) -> None:
    assert lacks(say(answer, SALES, EPS)) == lacking


TEXT = (
    "公司2024年实现营业收入121.96亿元，同比下降9.04%；归母净利润12.3亿元，较2023年增长5.0%。"
    "其中，薄膜业务毛利率提升3.2个百分点至25.1%。2023年、2024年研发费用分别为1.2亿元、1.5亿元。"
    "HBM3E产品出货3,000台。母公司实现营业收入50亿元。"
)
QUOTES = [f"{each}。" for each in TEXT.split("。") if each]


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("星河电器2024年营收约122亿元，下滑9.04%[1]。", set()),
        ("2024年归母净利润为12.3亿元，同比增长5%[1]", set()),
        ("In 2024 revenue was RMB 12.196 billion, down 9.04% [1].", set()),
        ("薄膜业务毛利率为25.1%，提升3.2个百分点[2]", set()),
        ("2024年研发费用1.5亿元，2023年为1.2亿元[3]", set()),
        ("HBM3E出货3000台[4]", set()),
        ("母公司营业收入50亿元[5]", set()),
        ("营收增长9.04%[1]", {"numbers"}),
        ("营收1219.6亿元[1]", {"units"}),
        ("薄膜业务毛利率提升3.2%[2]", {"units"}),
        ("2023年研发费用1.5亿元[3]", {"periods"}),
        ("2022年营收121.96亿元[1]", {"periods"}),
        ("HBM4E出货3000台[4]", {"companies"}),
        ("2024年营业收入50亿元[5]", {"scopes"}),
        ("云岭药业2024年营收121.96亿元[1]", {"companies"}),
        ("青屿能源2024年营收121.96亿元[1]", {"companies"}),
        ("Globex revenue was RMB 12.196 billion in 2024 [1].", {"companies"}),
        ("毛利率为25.1%[1]", {"numbers"}),
    ],
)
def test_a_sentence_holds_what_is_said_of_it(answer: str, lacking: set[str]) -> None:
    chunk = passage(TEXT)
    found = lacks(say(answer, *((chunk, quote) for quote in QUOTES)))
    assert found == lacking


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("盈利预测：营业收入：2025E 66.9（亿元）[1]", set()),
        ("2025年营业收入66.9亿元，2024年58.1亿元[1]", set()),
        ("2024年营业收入66.9亿元[1]", {"periods"}),
        ("营业收入：2025E 66.9（万元）[1]", {"units", "numbers"}),
        ("2025年营业收入66.8亿元[1]", {"numbers"}),
    ],
)
def test_a_row_has_the_units_of_its_table_and_the_times_of_its_columns(
    answer: str, lacking: set[str]
) -> None:
    cells = simple_table("", [["指标", "2024A", "2025E"], ["营业收入", "58.1", "66.9"]])["cells"]
    key = content_key("table", "d1", "r1", 0)
    table = TableItem(
        key, "", "d1.pdf", (PLACE,), caption="盈利预测", unit="亿元", cells=tuple(cells)
    )
    found = lacks(say(answer, (table, "指标 2024A 2025E\n营业收入 58.1 66.9")))
    assert found <= lacking and bool(found) == bool(lacking)


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("远山：日期 3月20日；金额（百万美元） $5,300.0；年龄 53[1]", set()),
        ("远山：日期 3月21日；金额（百万美元） $5,300.0；年龄 53[1]", {"numbers"}),
        ("远山：日期 3月20日；金额（百万美元） $5,310.0；年龄 53[1]", {"numbers"}),
    ],
)
def test_cells_that_are_counted_in_nothing_hold_as_they_are_printed(
    answer: str, lacking: set[str]
) -> None:
    rows = [["名称", "日期", "金额（百万美元）", "年龄"], ["远山", "3月20日", "$5,300.0", "53"]]
    cells = simple_table("", rows)["cells"]
    key = content_key("table", "d1", "r1", 0)
    table = TableItem(key, "", "d1.pdf", (PLACE,), cells=tuple(cells))
    found = lacks(say(answer, (table, "名称 日期 金额（百万美元） 年龄\n远山 3月20日 $5,300.0 53")))
    assert bool(found) == bool(lacking), found


def test_what_does_not_hold_is_left_out() -> None:
    chunk = passage(TEXT)
    found = say("2024年营收121.96亿元[1]。归母净利润13.3亿元[1]。HBM3E出货3000台[2]。",
                (chunk, QUOTES[0]), (chunk, QUOTES[3]))  # fmt: skip
    assert found.text == "2024年营收121.96亿元[1]。HBM3E出货3000台[2]。" and not found.direct
    assert found.checks["numbers_grounded"] is False and found.checks["units_grounded"]
    found = say(
        "2024年营收131.96亿元[1]。HBM3E出货3000台[2]。", (chunk, QUOTES[0]), (chunk, QUOTES[3])
    )
    assert found.direct


def test_spans_lead_to_the_words_of_the_quote() -> None:
    chunk = passage(TEXT)
    answer = "星河电器2024年营收约122亿元，下滑9.04%[1]。"
    for span in say(answer, (chunk, QUOTES[0])).spans:
        assert answer[span.start : span.end] == span.text
        if span.place:
            assert QUOTES[0][slice(*span.place)] in ("121.96亿元", "9.04%")


@settings(max_examples=60, deadline=None)
@given(
    strategies.integers(1, 10**13),
    strategies.sampled_from(["FY", "H1", "9M", "Q1", "Q3"]),
    strategies.sampled_from([("亿元", 8), ("万元", 4), ("百万元", 6), ("元", 0)]),
    strategies.integers(0, 3),
    strategies.booleans(),
)
def test_a_right_answer_holds_and_a_wrong_one_does_not(
    cents: int, period: str, unit: tuple[str, int], digits: int, negative: bool
) -> None:
    value = Decimal(cents).scaleb(-2) * (-1 if negative else 1)
    shown = value.scaleb(-unit[1]).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    # half way between two neighbours either one is the value rounded
    assume(abs(value.scaleb(-unit[1]) - shown) != Decimal(1).scaleb(-digits) / 2)
    if not shown:
        return
    parts = {
        "FY": "年",
        "H1": "年上半年",
        "9M": "年前三季度",
        "Q1": "年第一季度",
        "Q3": "年第三季度",
    }
    answer = f"星河电器2024{parts[period]}营业收入：{shown:,}{unit[0]}[1]"
    fact = figure("revenue", str(value), period=period)
    assert not lacks(say(answer, fact))
    for wrong in mutations(answer, "星河电器", ["云岭药业", "青屿能源"], cents):
        assert lacks(say(wrong.text, fact)), wrong


def test_mutations_flip_all_that_can_be_flipped() -> None:
    answer = "星河电器2024年营业收入：121.96亿元（同比下降9.04%）[1][2]"
    found = {each.flip for each in mutations(answer, "星河电器", ["云岭药业"])}
    assert found == {"digit", "sign", "unit", "period", "scope", "company"}
    assert list(mutations(answer, "", [])) == list(mutations(answer, "", []))


def test_a_company_swapped_for_another_of_the_answer_is_seen() -> None:
    other = figure("revenue", "777000000", whose=CLOUD)
    right = "星河电器2024年营收121.96亿元，云岭药业为7.77亿元[1][2]"
    assert not lacks(say(right, REVENUE, other))
    wrong = "云岭药业2024年营收121.96亿元，星河电器为7.77亿元[1][2]"
    assert lacks(say(wrong, REVENUE, other)) == {"companies"}
