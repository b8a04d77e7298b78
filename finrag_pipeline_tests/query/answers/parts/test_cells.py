"""Cells of parts: by label, by column, under headings and captions; refused where two would do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from finrag_pipeline.query.answers.parts.asking import AskedParts, words_of
from finrag_pipeline.query.answers.parts.cells import PartCell, find_cell
from finrag_pipeline.query.answers.passages.times import Times
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.catalogues import facts_of
from finrag_pipeline.query.question.reading import read_periods
from finrag_pipeline.records import Place
from finrag_pipeline_tests.query.question.filings import filing

DOCUMENTS = facts_of([filing("d1", "Northwind", date(2023, 12, 31))])
SEGMENTS = [
    ["", "2023", "2022", "% Change"],
    ["Revenue", "", "", ""],
    ["Field Robots", "410", "350", "17%"],
    ["Field Robots services", "60", "55", "9%"],
    ["Home Robots", "120", "140", "(14)%"],
    ["Operating income", "", "", ""],
    ["Field Robots", "41", "30", "37%"],
]
BY_COLUMN = [["", "Field Robots", "Home Robots"], ["Depreciation", "9", "4"]]


def table(rows: Sequence[Sequence[str]], number: int = 0, caption: str | None = None) -> TableItem:
    cells = tuple(
        {"row": r, "column": c, "text": text, "header": r == 0, "bbox": [0, r, 1, r + 1], "page": 1}
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    )
    key = content_key("table", "d1", "r1", number)
    place = (Place(1, (0, 50, 100, 90)),)
    return TableItem(key, "", "d1.pdf", place, caption=caption, unit="in millions", cells=cells)


def found(
    part: str, *tables: TableItem, metrics: str = "", period: str = "2023"
) -> PartCell | None:
    times = Times(read_periods(period), None)
    named = frozenset(metrics.split())
    words = words_of(part)
    asked = AskedParts((words,), ("",), named, times, False, "", False, False)
    results = [Result(n, 1.0, {}, item) for n, item in enumerate(tables, 1)]
    return find_cell(asked, words, results, DOCUMENTS)


def test_the_row_of_a_part_is_found_under_its_heading() -> None:
    cell = found("Field Robots", table(SEGMENTS), metrics="revenue")
    assert cell is not None
    assert (cell.figure.text, cell.change) == ("410", "17%")
    assert cell.before is not None and cell.before.text == "350"
    profit = found("Field Robots", table(SEGMENTS), metrics="operating_profit")
    assert profit is not None and profit.figure.text == "41"


def test_a_fall_in_brackets_is_told_with_a_minus() -> None:
    cell = found("Home Robots", table(SEGMENTS), metrics="revenue")
    assert cell is not None and cell.change == "-14%"


def test_the_year_that_is_asked_for_decides() -> None:
    cell = found("Field Robots", table(SEGMENTS), metrics="revenue", period="2022")
    assert cell is not None
    # the change is that of the first year alone
    assert (cell.figure.text, cell.change) == ("350", "")
    assert found("Field Robots", table(SEGMENTS), metrics="revenue", period="2019") is None


def test_parts_may_be_columns_or_named_by_the_caption() -> None:
    cell = found("Field Robots depreciation", table(BY_COLUMN))
    assert cell is not None and cell.figure.text == "9"
    own = table([["", "2023"], ["Backlog", "77"]], caption="Home Robots")
    cell = found("Home Robots backlog", own)
    assert cell is not None and cell.figure.text == "77"


def test_two_cells_that_would_do_are_none() -> None:
    one = table([["", "2023"], ["Field Robots", "410"]])
    other = table([["", "2023"], ["Field Robots", "395"]], 1)
    assert found("Field Robots", one, other) is None
    assert found("Sea Robots", one, other) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How much did the Field Robots segment grow versus a year earlier?", {"field", "robot"}),
        ("How many 747s?", {"747"}),
        ("What did it report in total?", set[str]()),
    ],
)
def test_words_of_parts(text: str, words: set[str]) -> None:
    assert words_of(text) == words
