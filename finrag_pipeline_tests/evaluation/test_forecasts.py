"""The measure of statements and forecasts in broker reports, on made reports."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.evaluation.reading.condensed import check, kind_of
from finrag_pipeline.evaluation.reading.documents import ReadDocument
from finrag_pipeline.evaluation.reading.forecasts import assess, judged_rows
from finrag_pipeline.records import Cell, PeriodColumn, Table
from finrag_pipeline.stages.facts.identities import Row
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline_tests.stages.read_pages import make_pdf
from finrag_pipeline_tests.stages.statement_files import Made, draw_frame
from finrag_pipeline_tests.stages.table_files import tables_of

INCOME = {
    "营业收入": (100, 120),
    "营业利润": (20, 30),
    "营业外收支": (1, -1),
    "利润总额": (21, 29),
    "所得税": (5, 7),
    "净利润": (16, 22),
    "少数股东损益": (2, 3),
    "归属母公司净利润": (14, 19),
}
BALANCE = {
    "流动资产合计": (60, 70),
    "非流动资产合计": (40, 50),
    "资产总计": (100, 120),
    "负债合计": (45, 55),
    "少数股东权益": (5, 5),
    "归属母公司股东权益": (50, 60),
    "负债和股东权益": (100, 120),
}
CASH = {
    "经营活动现金流": (30, 40),
    "投资活动现金流": (-20, -25),
    "筹资活动现金流": (-5, -5),
    "汇率变动影响": (1, 0),
    "现金净增加额": (6, 10),
}


def rows_of(lines: dict[str, tuple[int, int]]) -> list[Row]:
    return [Row(label, tuple(map(Decimal, values))) for label, values in lines.items()]


@pytest.mark.parametrize(
    ("kind", "lines", "sums"), [("income", INCOME, 6), ("balance", BALANCE, 6), ("cash", CASH, 2)]
)
def test_sums_of_a_statement_hold_and_each_wrong_figure_breaks_one(
    kind: str, lines: dict[str, tuple[int, int]], sums: int
) -> None:
    rows = rows_of(lines)
    assert kind_of(rows) == kind
    found = check(kind, rows, [False, True])
    assert (found.checked, found.off) == (sums, ())
    for label, values in lines.items():
        wrong = check(kind, rows_of({**lines, label: (values[0], values[1] + 50)}), [False, True])
        assert label == "营业收入" or any("period 2" in told for told in wrong.off)


def test_costs_printed_as_negative_are_added() -> None:
    lines = {**INCOME, "营业成本": (-60, -70), "所得税": (-5, -7)}
    assert check("income", rows_of(lines), [False, True]).off == ()


def test_a_reported_change_of_cash_without_its_currency_line_is_not_checked() -> None:
    lines = {name: values for name, values in CASH.items() if name != "汇率变动影响"}
    found = check("cash", rows_of(lines), [False, True])
    assert (found.checked, found.off) == (1, ())


def test_a_line_that_is_not_printed_leaves_its_sum_unchecked() -> None:
    rows = rows_of({name: INCOME[name] for name in ("营业收入", "营业利润", "净利润", "利润总额")})
    assert check("income", rows, [True, True]).checked == 0


@pytest.fixture
def frame(tmp_path: Path) -> ReadDocument:
    lanes = ((Made("资产负债表"), Made("现金流量表")), (Made("利润表"), Made("主要财务比率")))

    def draw(target: pymupdf.Page) -> None:
        draw_frame(target, lanes)

    path = make_pdf(tmp_path / "a.pdf", draw)
    return ReadDocument(path, tuple(read_pages(path, 1, 1)), tables=tables_of(path))


def test_every_printed_statement_has_a_table_and_every_row_its_label(frame: ReadDocument) -> None:
    found = assess(frame)
    assert sorted(heading.kind for heading in found.headings) == [
        "balance",
        "cash",
        "income",
        "ratios",
    ]
    assert found.missing == () and found.unlabelled == ()
    assert found.labelled == 8 + 6 + 5 + 6


def test_a_frame_read_as_one_table_answers_no_heading(frame: ReadDocument) -> None:
    left, right = frame.tables[0], frame.tables[2]
    width = 5
    cells = tuple(left.cells) + tuple(replace(c, column=c.column + width) for c in right.cells)
    periods = left.periods + tuple(replace(p, column=p.column + width) for p in right.periods)
    whole = replace(left, cells=cells, periods=periods, bbox=(40, 118, 555, 340))
    found = assess(replace(frame, tables=(whole,)))
    assert len(found.missing) == 4
    # the rows of the right lane have the labels of the left one
    assert found.labelled <= 1 and len(found.unlabelled) >= 6


def test_figures_in_a_heading_are_rows_without_a_label() -> None:
    cells = [
        Cell(0, 0, "利润表 营业收入", header=True),
        Cell(0, 1, "2024A 5,805", header=True),
        Cell(1, 0, "净利润"),
        Cell(1, 1, "936"),
    ]
    table = Table(0, 1, (0, 0, 9, 9), tuple(cells), periods=(PeriodColumn(1, "2024"),))
    assert [good for _, good in judged_rows(table)] == [False, True]
