"""Lists as tables of the page, as CSV and as Excel: the same rows, with where each stands.

Which rows there are belongs to the module of their noun.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from fastapi import Path
from fastapi.responses import Response
from openpyxl import Workbook
from openpyxl.cell.cell import Cell, WriteOnlyCell

from finrag_pipeline.query.browsing.viewpoint import Item, Paged
from finrag_pipeline.records import Place

Form = Annotated[Literal["csv", "xlsx"], Path(description="as which kind of file")]

_EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: What spreadsheets take for the beginning of a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    Attributes:
        name: as rows and files have it.
        label: as people read it.
        number: whether its values stand under each other by their digits.
        exported: whether it is for files alone.
    """

    name: str
    label: str
    number: bool = False
    exported: bool = False


#: Where a row stands, for files.
WHERE = (
    Column("document_id", "Document", exported=True),
    Column("source", "File", exported=True),
    Column("page", "Page", exported=True),
    Column("box", "Box", exported=True),
)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list with all of its rows.

    Attributes:
        name: of its files, without suffix.
        rows: values by the names of columns; `href` leads to where the row stands, `sheet` says
            that this is a page with boxes.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, object], ...]

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns that the page shows: those for people in which anything stands."""
        shown = [each for each in self.columns if not each.exported]
        return tuple(
            each
            for n, each in enumerate(shown)
            if not n or not self.rows or any(_stands(row.get(each.name)) for row in self.rows)
        )


def _stands(value: object) -> bool:
    return value is not None and value != "" and value != ()


def box_of(place: Place | None) -> str:
    """A box as files have it; empty where there is none."""
    return " ".join(f"{each:g}" for each in place.bbox) if place else ""


def every(part: Callable[[int], Paged[Item]]) -> list[Item]:
    """All items of a list that is read in parts.

    Args:
        part: the part that begins at an offset.
    """
    found: list[Item] = []
    offset: int | None = 0
    while offset is not None:
        read = part(offset)
        found += read.items
        offset = read.next_offset
    return found


def exported(listing: Listing, form: str) -> Response:
    """A list as a file."""
    made, kind = (_excel(listing), _EXCEL) if form == "xlsx" else (_csv(listing), "text/csv")
    headers = {"Content-Disposition": f'attachment; filename="{listing.name}.{form}"'}
    return Response(made, media_type=kind, headers=headers)


def _csv(listing: Listing) -> bytes:
    """Rows under their columns' names; the mark at the start tells Excel that it is UTF-8."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(each.name for each in listing.columns)
    for values in _values(listing):
        rows.writerow(_harmless(each) for each in values)
    return written.getvalue().encode("utf-8-sig")


def _excel(listing: Listing) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("list")
    sheet.freeze_panes = "A2"
    sheet.append([each.name for each in listing.columns])
    for values in _values(listing):
        cells: list[Cell] = []
        for value in values:
            # openpyxl takes every one of these, though its annotations know some alone
            number = isinstance(value, int | float | Decimal | date)
            shown: Any = value if number else _printable(str(value or ""))
            cell = WriteOnlyCell(sheet, shown)
            if not number:
                cell.data_type = "s"  # never a formula
            cells.append(cell)
        sheet.append(cells)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _values(listing: Listing) -> Iterable[Sequence[object]]:
    for row in listing.rows:
        yield [_plain(row.get(each.name)) for each in listing.columns]


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, tuple | list):
        return ", ".join(str(each) for each in value)  # pyright: ignore[reportUnknownVariableType]
    return "" if value is None else value


def _harmless(value: object) -> object:
    """Text that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULAS):
        return f"'{value}"
    return value


def _printable(text: str) -> str:
    """Text without the characters that workbooks cannot hold."""
    return "".join(each for each in text if each >= " " or each in "\n\t")
