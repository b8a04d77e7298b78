"""Title, publisher and day of reports that are on no stock, in the forms of their covers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from finrag_pipeline.records import PageReading, Region, TextLine
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline_tests.stages.covers import TEXT, cover


def report(*regions: tuple[str, str | None, str]) -> list[Region]:
    return cover(("title", None, "低空经济产业研究报告"), *regions, TEXT)


@pytest.mark.parametrize(
    ("printed", "day", "basis"),
    [
        ("2025年11月", date(2025, 11, 30), "month"),
        ("2025/08", date(2025, 8, 31), "month"),
        ("2025-08", date(2025, 8, 31), "month"),
        ("2025.02", date(2025, 2, 28), "month"),
        ("二〇二五年十一月", date(2025, 11, 30), "month"),
        ("二○二四年二月", date(2024, 2, 29), "month"),
        ("Nov 2025", date(2025, 11, 30), "month"),
        ("November, 2025", date(2025, 11, 30), "month"),
        ("北辰研究院 2025年11月", date(2025, 11, 30), "month"),
        ("发布时间：2025年4月", date(2025, 4, 30), "month"),
        ("© 2025 Larkspur. All rights reserved. 06.2025.EU", date(2025, 6, 30), "month"),
        ("民國114年11月", date(2025, 11, 30), "month"),
        ("低空经济月刊 2025年第11期", date(2025, 11, 30), "month"),
        ("低空经济周刊 2025年第11期", None, "day"),
        ("2025年11月28日发布", date(2025, 11, 28), "day"),
        ("30-Sep-25", date(2025, 9, 30), "day"),
        ("中華民國114年9月30日", date(2025, 9, 30), "day"),
        ("第54号，发布于2025年6月27日", date(2025, 6, 27), "day"),
        ("2025Q3", None, "day"),
        ("数据截至2025年9月", None, "day"),
        ("2025-10 2025-11", None, "day"),
    ],
)
def test_the_printed_day_or_month(printed: str, day: date | None, basis: str) -> None:
    found = read_metadata(report(("text", None, printed)), "a.pdf")
    assert (found.published_on, found.published_basis) == (day, basis)


def test_a_day_in_a_sentence_is_the_event_it_tells() -> None:
    told = "2025年6月12日，主管部门发布了产业行动方案，提出到2027年的目标，此后各地陆续跟进。"
    assert read_metadata(report(("text", None, told)), "a.pdf").published_on is None


def test_a_month_in_a_title_is_what_it_is_about() -> None:
    regions = cover(("title", None, "2025年11月金股组合"), TEXT)
    assert read_metadata(regions, "a.pdf").published_on is None


@pytest.mark.parametrize(
    ("name", "archived", "day"),
    [
        ("20250712-远山-低空经济.pdf", "", date(2025, 7, 12)),
        ("低空经济.pdf", "远山咨询-低空经济产业研究报告-250719.pdf", date(2025, 7, 19)),
        ("低空经济.pdf", "Microsoft Word - 稿.docx", None),
    ],
)
def test_without_a_printed_day_the_name_of_the_file_tells_it(
    name: str, archived: str, day: date | None
) -> None:
    found = read_metadata(report(), name, archived_name=archived)
    assert found.published_on == day
    assert day is None or found.published_basis == "name"


@pytest.mark.parametrize(
    ("region", "house"),
    [
        (("text", None, "远山咨询"), "远山咨询"),
        (("text", None, "东湖大学数字经济研究中心"), "东湖大学数字经济研究中心"),
        (("header", "page_header", "Goldman Sachs | Equity Research"), "高盛"),
        (("header", "page_footer", "©2025 iResearch Inc."), "艾瑞咨询"),
        (("text", None, "© 2025 PitchBook Data, Inc. All rights reserved."), "PitchBook"),
        (("text", None, "Copyright © 2025 Meridian Consulting LLP."), "Meridian Consulting"),
        (("text", None, "本报告由长风智库独家撰写，未经许可不得转载。"), "长风智库"),
        (("text", None, "版权归属中国信通院所有。"), "中国信息通信研究院"),
        (("text", None, "编写单位：安澜智库"), "安澜智库"),
        (("text", None, "This report was prepared by Northgate Bank plc."), "Northgate Bank"),
        (("text", None, "(c) 2024 Bain & Company, Inc."), "贝恩公司"),
        (("text", None, "本报告由青石期货有限公司研究所撰写。"), "青石期货"),
        (("text", None, "转载须注明来源为硕远咨询，且不得删节。"), "硕远咨询"),
        (("text", None, "本报告基于公开信息，由作者独立完成。"), None),
        (("text", None, "行业研究"), None),
    ],
)
def test_who_published_it(region: tuple[str, str | None, str], house: str | None) -> None:
    assert read_metadata(report(region), "a.pdf").broker == house


def test_a_house_that_pages_draw_as_a_picture_is_told_by_the_name_of_the_file() -> None:
    archived = "云岭出版社-低空经济产业研究报告-250307.pdf"
    assert read_metadata(report(), "a.pdf", archived_name=archived).broker == "云岭出版社"
    assert read_metadata(report(), "【华泰证券】低空经济.pdf").broker == "华泰证券"


def test_who_is_quoted_most_is_no_author_of_another_houses_report() -> None:
    quoted = [("source", "chart", "来源：弗若斯特沙利文")] * 6
    regions = report(*quoted, ("text", "disclaimer", "本报告由星海证券股份有限公司制作。"))
    assert read_metadata(regions, "a.pdf").broker == "星海证券"


def test_related_reports_in_the_same_box_take_no_field() -> None:
    side = (
        "星河医药（603999）\n分析师 王小明\nS0100523050002\n评级：买入\n目标价：45.60元\n"
        "相关研究\n《远山生物（600001）：承压》2025-08-01\n分析师 李大同\n《云海科技（300999）》"
    )
    regions = cover(("title", None, "业绩高增，订单充足"), ("side", "cover_block", side), TEXT)
    found = read_metadata(regions, "a.pdf")
    assert (found.company_name, found.company_code) == ("星河医药", "603999.SH")
    assert found.analysts[0] == "王小明"
    assert (found.rating, found.target_price) == ("买入", 45.6)


@pytest.mark.parametrize(
    ("box", "price"),
    [
        ("目标价 | 45.60", 45.6),
        ("当前价格（元）/目标价格（元）：38.20/45.60", 45.6),
        ("目标价/现价：45.60/38.20", 45.6),
        ("目标价由40元上调至45.60元", 45.6),
        ("PT: US$45.60", 45.6),
        ("目标价区间 45-50元", None),
        ("总市值/流通市值 380/300亿元", None),
    ],
)
def test_boxes_with_a_target_price(box: str, price: float | None) -> None:
    regions = cover(("title", None, "星河医药（603999）：增长"), ("side", "cover_block", box), TEXT)
    assert read_metadata(regions, "a.pdf").target_price == price


Sized = tuple[str, float, float, float]


def printed(*rows: Sized) -> tuple[list[Region], list[PageReading]]:
    """Regions of one row each with lines of some sizes, from text, left, top and size."""
    lines: list[TextLine] = []
    regions: list[Region] = []
    for n, (text, left, top, size) in enumerate(rows):
        box = (left, top, left + size * len(text), top + size)
        lines.append(TextLine(box, text, size, bold=False))
        regions.append(Region(n, 1, box, "text", text))
    return regions, [PageReading(1, 595, 842, tuple(lines), ())]


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (
            [("远山咨询", 50, 60, 40), ("2025年", 50, 500, 30), ("中国茶饮市场洞察", 50, 540, 32)],
            "2025年中国茶饮市场洞察",
        ),
        (
            [("金融工程专题研究", 50, 60, 30), ("波动率指数的编制与应用", 50, 120, 22)],
            "波动率指数的编制与应用",
        ),
        (
            [("2025年智慧医院洞察：", 50, 100, 36), ("从工具到生态的竞逐", 50, 150, 30)],
            "2025年智慧医院洞察：从工具到生态的竞逐",
        ),
        ([("36.5%", 50, 60, 60), ("实现智能的价值", 50, 140, 25)], "实现智能的价值"),
    ],
)
def test_the_largest_print_that_says_something_is_the_title(rows: list[Sized], title: str) -> None:
    regions, pages = printed(*rows)
    assert read_metadata(regions, "a.pdf", pages).title == title


def test_side_titles_set_upright_cross_no_title() -> None:
    regions, pages = printed(
        ("金", 24, 80, 15), ("工", 24, 95, 15), ("组合配置与策略构建", 47, 95, 18)
    )
    whole = replace(regions[2], text="工组合配置与策略构建", kind="title", bbox=(24, 94, 300, 114))
    found = read_metadata([regions[0], whole], "a.pdf", pages)
    assert found.title == "组合配置与策略构建"


@pytest.mark.parametrize(
    ("told", "house"),
    [
        ("根据头豹研究院发现，十家代表企业的评选看重材料、服务与价格。", "头豹研究院"),
        ("根据头豹研究院发现，格局已定；国家统计局数据显示，需求上升。", "头豹研究院"),
        ("根据头豹研究院数据，市场规模为三百亿元，行业集中度较低。", None),
        ("头豹研究院认为格局已定，艾瑞咨询则认为竞争刚刚开始。", None),
    ],
)
def test_the_only_house_whose_findings_a_report_tells_wrote_it(
    told: str, house: str | None
) -> None:
    later = Region(2, 2, (60.0, 80.0, 500.0, 120.0), "text", told)
    assert read_metadata([*report(), later], "a.pdf").broker == house
