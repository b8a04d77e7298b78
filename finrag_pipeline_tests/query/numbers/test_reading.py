"""Questions for figures as the grammar reads them, typed in many ways, in both languages."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import NumberQuestion
from finrag_pipeline_tests.query.numbers.held import COMPANIES, catalogue, key_of

_QUESTIONS = [
    row
    for row in csv.DictReader(
        Path(__file__).with_name("questions.csv").open(encoding="utf-8", newline="")
    )
]


@pytest.mark.parametrize("row", _QUESTIONS, ids=[row["question"] for row in _QUESTIONS])
def test_questions_are_read(row: dict[str, str]) -> None:
    read = read_numbers(row["question"], catalogue())

    if row["operation"] == "none":
        assert read is None
        return
    assert read is not None
    keys = {key_of(name): name for name in COMPANIES}
    whom = "|".join(keys[each.key or ""] for each in read.companies)
    assert (
        read.operation,
        whom or ("*" if read.everyone else ""),
        "|".join(each.name for each in read.measures),
        "|".join(map(str, read.periods)),
        _more(read),
    ) == (row["operation"], row["companies"], row["measures"], row["periods"], row["more"])


def _more(read: NumberQuestion) -> str:
    """What else a question says, as the file writes it."""
    compared = [
        each.comparison + (each.average or (each.other.name if each.other else f"{each.value:f}"))
        for each in read.conditions
    ]
    said = {
        f"unit={read.unit}": read.unit,
        f"decimals={read.decimals}": read.decimals is not None,
        f"natures={'|'.join(read.natures)}": read.natures != ("actual",),
        f"limit={read.limit}": read.limit,
        "ascending": read.operation == "rank" and not read.descending,
        f"condition={'&'.join(compared)}": compared,
        f"scope={read.scope}": read.scope != "consolidated",
        f"segments={'|'.join(read.segments)}": read.segments,
        "latest": read.latest and not read.periods,
        f"recent={read.recent}": read.recent,
        f"base={read.base}": read.base,
        f"left={'|'.join(read.not_understood)}": read.not_understood,
    }
    return " ".join(text for text, is_said in said.items() if is_said)


def test_what_nothing_explains_is_told() -> None:
    def left(question: str) -> tuple[str, ...]:
        read = read_numbers(question, catalogue())
        assert read is not None
        return (*read.segments, *read.not_understood)

    assert left("赤岩电力2024年营业收入") == ("赤岩电力",)
    assert left("星河智造2024年利息净收入") == ("利息净",)
    assert left("What was Halden Foods revenue in 2023?") == ("Halden", "Foods")
    assert left("麻烦帮我看看星河智造在2024年的营业收入大概有多少呀？") == ()


def test_times_are_counted_from_the_day() -> None:
    read = read_numbers("星河智造去年的营业收入", catalogue(), date(2026, 3, 1))

    assert read is not None
    assert [str(each) for each in read.periods] == ["2025"]


def test_formulas_that_a_question_writes_out_define_it() -> None:
    written = read_numbers(
        "澄光电气2024年毛利率（（营业收入-营业成本）/营业收入*100）", catalogue()
    )
    defined = read_numbers(
        "What is Northwind Robotics' FY2023 operating cash flow ratio, defined as: "
        "cash from operations / total current liabilities?",
        catalogue(),
    )

    assert written is not None and [each.name for each in written.measures] == ["gross_margin"]
    assert defined is not None and defined.not_understood == ()
    assert [each.name for each in defined.measures] == ["operating_cash_ratio"]


_WORDS = """
星河智造 云岭 营收 归母净利润 毛利率 研发费用 经营现金流 eps 净利 同比 环比 同比增速 占比
变化 和 、 与 ， ？ 的 增长多少 2024年 24Q3 1H25 2023-2025年 去年 第三季度 上半年 近三年
年均 分别 各是多少 多少亿元 前三 最高 超过10亿元 差多少 哪家 复合增长率 revenue YoY in
growth 比 除以 10% 谁 排名 预测
"""


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(_WORDS.split()), min_size=1, max_size=9))
def test_no_order_of_words_breaks_the_reading(pieces: list[str]) -> None:
    read = read_numbers("".join(pieces), catalogue())
    assert read is None or read.measures or read.operation
