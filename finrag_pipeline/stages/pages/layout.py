"""Decides which pages need PyMuPDF's layout model, and runs it.

What its boxes mean for a line is decided in `cleaning` and `tables`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, cast

import pymupdf

from finrag_pipeline.records import Box, TextLine
from finrag_pipeline.stages.cleaning.contacts import without_contacts
from finrag_pipeline.stages.cleaning.geometry import centre, lies_in, rows
from finrag_pipeline.stages.cleaning.passages import legal_from
from finrag_pipeline.stages.cleaning.text import SOURCE_LABEL, folded, weight
from finrag_pipeline.stages.pages.artwork import BACKGROUND, Artwork
from finrag_pipeline.stages.pages.pdf_file import rounded

#: Heads and feet, within this share of the height from the edges, look alike on every page.
_EDGE = 0.08
#: White space on a row that parts two cells; word spaces of 12 pt text are 3 to 6 pt.
_CELL_GAP_PT = 8.0
#: Spaces that part two cells in a line set with letters of one width.
_TYPED_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
#: A ruling line is longer than an underlined word.
_RULE_PT = 40.0
#: An image smaller than this share of the page is a logo or a bullet.
_IMAGE_SHARE = 0.01
#: Two cells with as much text each are lines of two columns that run side by side.
_RUNNING = 30
#: Fewer painted shapes without text in them are ornaments.
_FEW_SHAPES = 5
#: Dotted leaders of a table of contents, and the titles and sources of figures side by side.
_NO_CELL = re.compile(
    r"\.{4,}|…{2,}|·{4,}|．{4,}|^\W{0,2}\s*(图表?|表格?|附图|附表)\s*[\d一二三四五六七八九十]+|"
    r"^\s*(Figure|Table|Chart|Exhibit)\s*\d|"
    rf"^\s*({SOURCE_LABEL}|注|备注|Notes?)\s*\d*\s*[:：]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageView:
    """What decides whether the layout model is asked: a page's lines, artwork, size and number.

    `scanned` tells that the page is an image of itself, whose text lies on it.
    """

    number: int
    width: float
    height: float
    lines: tuple[TextLine, ...]
    artwork: Artwork
    scanned: bool = False


class LayoutFailed(Exception):
    """The layout model gave up on a page, which keeps its lines."""


def needs_layout(page: PageView) -> bool:
    """Whether the layout model may change how a page is read.

    It does where tables, charts and text must be told apart: on covers and scans, in rows of
    several cells, among painted shapes, and where text lies on an image. Elsewhere the page is
    running text, whose heads, feet, headings and columns the rules find.
    """
    if not page.lines or page.width < 1 or page.height < 1:
        return False
    if page.number == 1 or page.scanned:
        return True
    shown = _shown(page)
    ruling = [box for box in page.artwork.horizontal if _inner(box, page.height)]
    if _in_cells(shown, [box for box in ruling if box[2] - box[0] > _RULE_PT]):
        return True
    shapes = (
        box
        for box in page.artwork.shapes
        if _inner(box, page.height) and not any(lies_in(line.bbox, box) for line in shown)
    )
    if sum(1 for _ in islice(shapes, _FEW_SHAPES)) == _FEW_SHAPES:
        return True
    least, most = (share * page.width * page.height for share in (_IMAGE_SHARE, BACKGROUND))
    images = [b for b in page.artwork.images if least < (b[2] - b[0]) * (b[3] - b[1]) < most]
    return sum(lies_in(line.bbox, image) for line in shown for image in images) >= 3


def without_known(page: PageView, grids: Sequence[Box]) -> PageView:
    """A page without what is known already: tables, and the legal matter at its foot.

    Args:
        page: not a first page.
        grids: boxes of tables that were found without the model.
    """
    end = legal_from(page.lines)
    lines = [
        line
        for line in page.lines
        if (end is None or line.bbox[1] < end)
        and not any(lies_in(line.bbox, grid) for grid in grids)
    ]
    return replace(page, lines=tuple(lines), artwork=page.artwork.outside(grids))


def may_hold_tables(page: PageView) -> bool:
    """Whether a single row of a page is made of cells: without one there is no table to find."""
    return any(len(cells) > 1 for cells in _cell_rows(_shown(page)))


def _shown(page: PageView) -> list[TextLine]:
    """What a reader sees between head and foot."""
    return [line for line in page.lines if line.visible and _inner(line.bbox, page.height)]


def _cell_rows(lines: Sequence[TextLine]) -> Iterator[list[str]]:
    """Cells of each row of more than one line, or of one that is typed with wide spaces."""
    for row in rows(lines):
        if any(_NO_CELL.search(line.text) for line in row):
            continue
        cells = _TYPED_GAP.split(row[0].text.strip())
        for before, line in pairwise(row):
            first, *others = _TYPED_GAP.split(line.text.strip())
            if line.bbox[0] - before.bbox[2] >= _CELL_GAP_PT:
                cells.append(first)
            else:
                cells[-1] += first
            cells += others
        yield cells


def _in_cells(lines: Sequence[TextLine], horizontal: Sequence[Box]) -> bool:
    """Whether rows are made of cells: two rows of three, or three of two, fewer between rules.

    Rosters are dropped without the model, and columns of text without rules parted without it.
    """
    ruled = len({round(box[1] / 3) for box in horizontal}) >= 3
    counts = [
        len(cells)
        for cells in _cell_rows(lines)
        if not _of_people(cells) and (ruled or not _run_on(cells))
    ]
    pairs = counts.count(2)
    wide = sum(count > 2 for count in counts)
    return wide >= 2 or wide + pairs >= (2 if ruled else 3)


def _of_people(cells: Sequence[str]) -> bool:
    """Whether a cell is a telephone or an address for mail alone."""
    return any(not without_contacts(folded(cell)).strip() for cell in cells)


def _run_on(cells: Sequence[str]) -> bool:
    return len(cells) == 2 and all(weight(cell) >= _RUNNING for cell in cells)


def _inner(box: Box, height: float) -> bool:
    return _EDGE * height < centre(box)[1] < (1 - _EDGE) * height


def run_layout(page: pymupdf.Page) -> list[dict[str, Any]]:
    """Run the layout model on a page; costs 0.2 to 0.5 s.

    Returns:
        Its boxes in JSON, in reading order: class, box and, for a table, the model's grid lines.

    Raises:
        LayoutFailed: with what went wrong.
    """
    # the model leaves anti-aliasing off behind it, which would make the next page's answer
    # depend on which pages this process has read before
    pymupdf.TOOLS.set_aa_level(8)
    try:
        page.get_layout(return_raw=True)
    except (ArithmeticError, LookupError, RuntimeError, ValueError) as error:
        raise LayoutFailed(f"{type(error).__name__}: {error}".splitlines()[0][:200]) from error
    groups: list[dict[str, Any]] = []
    for group in cast("list[dict[str, Any]]", page.layout_information or []):
        entry: dict[str, Any] = {
            "class_name": str(group["class_name"]),
            "group_bbox": list(rounded(group["group_bbox"])),
        }
        grid = group.get("table_grid")
        if grid is not None:
            entry["h_lines"] = [round(float(value), 2) for value in grid.h_lines]
            entry["v_lines"] = [round(float(value), 2) for value in grid.v_lines]
        groups.append(entry)
    return groups
