"""Reads the tables of PDF pages: cells with spans and boxes, and what is printed around them.

A page is read in `page`, parts on several pages are joined in `pages`; what the figures mean is
read by later stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from finrag_pipeline.records import PageFlag, Place, Table
from finrag_pipeline.stages.pages.pdf_file import load_upright, open_pdf
from finrag_pipeline.stages.tables.beside import with_headings_joined
from finrag_pipeline.stages.tables.blocks import begun_overleaf
from finrag_pipeline.stages.tables.headers import period_columns, with_header
from finrag_pipeline.stages.tables.page import read_page
from finrag_pipeline.stages.tables.pages import joined
from finrag_pipeline.stages.tables.rendering import to_html, to_markdown
from finrag_pipeline.stages.tables.signs import with_own_signs
from finrag_pipeline.stages.tables.statements import row_statements
from finrag_pipeline.stages.tables.surroundings import surroundings, unit_above
from finrag_pipeline.stages.tables.units import unit_in, unit_of_header

__all__ = [
    "TableReading",
    "join_pages",
    "read_flagged_tables",
    "read_tables",
    "with_statements",
]


@dataclass(frozen=True, slots=True)
class TableReading:
    """The tables of some pages and, by page number, what went less than well."""

    tables: tuple[Table, ...]
    flags: tuple[tuple[int, PageFlag], ...] = ()


def read_tables(path: Path, pages: Sequence[tuple[int, Any]]) -> tuple[Table, ...]:
    """Read the tables of some pages of a PDF; those that cross pages in parts, for `join_pages`.

    Args:
        path: a local PDF.
        pages: page number, 1-based, and the `raw_layout` of its reading; empty or None where the
            layout model did not run.

    Returns:
        Tables in page order, then from the top, numbered from 0, rendered, without statements.
        Costs about 0.02 s a page. Grids of one row and column, without text, of running text or
        of contact lines are left out.

    Raises:
        DocumentError: as `pdf.count_pages`.
    """
    return read_flagged_tables(path, pages).tables


def read_flagged_tables(path: Path, pages: Sequence[tuple[int, Any]]) -> TableReading:
    """Read tables as `read_tables` does, and say which pages could not be analysed.

    A page with more drawing commands or words than are worth analysing is flagged
    ``too_complex``, one on which reading failed ``tables_failed``; both give no tables.
    """
    tables: list[Table] = []
    flags: list[tuple[int, PageFlag]] = []
    with open_pdf(path) as document:
        for number, raw in pages:
            found, flag = read_page(load_upright(document, number), number, raw or ())
            tables += found
            if flag is not None:
                flags.append((number, flag))
    return TableReading(tuple(_finished(t, n) for n, t in enumerate(tables)), tuple(flags))


def join_pages(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Join the parts of tables that cross pages, and halves of columns; a header that the next
    page repeats goes.

    Args:
        tables: all of a document, in page order.

    Returns:
        Whole tables, numbered from 0, with a place for each page.
    """
    whole: list[Table] = []
    parts = (part for table in joined(tables) for part in _apart(table))
    for ordinal, table in enumerate(parts):
        cells = with_headings_joined(table.cells)
        unit = table.unit or unit_above(table, whole[-1] if whole else None)
        as_read = len(table.places) == 1 and cells == table.cells and unit == table.unit
        mended = replace(table, ordinal=ordinal, cells=cells, unit=unit)
        whole.append(mended if as_read else _finished(mended, ordinal))
    return tuple(whole)


def _apart(table: Table) -> Iterator[Table]:
    """A table, or those whose heads stand below another one at the foot of its page."""
    starts = begun_overleaf(table.cells) if len(table.places) > 1 else []
    if not starts:
        yield table
        return
    last = max(cell.row for cell in table.cells) + 1
    for start, stop in pairwise((0, *starts, last)):
        held = [cell for cell in table.cells if start <= cell.row < stop]
        pages = {cell.page for cell in held}
        places = tuple(each for each in table.places if each.page in pages)
        cells = tuple(replace(cell, row=cell.row - start) for cell in held)
        yield replace(table, cells=cells, places=places, page=places[0].page, bbox=places[0].bbox)


def with_statements(tables: Sequence[Table], entity: str | None) -> tuple[Table, ...]:
    """Tables with their rows told as sentences about an entity: a company, or what a title says."""
    return tuple(
        replace(table, statements=row_statements(table, entity, around))
        for table, around in zip(tables, surroundings(tables), strict=True)
    )


def _finished(table: Table, ordinal: int) -> Table:
    cells = with_header(with_own_signs(table.cells))
    unit = table.unit or unit_in([table.title or ""]) or unit_of_header(cells)
    return replace(
        table,
        ordinal=ordinal,
        cells=cells,
        unit=unit,
        header=tuple(cell.text for cell in cells if cell.header and cell.text),
        html=to_html(cells, table.title),
        markdown=to_markdown(cells, table.title, unit, table.footnote),
        places=table.places or (Place(table.page, table.bbox),),
        periods=period_columns(cells),
    )
