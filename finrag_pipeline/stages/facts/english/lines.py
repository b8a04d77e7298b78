"""Figures of an English table with the metric and the periods that they are of.

Which tables are the company's own statements is `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import median

from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records import Table
from finrag_pipeline.records.facts import FactPeriod
from finrag_pipeline.stages.facts.english.fiscal_years import FiscalYears
from finrag_pipeline.stages.facts.english.headings import Heading, headings, times_in
from finrag_pipeline.stages.facts.english.labels import metric_of
from finrag_pipeline.stages.tables.body import BodyRow, body_rows
from finrag_pipeline.stages.tables.counting import Surroundings
from finrag_pipeline.stages.tables.figures import Figure, figures

#: Points by which columns of one table that two grids draw lie apart.
_APART = 25.0
#: Labels of what is counted per share or in shares, and how the first of them is printed.
_ALONE, _CENTS = re.compile(r"(?:basic|diluted)\W*$", re.I), re.compile(r"\.\d\d\d?\)?\s*$")


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


@dataclass(frozen=True, slots=True)
class Columns:
    """Headings over places of a page, for a table without any that goes on below.

    Attributes:
        paths: middle of a column in points with the texts over it, from the left.
        context: what stands over all of them.
    """

    paths: tuple[tuple[float, tuple[str, ...]], ...]
    context: str


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table with its lines in row order and its headings; `alone` where these are its own."""

    table: Table
    lines: tuple[Line, ...]
    columns: Columns
    alone: bool


def read_table(
    table: Table,
    around: Surroundings,
    years: FiscalYears,
    over: str = "",
    before: Columns | None = None,
) -> ReadTable:
    """A table with its lines; columns that no heading gives a period have none.

    Args:
        over: what stands over the table, where it does not say itself of when it is.
        before: headings of the table that this one may go on under.
    """
    by_row: dict[int, list[Figure]] = {}
    for figure in figures(table, around):
        by_row.setdefault(figure.row, []).append(figure)
    middles = _middles([each for held in by_row.values() for each in held])
    rows = [row for row in body_rows(table) if row.row in by_row]
    headed = any(column for row in rows for column in row.paths)
    borrowed = {} if headed else _borrowed(middles, over, before)
    found: list[Line] = []
    context, paths = over, dict[int, tuple[str, ...]]()
    for row in rows:
        context = " ".join(
            (
                *_when(row),
                table.title or "",
                over if not borrowed else before.context if before else "",
            )
        )
        paths = borrowed or {column: row.paths[column] for column in middles if column in row.paths}
        columns = headings(paths, context, years)
        label, blocks = _label(row)
        metric = metric_of(label, blocks)
        for figure in by_row[row.row]:
            heading, number = columns.get(figure.column), number_of(figure.text)
            if heading and number is not None:
                meant = _by_size(metric, figure, number)
                if meant and meant.kind == "per_share" and not blocks and _ALONE.match(label):
                    meant = meant if _CENTS.search(figure.text) else None
                found.append(Line(figure, meant, heading, number, blocks, label))
    placed = tuple(sorted((middles[each], path) for each, path in paths.items() if each in middles))
    return ReadTable(table, _with_totals(found), Columns(placed, context), not borrowed)


def _by_size(metric: FactMetric | None, figure: Figure, number: Decimal) -> FactMetric | None:
    """A margin that is no share of a hundred is the profit that some call so."""
    told = figure.source in ("metric", "") or (figure.measure and figure.measure.currency)
    if metric and metric.name == "printed_gross_margin" and told and abs(number) > 100:
        return fact_metrics()["gross_profit"]
    return metric


def _label(row: BodyRow) -> tuple[str, tuple[str, ...]]:
    """Label and headings of a row; a label that begins in the line above it is joined to that."""
    blocks = (*row.headings, *row.above)
    if blocks and row.label[:1].islower() and not blocks[-1].rstrip().endswith(":"):
        return f"{blocks[-1]} {row.label}", blocks[:-1]
    return row.label, blocks


def _when(row: BodyRow) -> tuple[str, ...]:
    """What says when beside a row: the heading of its labels, headings of no other meaning."""
    return (*row.label_headings, *(text for text in row.blocks if text not in row.headings))


def _middles(held: Sequence[Figure]) -> dict[int, float]:
    """Where the figures of each column have their right edge, in points; those align."""
    edges: dict[int, list[float]] = {}
    for figure in held:
        if figure.place:
            edges.setdefault(figure.column, []).append(figure.place.bbox[2])
    return {column: median(each) for column, each in edges.items()}


def _borrowed(
    middles: Mapping[int, float], over: str, before: Columns | None
) -> dict[int, tuple[str, ...]]:
    """Headings of a table that has none: days above it, else what the table before stands under."""
    columns = sorted(middles)
    times = times_in(over, len(columns)) if len(columns) > 1 else ()
    if times:
        return {column: (text,) for column, text in zip(columns, times, strict=True)}
    if before is None:
        return {}
    near = {
        column: min(before.paths, key=lambda each: abs(each[0] - at), default=(0.0, ()))
        for column, at in middles.items()
    }
    return {
        column: path for column, (at, path) in near.items() if abs(at - middles[column]) < _APART
    }


def _with_totals(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Names the totals that are printed without a label: a rule, then the sum of what is above.

    The sum of a block is `Total` of its heading, that of all assets above it all assets.
    """
    found = list(lines)
    for at, line in enumerate(found):
        if line.label or line.metric:
            continue
        parts = [
            each
            for each in found[:at]
            if each.blocks == line.blocks and each.figure.column == line.figure.column
        ]
        if len(parts) < 2 or sum(each.number for each in parts) != line.number:
            continue
        named = {each.metric.name for each in parts if each.metric}
        if line.blocks:
            label = f"Total {line.blocks[-1].strip(' :')}"
        elif "current_assets" in named and "current_liabilities" not in named:
            label = "Total assets"
        else:
            continue
        found[at] = replace(line, metric=metric_of(label), label=label)
    return tuple(found)
