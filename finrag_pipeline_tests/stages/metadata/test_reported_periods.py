"""The period that a document reports on, by its filer's calendar and its name of the year."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Metadata, Region
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline_tests.stages.covers import cover
from finrag_pipeline_tests.stages.read_pages import PROSE

COMMISSION = "UNITED STATES SECURITIES AND EXCHANGE COMMISSION\nWashington, D.C. 20549"


def period(found: Metadata) -> tuple[str, str, int | None]:
    return str(found.period_first_on), str(found.period_last_on), found.fiscal_year


def form(kind: str, line: str, *pages: str) -> list[Region]:
    first = cover(
        ("text", None, COMMISSION),
        ("title", None, f"FORM {kind}"),
        ("text", None, line),
        ("text", None, "GALAXY STORES, INC."),
        ("text", None, "(Exact name of registrant as specified in its charter)"),
        ("text", None, "Indicate by check mark whether the registrant is a shell company."),
    )
    later = [
        Region(len(first) + n, n + 2, (50, 50, 500, 700), "text", text)
        for n, text in enumerate(pages)
    ]
    return [*first, *later]


@pytest.mark.parametrize(
    ("kind", "line", "expected"),
    [
        (
            "10-K",
            "ANNUAL REPORT for the fiscal year ended May 31, 2019",
            ("2018-06-01", "2019-05-31", 2019),
        ),
        ("10-K", "For the year ended: December 31, 2020", ("2020-01-01", "2020-12-31", 2020)),
        (
            "10-K",
            "For the fiscal year ended January 1, 2023",
            ("2022-01-02", "2023-01-01", 2022),
        ),
        (
            "10-Q",
            "For the quarterly period ended July 2, 2023",
            ("2023-04-03", "2023-07-02", 2023),
        ),
        ("8-K", "Pursuant to the Securities Exchange Act of 1934", ("None", "None", None)),
    ],
)
def test_a_form_says_what_has_ended(
    kind: str, line: str, expected: tuple[str, str, int | None]
) -> None:
    assert period(read_metadata(form(kind, line), "x.pdf")) == expected


def test_a_year_is_called_as_its_filer_calls_it() -> None:
    line = "For the fiscal year ended January 28, 2017"
    before = form("10-K", line, "Fiscal 2016 sales rose against fiscal 2015. In fiscal 2016 we …")
    after = form("10-K", line, "In fiscal 2017 sales rose against fiscal 2016. Fiscal 2017 had …")
    unsaid = form("10-K", line, "Sales rose.")
    years = [read_metadata(each, "x.pdf").fiscal_year for each in (before, after, unsaid)]
    assert years == [2016, 2017, 2017]


def test_a_quarter_may_belong_to_the_next_fiscal_year() -> None:
    line = "For the quarterly period ended November 30, 2023"
    said = form("10-Q", line, "In the second quarter of fiscal 2024 revenue of fiscal 2024 rose.")
    assert read_metadata(said, "x.pdf").fiscal_year == 2024


def test_a_release_names_the_longest_that_it_reports() -> None:
    release = cover(
        ("title", None, "GALAXY STORES REPORTS FOURTH QUARTER AND FULL YEAR 2022 RESULTS"),
        ("text", None, f"Las Vegas – Galaxy Stores (NYSE: GLX) today reported results. {PROSE}"),
    )
    found = read_metadata(release, "x.pdf")
    assert found.kind == "filing"
    assert period(found) == ("2022-01-01", "2022-12-31", 2022)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("星河能源股份有限公司2025年年度报告", ("2025-01-01", "2025-12-31", 2025)),
        ("星河能源股份有限公司2024 年半年度报告", ("2024-01-01", "2024-06-30", 2024)),
        ("星河能源股份有限公司2025年第三季度报告", ("2025-07-01", "2025-09-30", 2025)),
        ("星河能源股份有限公司二〇二四年年度报告", ("2024-01-01", "2024-12-31", 2024)),
    ],
)
def test_a_chinese_filing_names_its_period(
    title: str, expected: tuple[str, str, int | None]
) -> None:
    found = read_metadata(cover(("title", None, title), ("text", None, PROSE)), "x.pdf")
    assert (found.kind, period(found)) == ("filing", expected)
    assert found.places["period_last_on"] == found.places["title"]


@pytest.mark.parametrize(
    ("title", "source", "expected"),
    [
        ("3Q25业绩超预期，上调全年指引", "x.pdf", ("2025-07-01", "2025-09-30", 2025)),
        (
            "业绩持续高增长",
            "2025年中报业绩点评：业绩持续高增长.pdf",
            ("2025-01-01", "2025-06-30", 2025),
        ),
        ("业绩持续高增长", "星河2024年报业绩点评.pdf", ("2024-01-01", "2024-12-31", 2024)),
        ("改善趋势明确，2026年有望实现双位数增长", "x.pdf", ("None", "None", None)),
        ("2025年中国储能行业研究报告", "x.pdf", ("None", "None", None)),
    ],
)
def test_a_report_comments_on_what_its_title_or_file_names(
    title: str, source: str, expected: tuple[str, str, int | None]
) -> None:
    report = cover(
        ("header", "page_header", "公司点评报告 2025年10月28日"),
        ("title", None, title),
        ("text", None, "星河医药（603999.SH）"),
        ("text", None, PROSE),
    )
    found = read_metadata(report, source)
    assert found.kind != "filing"
    assert period(found) == expected
