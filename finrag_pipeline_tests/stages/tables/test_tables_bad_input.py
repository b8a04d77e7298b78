"""Pages that would cost too much or hold no table at all: flagged, never lost, never endless."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.stages.tables.page import MAX_COMMANDS, MAX_WORDS
from finrag_pipeline.stages.tables.reading import join_pages, read_flagged_tables, with_statements
from finrag_pipeline_tests.stages.read_pages import make_pdf, write
from finrag_pipeline_tests.stages.table_files import (
    ROWS,
    assert_covers_its_grid,
    draw_table,
    group,
    tables_of,
    texts,
)


def drawing(path: Path, count: int, paths: bool) -> Path:
    """A page of lines that no rule joins, each a path or all in one, and a page with a table."""
    lines: list[str] = []
    for n in range(count):
        x, y = 20 + n % 80 * 7, 20 + n // 80 % 100 * 8
        lines.append(f"{x} {y} m {x + 4.5} {y} l")
    content = (" S\n" if paths else "\n").join(lines) + " S"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        stream = document.get_new_xref()
        document.update_object(stream, "<<>>")
        document.update_stream(stream, content.encode())
        document.xref_set_key(page.xref, "Contents", f"{stream} 0 R")
        draw_table(document.new_page(width=595, height=842), ROWS)
        document.save(path)
    return path


@pytest.mark.parametrize("paths", [True, False], ids=["paths", "one path"])
def test_fifty_thousand_drawing_commands_are_flagged(tmp_path: Path, paths: bool) -> None:
    path = drawing(tmp_path / "a.pdf", 50_000, paths)
    reading = read_flagged_tables(path, [(1, None), (2, None)])
    ((page, flag),) = reading.flags
    assert (page, flag.reason) == (1, "too_complex")
    assert "50000" in flag.detail
    assert [(table.page, texts(table)) for table in reading.tables] == [(2, ROWS)]


def test_a_page_full_of_words_is_flagged(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        row = " ".join("7" for _ in range(201))
        for number in range(100):
            target.insert_text((5, 20 + 8 * number), row, fontsize=2)

    reading = read_flagged_tables(make_pdf(tmp_path / "a.pdf", draw), [(1, None)])
    assert reading.tables == ()
    assert [flag.reason for _, flag in reading.flags] == ["too_complex"]
    assert reading.flags[0][1].detail == "20100 words"
    assert MAX_WORDS < 20_100


def test_cells_that_draw_each_side_alone_are_a_table(tmp_path: Path) -> None:
    rows, columns = 80, 30

    def draw(target: pymupdf.Page) -> None:
        shape = target.new_shape()
        for r in range(rows):
            for c in range(columns):
                x0, y0, x1, y1 = 20 + 18 * c, 20 + 10 * r, 38 + 18 * c, 30 + 10 * r
                for start, stop in (
                    ((x0, y0), (x1, y0)),
                    ((x0, y1), (x1, y1)),
                    ((x0, y0), (x0, y1)),
                    ((x1, y0), (x1, y1)),
                ):
                    shape.draw_line(start, stop)
                    shape.finish(width=0.3, closePath=False)
                shape.insert_text((x0 + 2, y1 - 3), f"{r}.{c}", fontsize=4)
        shape.commit()

    assert 4 * rows * columns < MAX_COMMANDS < 50_000
    (table,) = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    assert texts(table) == [[f"{r}.{c}" for c in range(columns)] for r in range(rows)]


def test_five_thousand_rows_over_a_hundred_pages_are_one_table(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        for number in range(100):
            page = document.new_page(width=595, height=842)
            shape = page.new_shape()
            for y in range(51):
                shape.draw_line((50, 60 + 14 * y), (530, 60 + 14 * y))
            for c in range(5):
                shape.draw_line((50 + 120 * c, 60), (50 + 120 * c, 760))
            shape.finish(width=0.5)
            shape.commit()
            writer = pymupdf.TextWriter(page.rect)
            for r in range(50):
                item = 50 * number + r
                for c, text in enumerate((f"item {item}", f"{item}.1", f"{item}.2", f"{item}.3")):
                    writer.append((55 + 120 * c, 70 + 14 * r), text, fontsize=8)
            writer.write_text(page)
        document.save(path)
    (table,) = with_statements(tables_of(path), "星河医药")
    assert texts(table) == [[f"item {n}", f"{n}.1", f"{n}.2", f"{n}.3"] for n in range(5000)]
    assert len(table.places) == 100
    told = [row for s in table.statements for row in range(s.first_row, s.last_row + 1)]
    assert told == list(range(5000))
    assert "item 4999" in table.markdown and "4999.1" not in table.markdown


def test_a_page_as_tall_as_pdf_allows_gives_all_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=14_400)
        writer = pymupdf.TextWriter(page.rect)
        for n in range(1500):
            writer.append((60, 30 + 9 * n), f"item {n}", fontsize=7)
            writer.append((200, 30 + 9 * n), f"{n}.5", fontsize=7)
            writer.append((300, 30 + 9 * n), f"{n}.7", fontsize=7)
        writer.write_text(page)
        document.save(path)
    (table,) = tables_of(path)
    assert texts(table) == [[f"item {n}", f"{n}.5", f"{n}.7"] for n in range(1500)]


def test_graph_paper_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=14_400, height=14_400)
        shape = page.new_shape()
        for n in range(4_500):
            shape.draw_line((20 + 3 * n, 20), (20 + 3 * n, 14_000))
            shape.draw_line((20, 20 + 3 * n), (14_000, 20 + 3 * n))
        shape.finish(width=0.2)
        shape.commit()
        for n in range(4):
            write(page, f"{n}.5", (100 + 90 * n, 300 + 70 * n))
        document.save(path)
    # 20 million crossings
    reading = read_flagged_tables(path, [(1, None)])
    assert reading.tables == () and reading.flags == ()


def test_frames_within_frames_as_far_as_a_page_goes_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=14_400, height=14_400)
        shape = page.new_shape()
        for n in range(3_400):
            shape.draw_rect((20 + 2.1 * n, 20 + 2.1 * n, 14_380 - 2.1 * n, 14_380 - 2.1 * n))
        shape.finish()
        shape.commit()
        write(page, "1.5", (100, 100))
        document.save(path)
    # 6,800 edges each way would make 46 million slots
    assert tables_of(path) == ()


def test_a_table_in_a_cell_of_a_table_covers_its_grid(tmp_path: Path) -> None:
    def draw(target: pymupdf.Page) -> None:
        draw_table(target, [["指标", "数值"], ["收入", ""], ["利润", "9.9"]], 200, high=66)
        for r, row in enumerate((("内一", "1.1"), ("内二", "2.2"))):
            for c, text in enumerate(row):
                x, y = 175 + 48 * c, 275 + 24 * r
                target.draw_rect((x, y, x + 44, y + 20))
                write(target, text, (x + 4, y + 14), 8)

    found = tables_of(make_pdf(tmp_path / "a.pdf", draw))
    held = [cell.text for table in found for cell in table.cells if cell.text]
    for text in ("指标", "数值", "收入", "利润", "9.9", "1.1", "2.2"):
        assert sum(text in cell for cell in held) == 1, text  # nothing lost, nothing twice
    for table in found:
        assert_covers_its_grid(table)


def image(target: pymupdf.Page, box: tuple[float, float, float, float]) -> None:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8))
    pixels.clear_with(180)
    target.insert_image(box, pixmap=pixels)


def draw_images_in_a_grid(target: pymupdf.Page) -> None:
    draw_table(target, [["", "", ""]] * 4, 200)
    for n in range(12):
        x, y = 70 + 110 * (n % 3), 203 + 22 * (n // 3)
        image(target, (x, y, x + 90, y + 16))


def draw_boxes_without_area(target: pymupdf.Page) -> None:
    for n in range(40):
        target.draw_rect((100, 100 + 5 * n, 100, 100 + 5 * n))
        target.draw_line((100, 100 + 5 * n), (100, 100 + 5 * n))
    write(target, "文字", (60, 60))


@pytest.mark.parametrize("draw", [draw_images_in_a_grid, draw_boxes_without_area])
def test_tables_of_images_and_boxes_without_area_give_none(
    tmp_path: Path, draw: Callable[[pymupdf.Page], None]
) -> None:
    path = make_pdf(tmp_path / "a.pdf", draw)
    box = (60, 200, 390, 288)
    for layout in ([], [group("table", box)], [group("table", (100, 100, 100, 100))]):
        reading = read_flagged_tables(path, [(1, layout)])
        assert (reading.tables, reading.flags) == ((), ())


def test_a_layout_box_without_area_does_not_spoil_the_page(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, ROWS))
    flat = (60, 250, 500, 250)
    (table,) = tables_of(path, group("table", flat, h_lines=[0.0], v_lines=[100.0]))
    assert texts(table) == ROWS


@pytest.mark.parametrize("area", ["0 0 0 0", "0 0 595 0", "0 0 0.5 0.5"])
def test_a_page_without_area_has_no_tables(tmp_path: Path, area: str) -> None:
    path = tmp_path / "a.pdf"
    make_pdf(path, lambda page: draw_table(page, ROWS))
    data = path.read_bytes()
    assert data.count(b"/MediaBox[0 0 595 842]") == 1
    # the same length, so that the table of offsets stays true
    entry = f"/MediaBox[{area}".encode().ljust(21) + b"]"
    path.write_bytes(data.replace(b"/MediaBox[0 0 595 842]", entry))
    reading = read_flagged_tables(path, [(1, None)])
    assert reading.flags == ()
    assert join_pages(reading.tables) == reading.tables


def test_a_layout_that_makes_no_sense_fails_its_page_alone(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", lambda page: draw_table(page, ROWS), pages=2)
    reading = read_flagged_tables(path, [(1, [{"class_name": "table"}]), (2, None)])
    assert [(page, flag.reason) for page, flag in reading.flags] == [(1, "tables_failed")]
    assert [table.page for table in reading.tables] == [2]
