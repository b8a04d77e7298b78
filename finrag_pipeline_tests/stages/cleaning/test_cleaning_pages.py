"""Rules that look at all pages: repeated lines, watermarks, side titles, disclaimers, the cover."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Box, PageReading, TextLine
from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline_tests.stages.read_pages import PROSE, line, page

LEGAL = (
    "本报告的信息均来源于公开资料，本公司对这些信息的准确性及完整性不作任何保证，不构成投资建议。"
)
BODY: Box = (50, 90, 560, 600)


def rules(pages: list[PageReading]) -> dict[str, str | None]:
    """Rule by text of all regions."""
    return {region.text: region.rule for region in clean(pages)}


def body(number: int) -> list[TextLine]:
    """Running text that is another one on each page."""
    return [line(PROSE[number + n : number + n + 30], y=100 + 14 * n) for n in range(4)]


@pytest.mark.parametrize("kind", ["text", "page-header", None])
def test_a_line_repeated_at_the_edge_is_dropped_whatever_its_number(kind: str | None) -> None:
    def numbered(number: int) -> PageReading:
        edge = line(f"某某研究所周报第{number}期", y=20)
        boxes = [] if kind is None else [(kind, edge.bbox), ("text", BODY)]
        return page([edge, *body(number)], boxes, number)

    dropped = "page_header" if kind == "page-header" else "repeated_line"
    assert rules([numbered(n) for n in (1, 2, 3)])["某某研究所周报第2期"] == dropped
    if kind != "page-header":
        assert rules([numbered(2)])["某某研究所周报第2期"] is None


@pytest.mark.parametrize("boxed", [True, False])
def test_text_repeated_on_a_few_of_many_pages_is_kept(boxed: bool) -> None:
    boxes = [("text", BODY)] if boxed else []
    pages = [page(body(n), boxes, n) for n in range(1, 11)]
    pages[2] = page([*body(3), line("单位：亿元", y=400)], boxes, 3)
    pages[6] = page([*body(7), line("单位：亿元", y=400)], boxes, 7)
    assert {region.rule for region in clean(pages)} == {None}


def test_the_model_sees_no_running_head_in_a_long_document_that_repeats_none() -> None:
    head = line("第二章 行业格局", y=200, size=14)
    pages = [page(body(n), number=n) for n in range(1, 9)]
    pages[4] = page([head], [("page-header", head.bbox)], 5)
    assert rules(pages)[head.text] is None


@pytest.mark.parametrize("boxed", [True, False])
def test_a_watermark_is_dropped_and_does_not_cut_into_text(boxed: bool) -> None:
    def marked(number: int) -> PageReading:
        marks = [line("内部资料严禁外传", x=200, y=y) for y in (301, 500)]
        boxes = [("text", BODY)] if boxed else []
        return page([line(PROSE[number:], y=300), *marks], boxes, number)

    regions = clean([marked(n) for n in range(1, 7)])
    assert [region.text for region in regions if region.kept] == [PROSE[n:] for n in range(1, 7)]
    assert {region.rule for region in regions if not region.kept} == {"watermark"}


def test_a_slanted_watermark_is_dropped() -> None:
    mark = TextLine((150, 250, 450, 550), "仅供内部使用", 48, False)
    regions = clean([page([*body(n), mark], number=n) for n in range(1, 4)])
    assert {r.rule for r in regions if r.text == mark.text} == {"watermark"}
    assert {r.rule for r in regions if r.text != mark.text} == {None}


def test_a_vertical_side_title_is_a_running_head() -> None:
    """Set letter below letter it repeats; turned it is one line, which the model sees."""
    turned = TextLine((20, 300, 32, 384), "证券研究报告", 10, False)
    boxes = [("page-header", turned.bbox), ("text", BODY)]
    for count in (1, 8):
        pages = [page([turned, *body(n)], boxes, n) for n in range(1, count + 1)]
        assert {r.rule for r in clean(pages) if r.text == turned.text} == {"page_header"}
    letters = [line(char, x=20, y=300 + 14 * n) for n, char in enumerate("证券研究报告")]
    plain = clean([page([*letters, *body(n)], number=n) for n in range(1, 4)])
    assert {r.rule for r in plain if len(r.text) == 1} == {"repeated_line"}
    assert {r.rule for r in plain if len(r.text) > 1} == {None}


def legal_page(number: int, lines: list[TextLine], boxed: bool) -> PageReading:
    boxes: list[tuple[str, Box]] = [
        ("section-header" if item.bold else "text", item.bbox) for item in lines
    ]
    return page(lines, boxes if boxed else [], number)


@pytest.mark.parametrize("boxed", [True, False])
@pytest.mark.parametrize("title", ["免责声明", "【分析师承诺】", "投资评级说明", "Disclaimer"])
def test_a_disclaimer_runs_from_its_title_to_the_foot_and_over_the_page(
    title: str, boxed: bool
) -> None:
    first = [
        line(PROSE, y=100),
        line(title, y=200, bold=True),
        line(LEGAL, y=230),
        line("某某证券研究所", y=280),
    ]
    second = [
        line("本报告版权归本公司所有，未经书面许可任何机构和个人不得转载。", y=100),
        line("北京", y=150),
    ]
    # a document's first page has its own columns, so these stand on later ones
    pages = [legal_page(3, [line(PROSE, y=300)], boxed)]
    pages += [legal_page(4, first, boxed), legal_page(5, second, boxed)]
    regions = clean(pages)
    assert {r.rule for r in regions if r.page == 3} == {None}
    assert [r.rule for r in regions if r.page == 4] == [None, *["disclaimer"] * 3]
    assert {r.rule for r in regions if r.page == 5} == {"disclaimer"}


def test_a_long_legal_paragraph_falls_without_a_title() -> None:
    told = (
        "未经本院书面许可，任何人不得以任何方式擅自复制、传播或引用其中内容，违者本院保留采取法律措施、"
        "追究相关人员责任的权利。本院开展的商业活动均使用本院的商号与商标，并无任何其他分支机构，"
        "也未授权或聘用其他任何第三方代表本院开展商业活动，凡以本院名义开展的其他活动均与本院无关，"
        "请各界人士注意甄别，如有疑问可向本院的联络人员查询核实，以免蒙受不必要的损失。"
    )
    regions = clean([legal_page(1, [line(PROSE, y=100), line(told, y=300)], True)])
    assert [region.rule for region in regions if region.text == told] == ["disclaimer"]


@pytest.mark.parametrize("boxed", [True, False])
def test_a_rating_definition_page_falls_whole(boxed: bool) -> None:
    lines = [
        line("行业评级体系", y=100, bold=True),
        line("看好：未来6个月内行业指数相对沪深300指数的涨幅在10%以上；", y=130),
        line("中性：介于看好与看淡之间；", y=160),
        line("看淡：未来 6 个月内行业指数相对沪深 300 指数表现落后５％以上。", y=190),
    ]
    pages = [legal_page(1, [line(PROSE, y=300)], boxed), legal_page(2, lines, boxed)]
    regions = clean(pages)
    assert {r.rule for r in regions if r.page == 2} == {"disclaimer"}
    assert {r.rule for r in regions if r.page == 1} == {None}


@pytest.mark.parametrize("boxed", [True, False])
def test_a_chapter_behind_a_disclaimer_is_kept(boxed: bool) -> None:
    lines = [
        line("重要声明", y=100, bold=True),
        line(LEGAL, y=130),
        line("一、行业概况", y=200, bold=True),
        *[line(PROSE, y=230 + 30 * n) for n in range(3)],
    ]
    pages = [legal_page(2, lines, boxed), legal_page(3, [line(PROSE, y=300)], boxed)]
    kept = "".join(r.text for r in clean(pages) if r.kept)
    assert kept == "一、行业概况" + PROSE * 4


@pytest.mark.parametrize("boxed", [True, False])
def test_a_pointer_to_the_disclaimer_opens_nothing(boxed: bool) -> None:
    lines = [line("请参阅报告末页的重要声明", y=100, bold=True), line(PROSE, y=130)]
    assert rules([page([], number=1), legal_page(2, lines, boxed)])[PROSE] is None


def test_the_cover_keeps_its_title_and_text_only() -> None:
    """Rating box, analysts and data beside the text, company and date above it, are metadata."""
    text = [line(PROSE[:30], x=60, y=200 + 14 * n) for n in range(6)]
    side = [
        line("买入（维持）", x=420, y=200),
        line("目标价：32.50 元", x=420, y=230),
        line("总市值（亿元） 120", x=420, y=260),
        line("证券分析师 张三", x=420, y=290),
        line("相关研究", x=420, y=320),
    ]
    title = line("订单回暖，全年可期", size=20, y=80)
    name = line("星河科技（688999）", size=24, y=50)
    day = line("2026 年 03 月 02 日", y=120)
    boxes = [("text", (60, 195, 370, 300)), ("section-header", title.bbox)]
    boxes += [("section-header", name.bbox), *(("text", item.bbox) for item in (*side, day))]
    regions = clean([page([*text, *side, title, name, day], boxes)])
    assert [region.text for region in regions if region.kept] == [title.text, PROSE[:30] * 6]
    assert [region.kind for region in regions if region.kept] == ["title", "text"]
    assert {region.rule for region in regions if not region.kept} == {"cover_block"}
    kinds = {region.text: region.kind for region in regions}
    assert {kinds[item.text] for item in side} == {"side"}
    assert kinds[name.text] == kinds[day.text] == "cover"


def test_a_callout_beside_the_text_of_a_cover_is_kept() -> None:
    text = [line(PROSE[:30], x=60, y=200 + 14 * n) for n in range(6)]
    callout = line("预计到2034年，全球医疗服务市场将达到6,140亿美元", x=420, y=200)
    label = line("数据总量36% CAGR", x=420, y=240)
    title = line("人工智能的价值", size=20, y=80)
    boxes = [("text", (60, 195, 370, 300)), ("section-header", title.bbox)]
    boxes += [("text", each.bbox) for each in (callout, label)]
    told = rules([page([*text, callout, label, title], boxes)])
    assert (told[callout.text], told[label.text]) == (None, "cover_block")


@pytest.mark.parametrize("boxed", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "星河科技（688999.SH）",
        "投资评级：买入（维持）",
        "增持",
        "分析师：张三",
        "研究助理 李四",
        "2026年03月02日",
        "收盘价（元） 25.60",
        "总市值（亿元） 120",
        "证券研究报告",
        "Target price: USD 12",
    ],
)
def test_data_of_a_cover_are_dropped_on_the_first_page_alone(text: str, boxed: bool) -> None:
    lines = [line("订单回暖，全年可期", size=20, y=80), line(text, y=150), line(PROSE, y=200)]
    boxes = [("title", lines[0].bbox), *(("text", item.bbox) for item in lines[1:])]
    first = page(lines, boxes if boxed else [])
    assert rules([first])[text] == "cover_block"
    other = page(lines, boxes if boxed else [], number=2)
    assert rules([page([line(PROSE[:45])]), other])[text] is None


@pytest.mark.parametrize(("foot", "kept"), [("2025 FORM 10-K {}", 0), ("January 26, 2025", 5)])
def test_a_numbered_foot_goes_wherever_its_page_ends(foot: str, kept: int) -> None:
    texts = [str(n) + PROSE[n:] for n in range(5)]
    pages = [
        page([line(text, y=100), line(foot.format(n + 20), y=380 + 70 * n)], number=n + 2)
        for n, text in enumerate(texts)
    ]
    left = [r.text for r in clean(pages) if r.kept]
    assert [text for text in left if text in texts] == texts
    assert len(left) == len(texts) + kept
