"""Figures of an English table with the metric and the periods that they are of.

Which tables are the company's own statements is `statements`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finrag_pipeline.grammar.fact_metrics import FactMetric
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records import Table
from finrag_pipeline.records.facts import FactPeriod
from finrag_pipeline.stages.facts.english.fiscal_years import FiscalYears
from finrag_pipeline.stages.facts.english.headings import Heading, headings
from finrag_pipeline.stages.facts.english.labels import metric_of
from finrag_pipeline.stages.tables.body import BodyRow, body_rows
from finrag_pipeline.stages.tables.counting import Surroundings
from finrag_pipeline.stages.tables.figures import Figure, figures


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of a table.

    Attributes:
        metric: None where its row is none.
        number: as printed, without its scale.
        blocks: headings over its row.
        label: of its row.
    """

    figure: Figure
    metric: FactMetric | None
    heading: Heading
    number: Decimal
    blocks: tuple[str, ...]
    label: str

    @property
    def period(self) -> FactPeriod | None:
        """When it is of; None where its heading tells another kind of time."""
        if self.metric is None or self.metric.timing == "flow":
            return self.heading.flow
        return self.heading.instant


def lines_of(
    table: Table, around: Surroundings, years: FiscalYears, over: str = ""
) -> tuple[Line, ...]:
    """The lines of a table in row order; columns that no heading gives a period have none.

    Args:
        over: what stands over the table, where it does not say itself of when it is.
    """
    by_row: dict[int, list[Figure]] = {}
    for figure in figures(table, around):
        by_row.setdefault(figure.row, []).append(figure)
    found: list[Line] = []
    for row in body_rows(table):
        held = by_row.get(row.row, [])
        if not held:
            continue
        context = " ".join((*_when(row), table.title or "", over))
        paths = {each.column: row.paths[each.column] for each in held if each.column in row.paths}
        columns = headings(_all_paths(row, paths), context, years)
        blocks = (*row.headings, *row.above)
        metric = metric_of(row.label, blocks)
        for figure in held:
            heading, number = columns.get(figure.column), number_of(figure.text)
            if heading and number is not None:
                found.append(Line(figure, metric, heading, number, blocks, row.label))
    return _with_totals(found)


def _when(row: BodyRow) -> tuple[str, ...]:
    """What says when beside a row: the heading of its labels, headings of no other meaning."""
    return (*row.label_headings, *(text for text in row.blocks if text not in row.headings))


def _all_paths(
    row: BodyRow, paths: dict[int, tuple[str, ...]]
) -> dict[int, tuple[str, ...]]:
    """Headings of all columns but that of the labels: quarters share one year's."""
    return {column: path for column, path in row.paths.items() if column} | paths


def _with_totals(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Names the totals that are printed without a label: a rule, then the sum of a block.

    Such a sum is `Total` of the heading over it, where the rows between them add up to it.
    """
    found = list(lines)
    for at, line in enumerate(found):
        if line.label or line.metric or not line.blocks:
            continue
        parts = [
            each.number
            for each in found[:at]
            if each.blocks == line.blocks and each.figure.column == line.figure.column
        ]
        if len(parts) > 1 and sum(parts) == line.number:
            heading = line.blocks[-1].strip(" :")
            found[at] = replace(line, metric=metric_of(f"Total {heading}"), label=f"Total {heading}")
    return tuple(found)
