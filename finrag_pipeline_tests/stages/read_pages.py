"""Small makers of pages, lines and PDF files for the tests of the reading stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pymupdf

from finrag_pipeline.records import Box, LayoutBox, PageReading, TextLine
from finrag_pipeline_tests.paths import CORPUS

REPORTS = CORPUS / "zh_reports"
PROSE = (
    "公司全年实现营业收入十二亿元，同比增长百分之八，利润率保持稳定，主要得益于海外订单持续恢复。"
)


def line(
    text: str,
    x: float = 60,
    y: float = 100,
    size: float = 10,
    bold: bool = False,
    visible: bool = True,
) -> TextLine:
    """One line; its width follows from its characters, full width for Chinese."""
    width = sum(size if ord(char) > 0x2E80 else size / 2 for char in text)
    return TextLine((x, y, round(x + width, 2), y + size), text, size, bold, visible)


def page(
    lines: Iterable[TextLine], boxes: Iterable[tuple[str, Box]] = (), number: int = 1
) -> PageReading:
    """An A4 page with lines and layout boxes."""
    layout = tuple(LayoutBox(kind, box) for kind, box in boxes)
    return PageReading(number, 595, 842, tuple(lines), layout, [])


def characters(texts: Iterable[str]) -> Counter[str]:
    """How often each non-space character stands in some texts."""
    return Counter(char for text in texts for char in text if not char.isspace())


def make_pdf(path: Path, draw: Callable[[pymupdf.Page], None], pages: int = 1) -> Path:
    """A PDF of A4 pages, each drawn by the same function."""
    with pymupdf.open() as document:
        for _ in range(pages):
            draw(document.new_page(width=595, height=842))
        document.save(path)
    return path


def write(
    target: pymupdf.Page,
    text: str,
    at: tuple[float, float],
    size: float = 10,
    *,
    hidden: bool = False,
) -> None:
    """Chinese or Latin text at the left end of its baseline."""
    mode = 3 if hidden else 0
    target.insert_text(at, text, fontsize=size, fontname="china-s", render_mode=mode)
