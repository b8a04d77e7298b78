"""What is printed around a table: title, unit, note; and the periods its columns stand for."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import PeriodColumn, Table
from finrag_pipeline.stages.tables.periods import column_period, period_of, relative_period
from finrag_pipeline.stages.tables.units import unit_in
from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf, write
from finrag_pipeline_tests.stages.table_files import ROWS, draw_table, group, tables_of, texts


def around(path: Path, *above: str, below: str = "", rows: list[list[str]] = ROWS) -> Table:
    """A table between lines, running text far above and below it."""

    def draw(target: pymupdf.Page) -> None:
        write(target, PROSE[:40], (60, 80))
        for n, text in enumerate(reversed(above)):
            write(target, text, (60, 190 - 16 * n))
        draw_table(target, rows)
        write(target, below, (60, 200 + 22 * len(rows) + 14), 9)
        write(target, PROSE[:40], (60, 600))

    (table,) = tables_of(make_pdf(path / "a.pdf", draw))
    return table


@pytest.mark.parametrize(
    ("above", "title", "unit"),
    [
        (("合并利润表", "单位：元 币种：人民币"), "合并利润表", "元"),
        (("合并利润表", "单位：千元 币种：美元"), "合并利润表", "千元 美元"),
        (("图表3：分部收入（亿元）",), "图表3：分部收入（亿元）", "亿元"),
        (("Table 2: Results (RMB mn)",), "Table 2: Results (RMB mn)", "RMB mn"),
        (("Exhibit 2: Market, $ billion",), "Exhibit 2: Market, $ billion", "$ billion"),
        (("綜合收益表", "單位：人民幣千元"), "綜合收益表", "人民币千元"),
        ((PROSE, "可比公司估值"), "可比公司估值", None),
        ((PROSE,), None, None),
    ],
)
def test_title_and_unit_stand_above(
    tmp_path: Path, above: tuple[str, ...], title: str | None, unit: str | None
) -> None:
    table = around(tmp_path, *above)
    assert (table.title, table.unit) == (title, unit)
    assert texts(table) == ROWS


@pytest.mark.parametrize(
    "note", ["资料来源：公司公告，某研究所", "注：括号内为负数", "Source: filings"]
)
def test_a_source_or_note_stands_below(tmp_path: Path, note: str) -> None:
    assert around(tmp_path, below=note).footnote == note
    assert around(tmp_path, below="公司产品以试剂为主").footnote is None


def test_title_unit_and_source_in_rows_of_the_grid_leave_it(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        rows = [["主要财务数据", "", "", ""], *ROWS, ["资料来源：公司公告", "", "", ""]]
        draw_table(target, rows, spans={(0, 0): (1, 4), (6, 0): (1, 4)})

    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == ROWS
    assert (table.title, table.footnote) == ("主要财务数据", "资料来源：公司公告")


def test_a_heading_of_the_layout_model_is_a_title(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        write(target, "盈利与估值概览", (60, 190))
        draw_table(target, ROWS)

    path = make_pdf(tmp_path / "a.pdf", draw)
    assert tables_of(path)[0].title is None
    (table,) = tables_of(path, group("caption", (55, 178, 200, 195)))
    assert table.title == "盈利与估值概览"


def test_the_unit_may_stand_in_the_corner_of_the_grid(tmp_path: Path) -> None:
    rows = [["单位：万元", *ROWS[0][1:]], *ROWS[1:]]
    assert around(tmp_path, rows=rows).unit == "万元"


def test_a_bracketed_unit_of_one_column_is_not_that_of_the_table(tmp_path: Path) -> None:
    rows = [["项目", "收入（亿元）", "增速", "销量（吨）"], *ROWS[1:]]
    assert around(tmp_path, rows=rows).unit is None
    rows = [["项目", "2024（亿元）", "2025（亿元）", "同比"], *ROWS[1:]]
    assert around(tmp_path, rows=rows).unit == "亿元"


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("单位：百万元", "百万元"),
        ("（单位：人民币万元）", "人民币万元"),
        ("金额单位均为亿元，除非另有说明", "亿元"),
        ("(in millions, except per share data)", "in millions"),
        ("RMB in thousands", "RMB in thousands"),
        ("单位负责人：某某", None),
        ("编制单位：星河药业股份有限公司", None),
        ("公司单位众多", None),
    ],
)
def test_units_are_read_as_printed(text: str, unit: str | None) -> None:
    assert unit_in([text]) == unit


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2024A", "2024"),
        ("2025E", "2025E"),
        ("2025F", "2025E"),
        ("2025年（预测）", "2025E"),
        ("2025Q3", "2025Q3"),
        ("25Q1E", "2025Q1E"),
        ("2025年第三季度", "2025Q3"),
        ("1H25", "2025H1"),
        ("2025年上半年", "2025H1"),
        ("2025年下半年", "2025H2"),
        ("2025年半年度", "2025H1"),
        ("2025年1-6月", "2025H1"),
        ("2025年7-9月", "2025Q3"),
        ("2025年1-12月", "2025"),
        ("2025年1—2月", "2025-01-01/2025-02-28"),
        ("2025年前三季度", "2025-01-01/2025-09-30"),
        ("9M25", "2025-01-01/2025-09-30"),
        ("2025年9月", "2025-09"),
        ("Sep 30, 2025", "2025-09-30"),
        ("30 September 2025", "2025-09-30"),
        ("2025/9/30", "2025-09-30"),
        ("FY24", "2024"),
        ("２０２５年", "2025"),
        ("2024年与2025年", None),
        ("2025年13月", None),
        ("1,999.5", None),
        ("2024.55", None),
        ("同比增减", None),
    ],
)
def test_periods_have_one_spelling(text: str, period: str | None) -> None:
    assert period_of(text) == period


@given(st.dates(date(1990, 1, 1), date(2079, 12, 31)))
def test_a_day_reads_the_same_however_it_is_printed(day: date) -> None:
    spelt = (
        day.isoformat(),
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"截至{day.year}年{day.month:02}月{day.day:02}日",
        f"{day.month}/{day.day}/{day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    )
    assert {period_of(text) for text in spelt} == {day.isoformat()}


@given(st.integers(1990, 2079), st.sampled_from("AEF"), st.integers(1, 4))
def test_years_and_quarters_read_the_same_however_they_are_printed(
    year: int, mark: str, quarter: int
) -> None:
    forecast = "" if mark == "A" else "E"
    assert period_of(f"{year}{mark}") == period_of(f"{year} {mark}") == f"{year}{forecast}"
    spelt = (f"{year}Q{quarter}", f"{year}年第{quarter}季度", f"Q{quarter} {year}")
    assert {period_of(text) for text in spelt} == {f"{year}Q{quarter}"}
    assert period_of(f"{year}年比{year - 1}年增减") is None


@given(st.text(max_size=80))
def test_any_text_names_one_period_in_the_known_spellings_or_none(text: str) -> None:
    found = period_of(text)
    day = r"\d{4}-\d\d-\d\d"
    known = rf"\d{{4}}(E|Q[1-4]E?|H[12]E?|-\d\d)?|{day}|{day}/{day}"
    assert found is None or re.fullmatch(known, found)


def test_a_column_takes_the_period_of_its_path() -> None:
    assert column_period(("2025年", "第三季度")) == "2025Q3"
    assert column_period(("2024年", "金额")) == "2024"
    assert column_period(("期末余额",)) == "期末"
    assert column_period(("本报告期比上年同期增减",)) is None
    assert relative_period("年初至报告期末") == "年初至报告期末"


def test_period_columns_of_a_table_on_paper(tmp_path: Path) -> None:
    assert around(tmp_path).periods == (
        PeriodColumn(1, "2023"),
        PeriodColumn(2, "2024"),
        PeriodColumn(3, "2025E"),
    )


def test_rules_of_several_tables_bound_no_table_of_the_lines_between(tmp_path: Path) -> None:
    """Notes to accounts: forms and units over each table stand in columns, under the rule of the
    page's head."""

    def draw(target: pymupdf.Page) -> None:
        target.draw_line((60, 66), (500, 66))
        for n, top in enumerate((150, 360, 560)):
            write(target, f"({n + 6})", (62, top - 44))
            write(target, "存货跌价准备及合同履约成本减值准备", (120, top - 44))
            for x, text in ((62, "√适用"), (120, "□不适用")):
                write(target, text, (x, top - 26))
            for x, text in ((340, "单位：千元"), (430, "币种：人民币")):
                write(target, text, (x, top - 8))
            draw_table(target, ROWS[: 4 + n % 2], top)

    found = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert [texts(each) for each in found] == [ROWS[:4], ROWS, ROWS[:4]]
    assert {each.unit for each in found} == {"千元"}
