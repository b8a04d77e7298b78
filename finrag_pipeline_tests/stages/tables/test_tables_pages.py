"""Tables that cross pages: what is joined, what is not, and what a repeated header loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Cell, Place, Table
from finrag_pipeline.stages.tables.headers import with_header
from finrag_pipeline.stages.tables.pages import TablePart
from finrag_pipeline.stages.tables.reading import join_pages
from finrag_pipeline_tests.stages.read_pages import PROSE, write
from finrag_pipeline_tests.stages.table_files import (
    HIGH,
    LEFT,
    ROWS,
    WIDE,
    draw_table,
    parts_of,
    tables_of,
    texts,
)

HEADER, BODY = ROWS[0], ROWS[1:]
MORE = [[f"第{n}项", f"{n}.10", f"{n}.20", f"{n}.30"] for n in range(1, 6)]
#: Tops of a table that ends near the foot of a page, and of one that begins near its head.
LOW, TOP = 600, 90


def two_pages(
    path: Path,
    second: Sequence[Sequence[str]],
    *,
    below: str = "",
    above: str = "",
    at: float = TOP + 6,
    left: float = LEFT,
    ruled: bool = True,
) -> Path:
    """A table at the foot of a page and another at the head of the next, with running heads."""
    with pymupdf.open() as document:
        for number in (1, 2):
            page = document.new_page(width=595, height=842)
            write(page, "公司研究 证券研究报告", (60, 40), 9)
            write(page, f"请务必阅读正文之后的声明 {number}", (60, 820), 9)
            if number == 1:
                write(page, PROSE[:40], (60, 300))
                write(page, "表1：主要财务指标", (60, LOW - 10))
                draw_table(page, [HEADER, *BODY], LOW, ruled=ruled)
                write(page, below, (60, LOW + HIGH * len(ROWS) + 20))
            else:
                write(page, above, (60, at))
                draw_table(page, second, TOP + 16, left=left, ruled=ruled)
                write(page, PROSE[:40], (60, 500))
        document.save(path)
    return path


@pytest.mark.parametrize(("repeated", "ruled"), [(True, True), (False, True), (True, False)])
def test_a_table_goes_on_and_its_repeated_header_goes(
    tmp_path: Path, repeated: bool, ruled: bool
) -> None:
    path = two_pages(tmp_path / "a.pdf", [HEADER, *MORE] if repeated else MORE, ruled=ruled)
    assert len(parts_of(path)) == 2
    (table,) = tables_of(path)
    assert texts(table) == [HEADER, *BODY, *MORE]
    assert (table.ordinal, table.page, table.title) == (0, 1, "表1：主要财务指标")
    assert [place.page for place in table.places] == [1, 2]
    assert [cell.page for cell in table.cells] == [1] * 20 + [2] * 20
    assert table.cells[-1].bbox is not None and table.cells[-1].bbox[1] < 300
    assert [cell.row for cell in table.cells if cell.column == 0] == list(range(10))
    assert table.header == tuple(HEADER)
    assert table.html.count("<tr>") == 10


@pytest.mark.parametrize(
    "title", ["表1：主要财务指标（续）", "续表", "表1：主要财务指标", "单位：百万元"]
)
def test_a_title_that_says_so_goes_on(tmp_path: Path, title: str) -> None:
    path = two_pages(tmp_path / "a.pdf", [HEADER, *MORE], above=title)
    (table,) = tables_of(path)
    assert texts(table) == [HEADER, *BODY, *MORE]
    assert table.title == "表1：主要财务指标"


@pytest.mark.parametrize("number", ["8", "43 / 136", "- 12 -", "第 5 页 共 90 页"])
def test_a_page_number_where_the_text_ends_ends_no_table(tmp_path: Path, number: str) -> None:
    (table,) = tables_of(two_pages(tmp_path / "a.pdf", MORE, below=number))
    assert texts(table) == [HEADER, *BODY, *MORE]


def test_a_part_goes_on_that_begins_with_the_rest_of_a_last_cell() -> None:
    head = ["项目", "期末数", "占比", "上期期末数", "说明"]
    first = [head, ["存货", "1,200", "3.1", "900", "备货"], ["税费", "300", "0.8", "200", "企业所"]]
    rest = ["", "", "", "", "得税增加"]
    moved = [rest, ["应付账款", "800", "2.0", "500", "采购增加"], ["预收款", "40", "0.1", "30", ""]]
    one, two = part(1, first), _set_anew(part(2, moved))
    (table,) = join_pages([one, two])
    assert [cell.text for cell in table.cells if cell.row == 4] == moved[1]
    assert [cell.text for cell in table.cells if cell.header and cell.text] == head
    named = _set_anew(part(2, [["", "", "", "合计", ""], *moved[1:]]))
    assert len(join_pages([one, named])) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"second": [row[:3] for row in MORE]},
        {"second": MORE, "left": LEFT + 30},
        {"second": MORE, "below": "公司产品以试剂为主。"},
        {"second": MORE, "above": "公司产品以试剂为主。"},
        {"second": [HEADER, *MORE], "above": "表2：可比公司估值"},
    ],
    ids=["fewer columns", "moved", "text below", "text above", "another title"],
)
def test_what_does_not_go_on_stays_two_tables(tmp_path: Path, change: dict[str, object]) -> None:
    found = tables_of(two_pages(tmp_path / "a.pdf", **change))  # type: ignore[arg-type]
    assert [table.ordinal for table in found] == [0, 1]
    assert [table.page for table in found] == [1, 2]
    assert texts(found[0]) == ROWS


def test_a_page_between_ends_a_table() -> None:
    first, second = part(1, ROWS), part(3, MORE)
    assert len(join_pages([first, second])) == 2
    assert len(join_pages([first, part(2, MORE)])) == 1


def test_tables_that_no_page_left_open_stay_as_they_are() -> None:
    # as the other engines give them: nobody can tell what stands around them
    closed = [
        Table(number, number, (60, 90, 500, 200), part(number, ROWS).cells) for number in (1, 2)
    ]
    assert [texts(table) for table in join_pages(closed)] == [ROWS, ROWS]


def test_a_part_without_a_header_goes_on_beneath_parts_of_columns() -> None:
    # heads beside their figures make columns of their own on the first page only
    head = ["项目", "期末数", "", "占比", "上期期末数", "说明"]
    first = [
        head,
        ["存货", "1,200", "3.1", "", "900", "备货"],
        ["商誉", "300", "0.8", "", "300", ""],
    ]
    rest = [["应付账款", "800", "2.0", "500", "采购增加"], ["预收款", "40", "0.1", "30", "订单"]]
    (table,) = join_pages([part(1, first), part(2, rest)])
    told = {(cell.row, cell.column): cell.text for cell in table.cells if cell.text}
    assert [told.get((3, column)) for column in range(5)] == rest[0]
    assert [told.get((4, column)) for column in range(5)] == rest[1]
    assert [place.page for place in table.places] == [1, 2]


def test_remarks_that_no_row_overleaf_has_leave_the_columns_before_them() -> None:
    head = ["产品", "成本构成", "本期金额", "上年金额", "说明"]
    first = [head, ["液体乳", "直接材料", "1,200", "900", "原料降价"]]
    (table,) = join_pages([part(1, first), part(2, [["冷饮", "直接材料", "300", "310"]])])
    assert [cell.text for cell in table.cells if cell.row == 2] == [
        "冷饮",
        "直接材料",
        "300",
        "310",
    ]
    # figures are no remarks
    first[1][-1] = "33.3"
    assert len(join_pages([part(1, first), part(2, [["冷饮", "直接材料", "300", "310"]])])) == 2


@pytest.mark.parametrize("opened", [[], [["一、经营活动产生的现金流量：", "", ""]]])
def test_heads_that_end_a_page_head_as_many_columns_overleaf(opened: list[list[str]]) -> None:
    heads = [["项目", "2025年", "2024年"], *opened]
    rows = [["收到的税费返还", "120", "90"], ["支付的各项税费", "300", "310"]]
    (table,) = join_pages([part(1, heads), _set_anew(part(2, rows))])
    assert texts(table) == [*heads, *rows]
    assert [cell.text for cell in table.cells if cell.header] == heads[0]


def test_heads_overleaf_may_go_on_with_months_under_what_says_the_unit() -> None:
    stated = ["", "单位：元币种：人民币", "审计类型：未经审计"]
    heads = ["项目", "2025 年前三季度", "2024 年前三季度"]
    months = ["", "（1-9 月）", "（1-9 月）"]
    rows = [["销售商品收到的现金", "383.2", "308.4"], ["收到的税费返还", "1.2", "0.4"]]
    (table,) = join_pages([part(1, [stated, heads]), _set_anew(part(2, [months, *rows]))])
    assert [cell.text for cell in table.cells if cell.text] == [
        *heads,
        *filter(None, months),
        *(text for row in rows for text in row),
    ]
    assert (table.unit, len(table.periods)) == ("元", 2)


def test_a_part_that_stands_between_the_sides_of_its_table_goes_on() -> None:
    head, *rows = [
        ["项目", "房屋", "合计"],
        ["期初余额", "30.1", "30.1"],
        ["期末余额", "13.2", "13.2"],
    ]
    rest = part(2, [["期末价值", "11.7", "11.7"]])
    moved = [replace(c, bbox=(c.bbox[0] + 25, *c.bbox[1:])) for c in rest.cells if c.bbox]
    (table,) = join_pages([part(1, [head, *rows]), replace(rest, cells=tuple(moved))])
    assert texts(table)[3] == ["期末价值", "11.7", "11.7"]


@pytest.mark.parametrize(
    "other",
    [
        [["应付账款", "采购", "2.0", "500", "增加"]],  # words where figures stand
        [["项目", "数量", "占比", "金额", "说明"], ["晶圆", "800", "2.0", "500", "增产"]],  # a head
        [["应付账款", "800", "2.0", "采购增加"]],  # fewer columns
    ],
)
def test_another_table_on_the_next_page_stays_alone(other: list[list[str]]) -> None:
    head = ["项目", "期末数", "", "占比", "上期期末数", "说明"]
    first = [
        head,
        ["存货", "1,200", "3.1", "", "900", "备货"],
        ["商誉", "300", "0.8", "", "300", ""],
    ]
    assert len(join_pages([part(1, first), part(2, other)])) == 2


#: What a row of a form prints in a cell, and from where to where it reaches, in points.
Ruled = Sequence[tuple[str, float, float]]
HOLDERS: list[Ruled] = [
    [
        ("报告期末股东总数", 60, 180),
        ("11,921", 180, 300),
        ("优先股股东总数", 300, 420),
        ("0", 420, 540),
    ],
    [("股东名称", 60, 220), ("股东性质", 220, 340), ("持股数量", 340, 460), ("持股比例", 460, 540)],
    [("华博公司", 60, 220), ("法人", 220, 340), ("46,770,579", 340, 460), ("11.67", 460, 540)],
]
MORE_HOLDERS: list[Ruled] = [
    [("张三", 60, 220), ("自然人", 220, 340), ("14,540,984", 340, 460), ("3.63", 460, 540)],
    [("李四", 60, 220), ("自然人", 220, 340), ("9,000,000", 340, 460), ("2.25", 460, 540)],
    [("股东名称", 60, 260), ("无限售股份", 260, 400), ("数量", 400, 540)],
    [("华博公司", 60, 260), ("人民币普通股", 260, 400), ("46,770,579", 400, 540)],
]


def test_a_form_goes_on_whatever_columns_its_other_blocks_have() -> None:
    (table,) = join_pages([ruled(1, HOLDERS), ruled(2, MORE_HOLDERS)])
    at = {cell.text: (cell.row, cell.column) for cell in table.cells}
    assert at["张三"] == (3, 0)
    assert at["3.63"][1] == at["持股比例"][1] == at["11.67"][1]
    assert at["14,540,984"][1] == at["持股数量"][1]
    assert [place.page for place in table.places] == [1, 2]


@pytest.mark.parametrize(
    "other",
    [
        [[("张三", 60, 300), ("14,540,984", 300, 430), ("3.63", 430, 540)]],  # other rules
        [
            [("张三", 60, 180), ("自然人", 180, 300), ("3.63", 300, 420), ("否", 420, 470)]
        ],  # narrower
        [
            [("姓名", 60, 220), ("性质", 220, 340), ("薪酬", 340, 460), ("股权", 460, 540)],
            *MORE_HOLDERS,
        ],
    ],
    ids=["other rules", "narrower", "a head"],
)
def test_another_form_on_the_next_page_stays_alone(other: list[Ruled]) -> None:
    assert len(join_pages([ruled(1, HOLDERS), ruled(2, other)])) == 2


def test_three_columns_go_on_where_they_stand_under_those_of_the_head() -> None:
    first: list[Ruled] = [
        [("项目", 84, 262), ("本期金额", 262, 349), ("上期金额", 349, 443), ("说明", 443, 537)],
        [("政府补助", 84, 262), ("1,200", 262, 349), ("900", 349, 443), ("", 443, 537)],
    ]
    rest: list[Ruled] = [[("所得税影响额", 90, 272), ("80", 272, 363), ("70", 363, 437)]]
    (table,) = join_pages([ruled(1, first), ruled(2, rest)])
    assert [cell.column for cell in table.cells if cell.row == 2] == [0, 1, 2]
    beside: list[Ruled] = [[("所得税影响额", 90, 300), ("80", 355, 440), ("70", 445, 500)]]
    assert len(join_pages([ruled(1, first), ruled(2, beside)])) == 2


def test_the_running_head_of_a_report_names_no_table(tmp_path: Path) -> None:
    running = "某某股份2024 年半年度报告摘要"
    (table,) = tables_of(two_pages(tmp_path / "a.pdf", MORE, above=running, at=TOP - 10))
    assert texts(table) == [HEADER, *BODY, *MORE]


def ruled(page: int, rows: Sequence[Ruled]) -> TablePart:
    """A part of a table whose cells stand where they are told, in columns of all their rules."""
    grid = sorted({x for row in rows for _, *sides in row for x in sides})
    cells = tuple(
        Cell(
            r,
            grid.index(left),
            text,
            (left, 90 + HIGH * r, right, 90 + HIGH * (r + 1)),
            column_span=grid.index(right) - grid.index(left),
            page=page,
        )
        for r, row in enumerate(rows)
        for text, left, right in row
    )
    return open_part(page, with_header(cells))


def part(page: int, rows: Sequence[Sequence[str]]) -> TablePart:
    """A part of a table that may go on at both ends."""
    cells = tuple(
        Cell(
            r,
            c,
            text,
            (LEFT + WIDE * c, 90 + HIGH * r, LEFT + WIDE * (c + 1), 90 + HIGH * (r + 1)),
            page=page,
        )
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    )
    return open_part(page, with_header(cells))


def _set_anew(table: TablePart) -> TablePart:
    """A part with other edges between its columns."""
    cells: list[Cell] = []
    for cell in table.cells:
        assert cell.bbox is not None
        x0, y0, x1, y1 = cell.bbox
        inner = (x0 + 20 * (cell.column > 0), y0, x1 + 20 * (cell.column < 4), y1)
        cells.append(replace(cell, bbox=inner))
    return replace(table, cells=tuple(cells))


def open_part(page: int, cells: tuple[Cell, ...]) -> TablePart:
    """The same of cells."""
    box = (LEFT, 90, LEFT + 4 * WIDE, 90 + HIGH * (cells[-1].row + 1))
    places = (Place(page, box),)
    return TablePart(0, page, box, cells, places=places, open_above=True, open_below=True)


FIGURES = st.decimals(0, 10**6, places=2, allow_nan=False).map(lambda value: f"{value:,}")
BODIES = st.lists(
    st.tuples(st.text("营收成本利润资产负债", min_size=1, max_size=6), FIGURES, FIGURES, FIGURES),
    min_size=1,
    max_size=12,
)


@settings(deadline=None)
@given(st.data(), BODIES, st.booleans())
def test_any_split_over_pages_gives_back_the_same_rows(
    data: st.DataObject, body: list[tuple[str, ...]], repeated: bool
) -> None:
    cuts = data.draw(st.sets(st.integers(1, len(body)), max_size=4))
    edges = [0, *sorted(cuts - {len(body)}), len(body)]
    rows = [list(row) for row in body]
    parts = [
        part(number + 1, [HEADER] * (number == 0 or repeated) + rows[start:stop])
        for number, (start, stop) in enumerate(pairwise(edges))
    ]
    (table,) = join_pages(parts)
    assert texts(table) == [HEADER, *rows]
    assert [place.page for place in table.places] == [p.page for p in parts]
    assert sorted({cell.row for cell in table.cells}) == list(range(len(rows) + 1))


def head_alone(path: Path, heads: Sequence[str], second: Sequence[Sequence[str]]) -> Path:
    """A ruled row of heads at the foot of a page, and a table at the head of the next."""
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        write(page, PROSE[:40], (60, 300))
        write(page, "表2：细分市场规模及预测（亿元）", (60, 690))
        draw_table(page, [heads], 700)
        page = document.new_page(width=595, height=842)
        draw_table(page, second, TOP)
        write(page, PROSE[:40], (60, 500))
        document.save(path)
    return path


def test_heads_alone_at_the_foot_of_a_page_head_what_is_overleaf(tmp_path: Path) -> None:
    heads = ["市场细分", "2023年", "2025年预测", "2028年预测"]
    (table,) = tables_of(head_alone(tmp_path / "a.pdf", heads, MORE))
    assert texts(table) == [heads, *MORE]
    assert (table.page, table.title, table.unit) == (1, "表2：细分市场规模及预测（亿元）", "亿元")
    assert table.header == tuple(heads)


def test_heads_that_nothing_goes_on_with_are_no_table(tmp_path: Path) -> None:
    heads = ["市场细分", "2023年", "2025年预测", "2028年预测"]
    narrow = [row[:2] for row in MORE]
    (table,) = tables_of(head_alone(tmp_path / "a.pdf", heads, narrow))
    assert (table.page, texts(table)) == (2, narrow)


def test_years_at_the_foot_of_a_page_head_another_table_overleaf(tmp_path: Path) -> None:
    balance = [["总资产", "10.10", "10.20", "10.30"], ["净资产", "5.10", "5.20", "5.30"]]
    years, ends = ["", "2024年", "2023年", "2022年"], ["", "2024年末", "2023年末", "2022年末"]
    path = two_pages(tmp_path / "a.pdf", MORE)
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        write(page, PROSE[:40], (60, 300))
        draw_table(page, [ends, *balance, years], LOW)
        page = document.new_page(width=595, height=842)
        draw_table(page, MORE, TOP)
        write(page, PROSE[:40], (60, 500))
        document.save(path)
    first, second = tables_of(path)
    assert texts(first) == [ends, *balance]
    assert texts(second) == [years, *MORE]
    assert ([p.page for p in first.places], [p.page for p in second.places]) == ([1], [1, 2])
    assert second.header == tuple(years[1:])


def test_heads_without_one_over_the_labels_head_the_figures_overleaf(tmp_path: Path) -> None:
    heads = ["第一季度", "第二季度", "第三季度"]
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        write(page, PROSE[:40], (60, 300))
        write(page, "分季度主要财务数据", (60, 670))
        wide = 4 * WIDE / 3
        shape = page.new_shape()
        for column in range(3):
            x0 = LEFT + wide * column
            shape.draw_rect((x0, 700, x0 + wide, 722))
            shape.draw_rect((x0, 722, x0 + wide, 744))
            shape.insert_text((x0 + 30, 716), heads[column], fontsize=10, fontname="china-s")
            shape.insert_text((x0 + 30, 738), f"（{column}期）", fontsize=10, fontname="china-s")
        shape.finish(width=0.5)
        shape.commit()
        page = document.new_page(width=595, height=842)
        draw_table(page, MORE, TOP)
        write(page, PROSE[:40], (60, 500))
        document.save(tmp_path / "a.pdf")
    (table,) = tables_of(tmp_path / "a.pdf")
    assert texts(table) == [heads, ["（0期）", "（1期）", "（2期）"], *MORE]
    first = [cell.column for cell in table.cells if cell.row == 0 and cell.text]
    assert first == [1, 2, 3]


@pytest.mark.parametrize(
    ("corner", "heads", "unit"),
    [
        ("子公司名称", ["本期收入", "上期收入"], "千元"),
        ("", ["2024年末", "2023年末"], "千元"),
        ("", ["2024年末（亿千瓦时）", "2023年末（亿千瓦时）"], None),
        ("", ["账面原值", "账面净值"], None),
        ("产品", ["本期收入", "上期收入"], None),
    ],
)
def test_a_table_of_the_make_of_the_one_above_is_counted_as_it_is(
    corner: str, heads: list[str], unit: str | None
) -> None:
    first = part(1, [["子公司名称", "期末余额", "期初余额"], ["甲公司", "1,200", "1,100"]])
    second = part(1, [[corner, *heads], ["甲公司", "15,449", "14,200"]])
    closed = replace(first, unit="千元", open_below=False)
    above, table = join_pages([closed, replace(second, open_above=False)])
    assert (above.unit, table.unit) == ("千元", unit)
    assert ("单位：千元" in table.markdown) is (unit is not None)
