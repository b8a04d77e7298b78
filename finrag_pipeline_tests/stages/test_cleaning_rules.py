"""Each rule that drops a region: what it takes and what it must leave."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Box, PageReading, TextLine
from finrag_pipeline.stages.cleaning import clean
from finrag_pipeline_tests.stages.pages import PROSE, line, page

LEGAL = (
    "本报告的信息均来源于公开资料，本公司对这些信息的准确性及完整性不作任何保证，不构成投资建议。"
)


def rule_of(text: str, pages: list[PageReading]) -> str | None:
    """The rule over the region that holds a text; fails where none does."""
    tight = "".join(text.split())
    regions = [r for r in clean(pages) if tight in "".join(r.text.split())]
    assert regions, text
    return regions[0].rule


def alone(text: str, kind: str = "text", y: float = 300, visible: bool = True) -> list[PageReading]:
    """A second page with running text and one line in a box of its own."""
    only = line(text, y=y, visible=visible)
    body = line(PROSE, y=400)
    return [page([only, body], [(kind, only.bbox), ("text", body.bbox)], number=2)]


@pytest.mark.parametrize(
    ("rule", "kind", "y", "text"),
    [
        ("page_header", "page-header", 30, "行业深度报告"),
        ("page_footer", "page-footer", 810, "证券研究报告"),
        ("page_footer", "text", 810, "- 3 -"),
        ("page_footer", "text", 810, "请务必阅读正文之后的免责声明"),
        ("contents_page", "text", 300, "一、行业概况 ............................ 3"),
        ("contents_page", "section-header", 300, "目 录"),
        ("contact", "text", 300, "邮箱：zhangsan@example.com"),
        ("contact", "text", 300, "执业证书编号：S1234567890123"),
        ("contact", "text", 300, "地址：北京市西城区某某大街 8 号"),
        ("symbols", "text", 300, "◆ 12 34 %"),
        ("chart", "picture", 300, "2023A 营业收入"),
        ("chart", "text", 300, "资料来源：公司公告，研究所整理"),
        ("chart", "text", 300, "Source: company data"),
        ("template_marker", "text", 300, "[Table_Summary]"),
        ("disclaimer", "text", 300, LEGAL),
        ("table", "table", 300, "营业收入 1,234 2,345"),
    ],
)
def test_drops(rule: str, kind: str, y: float, text: str) -> None:
    assert rule_of(text, alone(text, kind, y)) == rule


@pytest.mark.parametrize(
    ("kind", "y", "text"),
    [
        ("text", 300, PROSE),
        ("picture", 300, PROSE),
        ("page-footer", 300, "风险提示：需求不及预期，价格竞争加剧。"),
        ("text", 300, "公司 2024-2025 年收入增速分别为 12.3% 和 15.6%，利润率提升，现金流改善。"),
        ("text", 300, "公司的目录式营销与分析师交流活动均较为频繁，投资者关系管理持续改善。"),
        (
            "list-item",
            300,
            "4008 家门店开业，同比增长 12%，单店收入保持平稳，翻台率有所提升，客单价稳定。",
        ),
    ],
)
def test_keeps(kind: str, y: float, text: str) -> None:
    assert rule_of(text, alone(text, kind, y)) is None


def test_invisible_text_is_dropped() -> None:
    assert rule_of("水印文字", alone("水印文字", visible=False)) == "invisible"


def test_a_marker_inside_a_line_leaves_the_rest() -> None:
    pages = alone("[Table_Title] 业绩稳健增长")
    assert rule_of("[Table_Title]", pages) == "template_marker"
    assert rule_of("业绩稳健增长", pages) is None


def test_a_line_repeated_at_the_edge_is_dropped_whatever_its_number() -> None:
    def numbered(number: int) -> PageReading:
        edge = line(f"某某研究所周报第{number}期", y=20)
        return page([edge, line(PROSE, y=300)], number=number)

    assert rule_of("第2期", [numbered(n) for n in (1, 2, 3)]) == "repeated_line"
    assert rule_of("第2期", [numbered(2)]) is None


def test_a_watermark_is_dropped_and_does_not_cut_into_text() -> None:
    def marked(number: int) -> PageReading:
        marks = [line("内部资料严禁外传", x=200, y=y) for y in (301, 500)]
        return page([line(PROSE[number:], y=300), *marks], [("text", (50, 290, 560, 520))], number)

    regions = clean([marked(n) for n in range(1, 7)])
    assert [region.text for region in regions if region.kept] == [PROSE[n:] for n in range(1, 7)]


def test_a_disclaimer_runs_from_its_title_to_the_foot_and_over_the_page() -> None:
    def legal_page(number: int, lines: list[TextLine]) -> PageReading:
        boxes: list[tuple[str, Box]] = [
            ("section-header" if item.bold else "text", item.bbox) for item in lines
        ]
        return page(lines, boxes, number)

    first = [
        line(PROSE, y=100),
        line("免责声明", y=200, bold=True),
        line(LEGAL, y=230),
        line("某某证券研究所", y=260),
    ]
    second = [
        line("本报告版权归本公司所有，未经书面许可任何机构和个人不得转载。", y=100),
        line("北京", y=130),
    ]
    pages = [legal_page(4, first), legal_page(5, second)]
    # a document's first page has its own columns, so these stand on later ones
    pages = [legal_page(3, [line(PROSE, y=300)]), *pages]
    assert rule_of(PROSE, pages) is None
    assert [r.rule for r in clean(pages) if r.page == 4] == [None, *["disclaimer"] * 3]
    assert {r.rule for r in clean(pages) if r.page == 5} == {"disclaimer"}


def test_a_pointer_to_the_disclaimer_opens_nothing() -> None:
    lines = [line("请参阅报告末页的重要声明", y=100, bold=True), line(PROSE, y=130)]
    boxes: list[tuple[str, Box]] = [("section-header", lines[0].bbox), ("text", lines[1].bbox)]
    assert rule_of(PROSE, [page([], number=1), page(lines, boxes, 2)]) is None


def test_axis_labels_beside_a_picture_are_dropped() -> None:
    labels = [line(f"{n}0%", x=80, y=300 + 14 * n) for n in range(5)]
    assert {r.rule for r in clean([page(labels, number=2)])} <= {"chart", "symbols"}
