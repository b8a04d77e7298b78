"""Reads pages that are images with RapidOCR, whose weights come in its wheel.

What it recognises is set as text on an empty page of the same size, so that the layout model and
the table finder treat it like any other page. Which pages need it is decided in `scans`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pymupdf

from finrag_pipeline.records import Box, LayoutBox, PageFlag, PageReading, TextLine
from finrag_pipeline.stages.cleaning.geometry import lies_in
from finrag_pipeline.stages.pages.layout import LayoutFailed, run_layout
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline.stages.pages.pdf_file import (
    damage_refused,
    load_upright,
    open_pdf,
    rounded,
    storable,
)
from finrag_pipeline.stages.tables.reading import TableReading, read_flagged_tables

#: Pages are rendered at this resolution: 100, 150 and 200 dpi read the same figures on covers and
#: full-page statements (1,763 to 1,775 and 2,662 characters), 100 joins words of neighbouring
#: columns more often, and 200 takes a third longer.
_DPI = 150
#: No side is rendered longer, in pixels: scanners make pages of one point a pixel.
_LONGEST_SIDE = 2600
#: Lines recognised with less confidence are logos and specks; printed lines score .9 and more.
_LEAST_CONFIDENCE = 0.6
#: Font size over the height of a recognised box, which has a margin around the letters: on printed
#: pages read from their image, half of the lines lie between .69 and .84.
_SIZE_IN_BOX = 0.75
#: Where in a box the baseline runs, from its foot.
_DESCENT = 0.2


@dataclass(frozen=True, slots=True)
class _Recognised:
    """One line of text with the engine's confidence, 0 to 1."""

    bbox: Box
    text: str
    confidence: float


def read_scanned_pages(path: Path, numbers: Sequence[int]) -> tuple[PageReading, ...]:
    """Read pages from their images.

    Args:
        path: a local PDF.
        numbers: pages, 1-based.

    Returns:
        One reading a page, in the order of `numbers`: what text the page holds, then the lines
        recognised beside it, with the size estimated from their height; `ocr_confidence` is their
        mean by characters, and the page is flagged ``ocr``. Costs 5 to 20 s a page on one core
        and 1 GiB.

    Raises:
        DocumentError: as `pdf.read_pages`.
    """
    return tuple(_read(path, number) for number in numbers)


def was_scanned(raw_layout: Any) -> bool:
    """Whether the `raw_layout` of a page is one that `read_scanned_pages` made."""
    return isinstance(raw_layout, dict)


def read_scanned_tables(pages: Sequence[tuple[int, Any]]) -> TableReading:
    """Read the tables of pages that OCR has read, without reading the images again.

    Args:
        pages: page number, 1-based, and the `raw_layout` of its reading.

    Returns:
        As `tables.read_flagged_tables`.
    """
    numbers = [number for number, _ in pages]
    with pymupdf.open() as document, tempfile.TemporaryDirectory(prefix="finrag-ocr-") as folder:
        by_number = dict(pages)
        for number in range(1, max(numbers, default=0) + 1):
            raw = by_number.get(number)
            if raw is None:
                document.new_page()
            else:
                lines = [(tuple(line[:4]), str(line[4])) for line in raw["lines"]]
                _set_text(document, raw["width"], raw["height"], lines)
        path = Path(folder) / "text.pdf"
        document.save(path)
        return read_flagged_tables(path, [(number, raw["layout"]) for number, raw in pages])


def _read(path: Path, number: int) -> PageReading:
    (plain,) = read_pages(path, number, number)
    printed = [line for line in plain.lines if line.visible]
    found = [
        line
        for line in _recognise(path, number)
        if not any(lies_in(line.bbox, other.bbox) for other in printed)
    ]
    lines = [(line.bbox, line.text) for line in (*printed, *found)]
    flags = [PageFlag("ocr")]
    confidence = None
    if found:
        characters = sum(len(line.text) for line in found)
        mean = sum(line.confidence * len(line.text) for line in found) / characters
        confidence = round(mean, 3)
        flags = [PageFlag("ocr", f"confidence {mean:.2f}")]
    layout: list[dict[str, Any]] = []
    if lines:
        with pymupdf.open() as document:
            page = _set_text(document, plain.width, plain.height, lines)
            try:
                layout = run_layout(page)
            except LayoutFailed as error:
                flags.append(PageFlag("layout_failed", str(error)))
    return replace(
        plain,
        lines=(*plain.lines, *(_text_line(line) for line in found)),
        layout=tuple(LayoutBox(box["class_name"], rounded(box["group_bbox"])) for box in layout),
        raw_layout={
            "width": plain.width,
            "height": plain.height,
            "lines": [[*box, text] for box, text in lines],
            "layout": layout,
        },
        ocr_confidence=confidence,
        flags=tuple(flags),
    )


def _text_line(line: _Recognised) -> TextLine:
    return TextLine(line.bbox, line.text, round(_SIZE_IN_BOX * _height(line.bbox), 2), bold=False)


def _recognise(path: Path, number: int) -> list[_Recognised]:
    """Lines in the image of a page, from the top."""
    import numpy as np

    with open_pdf(path) as document, damage_refused(f"page {number}: "):
        page = load_upright(document, number)
        longest = max(page.rect.width, page.rect.height, 1.0)
        zoom = min(_DPI / 72, _LONGEST_SIDE / longest)
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csRGB)
    image = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    result = _engine()(image[:, :, ::-1])
    if result.boxes is None:
        return []
    found: list[_Recognised] = []
    for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        shown = storable(str(text)).strip()
        if shown and score >= _LEAST_CONFIDENCE:
            left, top = (float(side) / zoom for side in corners.min(axis=0))
            right, bottom = (float(side) / zoom for side in corners.max(axis=0))
            found.append(_Recognised(rounded((left, top, right, bottom)), shown, float(score)))
    return found


@lru_cache(maxsize=1)
def _engine() -> Any:
    """The engine of this process, with its weights loaded."""
    from rapidocr import RapidOCR

    threads = dict.fromkeys(("intra_op_num_threads", "inter_op_num_threads"), 1)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            # it would shrink pages again
            "Global.max_side_len": _LONGEST_SIDE,
            # pages are read on as many processes as there are cores
            **{f"EngineConfig.onnxruntime.{name}": count for name, count in threads.items()},
        }
    )


@cache
def _font() -> Any:
    """A font that has Chinese, Japanese, Korean, Greek and Cyrillic letters."""
    return pymupdf.Font("cjk")


def _set_text(
    document: pymupdf.Document, width: float, height: float, lines: Sequence[tuple[Any, str]]
) -> pymupdf.Page:
    """Add a page that prints each line stretched to its box."""
    page = document.new_page(width=max(width, 1.0), height=max(height, 1.0))
    page.insert_font(fontname="cjk", fontbuffer=_font().buffer)
    shape = page.new_shape()
    for box, text in lines:
        size = max(_SIZE_IN_BOX * _height(box), 1.0)
        natural = _font().text_length(text, size)
        if natural > 0 and box[2] > box[0]:
            start = pymupdf.Point(box[0], box[3] - _DESCENT * _height(box))
            stretch = pymupdf.Matrix((box[2] - box[0]) / natural, 1)
            shape.insert_text(start, text, fontname="cjk", fontsize=size, morph=(start, stretch))
    shape.commit()
    return document.reload_page(page)


def _height(box: Sequence[float]) -> float:
    return box[3] - box[1]
