"""Metadata of filings: what companies publish themselves, in both languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from finrag_pipeline.records import Region
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline_tests.stages.covers import cover

PLEDGE = (
    "本公司董事会及全体董事保证本公告内容不存在任何虚假记载、误导性陈述或者重大遗漏，"
    "并对其内容的真实性承担法律责任。"
)


def test_reads_a_name_and_a_code_stated_above_the_title() -> None:
    filing = cover(
        ("header", "page_header", "证券代码：605999 证券简称：星河能源 公告编号：2025-061"),
        ("title", None, "星河能源股份有限公司"),
        ("text", None, "2025 年第三季度报告摘要"),
        ("text", None, f"{PLEDGE}星海证券股份有限公司是保荐机构。"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.kind, found.company_name) == ("filing", "星河能源")
    assert (found.company_code, found.broker, found.analysts) == ("605999.SH", None, ())
    assert found.title == "星河能源股份有限公司2025 年第三季度报告摘要"
    assert (found.published_on, found.published_basis) == (date(2025, 10, 31), "deadline")


def test_reads_code_and_name_from_the_company_profile() -> None:
    filing = cover(
        ("title", None, "星河能源股份有限公司2024 年年度报告"),
        ("text", None, "2025 年03 月"),
        ("table", "table", "股票简称 星河能源 股票代码 000999"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.company_name, found.company_code) == ("星河能源", "000999.SZ")
    assert (found.published_on, found.published_basis) == (date(2025, 3, 31), "month")


def test_reads_a_short_name_that_the_full_one_is_glued_to() -> None:
    glued = "公司代码：603999 公司简称：星河能源北方星河能源股份有限公司2024 年年度报告"
    found = read_metadata(cover(("header", "page_header", glued)), "a.pdf")
    assert (found.kind, found.company_name) == ("filing", "星河能源")
    assert found.title == "北方星河能源股份有限公司2024 年年度报告"


def test_reads_a_short_name_from_heads_or_the_table_of_listings() -> None:
    title = ("title", None, "北方能源集团股份有限公司2024 年年度报告")
    table = "股票种类 股票上市交易所 股票简称 股票代码\nA股 上海证券交易所 星河股份 603999"
    code = ("text", None, "公司代码：603999")
    listed = read_metadata(cover(title, code, ("table", "table", table)), "a.pdf")
    assert listed.company_name == "星河股份"
    head = ("header", "page_header", "星河股份 2024年年度报告")
    assert read_metadata(cover(head, title, code), "a.pdf").company_name == "星河股份"


def test_a_board_signs_with_the_day() -> None:
    filing = cover(
        ("title", None, "关于回购公司股份的公告"),
        ("text", None, "证券代码：603999 证券简称：星河医药"),
        ("text", None, PLEDGE),
        ("text", None, "特此公告。"),
        ("text", None, "星河医药股份有限公司董事会"),
        ("text", None, "二〇二五年十月三十一日"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.kind, found.published_on) == ("filing", date(2025, 10, 31))


def test_the_end_of_a_fiscal_year_is_no_publication_date() -> None:
    filing = cover(
        ("heading", None, "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"),
        ("heading", None, "FORM 10-K"),
        ("heading", None, "For the fiscal year ended May 31, 2025"),
        ("title", None, "GALAXY INSTRUMENTS, INC ."),
        ("text", None, "(Exact name of registrant as specified in its charter)"),
        ("text", None, "Equity Securities registered pursuant to Section 12(b) of the Act:"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.kind, found.language) == ("filing", "en")
    assert (found.company_name, found.company_code) == ("GALAXY INSTRUMENTS, INC.", None)
    assert (found.broker, found.published_on) == (None, date(2025, 9, 30))
    assert found.published_basis == "deadline"
    assert (
        found.title == "GALAXY INSTRUMENTS, INC. Form 10-K for the fiscal year ended May 31, 2025"
    )


def test_a_current_report_and_a_release_print_their_day() -> None:
    report = cover(
        ("heading", None, "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"),
        ("heading", None, "FORM 8-K"),
        ("text", None, "Date of report (Date of earliest event reported): August 19, 2025"),
        ("title", None, "Galaxy Instruments, Inc."),
        ("text", None, "(Exact name of registrant as specified in charter)"),
    )
    assert read_metadata(report, "a.pdf").published_on == date(2025, 8, 19)
    release = cover(
        ("title", None, "Galaxy Instruments Reports Second Quarter Results"),
        (
            "text",
            None,
            "Springfield, Ill. (July 20, 2025) – Galaxy Instruments (NYSE: GLXI) today announced "
            "results for the quarter ended June 30, 2025.",
        ),
    )
    found = read_metadata(release, "a.pdf")
    assert (found.kind, found.published_on) == ("filing", date(2025, 7, 20))
    assert found.company_name == "Galaxy Instruments"


def test_a_report_of_the_other_exchange_states_its_stock_code() -> None:
    filing = cover(
        ("title", None, "GALAXY BIOLOGICS HOLDINGS LIMITED"),
        ("title", None, "2025 ANNUAL REPORT"),
        ("text", None, "Stock Code: 2999"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.kind, found.company_code) == ("filing", "02999.HK")
    assert found.company_name == "GALAXY BIOLOGICS HOLDINGS LIMITED"


def _signed(*regions: tuple[str, str | None, str]) -> list[Region]:
    """A 10-K for the year to 31 December 2024, and on its second page what is given."""
    front = cover(
        ("heading", None, "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"),
        ("heading", None, "FORM 10-K"),
        ("heading", None, "For the fiscal year ended December 31, 2024"),
        ("title", None, "GALAXY INSTRUMENTS, INC."),
    )
    later = [replace(each, page=2, ordinal=each.ordinal + 10) for each in cover(*regions)]
    return [*front, *later]


@pytest.mark.parametrize(
    "signature",
    [
        "Date: February 7, 2025",
        "Dated: February 7, 2025",
        "the undersigned, thereunto duly authorized, on February 7, 2025.",
        "Springfield, Illinois February 7, 2025",
        "February 7, 2025",
    ],
)
def test_an_annual_report_of_another_country_is_published_when_it_is_signed(signature: str) -> None:
    filing = _signed(
        ("text", None, "Credit Agreement, dated as of March 3, 2016, among the lenders"),
        ("text", None, signature),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.published_on, found.published_basis) == (date(2025, 2, 7), "day")


def test_the_day_of_most_signatures_counts() -> None:
    agreement = ("text", None, "March 3, 2025")
    filing = _signed(agreement, *[("text", None, "Date: February 7, 2025")] * 3)
    assert read_metadata(filing, "a.pdf").published_on == date(2025, 2, 7)


@pytest.mark.parametrize(
    "rows",
    [
        ("星河能源股份有限公司董事会", "2025年4月25日"),
        ("董事长：赵一鸣", "2025 年4 月25 日"),
        ("星河能源股份有限公司", "2025年4月25日"),
        ("星河能源股份有限公司董事会", "赵一鸣", "二〇二五年四月二十五日"),
        ("公司负责人：赵一鸣 2025年4月25日",),
        ("内部控制评价报告全文披露日期 2025年04月25日",),
    ],
)
def test_a_filing_is_published_on_the_day_under_its_signature(rows: tuple[str, ...]) -> None:
    filing = cover(
        ("title", None, "星河能源股份有限公司2024 年年度报告"),
        ("text", None, "2024年6月1日，公司召开股东大会，审议通过了利润分配方案，并已实施完毕。"),
        *[("text", None, row) for row in rows],
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.published_on, found.published_basis) == (date(2025, 4, 25), "day")


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("星河能源股份有限公司2024 年年度报告", date(2025, 4, 30)),
        ("星河能源股份有限公司2024 年半年度报告摘要", date(2024, 8, 31)),
        ("星河能源股份有限公司2024 年第一季度报告", date(2024, 4, 30)),
        ("星河能源股份有限公司2024 年第三季度报告", date(2024, 10, 31)),
        ("星河能源股份有限公司关于2024年度利润分配方案的公告", None),
    ],
)
def test_a_filing_without_a_day_counts_from_the_last_day_it_may_be_filed(
    title: str, day: date | None
) -> None:
    found = read_metadata(cover(("title", None, title), ("text", None, PLEDGE)), "a.pdf")
    assert found.kind == "filing"
    assert found.published_on == day
    assert day is None or found.published_basis == "deadline"


def test_the_name_of_a_file_dates_a_filing_better_than_the_law() -> None:
    filing = cover(("title", None, "星河能源股份有限公司2024 年年度报告"))
    found = read_metadata(filing, "600999_20250425_AB12.pdf")
    assert (found.published_on, found.published_basis) == (date(2025, 4, 25), "name")
    # the period's end is in names, too
    found = read_metadata(filing, "600999_20241231_annual.pdf")
    assert (found.published_on, found.published_basis) == (date(2025, 4, 30), "deadline")


def test_a_notice_under_its_issuer_alone_has_its_title_and_day() -> None:
    reply = cover(
        ("title", None, "星河能源股份有限公司"),
        ("heading", None, "关于上海证券交易所年度报告信息披露监管问询函的回复公告"),
        ("text", None, PLEDGE),
    )
    found = read_metadata(reply, "a.pdf")
    assert found.title.endswith("问询函的回复公告") and found.broker is None
    prospectus = cover(
        ("title", None, "星河食品股份有限公司"),
        ("text", None, "Xinghe Foods Co., Ltd."),
        ("text", None, "首次公开发行股票并在主板上市"),
        ("heading", None, "招股说明书摘要"),
    )
    found = read_metadata(prospectus, "a.pdf")
    assert (found.kind, found.company_name) == ("filing", "星河食品股份有限公司")


def test_a_board_of_hong_kong_signs_in_traditional_characters() -> None:
    results = cover(
        ("title", None, "星河環冷股份有限公司"),
        ("text", None, "（股份代號：02699）"),
        ("heading", None, "截至2024年12月31日止年度之年度業績公告"),
        ("text", None, "承董事會命"),
        ("text", None, "董事長 林遠舟"),
        ("text", None, "中國，湖州"),
        ("text", None, "2025年3月28日"),
    )
    found = read_metadata(results, "a.pdf")
    assert found.title == "星河環冷股份有限公司截至2024年12月31日止年度之年度業績公告"
    assert (found.kind, found.published_on) == ("filing", date(2025, 3, 28))


def test_an_english_annual_report_is_told_by_its_row_beside_a_slogan() -> None:
    report = cover(
        ("title", None, "Lighter by design"),
        ("text", None, "Annual Report 2024"),
        ("text", None, "Galaxy Coatings SE, Lyon, France"),
    )
    found = read_metadata(report, "a.pdf")
    assert (found.kind, found.title) == ("filing", "Galaxy Coatings SE Annual Report 2024")
