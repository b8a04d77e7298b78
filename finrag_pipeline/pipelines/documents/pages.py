"""Spreads a document's pages over the workers; what breaks on one page costs that page alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import PageFlag, PageReading
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.pages.engines import PdfEngine, load_engine
from finrag_pipeline.stages.tables.reading import TableReading

P = TypeVar("P")
R = TypeVar("R")

#: Told how many more pages are read.
PageCount = Callable[[int], None]

#: Pages that one worker reads at a time: long documents spread over all workers, and each part
#: has bounds of its own.
PAGES_PER_CALL = 20
#: What a single page can do to its reader; everything else is wrong with the whole document.
_PAGE_FAULTS = ("reader_timeout", "reader_memory", "reader_crashed")


def uncounted(pages: int) -> None:
    """Pages that nobody counts."""


def engine_of(settings: Settings) -> PdfEngine:
    """The PDF engine that the settings name."""
    return load_engine(settings.pdf_engine, settings.docling_artifacts)


def pages_timeout_s(settings: Settings, page_count: int) -> float:
    """Seconds that a call over so many pages may take."""
    return settings.open_timeout_s + page_count * settings.page_timeout_s


def fault_flag(reason: str, error: DocumentError) -> PageFlag:
    """The flag of a page that broke its reader, with what the reader died of."""
    return PageFlag(reason, f"{error.reason} {error.detail}".strip())


def read_pages(
    pool: ReaderPool,
    settings: Settings,
    path: Path,
    page_count: int,
    count: PageCount = uncounted,
) -> tuple[PageReading, ...]:
    """Read all pages of a PDF; `count` is told as they are read.

    A page that exceeds its bounds or crashes its reader is read again without layout model and
    flagged ``layout_failed``; where even that fails it is empty and flagged ``unreadable``.

    Raises:
        DocumentError: wrong with the whole document, or what befell every one of its pages.
    """
    engine = engine_of(settings)
    numbers = range(1, page_count + 1)
    faults: list[DocumentError] = []

    def without_layout(number: int, error: DocumentError) -> tuple[PageReading, ...]:
        try:
            (page,) = pool.call(pages_timeout_s(settings, 1), _read_plain, path, number)
        except DocumentError as worse:
            faults.append(_of_a_page(worse))
            flag = fault_flag("unreadable", worse)
            return (PageReading(number, 1.0, 1.0, (), (), flags=(flag,)),)
        return (replace(page, flags=(*page.flags, fault_flag("layout_failed", error))),)

    read = partial(_read_some, engine, path)
    parts = _in_parts(pool, settings, numbers, read, without_layout, count)
    if faults and len(faults) == page_count:
        raise faults[0]
    return tuple(page for part in parts for page in part)


def find_scans(
    pool: ReaderPool, settings: Settings, path: Path, page_count: int
) -> tuple[int, ...]:
    """Numbers of a PDF's pages that are images of text; one that cannot even be looked at is none.

    Raises:
        DocumentError: wrong with the whole document.
    """
    from finrag_pipeline.stages.pages.engines import scans

    def no_scan(number: int, error: DocumentError) -> tuple[int, ...]:
        return ()

    numbers = range(1, page_count + 1)
    parts = _in_parts(pool, settings, numbers, partial(scans.find_scans, path), no_scan)
    return tuple(number for part in parts for number in part)


def read_tables(
    pool: ReaderPool,
    settings: Settings,
    path: Path,
    layouts: Sequence[tuple[int, Any]],
    count: PageCount = uncounted,
) -> TableReading:
    """Read the parts of tables on a PDF's pages, for `tables.join_pages`.

    Args:
        layouts: page number, 1-based, and the `raw_layout` of its reading; None for a page
            without tables.
        count: told as pages are read; those without tables are not.

    Returns:
        The parts in page order. A page that exceeds its bounds or crashes its reader has none,
        and is flagged ``tables_failed``.

    Raises:
        DocumentError: wrong with the whole document.
    """

    def without_tables(page: tuple[int, Any], error: DocumentError) -> TableReading:
        return TableReading((), ((page[0], fault_flag("tables_failed", error)),))

    engine = engine_of(settings)
    following = [raw for _, raw in layouts[1:]] + [None]
    some = [
        # at the foot of a page without rows a head may stand whose table is overleaf
        (number, raw if raw is not None else [])
        for (number, raw), overleaf in zip(layouts, following, strict=True)
        if raw is not None or isinstance(overleaf, list)
    ]
    read = partial(_tables_of, engine, path)
    parts = _in_parts(pool, settings, some, read, without_tables, count)
    return _put_together(parts)


def _in_parts(
    pool: ReaderPool,
    settings: Settings,
    pages: Sequence[P],
    read: Callable[[Sequence[P]], R],
    give_up: Callable[[P, DocumentError], R],
    count: PageCount = uncounted,
) -> list[R]:
    """Read pages in parts, side by side; a part that a page breaks is read again page by page."""
    parts = [pages[at : at + PAGES_PER_CALL] for at in range(0, len(pages), PAGES_PER_CALL)]
    waiting = _submit(pool, settings, parts, read)
    results: list[R] = []
    for part, result in zip(parts, waiting, strict=True):
        try:
            results.append(result())
            count(len(part))
        except DocumentError as error:
            _of_a_page(error)
            if len(part) == 1:
                results.append(give_up(part[0], error))
                count(1)
                continue
            single = [part[at : at + 1] for at in range(len(part))]
            for page, alone in zip(part, _submit(pool, settings, single, read), strict=True):
                try:
                    results.append(alone())
                except DocumentError as fault:
                    results.append(give_up(page, _of_a_page(fault)))
                count(1)
    return results


def _submit(
    pool: ReaderPool,
    settings: Settings,
    parts: Sequence[Sequence[P]],
    read: Callable[[Sequence[P]], R],
) -> list[Callable[[], R]]:
    return [pool.submit(pages_timeout_s(settings, len(part)), read, part) for part in parts]


def _of_a_page(error: DocumentError) -> DocumentError:
    """The same error, where a single page may be its cause.

    Raises:
        DocumentError: the same, where the whole document is.
    """
    if error.reason not in _PAGE_FAULTS:
        raise error
    return error


def _read_some(engine: PdfEngine, path: Path, numbers: Sequence[int]) -> tuple[PageReading, ...]:
    """Runs in a worker."""
    return engine.read_pages(path, numbers[0], numbers[-1])


def _read_plain(path: Path, number: int) -> tuple[PageReading, ...]:
    """Runs in a worker."""
    from finrag_pipeline.stages.pages.pdf import read_pages

    return read_pages(path, number, number, layout=False)


def _tables_of(engine: PdfEngine, path: Path, pages: Sequence[tuple[int, Any]]) -> TableReading:
    """Runs in a worker; images are not read again."""
    from finrag_pipeline.stages.pages.engines.ocr import read_scanned_tables, was_scanned

    return _put_together(
        read_scanned_tables(list(some)) if scanned else engine.read_tables(path, list(some))
        for scanned, some in groupby(pages, key=lambda page: was_scanned(page[1]))
    )


def _put_together(parts: Iterable[TableReading]) -> TableReading:
    readings = list(parts)
    return TableReading(
        tuple(table for reading in readings for table in reading.tables),
        tuple(flag for reading in readings for flag in reading.flags),
    )
