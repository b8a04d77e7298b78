"""Tables of other layouts are read without the layout model, and their makers keep their word."""

from __future__ import annotations

import itertools
from pathlib import Path

import pymupdf
import pytest

from benchmarks.made_tables.kinds import KINDS, make
from finrag_pipeline.evaluation.reading.tables import Score, compare, read_gold
from finrag_pipeline.stages.tables.reading import read_tables

#: Files of each kind: their figures are in docs/evaluation.md for many more.
_SEEDS = range(2)


@pytest.mark.parametrize("kind", KINDS)
def test_tables_of_a_kind_are_read(kind: str, tmp_path: Path) -> None:
    scores: list[Score] = []
    for seed in _SEEDS:
        path = tmp_path / f"{kind}-{seed}.pdf"
        make(path, kind, seed)
        with pymupdf.open(path) as document:
            pages = range(1, document.page_count + 1)
        tables = read_tables(path, [(number, None) for number in pages])
        gold = read_gold(path.with_name(f"{path.stem}-str.xml"))
        scores.append(compare([table.cells for table in tables], gold))
    right, found, expected = (
        sum(getattr(score, name) for score in scores) for name in ("right", "found", "expected")
    )
    assert Score(found, expected, right).f1 > 0.95


def test_the_same_seed_makes_the_same_file(tmp_path: Path) -> None:
    names = ("one", "two")
    for name in names:
        make(tmp_path / f"{name}.pdf", "shaded", 3)
    one, two = ((tmp_path / f"{name}-str.xml").read_text().split("\n", 2)[2] for name in names)
    assert one == two


@pytest.mark.parametrize("kind", KINDS)
def test_gold_cells_do_not_overlap(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    make(path, kind, 1)
    for cells in read_gold(tmp_path / "a-str.xml"):
        slots = [
            (row, column)
            for cell in cells
            for row, column in itertools.product(
                range(cell.row, cell.row + cell.row_span),
                range(cell.column, cell.column + cell.column_span),
            )
        ]
        assert len(slots) == len(set(slots)) > 3
