"""Which pages ask for the layout model, and what a page suffers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline.stages.cleaning.geometry import lies_in
from finrag_pipeline.stages.pages.artwork import MAX_PATHS, cover_share, read_artwork
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline_tests.stages.read_pages import PROSE, make_pdf, write

Draw = Callable[[pymupdf.Page], None]


def prose(page: pymupdf.Page) -> None:
    write(page, "星河证券 研究报告", (60, 40))
    write(page, "证券研究报告", (400, 40))
    page.draw_line((60, 50), (530, 50))
    for row in range(20):
        write(page, PROSE[:44], (60, 100 + 20 * row))
    page.draw_line((60, 790), (530, 790))
    write(page, "请阅读最后一页的声明", (60, 810))
    write(page, "2", (520, 810))


def contents(page: pymupdf.Page) -> None:
    for row in range(12):
        write(page, f"{row + 1}、公司概况与历史沿革", (60, 100 + 20 * row))
        write(page, "." * 40, (230, 100 + 20 * row))
        write(page, str(row + 3), (520, 100 + 20 * row))


def small_table(page: pymupdf.Page) -> None:
    for row, cells in enumerate((("类别", "数量", "来源"), ("护理", "33", "基金"))):
        for column, text in enumerate(cells):
            write(page, text, (80 + 120 * column, 200 + 20 * row))
    prose(page)


def statement(page: pymupdf.Page) -> None:
    rows = (
        ("项目", "2023A", "2024A", "2025E"),
        ("营业收入", "1,234.5", "2,345.6", "3,456.7"),
        ("营业成本", "734.1", "1,045.0", "1,500.2"),
        ("归母净利润", "-12.3", "45.6", "78.9"),
    )
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            write(page, text, (80 + 110 * column, 520 + 20 * row))
    for row in range(8):
        write(page, PROSE[:44], (60, 100 + 20 * row))


def legal_matter(page: pymupdf.Page) -> None:
    write(page, "投资评级说明", (60, 100))
    for row, cells in enumerate((("类别", "级别", "说明"), ("股票", "买入", "未来6个月跑赢大盘"))):
        for column, text in enumerate(cells):
            write(page, text, (80 + 120 * column, 130 + 20 * row))
    write(page, "免责声明", (60, 200))
    write(page, "本报告不构成投资建议，投资有风险，据此操作责任自负。", (60, 220))


def chart(page: pymupdf.Page) -> None:
    write(page, "图1：营业收入", (60, 100))
    for bar in range(6):
        page.draw_rect((80 + 50 * bar, 300 - 20 * bar, 110 + 50 * bar, 320), fill=(0.2, 0.3, 0.8))


def picture_with_words(page: pymupdf.Page) -> None:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 40))
    pixels.clear_with(200)
    page.insert_image((60, 100, 400, 500), pixmap=pixels)
    for row in range(4):
        write(page, "产能布局", (100, 180 + 60 * row))


def sales_contacts(page: pymupdf.Page) -> None:
    for row in range(6):
        cells = ("华东", "张三", "销售经理", f"1381234560{row}", f"zhang{row}@xinghe.com.cn")
        for column, text in enumerate(cells):
            write(page, text, (60 + 95 * column, 100 + 20 * row))


def columns_of_text(page: pymupdf.Page) -> None:
    for row in range(20):
        write(page, PROSE[:20], (40, 100 + 20 * row))
        write(page, PROSE[20:40], (310, 100 + 20 * row))


def columns_of_text_with_rules(page: pymupdf.Page) -> None:
    columns_of_text(page)
    for row in range(5):
        page.draw_line((40, 105 + 80 * row), (100, 105 + 80 * row))


def words_on_a_background(page: pymupdf.Page) -> None:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 40))
    pixels.clear_with(240)
    page.insert_image(page.rect, pixmap=pixels, keep_proportion=False)
    prose(page)


def scan_with_its_words(page: pymupdf.Page) -> None:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 40))
    pixels.clear_with(240)
    page.insert_image(page.rect, pixmap=pixels, keep_proportion=False)
    for row in range(20):
        write(page, PROSE[:44], (60, 100 + 20 * row), hidden=True)


@pytest.mark.parametrize(
    ("draw", "number", "needed"),
    [
        (prose, 2, False),
        (prose, 1, True),
        (contents, 2, False),
        (small_table, 2, True),
        (legal_matter, 2, False),
        (chart, 2, True),
        (picture_with_words, 2, True),
        (sales_contacts, 2, False),
        (columns_of_text, 2, False),
        (columns_of_text_with_rules, 2, True),
        (words_on_a_background, 2, False),
        (scan_with_its_words, 2, True),
    ],
)
def test_the_model_is_asked_where_it_may_change_something(
    tmp_path: Path, draw: Draw, number: int, needed: bool
) -> None:
    (reading,) = read_pages(make_pdf(tmp_path / "a.pdf", draw, pages=2), number, number)
    assert bool(reading.raw_layout) is needed


def test_a_table_that_shows_without_the_model_stands_in_for_it(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", statement, pages=2)
    first, second = read_pages(path, 1, 2)
    assert first.raw_layout and "grid" not in {box.kind for box in first.layout}
    assert second.raw_layout == []
    (grid,) = second.layout
    assert grid.kind == "grid"
    held = [line.text for line in second.lines if lies_in(line.bbox, grid.bbox)]
    assert held[0] == "项目" and held[-1] == "78.9"
    kept = "".join(region.text for region in clean((second,)) if region.kept)
    assert PROSE[:44] in kept and "营业成本" not in kept


def test_a_chart_beside_a_table_still_asks_for_the_model(tmp_path: Path) -> None:
    def both(page: pymupdf.Page) -> None:
        statement(page)
        for bar in range(6):
            box = (80 + 50 * bar, 700 - 20 * bar, 110 + 50 * bar, 720)
            page.draw_rect(box, fill=(0.2, 0.3, 0.8))

    (second,) = read_pages(make_pdf(tmp_path / "a.pdf", both, pages=2), 2, 2)
    assert second.raw_layout


def test_artwork_tells_rules_shapes_and_images(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect(page.rect, color=None, fill=(0.95, 0.95, 1))
        page.draw_line((60, 50), (530, 50))
        page.draw_line((60, 50), (60, 150))
        page.draw_rect((100, 100, 200, 180), color=None, fill=(0.2, 0.3, 0.8))

    with pymupdf.open(make_pdf(tmp_path / "a.pdf", draw)) as document:
        artwork = read_artwork(document[0])
    counts = (len(artwork.horizontal), len(artwork.vertical), len(artwork.shapes))
    assert counts == (1, 1, 1)
    assert artwork.path_count == 4 and not artwork.images


def test_cover_counts_overlaps_once() -> None:
    assert cover_share([(0, 0, 50, 100), (0, 0, 50, 100)], 100, 100) == 0.5
    assert cover_share([(0, 0, 50, 100)], 0, 100) == 0


def test_a_page_of_endless_drawings_keeps_its_text_and_is_flagged(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", lambda page: write(page, PROSE, (60, 100)))
    with pymupdf.open(path) as document:
        page = document[0]
        shapes = "\n".join(f"{60 + n % 400} {80 + n % 600} 6 4 re f" for n in range(50_000))
        added = document.get_new_xref()
        document.update_object(added, "<<>>")
        document.update_stream(added, shapes.encode())
        streams = " ".join(f"{xref} 0 R" for xref in [*page.get_contents(), added])
        document.xref_set_key(page.xref, "Contents", f"[{streams}]")
        document.save(tmp_path / "b.pdf")
    (reading,) = read_pages(tmp_path / "b.pdf", 1, 1)
    assert [flag.reason for flag in reading.flags] == ["too_complex"]
    assert reading.flags[0].detail == "50000 paths" and MAX_PATHS < 50_000
    assert PROSE in "".join(line.text for line in reading.lines)
    assert reading.layout == ()
