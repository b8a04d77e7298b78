"""The figures of a table with what each means: labels, headings over it, what it is counted in.

In what it is counted is found in `counting`, what stands over a row in `body`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.measures import Measure
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import number_of, quantities_in
from finrag_pipeline.records import Place, Table
from finrag_pipeline.stages.tables.body import body_rows
from finrag_pipeline.stages.tables.counting import (
    ALONE,
    Counting,
    Source,
    Surroundings,
    measure_in_cell,
)
from finrag_pipeline.stages.tables.phrases import is_number, is_value

#: Shares of a row none of which is larger may be fractions of one: 0.25 for 25 %.
_FRACTION = 1.5
#: Characters of a cell in words whose figure is looked for: longer ones are text.
_WORDS = 40
#: No share is as large: amounts under a heading that was taken for one of growth.
_NO_SHARE = 100_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a table's body.

    Attributes:
        text: as printed.
        labels: block headings from the outermost, rows that its label continues, its label.
        columns: header cells over it, from the top.
        measure: what it is counted in; None where the table does not tell.
        source: where that stands; `metric` where it follows from what is counted.
        row: of the grid.
        column: of the grid.
        place: where it is drawn.
    """

    text: str
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    measure: Measure | None
    source: Source
    row: int
    column: int
    place: Place | None = None


def figures(table: Table, around: Surroundings = ALONE) -> tuple[Figure, ...]:
    """The figures of a table's body in row order, from the left.

    Args:
        table: whole, with its header marked.
        around: what stands around it, see `surroundings`.
    """
    counting = Counting(table, around)
    found: list[Figure] = []
    shares: dict[int, list[int]] = defaultdict(list)
    for row in body_rows(table):
        labels = tuple(text for text in (*row.headings, *row.above, row.label) if text)
        for cell in row.cells:
            if not is_number(cell.text):
                continue
            measure, source = counting.of(row, cell)
            if source == "metric" and measure and measure.unit == "%":
                shares[cell.column if kind_of(row.label) is None else -1 - row.row].append(
                    len(found)
                )
            place = Place(cell.page, cell.bbox) if cell.page and cell.bbox else None
            path = row.paths.get(cell.column, ())
            found.append(
                Figure(cell.text, labels, path, measure, source, cell.row, cell.column, place)
            )
    return _with_shares_checked(found, list(shares.values()))


def figures_in_words(table: Table) -> tuple[Figure, ...]:
    """The figures of cells that say one in words, in row order: 约35万人, 超过600家, ~25% in 2027.

    Args:
        table: whole, with its header marked.
    """
    found: list[Figure] = []
    for row in body_rows(table):
        labels = tuple(text for text in (*row.headings, *row.above, row.label) if text)
        for cell in row.cells:
            said = _said_in(cell.text)
            if said is None:
                continue
            place = Place(cell.page, cell.bbox) if cell.page and cell.bbox else None
            path = row.paths.get(cell.column, ())
            measure = measure_in_cell(said)
            found.append(Figure(said, labels, path, measure, "cell", cell.row, cell.column, place))
    return tuple(found)


def _said_in(text: str) -> str | None:
    """The one quantity with a unit that words of a cell say; None where they say none, or more."""
    if is_value(text) or len(text) > _WORDS:
        return None
    times = [range(each.start, each.end) for each in periods_in(text, "heading")]
    said = [each for each in quantities_in(text) if not any(each.start in time for time in times)]
    alone = len(said) == 1 and said[0].upper is None and bool(said[0].unit)
    return said[0].text if alone else None


def _with_shares_checked(
    found: list[Figure], shares: Sequence[Sequence[int]]
) -> tuple[Figure, ...]:
    """Takes percent from what is printed without a sign and is too large for it, or a fraction.

    Shares up to one are fractions where others of their table print the sign; where nothing tells,
    they have no unit.
    """
    largest = [
        max((abs(n) for at in group if (n := number_of(found[at].text)) is not None), default=0)
        for group in shares
    ]
    for group, most in zip(shares, largest, strict=True):
        if most >= _NO_SHARE:
            for at in group:
                found[at] = replace(found[at], measure=None, source="")
    if any(each > _FRACTION for each in largest):
        return tuple(found)
    signed = any(
        each.source == "cell" and each.measure.unit == "%" for each in found if each.measure
    )
    for group, most in zip(shares, largest, strict=True):
        for at in group if most else ():
            fraction = Measure("", "x") if signed else None
            found[at] = replace(found[at], measure=fraction, source="metric" if signed else "")
    return tuple(found)
