"""Titles and units that end a page, of the tables that begin the next one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.grammar.measures import measure_of
from finrag_pipeline.records import Region, Table
from finrag_pipeline.stages.cleaning.text import is_prose, weight
from finrag_pipeline.stages.tables.context import goes_on, only_states_unit
from finrag_pipeline.stages.tables.rendering import to_html, to_markdown
from finrag_pipeline.stages.tables.units import unit_in

#: What runs over all pages, and stands between none of their parts.
_RUNNING = ("page_header", "page_footer", "repeated_line")
_TITLES = ("caption", "heading", "title")
_PARTS = re.compile(r"[，,、]\s*")
#: A title and a unit, each of a line.
_MOST, _LONGEST = 2, 80


@dataclass(frozen=True, slots=True)
class _Ending:
    """What the end of a page says of the table that begins the next one."""

    title: str | None = None
    unit: str | None = None


def captioned_before(tables: Sequence[Table], regions: Sequence[Region]) -> tuple[Table, ...]:
    """Tables with what the page before each ends with, where one begins its page and nothing over
    it says what it is.

    Args:
        tables: parts of a document's tables, a page each.
        regions: of the document, in reading order, dropped ones too.
    """
    pages: dict[int, list[Region]] = {}
    for region in regions:
        if region.rule not in _RUNNING and region.kind not in ("invisible", "marker", "watermark"):
            pages.setdefault(region.page, []).append(region)
    return tuple(_captioned(table, pages) for table in tables)


def _captioned(table: Table, pages: dict[int, list[Region]]) -> Table:
    before = pages.get(table.page - 1)
    begins = all(region.bbox[3] > table.bbox[1] for region in pages.get(table.page, ()))
    if not before or not begins or (table.title and table.unit):
        return table
    ending = _ending(before)
    title, unit = table.title or ending.title, table.unit or ending.unit
    if (title, unit) == (table.title, table.unit):
        return table
    return replace(
        table,
        title=title,
        unit=unit,
        html=to_html(table.cells, title),
        markdown=to_markdown(table.cells, title, unit, table.footnote),
    )


def _ending(regions: Sequence[Region]) -> _Ending:
    """The unit and the title that a page ends with; a title alone may be of the text overleaf, and
    is a caption then."""
    unit: str | None = None
    for region in regions[: -_MOST - 1 : -1]:
        text = region.text.strip()
        if unit is None and only_states_unit(text):
            stated = unit_in([text]) or text
            if not all(map(measure_of, _PARTS.split(stated))):
                break  # other words are printed right behind it
            unit = stated
            continue
        names = region.kind in (_TITLES if unit else ("caption",))
        short = weight(text) <= _LONGEST and not is_prose(text) and not goes_on(text)
        return _Ending(text if names and short else None, unit)
    return _Ending(None, unit)
