"""Reads the tables of one page."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import pymupdf
from pymupdf import mupdf

from finrag_pipeline.records import Box, Cell, PageFlag
from finrag_pipeline.stages.cleaning.edges import is_page_number
from finrag_pipeline.stages.cleaning.rules import is_contents
from finrag_pipeline.stages.pages.sheet import Sheet, sheet_of
from finrag_pipeline.stages.tables.context import (
    Context,
    context_of,
    goes_on,
    only_states_unit,
    source_rows,
)
from finrag_pipeline.stages.tables.detection import find_grids, is_table
from finrag_pipeline.stages.tables.foot import head_at_foot
from finrag_pipeline.stages.tables.frames import Framed, continued, read_frames
from finrag_pipeline.stages.tables.ink import View, views
from finrag_pipeline.stages.tables.names import is_statement_name
from finrag_pipeline.stages.tables.pages import TablePart
from finrag_pipeline.stages.tables.phrases import Word, text_rows
from finrag_pipeline.stages.tables.ruled import Grid
from finrag_pipeline.stages.tables.typewriting import without_typewriting

_LOG = logging.getLogger(__name__)

#: Drawing commands (a path may hold many) and words above which a page is no table that anyone
#: reads: reports have up to 1,821 paths and 4,000 words on one. The bound is higher than that of
#: `artwork`, which spares the layout model: a table of 2,400 cells that draws each side of a cell
#: alone has 9,600 paths and is read in 0.6 s, while 3,000 cost the model 28 s.
MAX_COMMANDS, MAX_WORDS = 20_000, 20_000
#: Running heads and feet lie within this share of the page's height from its edges.
_EDGE = 0.1
#: Share of filled slots from which a grid is surely no chart: tables of figures have .7 and more.
_DENSE = 0.6
#: What a page that no reader was made for raises.
_FAILURES = (mupdf.FzErrorBase, ArithmeticError, LookupError, RuntimeError, ValueError)


def plain_grids(page: pymupdf.Page, sheet: Sheet) -> tuple[Box, ...]:
    """Boxes of the tables on a page that need no layout model to be seen; costs about 0.02 s.

    Most of their slots are filled: what rules and labels of a chart draw has large gaps.

    Args:
        page: upright.
        sheet: what it prints.
    """
    seen, _ = _views(page, 0, sheet)
    try:
        found = [(view, framed) for view in seen for framed in _framed(view, 0, ())]
    except _FAILURES as error:
        _failed(0, error)
        return ()
    dense = ((v, framed) for v, framed in found if _filled_share(framed.cells) >= _DENSE)
    return tuple(view.to_page(framed.box) for view, framed in dense)


def _filled_share(cells: Sequence[Cell]) -> float:
    size = sum(cell.row_span * cell.column_span for cell in cells)
    return sum(cell.row_span * cell.column_span for cell in cells if cell.text) / max(size, 1)


def read_page(
    page: pymupdf.Page, number: int, layout: Sequence[Mapping[str, Any]]
) -> tuple[list[TablePart], PageFlag | None]:
    """The tables of an upright page from the top, and the flag of one that cannot be analysed."""
    seen, flag = _views(page, number)
    try:
        return [part for view in seen for part in _parts(view, number, layout)], flag
    except _FAILURES as error:
        return [], _failed(number, error)


def _views(
    page: pymupdf.Page, number: int, sheet: Sheet | None = None
) -> tuple[list[View], PageFlag | None]:
    """What an upright page prints; nothing, and why, where it is worth no analysis."""
    if page.rect.width < 1 or page.rect.height < 1:
        return [], None
    try:
        sheet = sheet or sheet_of(page)
        if sheet.paths > MAX_COMMANDS:
            return [], PageFlag("too_complex", f"{sheet.paths} paths")
        drawings = cast("list[dict[str, Any]]", page.get_cdrawings()) if sheet.paths else []
        commands = sum(len(drawing["items"]) for drawing in drawings)
        if commands > MAX_COMMANDS:
            return [], PageFlag("too_complex", f"{commands} drawing commands")
        seen = [without_typewriting(view) for view in views(page, sheet.text, drawings)]
        words = sum(len(view.words) for view in seen)
        if words > MAX_WORDS:
            return [], PageFlag("too_complex", f"{words} words")
        return seen, None
    except _FAILURES as error:
        return [], _failed(number, error)


def _failed(number: int, error: Exception) -> PageFlag:
    # one page less, the document stays
    _LOG.warning("no tables from page %d", number, exc_info=True)
    return PageFlag("tables_failed", f"{type(error).__name__}: {error}"[:200])


def _framed(view: View, number: int, layout: Sequence[Mapping[str, Any]]) -> list[Framed]:
    """The tables of a view, without what is printed around them."""
    found: list[Framed] = []
    grids = [item for item in find_grids(view, layout) if not _lists_contents(item[0], view)]
    for framed, claimed in read_frames(grids, view, number):
        note, cells = source_rows(framed.cells)
        if is_table(cells, claimed):
            found.append(replace(framed, cells=cells, note=note))
    return continued(found, view)


def _parts(view: View, number: int, layout: Sequence[Mapping[str, Any]]) -> list[TablePart]:
    found = _framed(view, number, layout)
    alone = head_at_foot(view, number, found)
    found += [alone] if alone else []
    boxes = [framed.box for framed in found]
    lines = [line for line in view.lines if not any(_holds(box, line) for box in boxes)]
    regions = [(str(g["class_name"]), view.from_page(_box(g))) for g in layout]
    parts: list[TablePart] = []
    for index, framed in enumerate(found):
        others = boxes[:index] + boxes[index + 1 :]
        around = _around(framed, context_of(framed.box, lines, regions, others), lines, regions)
        title = framed.title or around.title
        # what sets pages anew leaves their numbers where the text ends
        beside = [*(line.bbox for line in lines if not is_page_number(line.text)), *others]
        above, below = _open(framed.box, beside, view.height, title, lines)
        parts.append(
            TablePart(
                ordinal=0,
                page=number,
                bbox=view.to_page(framed.box),
                cells=framed.cells,
                title=title,
                unit=framed.unit or around.unit,
                footnote=framed.note or around.footnote,
                open_above=above,
                open_below=below,
                head_alone=framed is alone,
            )
        )
    return [each for each in parts if each.open_below or not each.head_alone]


def _lists_contents(grid: Grid, view: View) -> bool:
    """Whether a grid is a table of contents; what is read no longer has its leaders."""
    rows = text_rows(line for line in view.lines if _holds(grid.bbox, line))
    return is_contents([" ".join(line.text for line in row) for row in rows])


def _around(
    framed: Framed, near: Context, lines: Sequence[Word], regions: Sequence[tuple[str, Box]]
) -> Context:
    """What is printed around a table, or else around the frame that it is a part of."""
    if framed.box == framed.frame:
        return near
    frame = context_of(framed.frame, lines, regions, ())
    # the name of one statement over the frame is that of its neighbour
    shared = None if is_statement_name(frame.title or "") else frame.title
    return Context(near.title or shared, near.unit or frame.unit, near.footnote or frame.footnote)


def _open(
    box: Box, others: Sequence[Box], height: float, title: str | None, lines: Sequence[Word]
) -> tuple[bool, bool]:
    """Whether nothing stands above and below a table but running heads and feet.

    Its own title, its unit and words that it goes on are part of it.
    """
    own = {
        line.bbox
        for line in lines
        if line.text == title or only_states_unit(line.text) or goes_on(line.text)
    }
    inner = [b for b in others if _EDGE * height < (b[1] + b[3]) / 2 < (1 - _EDGE) * height]
    above = not any(b[3] <= box[1] + 3 and b not in own for b in inner)
    below = not any(b[1] >= box[3] - 3 for b in inner)
    return above, below


def _holds(box: Box, line: Word) -> bool:
    return box[0] <= line.x <= box[2] and box[1] <= line.y <= box[3]


def _box(group: Mapping[str, Any]) -> Box:
    x0, y0, x1, y1 = (float(value) for value in group["group_bbox"][:4])
    return (x0, y0, x1, y1)
