"""Cleaning as a whole: every character once, reading order, paragraphs, headings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Box, PageReading, Region, TextLine
from finrag_pipeline.stages.chunking.sentences import read_sections
from finrag_pipeline.stages.cleaning.clean import RULES, clean
from finrag_pipeline.stages.cleaning.geometry import bounds
from finrag_pipeline_tests.stages.read_pages import PROSE, characters, line, page

FULL: Box = (50, 90, 545, 760)
NOWHERE: Box = (0, 0, 0, 0)


def kept(regions: tuple[Region, ...]) -> list[str]:
    return [region.text for region in regions if region.kept]


def laid(kind: str | None, box: Box = FULL) -> list[tuple[str, Box]]:
    """One layout box, or none."""
    return [] if kind is None else [(kind, box)]


@pytest.mark.parametrize("kind", ["text", None])
def test_joins_the_lines_of_a_chinese_paragraph_without_spaces(kind: str | None) -> None:
    lines = [line(PROSE[:40], y=100), line(PROSE[40:], y=114)]
    (region,) = clean([page(lines, laid(kind), number=2)])
    assert region.text == PROSE
    assert region.bbox == (60, 100, 460, 124)


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("受访专家中，有4", "6%将其作为门槛，", "有46%将"),
        ("受访专家中，有4", "6名将其作为门槛，", "有4 6名"),  # may be two figures
        ("渗透率的变化见图4", "6%的医院已经采用，", "图4 6%"),
    ],
)
def test_a_share_that_a_line_cuts_is_one(above: str, below: str, joined: str) -> None:
    lines = [line(above, y=100), line(below + PROSE[:20], y=114)]
    (region,) = clean([page(lines, laid("text"), number=2)])
    assert joined in region.text


@pytest.mark.parametrize("kind", ["text", None])
def test_joins_english_lines_with_spaces_but_not_behind_a_hyphen(kind: str | None) -> None:
    lines = [
        line("Revenue rose eight percent year-on-", y=100),
        line("year, driven by overseas orders and", y=114),
        line("a recovery of demand.", y=128),
    ]
    (region,) = clean([page(lines, laid(kind), number=2)])
    assert region.text == (
        "Revenue rose eight percent year-on-year, driven by overseas orders and "
        "a recovery of demand."
    )


@pytest.mark.parametrize("kind", ["text", None])
def test_full_width_forms_stay_as_printed(kind: str | None) -> None:
    text = (
        "营收同比增长１２．３％，净利润（扣非）同比增长８％；ＥＰＳ为０．５６元，ＲＯＥ为１０％。"
    )
    assert kept(clean([page([line(text)], laid(kind), number=2)])) == [text]


@pytest.mark.parametrize("kind", ["text", None])
@pytest.mark.parametrize("mark", ["➢ ", "\uf06e ", "● "])
def test_cuts_paragraphs_at_bullets(mark: str, kind: str | None) -> None:
    texts = [mark + PROSE[:40], mark + "风险提示：" + PROSE[:30]]
    lines = [line(text, y=100 + 14 * n) for n, text in enumerate(texts)]
    assert kept(clean([page(lines, laid(kind), number=2)])) == texts


@pytest.mark.parametrize("kind", ["text", None])
def test_a_bullet_that_is_a_line_of_its_own_opens_its_item(kind: str | None) -> None:
    items = [
        (line("●", x=60, y=100 + 30 * n), line(PROSE[n : n + 30], x=80, y=100 + 30 * n))
        for n in range(3)
    ]
    # the file may hold all bullets before the text
    lines = [mark for mark, _ in items] + [text for _, text in items]
    regions = clean([page(lines, laid(kind), number=2)])
    assert kept(regions) == [f"● {PROSE[n : n + 30]}" for n in range(3)]


@pytest.mark.parametrize("kind", ["text", None])
def test_cuts_paragraphs_behind_a_short_row_that_ends_a_sentence(kind: str | None) -> None:
    lines = [line(PROSE[:46], y=100), line("需求稳定。", y=114), line(PROSE[:46], y=128)]
    texts = kept(clean([page(lines, laid(kind), number=2)]))
    assert texts == [PROSE[:46] + "需求稳定。", PROSE[:46]]


def column(sign: str, x: float, width: int) -> list[TextLine]:
    """Five rows of running text, the first of which starts with a sign."""
    text = sign + PROSE * 2
    return [line(text[n * width : (n + 1) * width], x=x, y=100 + 14 * n, size=8) for n in range(5)]


@pytest.mark.parametrize("boxed", [True, False])
@pytest.mark.parametrize(("count", "width"), [(2, 28), (3, 18)])
def test_reads_columns_one_after_the_other_below_a_headline(
    count: int, width: int, boxed: bool
) -> None:
    headline = line("二季度业绩回升明显全年指引维持不变海外业务成为最主要的增长来源", size=15, y=60)
    step = width * 8 + 20
    columns = [column("甲乙丙"[n], 50 + step * n, width) for n in range(count)]
    # the file has the rows of all columns from the top, as some producers write them
    rows = [item for row in zip(*columns, strict=True) for item in reversed(row)]
    boxes = [("section-header", headline.bbox)]
    boxes += [("text", bounds(item.bbox for item in lines)) for lines in reversed(columns)]
    regions = clean([page([*rows, headline], boxes if boxed else [], number=2)])
    assert kept(regions) == [
        headline.text,
        *("".join(item.text for item in lines) for lines in columns),
    ]


def test_paragraphs_that_stand_level_in_two_columns_do_not_interleave() -> None:
    left = [line(f"左{n}" + PROSE[:20], x=60, y=100 + 40 * n) for n in range(3)]
    right = [line(f"右{n}" + PROSE[:20], x=320, y=100 + 40 * n) for n in range(3)]
    boxes = [("text", item.bbox) for item in (*right, *left)]
    regions = clean([page([*right, *left], boxes, number=2)])
    assert [text[:2] for text in kept(regions)] == ["左0", "左1", "左2", "右0", "右1", "右2"]


@pytest.mark.parametrize("boxed", [True, False])
def test_a_sentence_goes_on_in_the_next_column_and_over_the_page(boxed: bool) -> None:
    """Running heads, feet and page numbers between its parts do not part it."""
    whole = (
        "".join(
            f"公司第{n}项业务收入稳步增长，" for n in "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸"
        )
        + "需求良好。"
    )
    parts = [whole[k : k + 75] for k in range(0, len(whole), 75)]
    places = [(2, 60.0), (2, 320.0), (3, 60.0), (3, 320.0)]
    pages: list[PageReading] = []
    for number in (2, 3):
        mine = [
            [line(text[15 * n :][:15], x=x, y=100 + 14 * n) for n in range(5)]
            for text, (where, x) in zip(parts, places, strict=True)
            if where == number
        ]
        edges = [line("某某公司深度报告", y=20), line(f"{number}", x=290, y=815)]
        boxes = [("text", bounds(item.bbox for item in lines)) for lines in mine]
        boxes += [("page-header", edges[0].bbox), ("page-footer", edges[1].bbox)]
        lines = [edges[0], *(item for lines in mine for item in lines), edges[1]]
        pages.append(page(lines, boxes if boxed else [], number))
    (section,) = read_sections(clean(pages))
    (sentence,) = section.sentences
    assert sentence.text == whole
    assert [place.page for place in sentence.places] == [2, 2, 3, 3]


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
    for each in pages:
        mine = [region for region in regions if region.page == each.page]
        printed = characters(item.text for item in each.lines)
        assert characters(region.text for region in mine) == printed
        x0, y0, x1, y1 = bounds(item.bbox for item in each.lines) if each.lines else NOWHERE
        for left, top, right, bottom in (region.bbox for region in mine):
            assert x0 <= left <= right <= x1 and y0 <= top <= bottom <= y1
    assert [region.ordinal for region in regions] == list(range(len(regions)))
    assert [region.page for region in regions] == sorted(region.page for region in regions)
    assert {region.rule for region in regions if region.rule} <= set(RULES)
    assert all(len(region.section) <= 3 for region in regions)
    assert clean(pages) == regions


def test_a_numbered_paragraph_with_hanging_rows_is_one() -> None:
    rows = ["1.1 " + PROSE[:40], PROSE[40:] + "需求稳定。"]
    lines = [line(rows[0], y=100), line(rows[1], x=84, y=114)]
    right = line("满" * 42, x=60, y=60)  # the width of the column
    texts = kept(clean([page([right, *lines], number=2)]))
    assert "".join(rows) in texts


def test_the_day_above_a_paragraph_is_no_part_of_it() -> None:
    lines = [line("2025 年08 月22 日", x=400, y=100), line(PROSE, y=116)]
    regions = clean([page(lines, [("text", (50, 95, 545, 140))])])
    assert [(r.text, r.rule) for r in regions] == [
        ("2025 年08 月22 日", "cover_block"),
        (PROSE, None),
    ]
