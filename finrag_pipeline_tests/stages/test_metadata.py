"""Metadata from regions as `clean` leaves them on covers of several shapes."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.records import Region
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline.stages.people import read_analysts
from finrag_pipeline.stages.securities import own_code, with_market
from finrag_pipeline_tests.stages.pages import PROSE


def cover(*regions: tuple[str, str | None, str]) -> list[Region]:
    return [
        Region(n, 1, (0, 0, 1, 1), kind, text, rule) for n, (kind, rule, text) in enumerate(regions)
    ]


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


def test_reads_an_industry_report_and_nothing_it_does_not_say() -> None:
    regions = cover(("title", None, "智能仪器行业深度报告"), ("text", None, PROSE))
    found = read_metadata(regions, "a.pdf")
    assert found.kind == "industry"
    assert (found.company_code, found.broker, found.published_on) == (None, None, None)
    assert found.analysts == ()


def test_falls_back_to_the_file_name() -> None:
    assert read_metadata([], "年度策略.pdf").title == "年度策略"


def test_reads_a_name_without_brackets_and_a_filing() -> None:
    regions = cover(
        ("title", None, "产能利用率提升"),
        ("side", "cover_block", "星河芯片 688999.SH\n买入 （维持）"),
    )
    assert read_metadata(regions, "a.pdf").company_name == "星河芯片"
    filing = cover(
        ("header", "page_header", "证券代码：605999\n证券简称：星河能源"),
        ("title", None, "星河能源股份有限公司"),
        ("title", None, "2025年第三季度报告"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.kind, found.company_name) == ("filing", "星河能源")
    assert (found.company_code, found.broker) == ("605999.SH", None)
    assert found.title == "星河能源股份有限公司2025年第三季度报告"


@pytest.mark.parametrize(
    ("digits", "code"),
    [
        ("600519", "600519.SH"),
        ("688981", "688981.SH"),
        ("000999", "000999.SZ"),
        ("301080", "301080.SZ"),
        ("430047", "430047.BJ"),
        ("920002", "920002.BJ"),
        ("00700", "00700.HK"),
        ("512345", None),
        ("123", None),
    ],
)
def test_codes_carry_their_market(digits: str, code: str | None) -> None:
    assert with_market(digits) == code


def test_the_own_code_is_the_most_printed_mainland_one() -> None:
    assert own_code(["00981.HK", "00981.HK", "688981.SH"]) == "688981.SH"
    assert own_code(["002821.SZ", "603259.SH", "603259.SH"]) == "603259.SH"
    assert own_code([]) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("分析师 王小明\n执业证书： S0100523050002", ("王小明",)),
        ("赵一鸣（分析师） 钱多多（联系人）", ("赵一鸣", "钱多多")),
        ("周立 电子行业首席分析师\n执业编号：S1500523080002", ("周立",)),
        ("吴江, CFA\n(852) 2000 0000", ("吴江",)),
        ("孙晓\nC0001@example.com", ("孙晓",)),
        ("联系人：郑好", ()),
        ("首席分析师 电子行业", ()),
    ],
)
def test_analysts(text: str, names: tuple[str, ...]) -> None:
    assert read_analysts([text]) == names
