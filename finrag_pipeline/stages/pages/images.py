"""Draws a page of a PDF as a PNG, with boxes over what is cited.

Boxes are as readers of pages gave them: in PDF points from the upper left corner of what is seen of
the page, whatever its rotation and crop. Reading pages belongs to `pdf`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pymupdf

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import Box
from finrag_pipeline.stages.pages.pdf_file import damage_refused, load_upright, open_pdf

#: Neither side of an image is longer, in pixels, however long and narrow the page.
MAX_SIDE_PX = 4000
#: Over white it is this colour; what is darker stays, so that words under it can be read.
MARK_RGB = (255, 224, 102)
BORDER_RGB = (214, 69, 0)
#: A border is this part of the image's width, and one pixel at least.
_BORDER_SHARE = 0.002


def draw_page(path: Path, number: int, width_px: int, boxes: Sequence[Box] = ()) -> bytes:
    """Draw page `number` (1-based) of a local PDF.

    Args:
        width_px: of the image; less where it would be higher than `MAX_SIDE_PX`.
        boxes: what is marked; parts outside the page are left out.

    Returns:
        A PNG.

    Raises:
        DocumentError: as `open_pdf`; ``no_pages`` where the file has no such page.
    """
    with open_pdf(path) as document, damage_refused(f"page {number}: "):
        if not 1 <= number <= document.page_count:
            raise DocumentError("no_pages", f"it ends with page {document.page_count}")
        page = load_upright(document, number)
        width, height = page.rect.width, page.rect.height
        if min(width, height) <= 0:
            raise DocumentError("truncated", f"page {number} has no area")
        scale = min(width_px / width, MAX_SIDE_PX / height)
        drawn = page.get_pixmap(
            matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False
        )
        pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, 3).copy()
        for box in boxes:
            _mark(pixels, box, scale)
        marked = pymupdf.Pixmap(pymupdf.csRGB, drawn.width, drawn.height, pixels.tobytes(), False)
        return marked.tobytes("png")


def draw_nothing() -> None:
    """Load all that the first drawing of a process would wait for."""
    with pymupdf.open() as document:
        document.new_page().get_pixmap().tobytes("png")


def _mark(pixels: np.ndarray, box: Box, scale: float) -> None:
    """Tint a box and draw its border, in place."""
    height, width, _ = pixels.shape
    x0, y0, x1, y1 = (value * scale for value in box)
    left, right = max(0, math.floor(x0)), min(width, math.ceil(x1))
    top, bottom = max(0, math.floor(y0)), min(height, math.ceil(y1))
    if left >= right or top >= bottom:
        return
    inside = pixels[top:bottom, left:right]
    inside[:] = inside.astype(np.uint16) * np.array(MARK_RGB, np.uint16) // 255
    border = max(1, round(_BORDER_SHARE * width))
    for edge in (inside[:border], inside[-border:], inside[:, :border], inside[:, -border:]):
        edge[:] = BORDER_RGB
