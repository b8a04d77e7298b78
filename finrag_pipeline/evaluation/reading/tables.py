"""Measures tables as the ICDAR 2013 competition does: by relations of neighbouring cells.

Göbel, Hassan, Oro, Orsi: "A Methodology for Evaluating Algorithms for Table Understanding in PDF
Documents" (DocEng 2012). Detection and structure count together: a relation of a table that was
not found is missed, one of a table that is none is wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.records import Cell
from finrag_pipeline.settings import Settings

_LEADER = re.compile(r"(?<=[^.·…])(?:\.{4,}|·{4,})$")
#: Text of a cell, text of its neighbour, whether that stands below (else to the right).
Relation = tuple[str, str, bool]


@dataclass(frozen=True)
class Score:
    """Relations found, expected, and both."""

    found: int
    expected: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else float(not self.expected)

    @property
    def recall(self) -> float:
        return self.right / self.expected if self.expected else float(not self.found)

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def measure(folder: Path, settings: Settings) -> Report:
    """Compare the tables read from each PDF with those of the `-str.xml` beside it.

    Raises:
        SourceUnavailable: the folder holds no PDF with such a file.
    """
    paths = [path for path in pdfs(folder) if _gold_file(path).is_file()]
    if not paths:
        raise SourceUnavailable(f"{folder} holds no PDF with its -str.xml file")
    scores: list[Score] = []
    misses: list[str] = []
    for document in read_documents(paths, settings):
        gold = read_gold(_gold_file(document.path))
        score = compare([table.cells for table in document.tables], gold)
        scores.append(score)
        if score.f1 < 0.99:
            misses.append(
                f"{document.path.stem}: F1 {score.f1:.3f}, precision {score.precision:.3f}, "
                f"recall {score.recall:.3f}, {len(document.tables)} tables for {len(gold)}"
                f"{f', {document.error}' if document.error else ''}"
            )
    pooled = Score(
        sum(score.found for score in scores),
        sum(score.expected for score in scores),
        sum(score.right for score in scores),
    )
    rows = (
        ("mean of documents", *(_mean(scores, name) for name in ("precision", "recall", "f1"))),
        ("pooled", *(f"{value:.3f}" for value in (pooled.precision, pooled.recall, pooled.f1))),
    )
    return Report(
        title="Adjacency relations of tables (ICDAR 2013)",
        columns=("over", "precision", "recall", "F1"),
        rows=rows,
        notes=(
            f"{len(scores)} documents, {pooled.expected} relations. A relation is two neighbouring "
            "cells with text, to the right or below, across empty ones; detection and structure "
            "count together; texts are compared without white space, case and leaders.",
        ),
        misses=tuple(misses),
    )


def compare(found: Sequence[Sequence[Cell]], gold: Sequence[Sequence[Cell]]) -> Score:
    """Relations of all tables of a document against those of its gold, as multisets."""
    have = Counter(relation for cells in found for relation in relations(cells))
    want = Counter(relation for cells in gold for relation in relations(cells))
    return Score(have.total(), want.total(), (have & want).total())


def relations(cells: Sequence[Cell]) -> Iterator[Relation]:
    """Each cell with text and its nearest neighbours to the right and below.

    A cell that spans rows has a neighbour in each of them, each counted once; empty cells are
    passed over.
    """
    slots = {
        (cell.row + down, cell.column + right): cell
        for cell in cells
        if _plain(cell.text)
        for down in range(cell.row_span)
        for right in range(cell.column_span)
    }
    height = max((row for row, _ in slots), default=-1) + 1
    width = max((column for _, column in slots), default=-1) + 1
    for cell in cells:
        if not _plain(cell.text):
            continue
        rows = range(cell.row, cell.row + cell.row_span)
        columns = range(cell.column, cell.column + cell.column_span)
        beside = [
            _first(slots.get((row, column)) for column in range(columns.stop, width))
            for row in rows
        ]
        below = [
            _first(slots.get((row, column)) for row in range(rows.stop, height))
            for column in columns
        ]
        for under, neighbours in ((False, beside), (True, below)):
            once = {id(other): other for other in neighbours if other is not None}
            for other in once.values():
                yield _plain(cell.text), _plain(other.text), under


def read_gold(path: Path) -> list[tuple[Cell, ...]]:
    """The tables of a `-str.xml` file; the regions of a table are put together by their increments.

    Raises:
        xml.etree.ElementTree.ParseError: it is not XML.
    """
    tables: list[tuple[Cell, ...]] = []
    for table in ElementTree.parse(path).getroot().iter("table"):
        cells: list[Cell] = []
        for region in table.iter("region"):
            down, right = (int(region.get(f"{way}-increment") or 0) for way in ("row", "col"))
            cells += [_gold_cell(cell, down, right) for cell in region.iter("cell")]
        tables.append(tuple(cells))
    return tables


def _gold_cell(cell: ElementTree.Element, down: int, right: int) -> Cell:
    row, column = int(cell.get("start-row") or 0), int(cell.get("start-col") or 0)
    return Cell(
        row + down,
        column + right,
        "".join(content.text or "" for content in cell.iter("content")),
        row_span=int(cell.get("end-row") or row) - row + 1,
        column_span=int(cell.get("end-col") or column) - column + 1,
    )


def _gold_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}-str.xml")


def _first(cells: Iterable[Cell | None]) -> Cell | None:
    return next((cell for cell in cells if cell is not None), None)


def _plain(text: str) -> str:
    # a leader is drawn, not said: annotators keep it or leave it out
    shown = _LEADER.sub("", "".join(unicodedata.normalize("NFKC", text).split()))
    return shown.casefold()


def _mean(scores: Sequence[Score], name: str) -> str:
    return f"{sum(getattr(score, name) for score in scores) / len(scores):.3f}"
