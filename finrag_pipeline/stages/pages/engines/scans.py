"""Finds pages that are images of text, which only OCR can read.

Reading them is in `ocr`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.pages.artwork import cover_share, read_artwork
from finrag_pipeline.stages.pages.pdf_file import damage_refused, load_upright, open_pdf

#: A page is a scan below this many characters (stamp, page number, headline of a cover) and from
#: this share under images. Scanned pages of 47 reports hold up to 26 characters under .11 to 1,
#: blank pages of filings none under .02; sparse covers without an image hold 42 and more.
_CHARACTERS, _IMAGE_SHARE = 50, 0.1


def find_scans(path: Path, pages: Sequence[int]) -> tuple[int, ...]:
    """Those of some pages of a PDF, by number from 1, that are images of text; costs 5 ms a page.

    Raises:
        DocumentError: as `pdf_file.count_pages`.
    """
    found: list[int] = []
    with open_pdf(path) as document, damage_refused():
        for number in pages:
            page = load_upright(document, number)
            if _characters(str(page.get_text())) < _CHARACTERS:
                art = read_artwork(page)
                share = cover_share(art.images + art.shapes, page.rect.width, page.rect.height)
                if share >= _IMAGE_SHARE:
                    found.append(number)
    return tuple(found)


def is_scan(page: PageReading) -> bool:
    """Whether a page that was read without OCR is an image of text."""
    characters = sum(_characters(line.text) for line in page.lines)
    return characters < _CHARACTERS and page.image_share >= _IMAGE_SHARE


def _characters(text: str) -> int:
    return len("".join(text.split()))
