"""Times of reports: one value and one spelling, however and wherever they are written."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.grammar.days import days_in
from finrag_pipeline.grammar.periods import Style, periods_in, years_in

DAYS = st.dates(date(2000, 1, 1), date(2079, 12, 31))


def named(text: str, style: Style = "text") -> list[str]:
    return [str(each) for each in periods_in(text, style)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2025E", ["2025E"]),
        ("25Q1收入", ["2025Q1"]),
        ("1Q25", ["2025Q1"]),
        ("25Q4E", ["2025Q4E"]),
        ("公司9M25实现收入", ["2025-01-01/2025-09-30"]),
        ("2025H1", ["2025H1"]),
        ("H1 2025", ["2025H1"]),
        ("2025年前三季度", ["2025-01-01/2025-09-30"]),
        ("2025年1-9月", ["2025-01-01/2025-09-30"]),
        ("2025年上半年", ["2025H1"]),
        ("2025年半年报", ["2025H1"]),
        ("2025年中报", ["2025H1"]),
        ("2025年3季度", ["2025Q3"]),
        ("2024年三季报", ["2024Q3"]),
        ("2024年度", ["2024"]),
        ("２０２４年", ["2024"]),
        ("2024-2026年", ["2024-01-01/2026-12-31"]),
        ("2024—26E", ["2024-01-01/2026-12-31"]),
        ("in October 2024", ["2024-10"]),
        ("the third quarter of 2024", ["2024Q3"]),
        ("截至2024年9月30日", ["2024-09-30"]),
        ("二〇二四年九月三十日", ["2024-09-30"]),
        ("2.2026年经营规划", ["2026"]),
        ("2023年和2024年", ["2023", "2024"]),
        ("销量2024台", []),
        ("2024年代", []),
        ("391.2000", []),
        ("gross margin 16.0%", []),
    ],
)
def test_what_a_sentence_names(text: str, found: list[str]) -> None:
    assert named(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2024", ["2024"]),
        ("2024A", ["2024"]),
        ("2025（预测）", ["2025E"]),
        ("Sep-25", ["2025-09"]),
        ("EBIT Margin 21%", []),
        ("2025-09", ["2025-09"]),
        ("2025年13月", []),
    ],
)
def test_what_a_heading_names(text: str, found: list[str]) -> None:
    assert named(text, "heading") == found


def test_marks_and_fiscal_years() -> None:
    (estimate,) = periods_in("2025E")
    (actual,) = periods_in("2024A")
    (plain,) = periods_in("2024年")
    (fiscal,) = periods_in("FY2024")
    assert (estimate.estimate, actual.estimate, plain.estimate) == (True, False, None)
    assert fiscal.fiscal and not plain.fiscal
    assert (plain.kind, plain.first_on, plain.last_on) == (
        "year",
        date(2024, 1, 1),
        date(2024, 12, 31),
    )


@given(DAYS, st.integers(0, 800))
def test_a_spelling_is_read_back(first: date, length: int) -> None:
    last = first + timedelta(days=length)
    texts = [f"{first:%Y}", f"{first:%Y}E", f"{first:%Y}Q{1 + first.month // 4}", f"{first:%Y-%m}"]
    for text in (*texts, f"{first}", f"{first:%Y}H{1 + first.month // 7}"):
        assert named(text, "heading") == [text]
    assert years_in(f"{first} {last}") == {f"{first:%Y}", f"{last:%Y}"}


@given(DAYS)
def test_a_day_is_one_however_it_is_written(day: date) -> None:
    spelt = (
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.year}-{day.month:02}-{day.day:02}",
        f"{day.year} / {day.month} / {day.day}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day}th {day:%b} {day.year}",
    )
    for text in spelt:
        assert [found for found, _, _ in days_in(text)] == [day], text


@given(st.text(alphabet="2025年EQH1-9上半季度月日/. A第三FY", max_size=30))
def test_places_are_those_of_the_text_and_lie_apart(text: str) -> None:
    for style in ("text", "heading", "title"):
        end = 0
        for each in periods_in(text, style):
            assert end <= each.start < each.end <= len(text)
            assert each.text in text[each.start : each.end]
            assert each.first_on <= each.last_on
            end = each.end
