"""Tells the rows of a table as sentences that stand alone: entity, header path, value, unit.

What stands over a row is `body`, in what its figures are counted `figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.measures import bare_label
from finrag_pipeline.records import Cell, Place, RowStatement, Table
from finrag_pipeline.stages.cleaning.geometry import bounds
from finrag_pipeline.stages.tables.body import BodyRow, body_rows
from finrag_pipeline.stages.tables.counting import ALONE, Surroundings
from finrag_pipeline.stages.tables.figures import Figure, figures
from finrag_pipeline.words import is_chinese

#: Characters of one sentence beyond its opening: about what an embedding model reads well.
_LENGTH = 320
#: Characters of one title, label or heading that are repeated in every sentence.
_NAME = 80


@dataclass(frozen=True, slots=True)
class _ToldRow:
    """A row in words; `unit` is what a reader must be told before, empty for none that he may
    think of, None where the row says it itself.
    """

    row: int
    blocks: tuple[str, ...]
    name: str
    values: tuple[str, ...]
    unit: str | None


def row_statements(
    table: Table, entity: str | None, around: Surroundings = ALONE
) -> tuple[RowStatement, ...]:
    """Sentences that tell every cell of a table's body, in row order.

    Rows are told together while they share a heading and fit into one sentence; a row too long
    for one goes on in the next under the same label. Every text stands as printed; the table's unit
    opens a sentence where figures of it are counted in it, and a label is followed by the unit that
    its metric has where none is printed.

    Args:
        table: whole, with its header marked.
        entity: whom its figures are about.
        around: what stands around it, see `surroundings`.
    """
    chinese = is_chinese(" ".join([table.title or "", *(cell.text for cell in table.cells)]))
    places = _places(table.cells)
    comma, semicolon, stop = ("，", "；", "。") if chinese else (", ", "; ", ".")
    result: list[RowStatement] = []
    told: list[str] = []
    rows: list[int] = []
    over: tuple[str, ...] = ()
    unit: str | None = None

    def close() -> None:
        if told:
            text = _opening(table, entity, over, unit, chinese) + semicolon.join(told) + stop
            drawn = [place for row in range(rows[0], rows[-1] + 1) for place in places.get(row, ())]
            result.append(RowStatement(text, rows[0], rows[-1], _around(drawn, table)))
        told.clear()
        rows.clear()

    for row in _rows(table, around, chinese):
        if row.blocks != over or (None not in (unit, row.unit) and row.unit != unit):
            close()
            over, unit = row.blocks, None
        unit = unit if row.unit is None else row.unit
        for part in _parts(row.values):
            piece = comma.join([row.name, *part] if row.name else part)
            if told and sum(map(len, told)) + len(piece) > _LENGTH:
                close()
            told.append(piece)
            rows.append(row.row)
    close()
    return tuple(result)


def _opening(
    table: Table, entity: str | None, blocks: Sequence[str], unit: str | None, chinese: bool
) -> str:
    """What a sentence says once: whom and what it is about, the unit, headings over its rows."""
    title = (table.title or "")[:_NAME]
    stated = (f"（单位：{unit}）" if chinese else f" (unit: {unit})") if unit else ""
    stated = "" if unit and unit in title else stated
    names = " ".join(part for part in ((entity or "")[:_NAME], title) if part) + stated
    colon = "：" if chinese else ": "
    heads = [text[:_NAME].rstrip("：: ") for text in blocks]
    return "".join(f"{text}{colon}" for text in (names, *heads) if text)


def _rows(table: Table, around: Surroundings, chinese: bool) -> Iterator[_ToldRow]:
    """Each body row that tells something."""
    measured: dict[int, list[Figure]] = {}
    for figure in figures(table, around):
        measured.setdefault(figure.row, []).append(figure)
    for row in body_rows(table):
        held = measured.get(row.row, [])
        name = " ".join(text[:_NAME] for text in (*map(bare_label, row.above), row.label) if text)
        name += _own_unit(row, held, chinese)
        values = tuple(_told(row.paths.get(cell.column, ()), cell.text) for cell in row.cells)
        yield _ToldRow(row.row, row.headings, name, values, _unit_before(row, held))


def _unit_before(row: BodyRow, held: Sequence[Figure]) -> str | None:
    """The unit that the figures of a row have from a place that its words do not repeat."""
    units = {
        each.measure.text if each.measure else ""
        for each in held
        if each.source in ("table", "page", "")
        or (each.source == "block" and len(row.headings) < len(row.blocks))
    }
    return None if not units else units.pop() if len(units) == 1 else max(units)


def _own_unit(row: BodyRow, held: Sequence[Figure], chinese: bool) -> str:
    """The unit that a row's metric has, in brackets behind its label, where none is printed."""
    units = {each.measure.text for each in held if each.source == "metric" and each.measure}
    if len(units) != 1 or not any(units) or kind_of(row.label) is None:
        return ""
    return f"（{units.pop()}）" if chinese else f" ({units.pop()})"


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
