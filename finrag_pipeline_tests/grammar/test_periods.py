"""Times of reports: one value and one spelling, however and wherever they are written."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.grammar.days import days_in
from finrag_pipeline.grammar.period_forms import Style
from finrag_pipeline.grammar.periods import periods_in, years_in

YEARS = st.integers(2001, 2039)
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


def asked(text: str) -> list[tuple[date, date]]:
    return [(each.first_on, each.last_on) for each in periods_in(text, "question")]


@given(YEARS, st.integers(1, 4))
def test_a_quarter_is_one_however_it_is_asked_for(year: int, quarter: int) -> None:
    short, chinese = f"{year % 100:02}", "一二三四"[quarter - 1]
    english = ("first", "second", "third", "fourth")[quarter - 1]
    spelt = (
        *(f"{short}Q{quarter}", f"{quarter}Q{short}", f"{year}Q{quarter}", f"{quarter}Q{year}"),
        *(f"{year}年第{chinese}季度", f"{year}年{chinese}季度", f"{year}年{chinese}季报"),
        *(f"{short}年{chinese}季报", f"{short}年第{quarter}季度", f"{year} Q{quarter}"),
        *(f"Q{quarter} {year}", f"Q{quarter}{year}", f"Q{quarter}'{year}", f"Q{quarter}'{short}"),
        *(f"Q{quarter} of FY{year}", f"Q{quarter} FY{year}", f"FY{year} Q{quarter}"),
        *(f"Q{quarter} FY{short}", f"FY{short}Q{quarter}", f"fiscal Q{quarter} {year}"),
        *(f"{english} quarter of fiscal {year}", f"{english} quarter of {year}"),
        *(f"{english} fiscal quarter of {year}", f"fiscal {year} {english} quarter"),
        *(f"{year} {english} quarter", f"{english.capitalize()}-quarter {year}"),
    )
    last = date(year, 3 * quarter, 1) + timedelta(days=27)
    for text in spelt:
        ((first, found_last),) = asked(text)
        assert (first, found_last.replace(day=28)) == (date(year, 3 * quarter - 2, 1), last), text


@given(YEARS, st.sampled_from([1, 2]))
def test_a_half_is_one_however_it_is_asked_for(year: int, half: int) -> None:
    short, english = f"{year % 100:02}", ("first", "second")[half - 1]
    spelt = (
        *(f"{year}H{half}", f"{half}H{short}", f"H{half} {year}", f"{short}H{half}"),
        *(f"{year}年{'上下'[half - 1]}半年", f"{short}年{'上下'[half - 1]}半年"),
        *(f"{english} half of {year}", f"{english} half of fiscal {year}"),
        *([f"{year}年半年报", f"{short}年中报", f"{year}年半年度"] if half == 1 else []),
    )
    whole = {1: (date(year, 1, 1), date(year, 6, 30)), 2: (date(year, 7, 1), date(year, 12, 31))}
    for text in spelt:
        assert asked(text) == [whole[half]], text


@given(YEARS)
def test_years_and_nine_months_are_one_however_they_are_asked_for(year: int) -> None:
    short = f"{year % 100:02}"
    for text in (
        *(f"{year}年", f"{year}年度", f"{year}年年报", f"{short}年年报", f"{year}", f"{year}财年"),
        *(f"FY{year}", f"FY{short}", f"FY'{short}", f"fiscal {year}", f"fiscal year {year}"),
        *(f"year end {year}", f"year-end FY{year}", f"full year {year}", f"in {year}?"),
        *(f"year ended December 31, {year}", f"twelve months ended Dec 31 {year}"),
        f"截至{year}年12月31日止年度",
    ):
        assert asked(text) == [(date(year, 1, 1), date(year, 12, 31))], text
    for text in (
        *(f"{year}年前三季度", f"9M{short}", f"{year}年1-9月", f"first nine months of {year}"),
        *(f"nine months ended September 30, {year}", f"截至{year}年9月30日止九个月"),
    ):
        assert asked(text) == [(date(year, 1, 1), date(year, 9, 30))], text


@given(YEARS, st.integers(1, 6))
def test_a_range_of_years_is_one_whichever_end_comes_first(year: int, more: int) -> None:
    last = year + more
    for text in (
        *(
            f"FY{year} - FY{last}",
            f"from FY{year} to FY{last}",
            f"{year}-{last}",
            f"{year}年至{last}年",
        ),
        *(f"between {year} and {last}", f"between FY{last} and the FY{year} period"),
    ):
        assert asked(text) == [(date(year, 1, 1), date(last, 12, 31))], text


@given(DAYS)
def test_what_ended_on_a_day_is_as_long_as_it_is_called(day: date) -> None:
    for words, days in (("fiscal year", 365), ("quarterly period", 91), ("26 weeks", 182)):
        ((first, last),) = asked(f"for the {words} ended {day:%B} {day.day}, {day.year}")
        assert last == day
        assert abs((last - first).days + 1 - days) <= 3


@pytest.mark.parametrize(
    "text",
    ["近10年", "10年期国债", "10-K", "2000 employees", "$2000", "2000万元", "the 1990s", "3.2024"],
)
def test_numbers_of_a_question_are_no_years(text: str) -> None:
    assert asked(text) == []


@given(st.text(alphabet="2025年EQH1-9上半季度月日/. A第三FY", max_size=30))
def test_places_are_those_of_the_text_and_lie_apart(text: str) -> None:
    for style in ("text", "heading", "title", "question"):
        end = 0
        for each in periods_in(text, style):
            assert end <= each.start < each.end <= len(text)
            assert each.text in text[each.start : each.end]
            assert each.first_on <= each.last_on
            end = each.end


@pytest.mark.parametrize(
    ("text", "periods"),
    [("25E股东权益合计", ["2025E"]), ("2026E股本", ["2026E"]), ("25A股东", []), ("2025A股", [])],
)
def test_an_estimate_of_shares_is_no_class_of_them(text: str, periods: list[str]) -> None:
    assert [str(each) for each in periods_in(text, "question") if each.estimate] == periods
