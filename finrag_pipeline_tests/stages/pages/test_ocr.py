"""Pages that are images: which they are, and what OCR reads from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline.stages.pages.engines.scans import find_scans, is_scan
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline.stages.tables.reading import join_pages

HEADLINE = "星河新材：储能需求回暖"
LINES = (
    "公司2026年上半年实现营业收入46.30亿元，同比增长11.8%。",
    "Gross margin rose to 27.4% from 25.1% a year ago.",
)
ROWS = (
    ("百万元", "2024A", "2025E", "2026E"),
    ("营业收入", "3,924.43", "4,411.75", "5,043.62"),
    ("营业成本", "2,811.07", "3,218.94", "3,697.25"),
    ("销售费用", "214.60", "240.88", "275.31"),
    ("归母净利润", "412.09", "-35.60", "688.10"),
    ("每股收益(元)", "1.24", "-0.11", "2.07"),
)


def print_report(document: pymupdf.Document) -> pymupdf.Pixmap:
    """Add a printed page; returns its image."""
    page = document.new_page(width=420, height=300)
    font = pymupdf.Font("cjk")
    page.insert_font(fontname="cjk", fontbuffer=font.buffer)
    page.insert_text((40, 50), HEADLINE, fontname="cjk", fontsize=18)
    for number, line in enumerate(LINES):
        page.insert_text((40, 80 + 16 * number), line, fontname="cjk", fontsize=10)
    for number, row in enumerate(ROWS):
        for column, text in enumerate(row):
            x = 40 if column == 0 else 70 + 80 * column
            page.insert_text((x, 170 + 18 * number), text, fontname="cjk", fontsize=9)
    return page.get_pixmap(dpi=150)


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A printed page, a blank one, the first as an image with a page number, a grey image."""
    path = tmp_path_factory.mktemp("ocr") / "scan.pdf"
    with pymupdf.open() as document:
        image = print_report(document)
        document.new_page()
        scan = document.new_page(width=420, height=300)
        scan.insert_image(scan.rect, pixmap=image)
        scan.insert_text((200, 285), "- 3 -", fontsize=9)
        grey = document.new_page(width=200, height=200)
        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 300, 300), False)
        pixels.clear_with(120)
        grey.insert_image(grey.rect, pixmap=pixels)
        document.save(path)
    return path


@pytest.fixture(scope="module")
def read(scan: Path) -> tuple[PageReading, ...]:
    """The scanned pages as OCR reads them."""
    pytest.importorskip("rapidocr", reason="needs the extra ocr")
    from finrag_pipeline.stages.pages.engines.ocr import read_scanned_pages

    return read_scanned_pages(scan, (3, 4))


def test_scans_are_told_from_printed_and_blank_pages(scan):
    assert find_scans(scan, range(1, 5)) == (3, 4)
    assert [is_scan(page) for page in read_pages(scan, 1, 4)] == [False, False, True, True]


def test_ocr_reads_chinese_english_and_figures_where_they_stand(scan, read):
    page, _ = read
    texts = ["".join(line.text.split()).replace(",", "，") for line in page.lines]
    for printed in (HEADLINE, *LINES, *(text for row in ROWS for text in row)):
        assert "".join(printed.split()).replace(",", "，") in texts
    (original,) = read_pages(scan, 1, 1)
    by_text = {line.text: line for line in original.lines}
    for line in page.lines:
        if line.text in by_text:
            expected = by_text[line.text]
            pairs = zip(line.bbox, expected.bbox, strict=True)
            assert all(abs(mine - theirs) < 6 for mine, theirs in pairs)
            assert line.size == pytest.approx(expected.size, rel=0.25)


def test_a_page_says_that_it_was_read_by_ocr_and_how_surely(read):
    page, empty = read
    assert page.ocr_confidence is not None
    assert page.ocr_confidence > 0.95
    assert [(flag.reason, flag.detail[:12]) for flag in page.flags] == [
        ("ocr", "confidence 0")
    ] or (page.flags[0].detail == "confidence 1.00")
    assert (empty.lines, empty.ocr_confidence) == ((), None)
    assert [flag.reason for flag in empty.flags] == ["ocr"]


def test_text_that_the_page_holds_beside_its_image_is_kept_once(read):
    assert [line.text for line in read[0].lines if "3 -" in line.text] == ["- 3 -"]


def test_regions_of_a_scanned_page_are_cleaned_like_others(read):
    regions = clean(read)
    kept = [region for region in regions if region.kept]
    assert any(region.kind in ("title", "heading") and region.text == HEADLINE for region in kept)
    assert any(LINES[0].rstrip("。") in region.text for region in kept)


def test_tables_of_a_scanned_page_are_read_without_reading_it_again(read):
    from finrag_pipeline.stages.pages.engines.ocr import read_scanned_tables, was_scanned

    raws: list[tuple[int, Any]] = [(page.page, page.raw_layout) for page in read]
    assert all(was_scanned(raw) for _, raw in raws)
    (table,) = join_pages(read_scanned_tables(raws).tables)
    grid = {(cell.row, cell.column): cell.text for cell in table.cells}
    assert table.page == 3
    assert tuple(tuple(grid[r, c] for c in range(4)) for r in range(len(ROWS))) == ROWS


def test_an_unread_layout_is_none_of_ocr(scan):
    from finrag_pipeline.stages.pages.engines.ocr import was_scanned

    assert not any(was_scanned(page.raw_layout) for page in read_pages(scan, 1, 3))
