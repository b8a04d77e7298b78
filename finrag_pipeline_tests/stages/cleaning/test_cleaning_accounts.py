"""Every character that a PDF prints is in exactly one region: PDFs made here, and real ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Region
from finrag_pipeline.stages.cleaning.clean import RULES, clean
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline.stages.pages.pdf_file import open_pdf, storable
from finrag_pipeline_tests.stages.read_pages import REPORTS, characters

CORPUS = REPORTS.parent
#: All that a page prints inside its box; with styles, letters printed twice for boldness are one.
PRINTED = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_STYLES
)
#: What cleaning does is the same on later pages, and a page costs 0.04 s without the layout model.
REPORT_PAGES, OTHER_PAGES = 12, 4
DOCUMENTS = sorted(CORPUS.rglob("*.pdf")) if CORPUS.is_dir() else []


def raw_characters(path: Path, page_count: int) -> list[Counter[str]]:
    """Non-space characters of the first pages as MuPDF alone has them."""
    with open_pdf(path) as document:
        texts = [str(document[n].get_text("text", flags=PRINTED)) for n in range(page_count)]
    return [characters([storable(text)]) for text in texts]


def characters_by_page(regions: tuple[Region, ...], page_count: int) -> list[Counter[str]]:
    texts: list[list[str]] = [[] for _ in range(page_count)]
    for region in regions:
        texts[region.page - 1].append(region.text)
    return [characters(some) for some in texts]


def check_accounts(path: Path, page_count: int) -> None:
    pages = read_pages(path, 1, page_count, layout=False)
    regions = clean(pages)
    assert characters_by_page(regions, page_count) == raw_characters(path, page_count)
    assert {region.rule for region in regions if not region.kept} <= set(RULES)
    for region in regions:
        x0, y0, x1, y1 = region.bbox
        on_page = [line.bbox for line in pages[region.page - 1].lines]
        assert x0 <= x1 and y0 <= y1
        assert min(box[0] for box in on_page) <= x0 and x1 <= max(box[2] for box in on_page)
        assert min(box[1] for box in on_page) <= y0 and y1 <= max(box[3] for box in on_page)


@pytest.mark.skipif(not DOCUMENTS, reason=f"no corpus at {CORPUS}")
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(CORPUS).as_posix())
def test_kept_tables_and_dropped_are_the_raw_text(path: Path) -> None:
    with open_pdf(path) as document:
        most = REPORT_PAGES if path.parent == REPORTS else OTHER_PAGES
        page_count = min(document.page_count, most)
    check_accounts(path, page_count)


PIECES = st.fixed_dictionaries(
    {
        "text": st.text(
            "公司收入增长。，：12.3%（）abc -资料来源目录[Table_]@", min_size=1, max_size=30
        ),
        # some stand in part or wholly beyond the page
        "point": st.tuples(st.floats(-40, 620), st.floats(-10, 860)),
        "fontsize": st.sampled_from([1, 6, 10, 24]),
        "color": st.sampled_from([(0, 0, 0), (1, 1, 1), (0.8, 0.8, 0.8)]),
        "render_mode": st.sampled_from([0, 0, 0, 2, 3]),
        "rotate": st.sampled_from([0, 0, 0, 90, 180]),
    }
)


@given(st.lists(st.lists(PIECES, max_size=6), min_size=1, max_size=3), st.sampled_from([0, 90]))
@settings(max_examples=40, deadline=None)
def test_made_pages_are_accounted_for(pages: list[list[dict[str, Any]]], turned: int) -> None:
    with TemporaryDirectory() as folder, pymupdf.open() as document:
        for pieces in pages:
            page = document.new_page(width=595, height=842)
            for piece in pieces:
                page.insert_text(
                    piece["point"],
                    piece["text"],
                    fontname="china-s",
                    **{key: piece[key] for key in ("fontsize", "color", "render_mode", "rotate")},
                )
            page.set_rotation(turned)
        path = Path(folder) / "made.pdf"
        document.save(path)
        check_accounts(path, len(pages))
