"""Metadata from regions as `clean` leaves them on covers of several shapes."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.records import EpsForecast, Place, Region
from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline_tests.stages import covers
from finrag_pipeline_tests.stages.covers import cover
from finrag_pipeline_tests.stages.read_pages import PROSE, line, page

COMPANY = cover(
    ("header", "page_header", "证券研究报告 | 公司点评"),
    ("title", None, "订单回暖，全年可期"),
    ("cover", "cover_block", "星 河 科 技（688999）电子设备\n买入（维持）\n目标价：32.50 元"),
    ("side", "cover_block", "2026年03月02日"),
    ("side", "cover_block", "相关研究\n《星河科技（688999）：拐点已至》-2025.11.03"),
    ("text", "contact", "分析师：李明远\n执业证书编号：S1234567890123\n邮箱：limy@example.com"),
    ("text", None, PROSE),
    ("text", "disclaimer", "长江上游证券股份有限公司具备证券投资咨询业务资格。"),
    ("footer", "page_footer", "长江上游证券 请务必阅读正文之后的免责声明"),
)


def test_reads_a_company_report() -> None:
    found = read_metadata(COMPANY, "a.pdf")
    assert found.title == "订单回暖，全年可期"
    assert (found.kind, found.language) == ("company", "zh")
    assert (found.company_name, found.company_code) == ("星河科技", "688999.SH")
    assert found.broker == "长江上游证券"
    assert found.analysts == ("李明远",)
    assert (found.rating, found.target_price) == ("买入", 32.5)
    assert found.published_on == date(2026, 3, 2)


@pytest.mark.parametrize(
    ("regions", "analysts", "rating", "target"),
    [
        (covers.CODE_IN_TABLE, ("陈明远", "欧阳雪"), "跑赢行业", 118.0),
        (covers.EARLIER_OPINION, ("丁一", "吴小晗"), "增持", 138.36),
        (covers.TWO_LISTINGS, ("罗佳荣",), "买入-A", 131.41),
        (covers.NAMES_UNDER_HEADING, ("彭英骐", "万梦蝶"), "买入", None),
        (covers.YEARS_AS_ROWS, ("诸葛乐懿",), "买入", 140.0),
    ],
)
def test_reads_covers_of_other_forms(
    regions: list[Region], analysts: tuple[str, ...], rating: str, target: float | None
) -> None:
    found = read_metadata(regions, "a.pdf")
    assert found.company_name == "星河医药"
    assert found.company_code == ("02999.HK" if regions is covers.YEARS_AS_ROWS else "603999.SH")
    assert found.analysts == analysts
    assert (found.rating, found.target_price) == (rating, target)
    assert found.published_on == date(2025, 10, 28)
    assert found.eps_forecasts == (EpsForecast(2025, 5.10), EpsForecast(2026, 5.62))


def test_every_value_has_its_place() -> None:
    regions = covers.EARLIER_OPINION
    found = read_metadata(regions, "a.pdf")
    by_field = {field: {p.bbox for p in places} for field, places in found.places.items()}
    assert by_field == {
        "title": {regions[0].bbox},
        "kind": {regions[1].bbox},
        "company_name": {regions[1].bbox},
        "company_code": {regions[1].bbox},
        "company_codes": {regions[1].bbox},
        "rating": {regions[2].bbox},
        "target_price": {regions[2].bbox},
        "published_on": {regions[2].bbox},
        "analysts": {regions[3].bbox},
        "eps_forecasts": {regions[4].bbox},
        "broker": {regions[6].bbox},
    }
    assert {place.page for places in found.places.values() for place in places} == {1}


def test_pages_give_the_box_of_the_printed_row() -> None:
    pages = [
        page(
            [
                line("订单回暖，全年可期", x=60, y=60, size=20),
                line("星河科技（688999）", x=60, y=100),
                line("买入（维持）", x=60, y=114),
                line(PROSE, x=60, y=300),
            ]
        )
    ]
    found = read_metadata(clean(pages), "a.pdf", pages)
    assert found.company_code == "688999.SH"
    assert found.places["company_code"] == (Place(1, pages[0].lines[1].bbox),)
    assert found.places["rating"] == (Place(1, pages[0].lines[2].bbox),)


def test_reads_both_codes_of_a_company_listed_twice() -> None:
    regions = cover(
        ("title", None, "星河医药（2999.HK/603999.CH）：一季度业绩好于预期"),
        ("table", "table", "目标价（港元） 90.0\n潜在升幅 +55%"),
        ("table", "table", "目标价（人民币） 93.0\n潜在升幅 +60%"),
    )
    found = read_metadata(regions, "a.pdf")
    assert found.title == "一季度业绩好于预期"
    assert found.company_name == "星河医药"
    assert found.company_code == "603999.SH"
    assert found.company_codes == ("02999.HK", "603999.SH")
    assert found.target_price == 93.0


def test_codes_of_other_companies_stay_out() -> None:
    regions = cover(
        ("title", None, "星河医药（603999.SH）：一季度业绩好于预期"),
        ("text", None, f"公司与海天生物（688998.SH）、远山药业（02998.HK）合作。{PROSE}"),
    )
    assert read_metadata(regions, "a.pdf").company_codes == ("603999.SH",)


def test_a_table_of_peers_makes_no_company_report() -> None:
    regions = cover(
        ("header", "page_header", "行业研究 | 行业周报"),
        ("title", None, "医药行业周报：板块持续回暖"),
        (
            "table",
            "table",
            "星河医药（603999.SH） 推荐\n海天生物（688999.SH） 推荐\n远山药业（002999.SZ） 推荐",
        ),
        ("text", None, f"建议关注星河医药（603999.SH）、海天生物（688999.SH）。{PROSE}"),
    )
    found = read_metadata(regions, "a.pdf")
    assert (found.kind, found.company_code, found.company_codes) == ("industry", None, ())


def test_reads_an_english_report() -> None:
    regions = cover(
        ("title", None, "Galaxy Instruments (2999 HK): Orders recover"),
        ("side", "cover_block", "Rating: BUY\nTarget price: HK$32.50\n12 March 2026"),
        ("side", "cover_block", "Analyst: Jane Doe"),
        ("text", None, "Revenue rose eight percent, and margins held up well. Demand recovers."),
        ("text", "disclaimer", "This report was prepared by Northgate Securities Limited for you."),
    )
    found = read_metadata(regions, "a.pdf")
    assert (found.language, found.kind) == ("en", "company")
    assert found.company_code == "02999.HK"
    assert found.company_name == "Galaxy Instruments"
    assert (found.rating, found.target_price) == ("BUY", 32.5)
    assert found.published_on == date(2026, 3, 12)
    assert found.analysts == ("Jane Doe",)
    assert found.broker == "Northgate Securities"


def test_reads_an_industry_report_and_nothing_it_does_not_say() -> None:
    regions = cover(("title", None, "智能仪器行业深度报告"), ("text", None, PROSE))
    found = read_metadata(regions, "a.pdf")
    assert found.kind == "industry"
    assert (found.company_code, found.broker, found.published_on) == (None, None, None)
    assert (found.analysts, found.eps_forecasts) == ((), ())
    assert set(found.places) == {"title", "kind"}


def test_a_house_is_not_the_author_of_a_report_on_itself() -> None:
    regions = cover(
        ("title", None, "星海证券（603999.SH）：经纪业务增长"),
        *[("text", None, f"星海证券股份有限公司发布年报。{PROSE}")] * 8,
        ("footer", "page_footer", "长江上游证券 请务必阅读正文之后的免责声明"),
    )
    assert read_metadata(regions, "a.pdf").broker == "长江上游证券"


def test_falls_back_to_the_file_name() -> None:
    found = read_metadata([], "年度策略.pdf")
    assert found.title == "年度策略"
    assert found.places == {}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["星河", "2025年1.02、", "王小明 ", "Abc Def "])
def test_a_page_of_nonsense_costs_bounded_time(piece: str) -> None:
    found = read_metadata(cover(("side", "cover_block", piece * 50_000)), "a.pdf")
    assert found.title == "a"
