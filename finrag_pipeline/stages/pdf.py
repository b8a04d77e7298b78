"""Reads PDF pages with PyMuPDF: lines, layout boxes, image cover.

Nothing here decides what a line means: that is `cleaning`, `tables` and `metadata`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pymupdf

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import Box, LayoutBox, PageReading, TextLine
from finrag_pipeline.stages.pdf_file import count_pages, damage_refused, open_pdf, storable

__all__ = ["count_pages", "load_upright", "read_pages", "require_text_layer", "rounded"]

_LOG = logging.getLogger(__name__)

#: Everything a page prints inside its box; ligatures are spelt out, unknown glyphs stay U+FFFD.
_TEXT_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_STYLES
)
#: Bits of a span's `char_flags`: painted at all (neither bit is set in render mode 3), and bold.
_FILLED_OR_STROKED, _BOLD = 16 | 32, 8
#: No printed report sets text below this size; hidden markers use 1 pt.
_SMALLEST_SIZE_PT = 2.0
#: A channel value from which a colour counts as paper white.
_WHITE = 250
#: A document reads as a scan below this many characters a page, when pictures cover this share of
#: it. Image-only reports of the corpus hold 2 to 11 characters a page (stamp, page number) under
#: a mean share of 0.35, the sparsest real one 200.
_SCAN_CHARACTERS_PER_PAGE, _SCAN_IMAGE_SHARE = 50, 0.1
#: Share of a page under images from which it is a scan, whose text layer is invisible by design.
_SCAN_COVER = 0.5
_GRID = 40


def read_pages(path: Path, first: int, last: int) -> tuple[PageReading, ...]:
    """Read a range of pages.

    Args:
        path: a local PDF that `count_pages` accepts.
        first: first page, 1-based.
        last: last page, inclusive.

    Returns:
        One reading a page, in page order; boxes are in points as a reader sees the page,
        rounded to 2 decimals. Costs 0.01 s a page without the layout model and about 0.3 s
        with it; pages without any text do not run it.

    Raises:
        DocumentError: as `count_pages`, or ``truncated`` when a page cannot be loaded.
    """
    with open_pdf(path) as document, damage_refused(f"pages {first} to {last}: "):
        return tuple(_read(load_upright(document, n), n) for n in range(first, last + 1))


def require_text_layer(pages: Sequence[PageReading]) -> None:
    """Refuse a document that is images without a text layer.

    Args:
        pages: all pages of one document.

    Raises:
        DocumentError: ``image_only`` with the counts of pages and characters.
    """
    characters = sum(len("".join(line.text.split())) for page in pages for line in page.lines)
    share = sum(page.image_share for page in pages) / max(len(pages), 1)
    if characters < _SCAN_CHARACTERS_PER_PAGE * len(pages) and share > _SCAN_IMAGE_SHARE:
        raise DocumentError("image_only", f"{len(pages)} pages, {characters} characters")


def load_upright(document: pymupdf.Document, number: int) -> pymupdf.Page:
    """Load page `number` (1-based), turned in memory so that every box is as the reader sees it."""
    page = document.load_page(number - 1)
    if page.rotation:
        page.remove_rotation()
        page = document.reload_page(page)
    return page


def rounded(box: Sequence[float]) -> Box:
    """A box as plain floats with 2 decimals."""
    x0, y0, x1, y1 = (round(float(value), 2) for value in box[:4])
    return (x0, y0, x1, y1)


def _read(page: pymupdf.Page, number: int) -> PageReading:
    area = page.rect
    lines = _lines(page)
    images = _image_share(page, lines)
    if images >= _SCAN_COVER and _hidden_share(lines) > 0.5:
        # the invisible text layer of a scan: the reader sees the same words in the image
        lines = tuple(replace(line, visible=True) for line in lines)
    raw = _raw_layout(page) if lines else []
    return PageReading(
        page=number,
        width=round(area.width, 2),
        height=round(area.height, 2),
        lines=lines,
        layout=tuple(LayoutBox(group["class_name"], rounded(group["group_bbox"])) for group in raw),
        raw_layout=raw,
        image_share=images,
    )


def _hidden_share(lines: Sequence[TextLine]) -> float:
    total = sum(len(line.text) for line in lines)
    return sum(len(line.text) for line in lines if not line.visible) / max(total, 1)


def _lines(page: pymupdf.Page) -> tuple[TextLine, ...]:
    """Printed lines in the file's order; a line is split where visibility changes."""
    paper: list[pymupdf.Pixmap] = []  # rendered once, and only for a page with white text
    lines: list[TextLine] = []
    for block in cast("dict[str, Any]", page.get_text("dict", flags=_TEXT_FLAGS))["blocks"]:
        for line in block.get("lines", ()):
            run: list[dict[str, Any]] = []
            seen = True
            for span in line["spans"]:
                visible = _visible(page, span, paper) if span["text"].strip() else seen
                if run and visible != seen:
                    lines.append(_line(run, seen))
                    run = []
                run.append(span)
                seen = visible
            lines.append(_line(run, seen))
    return tuple(line for line in lines if line.text.strip())


def _line(spans: Sequence[dict[str, Any]], visible: bool) -> TextLine:
    inked = [span for span in spans if span["text"].strip()] or list(spans)
    longest = max(inked, key=lambda span: len(span["text"].strip()))
    boxes = [span["bbox"] for span in inked]
    box = (*(min(b[i] for b in boxes) for i in (0, 1)), *(max(b[i] for b in boxes) for i in (2, 3)))
    bold = bool(longest["flags"] & pymupdf.TEXT_FONT_BOLD or longest["char_flags"] & _BOLD)
    text = storable("".join(span["text"] for span in spans))
    return TextLine(rounded(box), text, round(_size(longest), 2), bold, visible)


def _size(span: dict[str, Any]) -> float:
    """Font size in points; fonts that scale themselves (Type 3) state next to none."""
    if span["size"] >= _SMALLEST_SIZE_PT:
        return float(span["size"])
    x0, y0, x1, y1 = span["bbox"]
    # the shorter side is across the line, which ascenders and descenders fill 1.4 times over
    return max(float(span["size"]), min(x1 - x0, y1 - y0) / 1.4)


def _visible(page: pymupdf.Page, span: dict[str, Any], paper: list[pymupdf.Pixmap]) -> bool:
    if span["alpha"] == 0 or _size(span) < _SMALLEST_SIZE_PT:
        return False
    if not span["char_flags"] & _FILLED_OR_STROKED:
        return False
    color = span["color"]
    if min(color >> 16 & 255, color >> 8 & 255, color & 255) < _WHITE:
        return True
    if not paper:
        paper.append(page.get_pixmap())
    # white letters on a coloured band are read, so ask the rendered page, not the colour alone
    clip = pymupdf.IRect(span["bbox"]) & paper[0].irect
    if clip.is_empty:
        return False
    share, top = paper[0].color_topusage(clip)
    return not (share > 0.99 and min(top) >= _WHITE)


def _raw_layout(page: pymupdf.Page) -> list[dict[str, Any]]:
    """Boxes of the layout model in JSON: class, box and, for a table, the model's grid lines."""
    if page.rect.width < 1 or page.rect.height < 1:
        return []
    # the model leaves anti-aliasing off behind it, which would make the next page's answer
    # depend on which pages this process has read before
    pymupdf.TOOLS.set_aa_level(8)
    try:
        page.get_layout(return_raw=True)
    except (ArithmeticError, LookupError, RuntimeError, ValueError) as error:
        # the page keeps its lines: cleaning then groups them by distance alone
        _LOG.warning("no layout for page %d: %s", cast("int", page.number) + 1, error)
        return []
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


def _image_share(page: pymupdf.Page, lines: Sequence[TextLine]) -> float:
    """Share of the page under images, counted on a coarse grid so that overlaps count once.

    On a page with next to no text, painted shapes count too: some brokers print their letters
    as outlines and picture strips, which a reader of text cannot tell from a scan.
    """
    area = page.rect
    if area.is_empty:
        return 0.0
    sparse = sum(len(line.text.strip()) for line in lines) < _SCAN_CHARACTERS_PER_PAGE
    covered: set[tuple[int, int]] = set()
    for kind, bbox in cast("list[tuple[str, Any]]", page.get_bboxlog()):
        box = pymupdf.Rect(bbox) & area
        background = box.get_area() > 0.9 * area.get_area()
        shape = sparse and kind == "fill-path" and not background
        if box.is_empty or not (shape or kind in ("fill-image", "fill-imgmask")):
            continue
        columns = range(round(box.x0 / area.width * _GRID), round(box.x1 / area.width * _GRID))
        rows = range(round(box.y0 / area.height * _GRID), round(box.y1 / area.height * _GRID))
        covered.update((row, column) for row in rows for column in columns)
    return round(len(covered) / _GRID**2, 2)
