"""Reports of our own making: tables as rows of texts, and what is read of them in short."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from finrag_pipeline.records import Cell, Metadata, Region, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.reading import read_facts
from finrag_pipeline.stages.tables.headers import with_header

REPORT = Metadata(
    title="业绩点评",
    kind="company",
    company_name="星河科技",
    company_code="600001.SH",
    company_codes=("600001.SH",),
    broker="云岭证券",
    published_on=date(2025, 8, 28),
)

#: Metric, year, value in base units, nature.
Told = tuple[str, int, str, str]


def table(
    *rows: str,
    title: str | None = None,
    unit: str | None = None,
    footnote: str | None = None,
    ordinal: int = 0,
    page: int = 1,
) -> Table:
    """A table of rows whose texts are parted by bars; `*n` behind a text spans n columns."""
    cells: list[Cell] = []
    for r, row in enumerate(rows):
        column = 0
        for part in row.split("|"):
            text, _, span = part.strip().partition("*")
            box = (column * 50.0, r * 12.0, column * 50.0 + 48, r * 12.0 + 10)
            cells.append(Cell(r, column, text, box, column_span=int(span or 1), page=page))
            column += int(span or 1)
    bottom = 12.0 * len(rows)
    return Table(ordinal, page, (0, 0, 500, bottom), with_header(cells), title, unit, footnote)


def sentence(text: str, page: int = 1, kind: str = "text", rule: str | None = None) -> Region:
    """A region of text at the head of a page."""
    return Region(0, page, (50, 50, 500, 90), kind, text, rule)


def facts(
    *tables: Table, regions: Sequence[Region] = (), metadata: Metadata = REPORT
) -> tuple[FinancialFact, ...]:
    """All facts of a report."""
    return read_facts("点评.pdf", metadata, tables, regions)


def told(found: Sequence[FinancialFact]) -> list[Told]:
    """Facts in short, values as plain numbers."""
    return [(f.metric, f.period.fiscal_year, f"{f.value.normalize():f}", f.nature) for f in found]
