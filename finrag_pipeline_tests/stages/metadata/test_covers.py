"""Covers whose parts a layout model put together, and issuers that print no code."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.records import Metadata, PageReading, Region, TextLine
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline_tests.stages.covers import TEXT, cover
from finrag_pipeline_tests.stages.read_pages import PROSE, line


def printed(*rows: tuple[str, float], kind: str = "text") -> Metadata:
    """What is read of a first page of one region, whose rows are printed in these sizes."""
    lines: list[TextLine] = []
    top = 40.0
    for text, size in rows:
        lines.append(line(text, y=top, size=size))
        top += size + 4
    box = (60.0, 40.0, max(each.bbox[2] for each in lines), top)
    region = Region(0, 1, box, kind, "\n".join(text for text, _ in rows))
    return read_metadata([region], "a.pdf", [PageReading(1, 1200, 800, tuple(lines), ())])


OPENING = [
    ("岚桥软件（688990.SH） 2025年8月28日", 8.4),
    ("研发软件提速，订阅转型的拐点出现", 16.0),
    ("事件：公司披露半年报，实现营业收入6.12亿元，同比增长22.6%，归母净利润", 10.2),
    ("0.46亿元，上年同期为0.08亿元；单二季度收入3.62亿元，同比增长24.4%。", 10.2),
]


@pytest.mark.parametrize("kind", ["text", "title"])
def test_a_title_in_one_box_with_company_day_and_text(kind: str) -> None:
    found = printed(*OPENING, kind=kind)
    assert found.title == "研发软件提速，订阅转型的拐点出现"
    assert (found.company_name, found.company_code) == ("岚桥软件", "688990.SH")
    assert (found.published_on, found.published_basis) == (date(2025, 8, 28), "day")


def test_text_of_one_size_is_no_title() -> None:
    assert printed(*[(text, 10.0) for text, _ in OPENING[2:]]).title == "a"


def test_a_day_to_come_is_not_the_one_of_publication() -> None:
    regions = cover(
        ("title", None, "渠道库存回落"),
        ("side", "cover_block", "2026年1月16日将有首发限售股解禁"),
        ("text", None, "2025年8月28日"),
        TEXT,
    )
    assert read_metadata(regions, "a.pdf").published_on == date(2025, 8, 28)


def test_a_month_beside_the_series_in_one_row() -> None:
    row = ("text", None, "Outlook for 2026 to 2030 · October 2025")
    found = read_metadata(cover(("title", None, "Liquid cooling of data centers"), row), "a.pdf")
    assert (found.published_on, found.published_basis) == (date(2025, 10, 31), "month")


def test_an_exchange_before_a_code_is_no_company() -> None:
    filing = cover(
        ("text", None, "上海证券交易所主板 605990.SH"),
        ("title", None, "滨城海岚冷链股份有限公司2024 年年度报告"),
    )
    found = read_metadata(filing, "a.pdf")
    assert (found.company_name, found.company_code) == (
        "滨城海岚冷链股份有限公司",
        "605990.SH",
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("岚桥产业升级混合型证券投资基金2025年第3季度报告", "岚桥产业升级混合型证券投资基金"),
        ("岚州市城市建设投资集团有限公司2025年度跟踪评级报告", "岚州市城市建设投资集团有限公司"),
    ],
)
def test_funds_and_issuers_of_bonds_are_who_a_title_opens_with(title: str, name: str) -> None:
    found = read_metadata(cover(("title", None, title), TEXT), "a.pdf")
    assert (found.company_name, found.company_code) == (name, None)


def test_a_chinese_name_goes_before_the_english_one_below_it() -> None:
    announced = cover(
        ("title", None, "栢滙冷鏈物流集團有限公司"),
        ("text", None, "PAKWAI COLD CHAIN LOGISTICS GROUP LIMITED"),
        ("text", None, "（股份代號：2791）"),
        ("title", None, "截至二零二四年十二月三十一日止年度之年度業績公告"),
    )
    found = read_metadata(announced, "a.pdf")
    assert (found.company_name, found.company_code) == ("栢滙冷鏈物流集團有限公司", "02791.HK")


def test_a_symbol_tells_whom_an_english_note_is_on() -> None:
    note = cover(
        ("header", "page_header", "US Software | Galaxy Works, Inc. (GLXW) | November 6, 2025"),
        ("title", None, "Customs turns a cost into growth"),
        ("heading", None, "Galaxy Works (GLXW) – a beat and a raise"),
        (
            "text",
            None,
            f"We raise our 2026 revenue estimate and keep our Overweight rating.{PROSE}",
        ),
    )
    found = read_metadata(note, "a.pdf")
    assert (found.company_name, found.kind, found.rating) == (
        "Galaxy Works, Inc.",
        "company",
        "Overweight",
    )


@pytest.mark.parametrize(
    "title",
    [
        "岚桥传动股份有限公司投资者关系活动记录表",
        "岚桥传动股份有限公司2025年度业绩预告",
        "岚桥传动股份有限公司2025年度向特定对象发行A股股票预案",
    ],
)
def test_what_a_company_publishes_itself(title: str) -> None:
    attended = ("text", None, "参加单位：星海证券、远山证券等32家机构")
    found = read_metadata(cover(("title", None, title), attended), "a.pdf")
    assert (found.kind, found.broker) == ("filing", None)


def test_an_issuer_alone_is_completed_by_what_it_announces() -> None:
    filing = cover(
        ("title", None, "岚桥传动股份有限公司"),
        ("text", None, "（共城市高新区衡岳路8号）"),
        ("heading", None, "2025年度向特定对象发行A股股票预案"),
    )
    title = "岚桥传动股份有限公司2025年度向特定对象发行A股股票预案"
    assert read_metadata(filing, "a.pdf").title == title
