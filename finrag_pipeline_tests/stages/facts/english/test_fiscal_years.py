"""Fiscal years: every day of a year of weeks falls into the year that its filer calls so."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.facts.english.fiscal_years import FiscalYears, fiscal_years, moved
from finrag_pipeline.stages.facts.english.headings import headings
from finrag_pipeline_tests.stages.facts.english.made_filings import filing
from finrag_pipeline_tests.stages.facts.made_reports import table

ENDS = st.dates(date(2005, 1, 1), date(2035, 12, 31))


@given(ENDS, st.integers(-6, 3), st.integers(-7, 7))
def test_a_years_end_that_drifts_by_a_week_is_the_same_years(
    end: date, years: int, drift: int
) -> None:
    calendar = FiscalYears(end, 2020, end, True)
    day = moved(end, 12 * years) + timedelta(days=drift)
    period = calendar.span(day, 12)
    assert (period.fiscal_year, period.kind) == (2020 + years, "FY")
    assert calendar.instant(day).kind == "FY"


@given(ENDS, st.integers(1, 4))
def test_quarters_end_in_their_year(end: date, number: int) -> None:
    calendar = FiscalYears(end, 2020, end, True)
    period = calendar.quarter(2019, number)
    assert calendar.span(period.last_on, 3).kind == f"Q{number}"
    assert calendar.span(period.last_on, 3).fiscal_year == 2019


@pytest.mark.parametrize(
    ("head", "closes"),
    [
        ("Six Months Ended", date(2024, 12, 31)),
        ("Thirty-nine Weeks Ended", date(2024, 9, 30)),
        ("Three Months Ended", date(2025, 3, 31)),
    ],
)
def test_headings_tell_how_far_an_interim_report_is(head: str, closes: date) -> None:
    report = filing(date(2024, 6, 30), date(2024, 4, 1), 2024, "Form 10-Q")
    found = fiscal_years(report, [table(f"|{head}*2", "|2024|2023", "Revenues|1|2")])
    assert found
    assert found.closes_on == closes


@pytest.mark.parametrize(
    ("heading", "context", "told"),
    [
        ("2024", "Year ended June 30,", "2024FY"),
        ("Fiscal 2023", "", "2023FY"),
        ("FY22", "", "2022FY"),
        ("1st Quarter 2024", "", "2024Q1"),
        ("Q3 2023", "", "2023Q3"),
        ("Six months ended 31 December 2023", "", "2024H1"),
        ("2023/24", "", "2024FY"),
        ("13 weeks ended September 30, 2023", "", "2024Q1"),
        ("2024 (1)", "Fiscal year", "2024FY"),
    ],
)
def test_headings_of_columns(heading: str, context: str, told: str) -> None:
    end = date(2024, 6, 30)
    found = headings({1: (heading,)}, context, FiscalYears(end, 2024, end, True))
    flow = found[1].flow
    assert flow
    assert f"{flow.fiscal_year}{flow.kind}" == told


@pytest.mark.parametrize(
    "heading",
    ["% Change", "2024 vs. 2023", "Impact of adoption", "2024 Pro Forma", "Note", "Total"],
)
def test_headings_that_name_no_period(heading: str) -> None:
    end = date(2024, 6, 30)
    assert not headings({1: (heading,)}, "", FiscalYears(end, 2024, end, True))
