"""Opens PDF files with PyMuPDF and refuses those that cannot be read, each with its reason.

Pages are read in `pdf` and `tables`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pymupdf
from pymupdf import mupdf

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import Box

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
pymupdf.set_messages(pylogging=True, pylogging_name="pymupdf", pylogging_level=logging.DEBUG)

_NAME_CHARACTERS = 300
_OUT_OF_MEMORY = re.compile(r"\b[cm]alloc|\brealloc|bad_alloc")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_HALF_PAIR = re.compile(r"[\ud800-\udfff]")
_REFERENCE = re.compile(r"\b(\d+) \d+ R\b")


def count_pages(path: Path) -> int:
    """Open a file, check that it can be read, and count its pages.

    Args:
        path: a local file.

    Returns:
        Number of pages, at least 1.

    Raises:
        DocumentError: ``zero_bytes``, ``not_a_pdf``, ``encrypted`` (an owner password alone is
            no obstacle), ``truncated`` (it cannot be repaired, or repair loses pages) or
            ``no_pages``.
    """
    with open_pdf(path) as document:
        pages = document.page_count
        if document.is_repaired:
            _require_whole(document, cut_off=not _has_end_mark(path))
        if pages == 0:
            raise DocumentError("no_pages")
        return pages


def archived_name(path: Path) -> str:
    """The title in a PDF's own information, where archives and platforms put names of files.

    Returns:
        It without control characters; empty where there is none.

    Raises:
        DocumentError: as `count_pages`.
    """
    with open_pdf(path) as document:
        title = (document.metadata or {}).get("title") or ""
    return _HALF_PAIR.sub("", _CONTROL.sub("", title))[:_NAME_CHARACTERS]


def load_upright(document: pymupdf.Document, number: int) -> pymupdf.Page:
    """Load page `number` (1-based), turned in memory so that every box is as the reader sees it."""
    page = document.load_page(number - 1)
    if page.rotation:
        _cut_to_crop(page)
        page.remove_rotation()
        page = document.reload_page(page)
    return page


def _cut_to_crop(page: pymupdf.Page) -> None:
    """Make what is seen of a page all of it: turning it back forgets or misplaces the crop."""
    crop, media = page.cropbox, page.mediabox
    # a crop counts from the top, a media box from the bottom
    seen = pymupdf.Rect(crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0)
    if seen != media:
        page.set_mediabox(seen)


def rounded(box: Sequence[float]) -> Box:
    """A box as plain floats with 2 decimals."""
    x0, y0, x1, y1 = (round(float(value), 2) for value in box[:4])
    return (x0, y0, x1, y1)


@contextmanager
def open_pdf(path: Path) -> Generator[pymupdf.Document]:
    """Open a PDF, for every stage that needs PyMuPDF; refusals as `count_pages`."""
    with path.open("rb") as file:
        head = file.read(1024)
    if not head:
        raise DocumentError("zero_bytes")
    if b"%PDF-" not in head:
        raise DocumentError("not_a_pdf", f"it begins with {head[:8]!r}")
    with damage_refused():
        document = pymupdf.open(path, filetype="pdf")
    with document:
        if document.needs_pass:
            raise DocumentError("encrypted")
        yield document


@contextmanager
def damage_refused(where: str = "") -> Generator[None]:
    """Turns what MuPDF raises on damaged content into a refusal.

    Raises:
        DocumentError: ``truncated``, with `where` and MuPDF's word.
        MemoryError: memory ran out, which says nothing about the file.
    """
    try:
        yield
    except (mupdf.FzErrorBase, RuntimeError, ValueError) as error:
        line = f"{where}{error}".splitlines()[0]
        if _OUT_OF_MEMORY.search(line):
            raise MemoryError(line) from error
        raise DocumentError("truncated", line) from error


def storable(text: str) -> str:
    """Text as Postgres can hold it and a reader see it: without control characters, half a
    surrogate pair as U+FFFD.

    >>> storable("a\\x00b\\x01\\ud800")
    'ab\ufffd'
    """
    return _HALF_PAIR.sub("\ufffd", _CONTROL.sub("", text))


def _has_end_mark(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1024))
        return b"%%EOF" in file.read()


def _require_whole(document: pymupdf.Document, cut_off: bool) -> None:
    """A repaired file is whole when every page of its tree and what the page shows are still there.

    MuPDF repairs a missing or wrong cross-reference table without loss. A file that was cut off
    has lost whole objects, so a dangling reference tells; in a file that has its end mark, some
    producers leave references to nothing, so there only the pages' contents must be found.
    """
    if document.page_count == 0:
        raise DocumentError("truncated", "no page could be repaired")
    seen: set[int] = set()
    for index in range(document.page_count):
        try:
            page = document.page_xref(index)
            keys = ("Contents", "Resources") if cut_off else ("Contents",)
            values = [document.xref_get_key(page, key)[1] for key in keys]
            lost = any(_dangles(document, value, seen, deep=cut_off) for value in values)
        except (mupdf.FzErrorBase, RuntimeError, ValueError):
            lost = True
        if lost:
            raise DocumentError("truncated", f"page {index + 1} of {document.page_count} is lost")


def _dangles(document: pymupdf.Document, value: str, seen: set[int], *, deep: bool) -> bool:
    """Whether a value refers to an object that is gone; `deep` also asks what it refers to."""
    open_references = [int(number) for number in _REFERENCE.findall(value)]
    while open_references:
        number = open_references.pop()
        if number in seen:
            continue
        seen.add(number)
        if not 0 < number < document.xref_length():
            return True
        text = document.xref_object(number, compressed=True)
        if text == "null":
            return True
        if deep:
            open_references += [int(target) for target in _REFERENCE.findall(text)]
    return False
