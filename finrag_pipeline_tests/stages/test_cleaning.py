"""Cleaning as a whole: every character once, reading order, paragraphs, headings, the cover."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Box, PageReading, Region
from finrag_pipeline.stages.cleaning import RULES, clean
from finrag_pipeline_tests.stages.pages import PROSE, characters, line, page

FULL: Box = (50, 90, 545, 760)


def kept(regions: tuple[Region, ...]) -> list[str]:
    return [region.text for region in regions if region.kept]


def test_joins_the_lines_of_a_chinese_paragraph_without_spaces() -> None:
    lines = [line(PROSE[:40], y=100), line(PROSE[40:], y=114)]
    (region,) = clean([page(lines, [("text", FULL)], number=2)])
    assert region.text == PROSE
    assert region.bbox == (60, 100, 460, 124)


def test_joins_english_lines_with_spaces_but_not_behind_a_hyphen() -> None:
    lines = [
        line("Revenue rose eight percent year-on-", y=100),
        line("year, driven by overseas orders and", y=114),
        line("a recovery of demand.", y=128),
    ]
    (region,) = clean([page(lines, [("text", FULL)], number=2)])
    assert region.text == (
        "Revenue rose eight percent year-on-year, driven by overseas orders and "
        "a recovery of demand."
    )


def test_cuts_paragraphs_at_bullets() -> None:
    lines = [line("➢ " + PROSE, y=100), line("➢ 风险提示：" + PROSE, y=114)]
    assert len(clean([page(lines, [("text", FULL)], number=2)])) == 2


def test_reads_two_columns_one_after_the_other_below_a_headline() -> None:
    headline = line("二季度业绩回升明显全年指引维持不变海外业务成为最主要的增长来源", size=15, y=60)
    left = [line(f"左{n}" + PROSE[:20], x=60, y=100 + 40 * n) for n in range(3)]
    right = [line(f"右{n}" + PROSE[:20], x=320, y=100 + 40 * n) for n in range(3)]
    boxes = [("section-header", headline.bbox)]
    boxes += [("text", item.bbox) for item in (*right, *left)]
    regions = clean([page([*right, *left, headline], boxes, number=2)])
    assert [region.text[:2] for region in regions] == [
        "二季",
        "左0",
        "左1",
        "左2",
        "右0",
        "右1",
        "右2",
    ]


def test_parts_a_side_column_that_the_model_put_into_one_box() -> None:
    side = [line("总市值（亿元）", x=60, y=100 + 14 * n) for n in range(4)]
    body = [line(PROSE[:34], x=200, y=100 + 14 * n) for n in range(4)]
    regions = clean([page([*side, *body], [("table", FULL)], number=2)])
    assert any(region.kept and region.text == PROSE[:34] * 4 for region in regions)


def test_headings_give_the_path_of_what_follows() -> None:
    lines = [
        line("一、公司概况", y=100, size=14, bold=True),
        line(PROSE, y=130, size=8),
        line("1.1 历史沿革", y=160, size=12, bold=True),
        line(PROSE, y=190, size=8),
        line("二、盈利预测", y=220, size=14, bold=True),
        line(PROSE, y=250, size=8),
    ]
    boxes = [("section-header" if item.bold else "text", item.bbox) for item in lines]
    regions = clean([page(lines, boxes, number=2)])
    assert [region.kind for region in regions] == ["heading", "text"] * 3
    assert regions[1].section == ("一、公司概况",)
    assert regions[3].section == ("一、公司概况", "1.1 历史沿革")
    assert regions[5].section == ("二、盈利预测",)


def test_the_cover_keeps_its_title_and_text_only() -> None:
    text = [line(PROSE[:30], x=60, y=200 + 14 * n) for n in range(6)]
    side = [
        line("买入（维持）", x=420, y=200),
        line("目标价：32.50 元", x=420, y=230),
        line("2026年03月02日", x=420, y=260),
        line("相关研究", x=420, y=290),
    ]
    title = line("订单回暖，全年可期", size=20, y=80)
    name = line("星河科技（688999）", size=24, y=50)
    boxes = [("text", (60, 195, 370, 300)), ("section-header", title.bbox)]
    boxes += [("section-header", name.bbox), *(("text", item.bbox) for item in side)]
    regions = clean([page([*text, *side, title, name], boxes)])
    assert kept(regions) == ["订单回暖，全年可期", PROSE[:30] * 6]
    assert [region.kind for region in regions if region.kept] == ["title", "text"]
    assert {region.rule for region in regions if not region.kept} == {"cover_block"}


WORDS = st.text(
    alphabet=st.sampled_from(
        "公司收入增长。，、：；12.3%（）abc -\u3000资料来源目录免责声明[Table_]分析师@"
    ),
    min_size=1,
    max_size=40,
)
BOXES = st.tuples(st.floats(0, 500), st.floats(0, 800), st.floats(1, 300), st.floats(1, 300)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)
KINDS = st.sampled_from(
    [
        "page-header",
        "page-footer",
        "section-header",
        "title",
        "text",
        "list-item",
        "table",
        "picture",
        "caption",
    ]
)


@st.composite
def documents(draw: st.DrawFn) -> list[PageReading]:
    pages = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        texts = draw(st.lists(WORDS, max_size=8))
        lines = [
            line(
                text,
                x=draw(st.floats(0, 500)),
                y=draw(st.floats(0, 830)),
                size=draw(st.sampled_from([1.0, 8.0, 10.0, 18.0])),
                visible=draw(st.booleans()),
            )
            for text in texts
        ]
        pages.append(page(lines, draw(st.lists(st.tuples(KINDS, BOXES), max_size=5)), number))
    return pages


@given(documents())
@settings(max_examples=150, deadline=None)
def test_every_character_is_in_exactly_one_region(pages: list[PageReading]) -> None:
    regions = clean(pages)
    printed = characters(item.text for each in pages for item in each.lines)
    assert characters(region.text for region in regions) == printed
    assert [region.ordinal for region in regions] == list(range(len(regions)))
    assert [region.page for region in regions] == sorted(region.page for region in regions)
    assert {region.rule for region in regions if region.rule} <= set(RULES)
    assert all(len(region.section) <= 3 for region in regions)
    assert clean(pages) == regions
