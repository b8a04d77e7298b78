"""Reads PDF pages with PyMuPDF: lines, layout boxes, image cover.

Nothing here decides what a line means: that is `cleaning`, `tables` and `metadata`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pymupdf

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import LayoutBox, PageFlag, PageReading, TextLine
from finrag_pipeline.stages.pages.artwork import Artwork, cover_share, read_artwork
from finrag_pipeline.stages.pages.glyphs import glyph_flags
from finrag_pipeline.stages.pages.layout import (
    LayoutFailed,
    PageView,
    may_hold_tables,
    needs_layout,
    run_layout,
    without_known,
)
from finrag_pipeline.stages.pages.pdf_file import (
    count_pages,
    damage_refused,
    load_upright,
    open_pdf,
    rounded,
    storable,
)
from finrag_pipeline.stages.pages.sheet import Sheet, text_of
from finrag_pipeline.stages.tables.page import plain_grids

__all__ = ["count_pages", "load_upright", "read_pages", "require_text_layer", "rounded"]

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


def read_pages(
    path: Path, first: int, last: int, *, layout: bool = True
) -> tuple[PageReading, ...]:
    """Read a range of pages.

    Args:
        path: a local PDF that `count_pages` accepts.
        first: first page, 1-based.
        last: last page, inclusive.
        layout: whether pages that ask for it get the layout model.

    Returns:
        One reading a page, in page order; boxes are in points as a reader sees the page,
        rounded to 2 decimals. Costs 0.03 s a page, and 0.3 s more where `layout.needs_layout`
        asks for the layout model. What a page suffers is flagged on it.

    Raises:
        DocumentError: as `count_pages`, or ``truncated`` when a page cannot be loaded.
    """
    with open_pdf(path) as document, damage_refused(f"pages {first} to {last}: "):
        return tuple(_read(load_upright(document, n), n, layout) for n in range(first, last + 1))


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


def _read(page: pymupdf.Page, number: int, layout: bool) -> PageReading:
    area = page.rect
    text = text_of(page)
    lines = _lines(page, text)
    artwork = read_artwork(page)
    images = _image_share(artwork, lines, area.width, area.height)
    scanned = images >= _SCAN_COVER and _hidden_share(lines) > 0.5
    if scanned:
        # the invisible text layer of a scan: the reader sees the same words in the image
        lines = tuple(replace(line, visible=True) for line in lines)
    flags = list(glyph_flags(lines))
    boxes: Sequence[LayoutBox] = ()
    raw: list[dict[str, Any]] | None = []
    if artwork.too_complex:
        flags.append(PageFlag("too_complex", f"{artwork.path_count} paths"))
    elif layout:
        try:
            view = PageView(number, area.width, area.height, lines, artwork, scanned)
            boxes, raw = _layout(page, view, Sheet(text, artwork.path_count))
        except LayoutFailed as error:
            flags.append(PageFlag("layout_failed", str(error)))
    return PageReading(
        page=number,
        width=round(area.width, 2),
        height=round(area.height, 2),
        lines=lines,
        layout=tuple(boxes),
        raw_layout=raw,
        image_share=images,
        flags=tuple(flags),
    )


def _layout(
    page: pymupdf.Page, view: PageView, sheet: Sheet
) -> tuple[Sequence[LayoutBox], list[dict[str, Any]] | None]:
    """Boxes of the layout model, or of the tables that made it needless, and what it said.

    None in place of what it said tells that there is no table to find.
    """
    if not needs_layout(view):
        return (), [] if may_hold_tables(view) else None
    if view.number > 1:
        grids = plain_grids(page, sheet)
        if not needs_layout(without_known(view, grids)):
            return [LayoutBox("grid", box) for box in grids], []
    raw = run_layout(page)
    return [LayoutBox(group["class_name"], rounded(group["group_bbox"])) for group in raw], raw


def _image_share(artwork: Artwork, lines: Sequence[TextLine], width: float, height: float) -> float:
    """Share of the page under images.

    On a page with next to no text, painted shapes count too: some brokers print their letters
    as outlines and picture strips, which a reader of text cannot tell from a scan.
    """
    sparse = sum(len(line.text.strip()) for line in lines) < _SCAN_CHARACTERS_PER_PAGE
    return cover_share(artwork.images + (artwork.shapes if sparse else ()), width, height)


def _hidden_share(lines: Sequence[TextLine]) -> float:
    total = sum(len(line.text) for line in lines)
    return sum(len(line.text) for line in lines if not line.visible) / max(total, 1)


def _lines(page: pymupdf.Page, text: pymupdf.TextPage) -> tuple[TextLine, ...]:
    """Printed lines in the file's order; a line is split where visibility changes."""
    lines: list[TextLine] = []
    blocks = cast("dict[str, Any]", text.extractDICT())["blocks"]
    printed = [line for block in blocks for line in block.get("lines", ())]
    paper = _paper(page, [span for line in printed for span in line["spans"]])
    for line in printed:
        run: list[dict[str, Any]] = []
        seen = True
        for span in line["spans"]:
            visible = _visible(span, paper) if span["text"].strip() else seen
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


def _paper(page: pymupdf.Page, spans: Sequence[dict[str, Any]]) -> pymupdf.Pixmap | None:
    """A page rendered as far as white letters reach; None where it has none."""
    reach = pymupdf.IRect()
    for span in spans:
        if _is_painted(span) and _is_white(span) and span["text"].strip():
            reach |= pymupdf.IRect(span["bbox"])
    return None if reach.is_empty else page.get_pixmap(clip=reach)


def _is_painted(span: dict[str, Any]) -> bool:
    seen = span["alpha"] != 0 and _size(span) >= _SMALLEST_SIZE_PT
    return seen and bool(span["char_flags"] & _FILLED_OR_STROKED)


def _is_white(span: dict[str, Any]) -> bool:
    color = span["color"]
    return min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _WHITE


def _visible(span: dict[str, Any], paper: pymupdf.Pixmap | None) -> bool:
    if not _is_painted(span):
        return False
    if not _is_white(span):
        return True
    # white letters on a coloured band are read, so ask the rendered page, not the colour alone
    clip = pymupdf.IRect(span["bbox"])
    if paper is None or (clip & paper.irect).is_empty:
        return False
    share, top = paper.color_topusage(clip & paper.irect)
    return not (share > 0.99 and min(top) >= _WHITE)
