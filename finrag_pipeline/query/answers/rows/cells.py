"""The cells of tables that answer what is asked of a row: by their labels, headings and times.

How they are told is `writer`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.kinds import counts_rows, of_kind
from finrag_pipeline.query.answers.rows.matrix import crossing
from finrag_pipeline.query.answers.rows.table import TableRead
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.tables.figures import Figure


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell that answers.

    Attributes:
        labels: what stands over its row and its own label.
        rows: of the grid that say so, its own first.
        change: how its row says that it changed, with the heading, where that is asked beside it.
        score: how well it says what is asked; more is better.
        meets: whether two values of the question meet in it, so that no other cell is meant.
    """

    item: TableItem
    document: DocumentFacts
    figure: Figure
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    score: float
    change: str = ""
    meets: bool = False

    @property
    def value(self) -> Decimal | None:
        """Its number, counted in ones where its table tells in what it is counted."""
        return in_ones(self.figure)


def in_ones(figure: Figure) -> Decimal | None:
    """The number of a cell, counted in ones where its table tells in what it is counted."""
    value = number_of(figure.text)
    return value.scaleb(figure.measure.power) if value is not None and figure.measure else value


def cells_of(asked: AskedRow, item: TableItem, document: DocumentFacts) -> Iterator[RowCell]:
    """The cells of a table that say all of what is asked."""
    table = TableRead(item, document)
    if table.is_about(asked):
        for figure, rows in crossing(asked, item):
            yield RowCell(item, document, figure, figure.labels, rows, 1.0, meets=True)
    if not table.may_say(asked):
        return
    figures = item.figures()
    for figure in figures:
        if number_of(figure.text) is None or counts_rows(figure) or not of_kind(asked, figure):
            continue
        score = table.score(asked, figure)
        if score is None:
            continue
        change = table.change(figure) if asked.change and asked.amount else ""
        if asked.change and asked.amount and not change:
            continue
        labels, rows = table.labels(asked, figure), table.rows(figure)
        yield RowCell(item, document, figure, labels, rows, score, change)


def best_of(found: Sequence[RowCell], near: float) -> list[RowCell]:
    """The cells that answer about as well as the best one, the best first."""
    ordered = sorted(found, key=lambda each: -each.score)
    return [each for each in ordered if ordered[0].score - each.score <= near]
