"""Filings of invented companies as tables and lines, without a page drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from finrag_pipeline.records import Box, Cell, Metadata, Place, Region, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.reading import read_facts
from finrag_pipeline.stages.tables.headers import period_columns, with_header

#: Height of a row and width of a column, in points.
HIGH, WIDE = 14.0, 100.0


def filing(
    last_on: date = date(2024, 12, 31), title: str = "星河股份有限公司2024年年度报告"
) -> Metadata:
    """What a filing of an invented company says of itself."""
    return Metadata(
        title=title,
        kind="filing",
        company_name="星河股份",
        company_code="600999.SH",
        period_first_on=date(last_on.year, 1, 1),
        period_last_on=last_on,
        fiscal_year=last_on.year,
    )


def table(
    text: str,
    title: str | None = None,
    unit: str | None = "元",
    *,
    ordinal: int = 0,
    page: int = 1,
    top: float = 200.0,
) -> Table:
    """A table whose rows are lines and whose cells are parted by ``|``; ``^`` spans to the left."""
    cells: list[Cell] = []
    rows = [line.split("|") for line in text.strip().splitlines()]
    for r, row in enumerate(rows):
        for c, written in enumerate(row):
            shown = written.strip()
            if shown == "^":
                last = cells.pop()
                cells.append(
                    Cell(r, last.column, last.text, last.bbox, 1, last.column_span + 1, page=page)
                )
            elif shown:
                cells.append(Cell(r, c, shown, _box(r, c, top), page=page))
    marked = with_header(cells)
    bbox = (50.0, top, 50.0 + WIDE * max(map(len, rows)), top + HIGH * len(rows))
    return Table(
        ordinal,
        page,
        bbox,
        marked,
        title,
        unit,
        header=tuple(cell.text for cell in marked if cell.header),
        places=(Place(page, bbox),),
        periods=period_columns(marked),
    )


def line(text: str, *, page: int = 1, top: float = 100.0) -> Region:
    """A line of text on a page."""
    return Region(0, page, (50.0, top, 500.0, top + 10.0), "text", text)


def facts_of(
    tables: Sequence[Table],
    metadata: Metadata | None = None,
    regions: Sequence[Region] = (),
) -> tuple[FinancialFact, ...]:
    """The facts of a filing made of tables."""
    return read_facts("made.pdf", metadata or filing(), tables, regions)


def told(facts: Sequence[FinancialFact]) -> dict[tuple[str, str], str]:
    """Value and unit by metric and period; of several the first."""
    found: dict[tuple[str, str], str] = {}
    for fact in facts:
        period = f"{fact.period.fiscal_year}{fact.period.kind}"
        found.setdefault((fact.metric, period), f"{fact.value.normalize():f} {fact.unit}")
    return found


def _box(row: int, column: int, top: float) -> Box:
    x, y = 50.0 + WIDE * column, top + HIGH * row
    return (x, y, x + WIDE - 10, y + HIGH - 4)
