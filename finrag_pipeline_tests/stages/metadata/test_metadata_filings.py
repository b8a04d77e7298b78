"""Metadata of filings: what companies publish themselves, in both languages."""

from __future__ import annotations

from datetime import date

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
    assert found.published_on is None


def test_reads_code_and_name_from_the_company_profile() -> None:
    filing = cover(
        ("title", None, "星河能源股份有限公司2024 年年度报告"),
        ("text", None, "2025 年03 月"),
        ("table", "table", "股票简称 星河能源 股票代码 000999"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.company_name, found.company_code) == ("星河能源", "000999.SZ")
    assert found.published_on is None


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
    assert (found.broker, found.published_on) == (None, None)
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
