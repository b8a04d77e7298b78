"""Figures that sentences list over years: each of its own year, in the unit of its list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import quantities_in
from finrag_pipeline.query.answers.passages.mentions import mentions_in
from finrag_pipeline.query.answers.passages.series import over_years


def _told(text: str) -> list[tuple[int, str]]:
    found = over_years(text, list(quantities_in(text)))
    return [(each.year, f"{each.quantity.value:f}") for each in found.values()]


@given(st.integers(2020, 2030), st.lists(st.integers(1, 999), min_size=2, max_size=5))
def test_as_many_figures_as_years_are_each_of_one(first: int, values: list[int]) -> None:
    last = first + len(values) - 1
    text = f"预计{first}-{last}年营收{'/'.join(f'{each / 10:.1f}' for each in values)}亿元"
    expected = [(first + n, each * 10_000_000) for n, each in enumerate(values)]
    assert [(year, int(value)) for year, value in _told(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "预计2025-2027年营收8/9亿元",  # fewer figures than years
        "2025-2027年间，公司毛利率为35%",
        "预计2025-2027年扩产。三个项目分别投入3/4/5亿元",  # another sentence
        "（2025-2027年）三个项目投入3/4/5亿元",  # the years stand in brackets
        "2024年和2025Q1毛利率67.7%和70.2%",  # no two years
    ],
)
def test_other_figures_are_of_no_year_of_a_list(text: str) -> None:
    assert _told(text) == []


def test_what_a_list_says_each_of_its_figures_says() -> None:
    text = "我们预计公司2025-2027年归母净利润1.1/1.6亿元"
    assert _told(text) == []
    text = "2025/26年归母净利润1.1/1.6亿元，同比下降3%/4%，PE为30、20倍"
    told = [
        (each.own, f"{each.quantity.value:f}", each.role)
        for each in mentions_in(text, list(periods_in(text)))
    ]
    assert told == [
        ("2025年归母净利润1.1", "110000000", "level"),
        ("2026年归母净利润1.6亿元", "160000000", "level"),
        ("2025年归母净利润1.1/1.6亿元，同比下降3%", "-3", "growth"),
        ("2026年归母净利润1.1/1.6亿元，同比下降4%", "-4", "growth"),
        ("2025年PE为30", "30", "level"),
        ("2026年PE为20倍", "20", "level"),
    ]
