"""The measurement of tables by adjacency relations, on a folder made for it."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.reading.tables import (
    Score,
    compare,
    measure,
    read_gold,
    relations,
)
from finrag_pipeline.records import Cell
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf, write
from finrag_pipeline_tests.stages.table_files import ROWS, draw_table


def cell(row: int, column: int, text: str) -> str:
    return (
        f'<cell id="1" start-row="{row}" start-col="{column}"><bounding-box x1="1" y1="1" x2="2" '
        f'y2="2"/><content>{text}</content></cell>'
    )


def write_gold(path: Path, regions: list[tuple[str, list[list[str]]]]) -> Path:
    """A `-str.xml` of one table whose regions have the increments and rows told."""
    parts = [
        f'<region id="1" page="1" {increments}>'
        + "".join(cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row))
        + "</region>"
        for increments, rows in regions
    ]
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?><document filename="a.pdf"><table id="1">'
        f"{''.join(parts)}</table></document>",
        encoding="utf-8",
    )
    return path


def draw_page(target: pymupdf.Page) -> None:
    write(target, PROSE[:40], (60, 80))
    draw_table(target, ROWS)


FIRST = 'col-increment="0" row-increment="0"'


def test_a_table_read_right_scores_one(tmp_path: Path) -> None:
    make_pdf(tmp_path / "a.pdf", draw_page)
    write_gold(tmp_path / "a-str.xml", [(FIRST, ROWS)])
    make_pdf(tmp_path / "other.pdf", draw_page)  # without gold it is not counted
    report = measure(tmp_path, Settings(_env_file=None, workers=1))
    assert report.rows == (
        ("mean of documents", "1.000", "1.000", "1.000"),
        ("pooled", "1.000", "1.000", "1.000"),
    )
    assert report.notes[0].startswith("1 documents, 31 relations.")
    assert report.misses == ()


def test_what_is_missing_and_what_is_too_much_both_cost(tmp_path: Path) -> None:
    # gold has half of the rows (10 of 31 relations stay) and a second document has no table
    make_pdf(tmp_path / "a.pdf", draw_page)
    write_gold(tmp_path / "a-str.xml", [(FIRST, ROWS[:2])])
    make_pdf(tmp_path / "b.pdf", lambda page: write(page, PROSE[:40], (60, 80)))
    write_gold(tmp_path / "b-str.xml", [(FIRST, [["x", "y"]])])
    report = measure(tmp_path, Settings(_env_file=None, workers=1))
    assert report.rows[0] == ("mean of documents", "0.161", "0.500", "0.244")
    assert report.rows[1] == ("pooled", "0.323", "0.909", "0.476")
    assert [miss.split(":")[0] for miss in report.misses] == ["a", "b"]
    assert "0 tables for 1" in report.misses[1]


def test_regions_of_a_table_are_put_together_by_their_increments(tmp_path: Path) -> None:
    second = 'col-increment="0" row-increment="2"'
    path = write_gold(tmp_path / "a-str.xml", [(FIRST, ROWS[:2]), (second, ROWS[2:])])
    (cells,) = read_gold(path)
    whole = [Cell(r, c, text) for r, row in enumerate(ROWS) for c, text in enumerate(row)]
    assert compare([whole], [cells]).f1 == 1


def test_relations_pass_over_empty_cells_and_count_a_span_once_a_neighbour() -> None:
    cells = (
        Cell(0, 0, "all", column_span=2),
        Cell(1, 0, "A b"),
        Cell(1, 1, ""),
        Cell(1, 2, "c"),
        Cell(2, 0, ""),
        Cell(2, 1, "d"),
    )
    assert sorted(relations(cells)) == [
        ("ab", "c", False),
        ("all", "ab", True),
        ("all", "d", True),
    ]


def test_a_folder_without_gold_is_refused(tmp_path: Path) -> None:
    make_pdf(tmp_path / "a.pdf", draw_page)
    with pytest.raises(SourceUnavailable, match=r"no PDF with its -str\.xml"):
        measure(tmp_path, Settings(_env_file=None, workers=1))


def test_an_empty_document_scores_one_when_nothing_is_found() -> None:
    assert compare([], []) == Score(0, 0, 0) and compare([], []).f1 == 1
    assert compare([], [[Cell(0, 0, "a"), Cell(0, 1, "b")]]).f1 == 0


@given(st.lists(st.lists(st.text("abc ", max_size=3), min_size=3, max_size=3), max_size=6))
def test_a_grid_is_like_itself_and_the_score_is_symmetric(rows: list[list[str]]) -> None:
    cells = [Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    assert compare([cells], [cells]).f1 == 1
    fewer = cells[: len(cells) // 2]
    one, two = compare([cells], [fewer]), compare([fewer], [cells])
    assert (one.precision, one.recall) == (two.recall, two.precision)
    assert 0 <= one.f1 <= 1
