"""Tells the rows of a table as sentences that stand alone: entity, header path, value, unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag_pipeline.records import Cell, Place, RowStatement, Table
from finrag_pipeline.stages.cleaning.geometry import bounds
from finrag_pipeline.stages.tables.headers import header_paths, label_columns
from finrag_pipeline.stages.tables.phrases import is_number
from finrag_pipeline.words import is_chinese

#: Characters of one sentence beyond its opening: about what an embedding model reads well.
_LENGTH = 320
#: Characters of one title, label or heading that are repeated in every sentence.
_NAME = 80


def row_statements(table: Table, entity: str | None) -> tuple[RowStatement, ...]:
    """Sentences that tell every cell of a table's body, in row order.

    Rows are told together while they share a parent and fit into one sentence; a row too long
    for one goes on in the next under the same label. Every text stands as printed.

    Args:
        table: whole, with its header marked.
        entity: whom its figures are about.
    """
    chinese = is_chinese(" ".join([table.title or "", *(cell.text for cell in table.cells)]))
    opening = _opening(table, entity, chinese)
    places = _places(table.cells)
    comma, semicolon, stop = ("，", "；", "。") if chinese else (", ", "; ", ".")
    result: list[RowStatement] = []
    told: list[str] = []
    rows: list[int] = []

    def close() -> None:
        if told:
            text = opening + semicolon.join(told) + stop
            drawn = [place for row in range(rows[0], rows[-1] + 1) for place in places.get(row, ())]
            result.append(RowStatement(text, rows[0], rows[-1], _around(drawn, table)))
        told.clear()
        rows.clear()

    over: tuple[str, ...] = ()
    for row, parents, label, values in _rows(table):
        name = " ".join(text[:_NAME] for text in (*parents, label) if text)
        if parents != over:
            close()
            over = parents
        for part in _parts(values):
            piece = comma.join([name, *part] if name else part)
            if told and sum(map(len, told)) + len(piece) > _LENGTH:
                close()
            told.append(piece)
            rows.append(row)
    close()
    return tuple(result)


def _opening(table: Table, entity: str | None, chinese: bool) -> str:
    title = (table.title or "")[:_NAME]
    unit = table.unit if table.unit and table.unit not in title else None
    stated = (f"（单位：{unit}）" if chinese else f" (unit: {unit})") if unit else ""
    names = " ".join(part for part in ((entity or "")[:_NAME], title) if part) + stated
    return f"{names}{'：' if chinese else ': '}" if names else ""


def _rows(table: Table) -> Iterator[tuple[int, tuple[str, ...], str, list[str]]]:
    """Each body row that tells something: its number, parents, label, and values with headings."""
    labels = label_columns(table.cells)
    paths = header_paths(table.cells)
    body = [cell for cell in table.cells if not cell.header and cell.text]
    rows: dict[int, list[Cell]] = {}
    for cell in body:
        # a label that spans rows names each of them
        reach = range(cell.row, cell.row + (cell.row_span if cell.column < labels else 1))
        for row in reach:
            rows.setdefault(row, []).append(cell)
    section: tuple[str, ...] = ()
    last = -1
    for row in sorted(rows):
        held = sorted(rows[row], key=lambda cell: cell.column)
        names = [cell.text for cell in held if cell.column < labels and not is_number(cell.text)]
        figures = [cell for cell in held if cell.column >= labels or is_number(cell.text)]
        if not figures:
            # headings on successive rows stand one under the other
            section = (*section, " ".join(names))[-2:] if last == row - 1 else (" ".join(names),)
            last = row
            continue
        values = [_told(paths.get(cell.column, ()), cell.text) for cell in figures]
        yield row, section, " ".join(names), values


def _told(path: tuple[str, ...], value: str) -> str:
    heading = " ".join(text[:_NAME] for text in path)
    return f"{heading} {value}" if heading else value


def _parts(values: Sequence[str]) -> Iterator[list[str]]:
    """Values in parts that fit one sentence; a text longer than that is cut between words."""
    part: list[str] = []
    for value in values:
        for piece in _pieces(value):
            if part and sum(map(len, part)) + len(piece) > _LENGTH:
                yield part
                part = []
            part.append(piece)
    if part:
        yield part


def _pieces(text: str) -> Iterator[str]:
    while len(text) > _LENGTH:
        # never inside a figure
        cut = _LENGTH
        while cut > _LENGTH // 2 and text[cut - 1] in "0123456789.,，%-" and text[cut] != " ":
            cut -= 1
        yield text[:cut].strip()
        text = text[cut:]
    yield text.strip()


def _places(cells: Sequence[Cell]) -> dict[int, list[Place]]:
    """Where the cells that begin in each row are drawn."""
    places: dict[int, list[Place]] = {}
    for cell in cells:
        if cell.bbox is not None and cell.page is not None:
            places.setdefault(cell.row, []).append(Place(cell.page, cell.bbox))
    return places


def _around(drawn: Sequence[Place], table: Table) -> Place:
    """The box around cells, on the page on which they begin; that of the table without any."""
    if not drawn:
        return Place(table.page, table.bbox)
    page = min(place.page for place in drawn)
    return Place(page, bounds(place.bbox for place in drawn if place.page == page))
