"""Files to the chunks that a run would make of them, by the stages' own code, with nothing stored.

What asking about them takes is `estimate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.documents.cleaned_text import CleanedText, Reading, require_engine
from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks, chunk_regions
from finrag_pipeline.pipelines.documents.html_tables import read_document_tables
from finrag_pipeline.pipelines.documents.pages import find_scans, pages_timeout_s
from finrag_pipeline.pipelines.documents.scanned_text import ScannedText
from finrag_pipeline.pipelines.run.revision import document_id, ocr_state
from finrag_pipeline.pipelines.run.run import Run, source_path
from finrag_pipeline.pipelines.run.workers import ReaderPool, shared_pool
from finrag_pipeline.records import Chunk, Document, Metadata, SourceFile
from finrag_pipeline.store.documents import cleaned_text, clique_chunks, document_revisions, sources


@dataclass(frozen=True)
class ReadDocument:
    """A document as far as chat models see it.

    `stages` are the keys of what is done of it already, `unplaced` the places of chunks whose
    context no model wrote.
    """

    document: Document
    page_count: int
    metadata: Metadata
    chunks: tuple[Chunk, ...]
    unplaced: Sequence[int]
    stages: frozenset[str]


def read_files(
    run: Run, paths: Sequence[str], arrival_on: date
) -> tuple[list[ReadDocument], list[tuple[str, str]]]:
    """Read files and folders to chunks; what is chunked in the store is taken from there.

    Args:
        arrival_on: what a document without a printed day counts from.

    Returns:
        Documents in order of their first file, and files that cannot be read with the reasons.

    Raises:
        SourceUnavailable: a path does not exist, cannot be read, or holds no document.
        ConfigurationError: the PDF engine cannot read anything.
        StoreUnavailable: the store gave up.
    """
    found = {file.uri: file for path in paths for file in sources.discover(path)}
    asked, unreadable = _documents(run, list(found.values()), arrival_on)
    require_engine(run.settings)
    pool = shared_pool(run.settings)

    def read(document: Document) -> ReadDocument | DocumentError:
        try:
            return _read(run, document, pool)
        except DocumentError as error:
            return error

    results: list[ReadDocument] = []
    with ThreadPoolExecutor(run.settings.workers + 1) as threads:
        for document, result in zip(asked, threads.map(read, asked), strict=True):
            if isinstance(result, DocumentError):
                unreadable.append((document.source, str(result)))
            else:
                results.append(result)
    return results, unreadable


def _documents(
    run: Run, files: Sequence[SourceFile], arrival_on: date
) -> tuple[list[Document], list[tuple[str, str]]]:
    """The documents of files, each content once, and the files that cannot be opened."""
    app_id = run.scope.app_id
    by_content: dict[str, Document] = {}
    unreadable: list[tuple[str, str]] = []
    for file in files:
        try:
            sha256 = sources.content_sha256(file.uri)
        except OSError as error:
            unreadable.append((file.name, error.strerror or str(error)))
            continue
        known = by_content.get(sha256)
        by_content[sha256] = (
            replace(known, uris=(*known.uris, file.uri))
            if known
            else Document(
                document_id(app_id, sha256),
                app_id,
                sha256,
                file.size_bytes,
                arrival_on,
                file.name,
                (file.uri,),
                run.revision,
            )
        )
    return list(by_content.values()), unreadable


def _read(run: Run, document: Document, pool: ReaderPool) -> ReadDocument:
    with run.database.connection() as connection:
        stages = frozenset(document_revisions.stage_rows(connection, document))
        if CliqueChunks.key in stages:
            metadata = document_revisions.read_metadata(connection, document)
            chunks, unplaced = clique_chunks.chunks_and_contexts(connection, document)
            page_count = len(
                cleaned_text.page_layouts(connection, document.document_id, run.revision)
            )
            return ReadDocument(document, page_count, metadata, tuple(chunks), unplaced, stages)
    reading = _read_pages(run, document, pool)
    metadata = replace(
        reading.metadata, published_on=reading.metadata.published_on or document.arrival_on
    )
    chunks = _read_chunks(run, document, pool, replace(reading, metadata=metadata))
    every = range(len(chunks))
    return ReadDocument(document, len(reading.pages), metadata, chunks, every, stages)


def _read_pages(run: Run, document: Document, pool: ReaderPool) -> Reading:
    """All pages, by OCR where nothing else reads them."""
    from finrag_pipeline.stages.pages.pdf_file import count_pages

    try:
        return CleanedText().compute(run, document, pool)
    except DocumentError as error:
        if error.reason != "image_only" or ocr_state(run.settings) != "on":
            raise
    with source_path(document) as path:
        count = pool.call(run.settings.open_timeout_s, count_pages, path)
        scans = find_scans(pool, run.settings, path, count)
    return ScannedText({document.document_id: scans}).compute(run, document, pool)


def _read_chunks(
    run: Run, document: Document, pool: ReaderPool, reading: Reading
) -> tuple[Chunk, ...]:
    """Chunks of the text that is left when tables are taken out."""
    layouts = [(page.page, page.raw_layout) for page in reading.pages]
    tables = read_document_tables(
        run.settings, document, pool, layouts, reading.regions, reading.metadata
    )
    timeout_s = pages_timeout_s(run.settings, len(layouts))
    return pool.call(timeout_s, chunk_regions, tables.regions, reading.metadata)
