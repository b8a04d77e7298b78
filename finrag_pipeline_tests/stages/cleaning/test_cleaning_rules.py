"""Each rule that drops a region: what it takes and what it must leave."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.cleaning.clean import RULES, clean
from finrag_pipeline_tests.stages.read_pages import PROSE, line, page

LEGAL = (
    "本报告的信息均来源于公开资料，本公司对这些信息的准确性及完整性不作任何保证，不构成投资建议。"
)


def rule_of(text: str, pages: list[PageReading]) -> str | None:
    """The rule over the region that holds a text; fails where none does."""
    tight = "".join(text.split())
    regions = [r for r in clean(pages) if tight in "".join(r.text.split())]
    assert regions, text
    return regions[0].rule


def alone(
    text: str, kind: str | None = None, y: float = 300, visible: bool = True
) -> list[PageReading]:
    """A second page with one line above running text, in boxes unless `kind` is None."""
    only = line(text, y=y, visible=visible)
    body = line(PROSE, y=400)
    boxes = [] if kind is None else [(kind, only.bbox), ("text", body.bbox)]
    return [page([only, body], boxes, number=2)]


#: Rule, the layout model's word for the line, its height on the page, its text. The rule holds
#: without a layout box too.
DROPS = [
    ("page_footer", "text", 810, "- 3 -"),
    ("page_footer", "page-footer", 810, "第　３　页"),
    ("page_header", "page-header", 20, "P12"),
    ("page_footer", "text", 810, "Page 3 of 12"),
    ("page_footer", "text", 810, "请务必阅读正文之后的免责声明"),
    ("page_header", "page-header", 20, "Please see the last page for important disclosures"),
    ("page_footer", "text", 500, "（接下页）"),
    ("contents_page", "text", 300, "一、行业概况 ............................ 3"),
    ("contents_page", "table", 300, "一、行业概况 ............................ 3"),
    ("contents_page", "section-header", 300, "目 录"),
    ("form", "text", 300, "□适用 √不适用"),
    ("advertisement", "text", 300, "扫码关注公众号，获取更多报告"),
    ("contact", "text", 300, "邮箱：zhangsan@example.com"),
    ("contact", "text", 300, "邮箱：ｚｈａｎｇｓａｎ＠ｅｘａｍｐｌｅ．ｃｏｍ"),
    ("contact", "text", 300, "执业证书编号：S1234567890123"),
    ("contact", "text", 300, "王小明，医药首席分析师，某某大学硕士，五年行业研究经验。"),
    ("contact", "section-header", 300, "研究团队简介"),
    ("contact", "text", 300, "地址：北京市西城区某某大街 8 号"),
    ("contact", "text", 300, "电话：010-12345678"),
    ("contact", "table", 300, "销售通讯录"),
    ("contact", "text", 300, "地区 姓名 职务 办公电话 企业邮箱"),
    ("symbols", "text", 300, "◆ 12 34 %"),
    ("symbols", "text", 300, "——————"),
    ("source_line", "text", 300, "资料来源：公司公告，研究所整理"),
    ("source_line", "text", 300, "数据来源:公司公告"),
    ("source_line", "text", 300, "消息来源：公开渠道"),
    ("source_line", "picture", 300, "Source: company data"),
    ("template_marker", "text", 300, "[Table_Summary]"),
    ("template_marker", "page-header", 300, "shzqdatemark"),
    ("disclaimer", "text", 300, LEGAL),
    ("disclaimer", "table", 300, LEGAL),
]
#: The same where the layout model alone can tell.
SEEN_DROPS = [
    ("page_header", "page-header", 30, "行业深度报告"),
    ("page_footer", "page-footer", 810, "证券研究报告"),
    ("chart", "picture", 300, "2023A 营业收入"),
    ("table", "table", 300, "营业收入 1,234 2,345"),
    ("table", "table-fallback", 300, "营业收入 1,234 2,345"),
]


@pytest.mark.parametrize(("rule", "kind", "y", "text"), DROPS + SEEN_DROPS)
def test_drops(rule: str, kind: str, y: float, text: str) -> None:
    assert rule_of(text, alone(text, kind, y)) == rule


@pytest.mark.parametrize(("rule", "_kind", "y", "text"), DROPS)
def test_drops_without_layout(rule: str, _kind: str, y: float, text: str) -> None:
    assert rule_of(text, alone(text, None, y)) == rule


def test_each_rule_is_listed_once_and_all_others_have_tests_of_their_own() -> None:
    shown = {rule for rule, *_ in DROPS + SEEN_DROPS}
    assert len(set(RULES)) == len(RULES)
    assert set(RULES) - shown == {"invisible", "repeated_line", "watermark", "cover_block"}


@pytest.mark.parametrize(
    ("kind", "y", "text"),
    [
        ("text", 300, PROSE),
        ("picture", 300, PROSE),
        ("page-footer", 300, "风险提示：需求不及预期，价格竞争加剧。"),
        ("text", 300, "公司 2024-2025 年收入增速分别为 12.3% 和 15.6%，利润率提升，现金流改善。"),
        ("text", 300, "Please see the notes for details of the revenue, which rose 12.3% in 2025."),
        (
            "text",
            300,
            "公司电话会议纪要显示，需求回暖，管理层预计全年收入增长百分之十以上，利润率稳定。",
        ),
        ("section-header", 300, "三、盈利预测与投资建议"),
        ("text", 300, "公司的目录式营销与分析师交流活动均较为频繁，投资者关系管理持续改善。"),
        (
            "list-item",
            300,
            "4008 家门店开业，同比增长 12%，单店收入保持平稳，翻台率有所提升，客单价稳定。",
        ),
    ],
)
@pytest.mark.parametrize("boxed", [True, False])
def test_keeps(kind: str, y: float, text: str, boxed: bool) -> None:
    assert rule_of(text, alone(text, kind if boxed else None, y)) is None


@pytest.mark.parametrize("kind", ["text", None])
def test_invisible_text_is_dropped(kind: str | None) -> None:
    assert rule_of("水印文字", alone("水印文字", kind, visible=False)) == "invisible"


@pytest.mark.parametrize("kind", ["text", None])
def test_a_marker_inside_a_line_leaves_the_rest(kind: str | None) -> None:
    pages = alone("[Table_Title] 业绩稳健增长", kind)
    assert rule_of("[Table_Title]", pages) == "template_marker"
    assert rule_of("业绩稳健增长", pages) is None


def test_axis_labels_are_a_charts() -> None:
    """A page with charts and text has layout boxes, a page of labels alone need not."""
    months = [line(f"{n}月", x=80, y=300 + 14 * n) for n in range(1, 6)]
    shares = [line(f"{n}0%", x=80, y=500 + 14 * n) for n in range(5)]
    body = line(PROSE, y=400)
    beside_text = page([*months, *shares, body], [("text", body.bbox)], number=2)
    assert rule_of("1月", [beside_text]) == "chart"
    assert rule_of("10%", [beside_text]) == "chart"
    assert rule_of(PROSE, [beside_text]) is None
    assert {r.rule for r in clean([page([*months, *shares], number=2)])} == {"chart"}


@pytest.mark.parametrize("kind", ["table", "text", None])
@pytest.mark.parametrize("entry", ["第{}章 竞争格局 ............ {}", "第{}章 竞争格局 {}"])
def test_a_contents_page_falls_whole(entry: str, kind: str | None) -> None:
    """Entries without leaders are entries too where page numbers rise below the heading."""
    heading = line("目　　录", y=80, size=14, bold=True)
    entries = [line(entry.format(c, n + 9), y=110 + 16 * n) for n, c in enumerate("一二三四五")]
    boxes = [] if kind is None else [(kind, (50.0, 100.0, 545.0, 400.0))]
    regions = clean([page([heading, *entries], boxes, number=2)])
    assert {r.rule for r in regions} == {"contents_page"}


def test_rows_whose_numbers_fall_are_no_contents_page() -> None:
    rows = [
        line(f"第{c}章 竞争格局 {90 - 9 * n}", y=110 + 16 * n) for n, c in enumerate("一二三四五")
    ]
    assert {r.rule for r in clean([page(rows, number=2)])} == {None}


@pytest.mark.parametrize(
    "texts",
    [
        ("Goodwill ........ 5,366", "Other assets ........ 159"),
        ("Other assets ........ 159", "Goodwill ........ $ 5,366", "Total ........ 5,525"),
        ("Goodwill ........ 366", "Other assets ........ 159", "Deposits ........ 12"),
    ],
)
def test_a_table_of_figures_with_leaders_is_no_contents_page(texts: tuple[str, ...]) -> None:
    lines = [line(text, y=100 + 14 * n) for n, text in enumerate(texts)]
    regions = clean([page(lines, [("table", (50, 90, 545, 150))], number=2)])
    assert {r.rule for r in regions} == {"table"}


def test_what_a_model_calls_a_table_but_runs_as_text_is_kept() -> None:
    lines = [line(PROSE[:44], y=100 + 14 * n) for n in range(4)]
    regions = clean([page(lines, [("table", (50, 90, 545, 160))], number=2)])
    assert [r.rule for r in regions] == [None]


def test_a_filing_keeps_the_addresses_and_statements_that_a_report_drops() -> None:
    title = line("某某股份有限公司2025年年度报告", y=80, size=18)
    contact = line(
        "公司办公地址：北京市西城区某某大街 8 号某某大厦，邮政编码：100000，电话：010-12345678，"
        "投资者可于工作日查询",
        y=300,
        size=6,
    )
    legal = line(
        "未经授权，任何机构和个人不得转载本报告的内容，投资者据此操作，风险自担，请注意投资风险。",
        y=400,
        size=6,
    )
    first = page([title], [("title", title.bbox)])
    later = page([contact, legal], [("text", contact.bbox), ("text", legal.bbox)], number=2)
    other = page([line("某某公司深度报告", y=80, size=18)])
    assert rule_of(contact.text, [first, later]) is None
    assert rule_of(legal.text, [first, later]) is None
    assert rule_of(legal.text, [other, later]) == "disclaimer"


def test_a_sentence_inside_a_picture_is_text() -> None:
    said = "充足的摄入可以降低儿童患近视的风险。"
    pages = [
        page([line(said, y=300), line("2024 2025 2026", y=340)], [("picture", (50, 280, 545, 360))])
    ]
    assert rule_of(said, [page([line(PROSE)]), *pages]) is None


@pytest.mark.parametrize(
    "text",
    [
        "https://www.example.org/publications/item/9789240092907",
        "王小明，公司董事长，某某大学硕士，曾任总经理。",
    ],
)
def test_a_reference_and_the_life_of_a_manager_are_no_contact(text: str) -> None:
    assert rule_of(text, alone(text, "text")) is None
