"""Settles with the tables that were read what cleaning had left to them, and what it had not.

Cleaning goes by the layout model's boxes, before a table is read; a grid may not be found there,
or reach further than the box.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from finrag_pipeline.records import Box, Cell, Place, Region, Table
from finrag_pipeline.stages.cleaning.cover import is_cover_line
from finrag_pipeline.stages.cleaning.forms import is_form
from finrag_pipeline.stages.cleaning.geometry import overlap, overlap_x
from finrag_pipeline.stages.cleaning.sources import is_source
from finrag_pipeline.stages.cleaning.text import is_prose, weight

#: A region lies in a table when the table's box covers this share of it.
_INSIDE = 0.7
#: Rules that hold for a row of a table box that no table has, and the kinds of what they drop.
_KINDS = {"form": "form", "source_line": "source"}
#: A line of units stands no further above its table, in points.
_ABOVE_PT = 40.0
_UNIT = re.compile(
    r"^\W*((金额|货币|计量)?单位|币种|(amounts? |dollars? |figures )*(\(?in|\$ ?in)\s+"
    r"(millions|thousands|billions))",
    re.IGNORECASE,
)
_LONGEST_UNIT = 60
#: Columns of a form, and what one of its cells has at least that holds paragraphs.
_FORM_COLUMNS, _PARAGRAPHS, _SENTENCES, _MUCH = 2, 150, 3, 0.4
_TOKEN = re.compile(r"[^\W\d_\u2e80-\u9fff]+|\d+|[\u2e80-\u9fff]")


@dataclass
class _Held:
    """Boxes of the tables of one page, and the words in them that no region has claimed yet.

    `measured` are boxes of tables that begin here and whose unit was read.
    """

    boxes: list[Box] = field(default_factory=list[Box])
    words: Counter[str] = field(default_factory=Counter[str])
    headers: list[Counter[str]] = field(default_factory=list[Counter[str]])
    measured: list[Box] = field(default_factory=list[Box])

    def claim(self, text: str) -> bool:
        """Take the words of a text; False, and none taken, where one is lacking.

        Rows of column headings are free: a table that repeats them on its next page holds them
        once.
        """
        wanted: Counter[str] = Counter()
        for row in map(_words, text.split("\n")):
            if all(row - header for header in self.headers):
                wanted += row
        if wanted - self.words:
            return False
        self.words -= wanted
        return True


def settle_tables(regions: Sequence[Region], tables: Sequence[Table]) -> tuple[Region, ...]:
    """Decide again which text lives in tables, now that they are read.

    Rows of a region that the rule `table` dropped, but that no table holds, are kept as text (on
    the first page, data of the cover are `cover_block` instead). Text and chart labels that lie in
    a table, and whose words are all in it, are dropped as `table`, and so is the line of units
    above a table that has them. No character is in neither. Rows that are no text wherever they
    stand (forms, source lines) keep the rule that says so.

    Args:
        regions: all regions of one document in reading order.
        tables: all tables of the same document.

    Returns:
        The regions in the same order, numbered anew: one that is in part a table's is cut between
        rows, each part with its share of the height. Settling twice changes nothing more.
    """
    held = _held(tables)
    settled: list[Region] = []
    # what the model called a table comes first: it has the better claim to the table's words
    parts = {
        region.ordinal: _returned(region, held[region.page])
        for region in regions
        if region.rule == "table"
    }
    for region in regions:
        settled += parts.get(region.ordinal) or [_taken(region, held[region.page])]
    return tuple(replace(region, ordinal=index) for index, region in enumerate(settled))


def _held(tables: Sequence[Table]) -> defaultdict[int, _Held]:
    pages: defaultdict[int, _Held] = defaultdict(_Held)
    for table in tables:
        for place in table.places or (Place(table.page, table.bbox),):
            pages[place.page].boxes.append(place.bbox)
            pages[place.page].headers.append(_words(" ".join(table.header)))
        if table.unit:
            first = table.places[0] if table.places else Place(table.page, table.bbox)
            pages[first.page].measured.append(first.bbox)
        for cell in table.cells:
            if not _is_text(table, cell):
                pages[cell.page or table.page].words += _words(cell.text)
        last = table.places[-1].page if table.places else table.page
        for page, text in (
            (table.page, table.title),
            (table.page, table.unit),
            (last, table.footnote),
        ):
            pages[page].words += _words(text or "")
    return pages


def _is_text(table: Table, cell: Cell) -> bool:
    """Whether a cell of a form, labels and what is entered beside them, holds paragraphs and much
    of what the form says: minutes are read as text, lives of managers are not."""
    if weight(cell.text) < _PARAGRAPHS or cell.text.count("。") < _SENTENCES:
        return False
    columns = max(each.column + each.column_span for each in table.cells)
    whole = sum(len(each.text) for each in table.cells)
    much = len(cell.text) >= _MUCH * whole
    return columns <= _FORM_COLUMNS and much and is_prose(cell.text)


def _words(text: str) -> Counter[str]:
    """Words, numbers and Chinese characters, full width as half width."""
    return Counter(_TOKEN.findall(unicodedata.normalize("NFKC", text).lower()))


def _returned(region: Region, held: _Held) -> list[Region]:
    """A region left to tables, cut into the rows that they hold and those that they do not."""
    if _measures(region, held.measured):
        return [region]
    rows = region.text.split("\n")
    fates = ["table" if held.claim(row) else _row_rule(row) for row in rows]
    parts: list[Region] = []
    for rule, group in groupby(range(len(rows)), key=lambda index: fates[index]):
        run = list(group)
        part = replace(
            region,
            text="\n".join(rows[index] for index in run),
            bbox=_slice(region.bbox, run[0], run[-1] + 1, len(rows)),
        )
        if rule in _KINDS:
            part = replace(part, kind=_KINDS[rule], rule=rule)
        elif rule is None:
            cover = region.page == 1 and is_cover_line(part.text)
            part = replace(
                part,
                kind="cover" if cover else "text",
                rule="cover_block" if cover else None,
            )
        parts.append(part)
    return parts


def _row_rule(row: str) -> str | None:
    if is_form(row):
        return "form"
    return "source_line" if is_source(row) else None


def _taken(region: Region, held: _Held) -> Region:
    """A region that a table holds too belongs to the table."""
    movable = region.kept or region.rule in ("chart", "source_line", "form")
    inside = any(overlap(region.bbox, box) >= _INSIDE for box in held.boxes)
    if movable and inside and held.claim(region.text):
        return replace(region, kind="table", rule="table")
    if region.kept and _measures(region, held.measured):
        return replace(region, kind="table", rule="table")
    return region


def _measures(region: Region, tables: Sequence[Box]) -> bool:
    """Whether a region is the line of units above one of the tables."""
    if weight(region.text) > _LONGEST_UNIT or not _UNIT.match(region.text):
        return False
    return any(
        -5 < table[1] - region.bbox[3] < _ABOVE_PT and overlap_x(region.bbox, table) > 0.5
        for table in tables
    )


def _slice(box: Box, first: int, stop: int, count: int) -> Box:
    x0, y0, x1, y1 = box
    step = (y1 - y0) / count
    return (x0, round(y0 + first * step, 2), x1, round(y0 + stop * step, 2))
