"""The measurement of statements by their identities, on filings made for it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.reading.statements import measure, rows_of
from finrag_pipeline.records import Cell, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.facts.identities import (
    BALANCE,
    CASH,
    INCOME,
    Row,
    failures,
    kind_of,
    parse_value,
    plain_label,
)
from finrag_pipeline_tests.stages.read_pages import make_pdf, write
from finrag_pipeline_tests.stages.table_files import draw_table

SHEET = """流动资产：||
货币资金|100.50|90.00
应收账款|50.25|60.00
其中：应收利息|1.00|2.00
流动资产合计|150.75|150.00
非流动资产：||
固定资产|49.25|50.00
非流动资产合计|49.25|50.00
资产总计|200.00|200.00
流动负债合计|60.00|70.00
非流动负债合计|20.00|10.00
负债合计|80.00|80.00
少数股东权益|5.00|4.00
所有者权益合计|120.00|120.00
负债和所有者权益总计|200.00|200.00"""
INCOMES = """一、营业总收入|1,000.00|900.00
二、营业总成本|700.00|650.00
其中：营业成本|500.00|450.00
销售费用|150.00|160.00
财务费用|50.00|40.00
其中：利息费用|55.00|45.00
加：其他收益|20.00|10.00
投资收益（损失以“－”号填列）|-5.00|5.00
三、营业利润（亏损以“－”号填列）|315.00|265.00
加：营业外收入|5.00|1.00
减：营业外支出|10.00|6.00
四、利润总额|310.00|260.00
减：所得税费用|60.00|50.00
五、净利润|250.00|210.00"""
FLOWS = """经营活动现金流入小计|500.00|400.00
经营活动现金流出小计|300.00|250.00
经营活动产生的现金流量净额|200.00|150.00
投资活动现金流入小计|10.00|20.00
投资活动现金流出小计|60.00|70.00
投资活动产生的现金流量净额|-50.00|-50.00
筹资活动现金流入小计|-|-
筹资活动现金流出小计|40.00|30.00
筹资活动产生的现金流量净额|-40.00|-30.00
汇率变动对现金及现金等价物的影响|1.00|-2.00
现金及现金等价物净增加额|111.00|68.00
加：期初现金及现金等价物余额|89.00|21.00
期末现金及现金等价物余额|200.00|89.00"""


def rows(text: str) -> list[Row]:
    split = (line.split("|") for line in text.splitlines())
    return [Row(label, tuple(parse_value(value) for value in values)) for label, *values in split]


@pytest.mark.parametrize(
    ("text", "kind"), [(SHEET, BALANCE), (INCOMES, INCOME), (FLOWS, CASH)], ids=lambda x: x[:4]
)
def test_a_statement_that_adds_up_has_no_failures(text: str, kind: str) -> None:
    assert kind_of(rows(text)) == kind
    assert failures(kind, rows(text)) == []


@pytest.mark.parametrize(
    ("text", "old", "new", "told"),
    [
        (SHEET, "货币资金|100.50", "货币资金|10.50", "current assets: off by 90.00"),
        (SHEET, "非流动负债合计|20.00", "非流动负债合计|21.00", "current + later = liabilities"),
        (SHEET, "资产总计|200.00|200.00", "资产总计|200.00|20.00", "period 2: assets = liabi"),
        (SHEET, "负债合计|80.00", "负债合计|", "no 负债合计"),
        (INCOMES, "500.00", "50.00", "costs: off by 450.00"),
        (INCOMES, "其他收益|20.00", "其他收益|2.00", "sales - costs + gains = operating"),
        (INCOMES, "营业外支出|10.00", "营业外支出|-10.00", "operating + other = before tax"),
        (FLOWS, "|-50.00|-50.00", "|50.00|-50.00", "投资 net: off by 100.00"),
        (FLOWS, "111.00", "11.00", "sum of nets = increase"),
        (FLOWS, "|89.00|21.00", "|88.00|21.00", "opening + increase = closing: off by 1.00"),
    ],
)
def test_a_wrong_figure_is_told_by_the_identity_it_breaks(
    text: str, old: str, new: str, told: str
) -> None:
    changed = rows(text.replace(old, new, 1))
    kind = kind_of(changed)
    assert kind is not None
    found = failures(kind, changed)
    assert any(told in line for line in found), found


def test_rounding_of_the_last_digit_is_no_failure() -> None:
    assert failures(BALANCE, rows(SHEET.replace("|49.25|50.00", "|49.26|50.00", 1))) == []


def test_a_statement_of_one_period_is_not_enough() -> None:
    single = [Row(row.label, row.values[:1]) for row in rows(SHEET)]
    assert failures(BALANCE, single) == ["two period columns not found"]


def test_labels_lose_numbers_remarks_and_signs() -> None:
    labels = ("（一）按经营持续性分类", "2.终止经营净利润（净亏损以“－”号填列）", "其中：营业成本")
    assert [plain_label(text) for text in labels] == [
        "按经营持续性分类",
        "终止经营净利润",
        "营业成本",
    ]


@given(st.decimals(-(10**12), 10**12, places=2, allow_nan=False))
def test_a_printed_figure_is_read_back(value: Decimal) -> None:
    shown = f"{abs(value):,.2f}"
    for text in (shown, shown.replace(",", "，"), f" {shown} "):
        assert parse_value(text) == abs(value)
    for text in (f"-{shown}", f"({shown})", f"（{shown}）", f"－{shown}", f"- {shown}"):
        assert parse_value(text) == -abs(value)


@given(st.text(max_size=20))
def test_what_is_no_figure_reads_as_none(text: str) -> None:
    value = parse_value(text)
    assert value is None or (value.is_finite() and any(char.isdigit() for char in text))


def test_rows_are_the_last_two_columns_of_amounts() -> None:
    lines = (
        ("项目", "附注", "本期", "上期"),
        ("收入", "七、1", "1.5", "2.5"),
        ("成本", "12", "", "3"),
    )
    cells = tuple(
        Cell(r, c, text, header=r == 0)
        for r, line in enumerate(lines)
        for c, text in enumerate(line)
    )
    found = rows_of(Table(0, 1, (0, 0, 1, 1), cells))
    assert found == [
        Row("收入", (Decimal("1.5"), Decimal("2.5"))),
        Row("成本", (None, Decimal(3))),
    ]


def filing(path: Path, sheet: str) -> Path:
    """A filing with one consolidated balance sheet over two pages, a heading without a table."""
    lines = [line.split("|") for line in sheet.splitlines()]

    def draw(target: pymupdf.Page) -> None:
        if target.number == 0:
            write(target, "合并资产负债表", (250, 480), 12)
            write(target, "单位：元", (400, 496))
            draw_table(target, [["项目", "2025年9月30日", "2024年12月31日"], *lines[:9]], 500)
        elif target.number == 1:
            draw_table(target, lines[9:], 60)
            write(target, "法定代表人：某某", (60, 400))
        else:
            write(target, "母公司利润表", (250, 100), 12)

    return make_pdf(path, draw, pages=3)


def test_counts_what_is_printed_found_and_balances(tmp_path: Path) -> None:
    filing(tmp_path / "a.pdf", SHEET)
    filing(tmp_path / "b.pdf", SHEET.replace("货币资金|100.50", "货币资金|10.50"))
    report = measure(tmp_path, Settings(_env_file=None, workers=1))
    shares = {(whose, kind): (found, balance) for whose, kind, found, balance in report.rows}
    assert shares["consolidated", BALANCE] == ("100.0 % (2 of 2)", "50.0 % (1 of 2)")
    assert shares["parent", INCOME] == ("0.0 % (0 of 2)", "0.0 % (0 of 2)")
    assert shares["consolidated", INCOME] == ("none", "none")
    assert report.misses == (
        "a: parent income statement: not found",
        "b: consolidated balance sheet: period 1: current assets: off by 90.00",
        "b: parent income statement: not found",
    )


def test_a_folder_without_filings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="holds no PDF"):
        measure(tmp_path, Settings(_env_file=None, workers=1))
