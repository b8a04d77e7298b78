"""What is read from a page: lines, visibility, layout, image cover."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.pages.pdf import read_pages, require_text_layer
from finrag_pipeline_tests.stages.read_pages import PROSE, line, make_pdf, page, write


def read_one(path: Path) -> PageReading:
    return read_pages(path, 1, 1)[0]


def visibility(reading: PageReading) -> dict[str, bool]:
    return {line.text.strip(): line.visible for line in reading.lines}


def test_reads_lines_with_size_and_box(tmp_path: Path) -> None:
    reading = read_one(make_pdf(tmp_path / "a.pdf", lambda p: write(p, "营业收入", (60, 100), 12)))
    (only,) = reading.lines
    assert (only.text, only.size, only.visible) == ("营业收入", 12, True)
    assert only.bbox[0] == pytest.approx(60, abs=1) and only.bbox[3] == pytest.approx(102, abs=4)


def test_marks_what_a_reader_cannot_see(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        target.draw_rect((50, 250, 300, 280), color=None, fill=(0.1, 0.2, 0.6))
        target.insert_text((60, 100), "plain")
        target.insert_text((60, 130), "unpainted", render_mode=3)
        target.insert_text((60, 160), "transparent", fill_opacity=0)
        target.insert_text((60, 190), "minute", fontsize=1)
        target.insert_text((60, 220), "on paper", color=(1, 1, 1))
        target.insert_text((60, 270), "on a band", color=(1, 1, 1))

    seen = visibility(read_one(make_pdf(tmp_path / "a.pdf", draw)))
    assert {text for text, visible in seen.items() if visible} == {"plain", "on a band"}
    assert len(seen) == 6


def test_reads_the_text_layer_of_a_scan(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80))
        pixels.clear_with(220)
        target.insert_image(target.rect, pixmap=pixels)
        target.insert_text((60, 100), "scanned words", render_mode=3)

    reading = read_one(make_pdf(tmp_path / "a.pdf", draw))
    assert reading.image_share > 0.9  # the picture keeps its proportions
    assert visibility(reading) == {"scanned words": True}


def test_boxes_are_as_the_reader_sees_a_rotated_page(tmp_path: Path) -> None:
    upright = make_pdf(tmp_path / "a.pdf", lambda p: write(p, "标题文字", (60, 100)))
    turned = tmp_path / "b.pdf"
    with pymupdf.open(upright) as document:
        document[0].set_rotation(90)
        document.save(turned)
    reading = read_one(turned)
    assert (reading.width, reading.height) == (842, 595)
    x0, y0, x1, y1 = reading.lines[0].bbox
    assert x0 > 700 and y0 < 100  # the left top of the sheet is now at the right
    assert y1 - y0 > x1 - x0


def test_a_page_without_text_has_no_layout(tmp_path: Path) -> None:
    reading = read_one(make_pdf(tmp_path / "a.pdf", lambda p: None))
    assert (reading.lines, reading.layout, reading.raw_layout) == ((), (), None)


def test_a_page_without_area_is_read(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", lambda p: write(p, "文字", (60, 100)))
    data = path.read_bytes()
    assert b"[0 0 595 842]" in data
    path.write_bytes(data.replace(b"[0 0 595 842]", b"[0 0 0   842]"))
    assert len(read_pages(path, 1, 1)) == 1


def test_readings_pickle_and_their_layout_is_json(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for row in range(12):
            write(target, PROSE[:36], (60, 100 + 16 * row))

    path = make_pdf(tmp_path / "a.pdf", draw, pages=3)
    readings = read_pages(path, 1, 3)
    assert [reading.page for reading in readings] == [1, 2, 3]
    assert readings[0].layout
    assert pickle.loads(pickle.dumps(readings)) == readings
    assert json.loads(json.dumps(readings[0].raw_layout)) == readings[0].raw_layout
    # a page reads the same whatever this process has read before it
    assert read_pages(path, 2, 2)[0] == readings[1]


def test_an_image_only_document_is_refused() -> None:
    scan = [PageReading(n, 595, 842, (line("12"),), (), [], image_share=0.9) for n in (1, 2)]
    with pytest.raises(DocumentError) as caught:
        require_text_layer(scan)
    assert (caught.value.reason, caught.value.detail) == ("image_only", "2 pages, 4 characters")


def test_a_short_or_a_mixed_document_is_not_refused() -> None:
    require_text_layer([page([line("一页备忘")])])
    full = PageReading(1, 595, 842, tuple(line(PROSE, y=y) for y in (100, 120, 140)), (), [], 0.1)
    require_text_layer([full, PageReading(2, 595, 842, (), (), [], 1.0)])


def test_outlined_letters_count_as_an_image(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        for row in range(40):
            for column in range(40):
                corner = (60 + column * 12, 60 + row * 18)
                box = pymupdf.Rect(*corner, corner[0] + 10, corner[1] + 14)
                target.draw_rect(box, color=None, fill=(0, 0, 0))

    readings = read_pages(make_pdf(tmp_path / "a.pdf", draw), 1, 1)
    with pytest.raises(DocumentError, match="image"):
        require_text_layer(readings)


def test_a_font_that_scales_itself_is_seen(tmp_path: Path) -> None:
    """Type 3 fonts of old typesetters state a size near zero and draw letters of full height."""
    path = tmp_path / "type3.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        glyph, font, content = (document.get_new_xref() for _ in range(3))
        document.update_object(glyph, "<<>>")
        document.update_stream(glyph, b"8 0 0 0 8 8 d1 0 0 8 8 re f", new=True)
        document.update_object(
            font,
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 8 8]/FontMatrix[1 0 0 1 0 0]/Resources<<>>"
            f"/CharProcs<</a {glyph} 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>"
            "/FirstChar 97/LastChar 97/Widths[8]>>",
        )
        document.xref_set_key(page.xref, "Resources", f"<</Font<</T {font} 0 R>>>>")
        document.update_object(content, "<<>>")
        document.update_stream(content, b"BT /T 1 Tf 72 700 Td (aaa) Tj ET", new=True)
        document.xref_set_key(page.xref, "Contents", f"{content} 0 R")
        document.save(path)
    (line,) = read_pages(path, 1, 1)[0].lines
    assert line.text == "aaa"
    assert line.visible
    assert 4 < line.size < 12
