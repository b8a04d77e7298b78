"""One reading of a question: whom, which documents and when."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.question.reading import read_periods, read_question
from finrag_pipeline_tests.query.question.filings import catalogue, filing

HELD = catalogue(
    filing("a", "星河电器", code="300999.SZ"),
    filing("b", "远山银行", code="601999.SH"),
    filing("c", "Zyntrex, Inc."),
    filing("d", "星河电器", code="300999.SZ", kind="company", broker="辰光证券"),
    filing("e", "辰光证券", code="600998.SH"),
)


def test_a_question_is_read_whole() -> None:
    found = read_question("辰光证券的研报中，星河电器与远山银行2024年上半年谁的毛利率更高？", HELD)
    assert [each.text for each in found.companies] == ["辰光证券", "星河电器", "远山银行"]
    assert found.publishers == ()  # the house is a company of the store, and stands there as one
    assert [str(each) for each in found.periods] == ["2024H1"]
    assert (found.forms, found.latest, found.compared) == (("company",), False, True)


def test_a_question_that_says_nothing_reads_as_nothing() -> None:
    found = read_question("毛利率为什么下降？", HELD)
    assert (found.companies, found.publishers, found.forms, found.periods) == ((), (), (), ())
    assert not found.latest and not found.compared


def test_one_company_named_twice_is_not_compared() -> None:
    assert not read_question("Compare Zyntrex's margin with Zyntrex's sales.", HELD).compared


@pytest.mark.parametrize(
    ("question", "latest"),
    [
        ("星河电器最新目标价是多少？", True),
        ("What is the most recent rating of Zyntrex?", True),
        ("What are Zyntrex's current liabilities?", False),
        ("星河电器2024年目标价？", False),
    ],
)
def test_who_asks_for_the_latest_view_is_understood(question: str, latest: bool) -> None:
    assert read_question(question, HELD).latest is latest


@pytest.mark.parametrize(
    ("question", "day", "periods"),
    [
        ("2024年营收相比上年变动多少？", None, ["2024", "2023"]),
        ("2024年Q1营收同比？", None, ["2024Q1", "2023Q1"]),
        ("去年营收多少？", None, []),
        ("去年营收多少？", date(2026, 5, 1), ["2025"]),
        ("今年上半年营收多少？", date(2026, 5, 1), ["2026H1"]),
        ("本年度营收多少？", date(2026, 5, 1), ["2026"]),
        # what is not over was that of the year before
        ("三季度营收多少？", date(2026, 5, 1), ["2025Q3"]),
        ("一季度营收多少？", date(2026, 5, 1), ["2026Q1"]),
        ("25-26年盈利预测", None, ["2025-01-01/2026-12-31"]),
        ("上半年营收多少？", None, []),
        ("2025年一季度和二季度营收？", None, ["2025Q1", "2025Q2"]),
        ("Q2 of FY2023 compared to Q2 of FY2022?", None, ["2023Q2", "2022Q2"]),
        ("FY2020, FY2020 and 2020 again", None, ["2020"]),
        ("2024年2月29日同比", None, ["2024-02-29", "2023-02-28"]),
    ],
)
def test_relative_times_need_an_anchor(question: str, day: date | None, periods: list[str]) -> None:
    assert [str(each) for each in read_periods(question, day)] == periods


def test_the_day_of_arrival_anchors_nothing() -> None:
    quarter = filing(
        "q", "星河电器", date(2025, 3, 31), first_on=date(2025, 1, 1), code="600111.SH"
    )
    undated = filing("u", "远岫能源", code="600112.SH", kind="company")
    held = catalogue(quarter, undated)
    assert [str(each) for each in read_question("星河电器一季度营收？", held).periods] == ["2025Q1"]
