"""Tables of CSV, Excel and Parquet files as rows of cells, whatever the format.

What the cells mean is decided in `figures`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import ConfigurationError

#: Digits that a number of eight bytes holds for certain.
_SURE_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of a file: its headings, and its rows with the number of their line.

    Cells are text, numbers, days, or None where they are empty. Numbers of a Parquet file that
    were lost to rounding are None, too: no figure is better than one that is off.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[Any, ...]], ...]


def read_sheet(path: Path, sheet: str, encoding: str, header: int) -> Sheet:
    """The table of a file.

    Args:
        sheet: of a workbook; empty for the first.
        encoding: of a CSV file; empty for UTF-8, with or without its mark.
        header: number of the line of headings, from 1.

    Raises:
        ConfigurationError: one line on why it cannot be read.
    """
    readers = {".csv": _csv, ".tsv": _csv, ".txt": _csv, ".xlsx": _excel, ".xlsm": _excel}
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            return _parquet(path)
        if suffix not in readers:
            raise ConfigurationError(
                f"{path.name}: {suffix or 'no suffix'} is no format that is read: save it as "
                "CSV, XLSX or Parquet"
            )
        rows = readers[suffix](path, sheet, encoding)
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else "it is damaged"
        raise ConfigurationError(f"{path.name}: {why} ({path})") from None
    if len(rows) < header:
        raise ConfigurationError(f"{path.name}: it has no line {header} with headings")
    headings = tuple("" if cell is None else str(cell).strip() for cell in rows[header - 1])
    body = enumerate(rows[header:], start=header + 1)
    return Sheet(headings, tuple((n, tuple(row)) for n, row in body if any(map(_filled, row))))


def _csv(path: Path, sheet: str, encoding: str) -> list[Sequence[Any]]:
    try:
        text = path.read_bytes().decode(encoding or "utf-8-sig")
    except LookupError:
        raise ConfigurationError(f"{path.name}: {encoding!r} is no encoding") from None
    except UnicodeDecodeError as error:
        mend = "set `encoding: gb18030` if it is Chinese" if not encoding else "set another"
        raise ConfigurationError(
            f"{path.name}: it is not written in {encoding or 'utf-8'} (byte {error.start}): {mend}"
        ) from None
    line = text.partition("\n")[0]
    mark = max(",\t;|", key=line.count)
    try:
        return list(csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True))
    except csv.Error as error:
        raise ConfigurationError(f"{path.name}: it is no CSV: {error}") from None


def _excel(path: Path, sheet: str, encoding: str) -> list[Sequence[Any]]:
    from zipfile import BadZipFile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, ValueError):
        raise ConfigurationError(f"{path.name}: it is no Excel workbook, or damaged") from None
    try:
        if sheet and sheet not in book.sheetnames:
            raise ConfigurationError(
                f"{path.name}: it has no sheet {sheet!r}, but {', '.join(book.sheetnames)}"
            )
        found = book[sheet or book.sheetnames[0]]
        return list(found.iter_rows(values_only=True))
    finally:
        book.close()


def _parquet(path: Path) -> Sheet:
    import pandas
    from fastparquet import ParquetFile

    try:
        file = ParquetFile(str(path))
        frame = file.to_pandas()
    except OSError:
        raise
    except Exception as error:  # of whatever kind its parts raise
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ConfigurationError(f"{path.name}: it is no Parquet file: {line}") from None
    scales = {
        each.name: each.scale
        for each in file.schema.schema_elements
        if each.scale is not None and each.precision is not None
    }
    columns: list[list[Any]] = []
    for name in frame.columns:
        cells = [None if _empty(cell, pandas) else cell for cell in frame[name].astype(object)]
        if name in scales:
            cells = [cell if cell is None else _exactly(cell, scales[name]) for cell in cells]
        columns.append([cell.decode() if isinstance(cell, bytes) else cell for cell in cells])
    rows = zip(*columns, strict=True)
    return Sheet(tuple(map(str, frame.columns)), tuple(enumerate(rows, start=2)))


def _exactly(number: float, scale: int) -> Decimal | None:
    """A decimal that was read as a float, None where digits of it may be lost."""
    exact = round(Decimal(repr(float(number))), scale)
    return exact if len(exact.as_tuple().digits) <= _SURE_DIGITS else None


def _empty(cell: Any, pandas: Any) -> bool:
    return cell is None or (not isinstance(cell, str | bytes) and bool(pandas.isna(cell)))


def _filled(cell: Any) -> bool:
    return cell is not None and bool(str(cell).strip())


def cells_by_role(
    row: Sequence[Any], places: Sequence[tuple[str, int]]
) -> Iterator[tuple[str, Any]]:
    """The cells of a row that have a role; those that a short row lacks are None."""
    for role, place in places:
        cell = row[place] if place < len(row) else None
        yield role, cell.strip() or None if isinstance(cell, str) else cell
