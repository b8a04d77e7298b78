"""Images of pages: a box lies over its words, whatever the size, rotation and crop of the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf
import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import Box
from finrag_pipeline.stages.pages.images import BORDER_RGB, MARK_RGB, MAX_SIDE_PX, draw_page
from finrag_pipeline.stages.pages.pdf_file import load_upright

WIDTH_PX = 900


def make(path: Path, size: tuple[float, float], turn: int = 0, crop: Box | None = None) -> Path:
    """One page with one word in its upper left quarter, as it stands upright."""
    with pymupdf.open() as document:
        page = document.new_page(width=size[0], height=size[1])
        page.insert_text((size[0] * 0.3, size[1] * 0.3), "HERE", fontsize=min(size) / 20)
        if crop:
            page.set_cropbox(pymupdf.Rect(crop))
        page.set_rotation(turn)
        document.save(path)
    return path


def word_box(path: Path) -> Box:
    """Where the word stands, as what reads pages sees it."""
    with pymupdf.open(path) as document:
        x0, y0, x1, y1 = load_upright(document, 1).get_text("words")[0][:4]
    return (x0, y0, x1, y1)


def pixels(png: bytes) -> np.ndarray:
    image = pymupdf.Pixmap(png)
    return np.frombuffer(image.samples, np.uint8).reshape(image.height, image.width, 3)


def extent(found: np.ndarray) -> tuple[int, int, int, int]:
    rows, columns = np.where(found)
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("size", "crop"),
    [
        ((595, 842), None),
        ((842, 595), None),
        ((300, 1200), None),
        ((1191, 1684), None),
        ((595, 842), (100, 150, 500, 800)),
    ],
)
def test_a_box_lies_over_its_words(
    tmp_path: Path, size: tuple[float, float], crop: Box | None, turn: int
) -> None:
    path = make(tmp_path / "a.pdf", size, turn, crop)
    box = word_box(path)
    plain = pixels(draw_page(path, 1, WIDTH_PX))
    marked = pixels(draw_page(path, 1, WIDTH_PX, [box]))
    assert plain.shape == marked.shape
    assert marked.shape[1] == pytest.approx(WIDTH_PX, abs=1)
    changed = extent((plain != marked).any(axis=2))
    shown = size if crop is None else (crop[2] - crop[0], crop[3] - crop[1])
    scale = WIDTH_PX / shown[1 if turn in (90, 270) else 0]
    assert changed == pytest.approx([value * scale for value in box], abs=1.5)
    ink = extent((plain < 128).all(axis=2))
    assert changed[0] <= ink[0] and changed[1] <= ink[1]
    assert changed[2] >= ink[2] and changed[3] >= ink[3]


def test_words_under_a_box_stay_readable(tmp_path: Path) -> None:
    path = make(tmp_path / "a.pdf", (595, 842))
    marked = pixels(draw_page(path, 1, WIDTH_PX, [word_box(path)]))
    for colour in (MARK_RGB, BORDER_RGB):
        assert (marked == colour).all(axis=2).any()
    assert (marked < 60).all(axis=2).any()


@pytest.mark.parametrize("box", [(-50, -50, 20, 20), (700, 900, 800, 950), (50, 50, 20, 20)])
def test_what_lies_outside_the_page_is_left_out(tmp_path: Path, box: Box) -> None:
    path = make(tmp_path / "a.pdf", (595, 842))
    draw_page(path, 1, 300, [box])


def test_an_image_is_bounded_however_long_the_page(tmp_path: Path) -> None:
    drawn = pixels(draw_page(make(tmp_path / "a.pdf", (100, 14_000)), 1, 2000))
    assert max(drawn.shape) <= MAX_SIDE_PX + 1


def test_what_is_no_page_is_refused(tmp_path: Path) -> None:
    path = make(tmp_path / "a.pdf", (595, 842))
    with pytest.raises(DocumentError, match="no_pages"):
        draw_page(path, 2, 300)
    path.write_bytes(b"no PDF")
    with pytest.raises(DocumentError, match="not_a_pdf"):
        draw_page(path, 1, 300)
