"""Docling's PDF text cells beside PyMuPDF's lines, and what is said without its models."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.stages.pages.engines import DoclingEngine, PymupdfEngine, load_engine
from finrag_pipeline.stages.pages.pdf import read_pages

pytest.importorskip("docling_parse", reason="needs the extra docling")

from finrag_pipeline.stages.pages.engines.docling_pdf import missing_models, read_cells, read_tables


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Three pages alike: upright, rotated, and cropped."""
    path = tmp_path / "report.pdf"
    with pymupdf.open() as document:
        for turn, crop in ((0, None), (90, None), (0, (50, 50, 500, 700))):
            page = document.new_page(width=595, height=842)
            text = "营业收入46.30亿元 revenue 1,234.5"
            page.insert_text((60, 90), text, fontname="china-s", fontsize=16)
            page.insert_text((60, 300), "nobody sees this", render_mode=3)
            page.set_rotation(turn)
            if crop:
                page.set_cropbox(pymupdf.Rect(crop))
        document.save(path)
    return path


def test_text_cells_say_what_pymupdf_reads_and_where(report):
    theirs, ours = read_cells(report, 1, 3), read_pages(report, 1, 3)
    assert [page.page for page in theirs] == [1, 2, 3]
    for their, our in zip(theirs, ours, strict=True):
        assert (their.width, their.height) == (our.width, our.height)
        assert [line.text for line in their.lines] == [line.text for line in our.lines]
        assert [line.visible for line in their.lines] == [True, False]
        pairs = zip(their.lines[0].bbox, our.lines[0].bbox, strict=True)
        assert all(abs(a - b) < 2 for a, b in pairs)
        assert their.lines[0].size == pytest.approx(our.lines[0].size, rel=0.1)


def test_images_count_as_cover(tmp_path):
    path = tmp_path / "image.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 20, 20), False)
        pixels.clear_with(9)
        half = pymupdf.Rect(0, 0, page.rect.width, page.rect.height / 2)
        page.insert_image(half, pixmap=pixels, keep_proportion=False)
        page.insert_text((60, 700), "below")
        document.save(path)
    (page,) = read_cells(path, 1, 1)
    assert page.image_share == pytest.approx(0.5, abs=0.05)


def test_damaged_and_locked_files_are_refused_for_the_same_reasons(report, tmp_path):
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(b"%PDF-1.7\nnothing more")
    with pytest.raises(DocumentError, match="truncated"):
        read_cells(cut, 1, 1)
    locked = tmp_path / "locked.pdf"
    with pymupdf.open(report) as document:
        document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    with pytest.raises(DocumentError, match="encrypted"):
        read_cells(locked, 1, 1)


def test_missing_models_are_one_line_with_the_download_command(tmp_path):
    why = missing_models(tmp_path)
    assert why is not None
    assert f"docling-tools models download layout tableformer -o {tmp_path}" in why
    assert "\n" not in why


def test_models_that_cannot_be_loaded_are_one_line_with_the_loader_s_word(tmp_path):
    for name in ("docling-project--docling-layout-heron", "docling-project--docling-models"):
        (tmp_path / name).mkdir()
    why = missing_models(tmp_path)
    assert why is not None
    assert "cannot be loaded" in why
    assert "\n" not in why


def test_tables_that_the_models_found_are_read_from_the_stored_layout():
    cells = [
        {"row": r, "column": c, "text": text, "bbox": [60, 90, 90, 99], "page": 2}
        for r, row in enumerate((("项目", "2024A"), ("收入", "1.5")))
        for c, text in enumerate(row)
    ]
    raw = [{"bbox": [50, 80, 300, 120], "title": "利润表（百万元）", "cells": cells}]
    (table,) = read_tables([(1, []), (2, raw)]).tables
    assert (table.page, table.bbox, table.unit) == (2, (50.0, 80.0, 300.0, 120.0), "百万元")
    assert [cell.text for cell in table.cells] == ["项目", "2024A", "收入", "1.5"]


def test_each_name_has_its_engine(tmp_path, report):
    assert load_engine("docling", tmp_path) == DoclingEngine(tmp_path)
    engine = load_engine("pymupdf")
    assert isinstance(engine, PymupdfEngine)
    assert engine.unusable() is None
    assert engine.read_pages(report, 2, 2) == read_pages(report, 2, 2)
