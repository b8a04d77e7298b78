"""The cell of a table of two variables that two numbers of a question meet in: WACC 8.4%, 永续 2%.

Such a table has values of one variable in a row and of the other in a column, and labels neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.matching import Place, cover
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.phrases import is_value

_PERCENT = re.compile(r"(?<![\d.])(\d{1,2}(?:\.\d+)?)\s*[%％]")
#: Values of a variable stand so many beside or below one another.
_LEAST = 3
#: Units of a question that a table of its variables says: 永续, WACC.
_SAID = 2


def pair_in(words: str) -> tuple[Decimal, Decimal] | None:
    """The two values of variables that a question names; None where it names more or fewer.

    >>> pair_in("wacc按8.39%、永续2%算每股值多少")
    (Decimal('8.39'), Decimal('2'))
    """
    found = [Decimal(each) for each in _PERCENT.findall(words)]
    return (found[0], found[1]) if len(found) == len({*found}) == _SAID else None


def crossing(asked: AskedRow, item: TableItem) -> Iterator[tuple[Figure, tuple[int, int]]]:
    """The figure in which the two values of a question meet, with its heading and label, and the
    rows that print it and the heading; nothing where the table is none of its variables."""
    pair = pair_in(asked.words)
    if pair is None:
        return
    cells = item.read_cells()
    texts = " | ".join(each.text for each in cells if not is_value(each.text))
    around = Place(f"{texts} | {item.caption or ''}", 1.0)
    said = cover(_PERCENT.sub("|", asked.words), [around], asked.plain)
    if sum(said.units) < _SAID:
        return
    for across, down in (pair, pair[::-1]):
        heads = [each for each in cells if _is(each, across) and _listed(each, cells, "row")]
        labels = [each for each in cells if _is(each, down) and _listed(each, cells, "column")]
        if len(heads) != 1 or len(labels) != 1:
            continue
        head, label = heads[0], labels[0]
        for figure in item.figures():
            if (figure.row, figure.column) != (label.row, head.column):
                continue
            over = _named(cells, [each for each in cells if each.row < head.row])
            beside = _named(cells, [each for each in cells if each.column < label.column])
            told = replace(
                figure,
                labels=(f"{beside} {label.text}".strip(),),
                columns=(f"{over} {head.text}".strip(),),
            )
            yield told, (label.row, head.row)


def _is(cell: Cell, value: Decimal) -> bool:
    """Whether a cell is a value of a variable, maybe with its name before it."""
    found = _PERCENT.findall(cell.text)
    return len(found) == 1 and Decimal(found[0]) == value


def _listed(cell: Cell, cells: Sequence[Cell], line: str) -> bool:
    """Whether values of a variable stand beside or below a cell."""
    at = getattr(cell, line)
    along = [each for each in cells if getattr(each, line) == at]
    return sum(bool(_PERCENT.search(each.text)) for each in along) >= _LEAST


def _named(cells: Sequence[Cell], some: Sequence[Cell]) -> str:
    """What cells call a variable."""
    return " ".join(
        dict.fromkeys(each.text for each in some if each.text and not is_value(each.text))
    )
