"""The second pass of `cleaned_text`: documents with pages that only OCR can read.

Such a page costs seconds, so they come after all other documents, with progress by page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.documents.cleaned_text import CleanedText, require_engine
from finrag_pipeline.pipelines.documents.pages import fault_flag, find_scans, read_pages
from finrag_pipeline.pipelines.run.revision import ocr_state
from finrag_pipeline.pipelines.run.run import Run, StageReport, run_stage, source_path
from finrag_pipeline.pipelines.run.workers import ReaderPool, shared_pool
from finrag_pipeline.records import Document, PageReading
from finrag_pipeline.store.documents import documents

#: What people see beside the progress of pages read by OCR.
OCR = "ocr"


def clean_documents(run: Run) -> StageReport:
    """Pass the run's documents through `cleaned_text`, those with scanned pages last.

    Raises:
        ConfigurationError: the PDF engine cannot read anything.
        StoreUnavailable, StorageFull: as `run_stage`.
    """
    require_engine(run.settings)
    report = run_stage(run, CleanedText())
    if ocr_state(run.settings) != "on":
        return report
    scanned = read_scans(run)
    again = {outcome.document.document_id for outcome in scanned.outcomes}
    first = (o for o in report.outcomes if o.document.document_id not in again)
    outcomes = (*first, *scanned.outcomes)
    return replace(report, outcomes=outcomes, seconds=report.seconds + scanned.seconds)


def read_scans(run: Run) -> StageReport:
    """Read every document of the run's scope that waits for OCR, also from an earlier run."""
    pending = _waiting(run)
    return run_stage(run, ScannedText(_survey(run, pending)), pending=pending)


@dataclass
class ScannedText(CleanedText):
    """Stage: as `CleanedText`, with OCR for the pages that need it.

    `scans` holds their numbers by document, or why they could not be found.
    """

    scans: Mapping[str, tuple[int, ...] | DocumentError] = field(default_factory=dict)
    name: str = OCR

    def read_pdf(
        self, run: Run, document: Document, pool: ReaderPool, path: Path
    ) -> tuple[PageReading, ...]:
        """All pages of a PDF; a page whose image cannot be read is flagged.

        Raises:
            DocumentError: as `pdf.read_pages`, or what befell all images of a document that holds
                no text beside them.
        """
        from finrag_pipeline.stages.pages.engines.ocr import read_scanned_pages
        from finrag_pipeline.stages.pages.pdf import require_text_layer
        from finrag_pipeline.stages.pages.pdf_file import count_pages

        numbers = self.scans[document.document_id]
        if isinstance(numbers, DocumentError):
            raise numbers
        limits = run.settings
        # pages with text cost next to nothing beside the others
        run.tally.opened(document.document_id, len(numbers))
        page_count = pool.call(limits.open_timeout_s, count_pages, path)
        pages = {page.page: page for page in read_pages(pool, limits, path, page_count)}
        timeout_s = limits.open_timeout_s + limits.ocr_page_timeout_s
        results = {
            number: pool.submit(timeout_s, read_scanned_pages, path, (number,))
            for number in numbers
        }
        errors = [
            error
            for number, result in results.items()
            if (error := self._take(run, document, pages, number, result)) is not None
        ]
        if errors and len(errors) == len(numbers):
            try:
                require_text_layer(tuple(pages.values()))
            except DocumentError:
                # what befell its images, or it would wait for OCR again and again
                raise errors[0] from None
        return tuple(pages.values())

    def _take(
        self,
        run: Run,
        document: Document,
        pages: dict[int, PageReading],
        number: int,
        result: Callable[[], tuple[PageReading, ...]],
    ) -> DocumentError | None:
        """Put a page read by OCR in the place of the plain one, or flag that."""
        try:
            (pages[number],) = result()
        except DocumentError as error:
            flag = fault_flag("image_only_page", error)
            pages[number] = replace(pages[number], flags=(*pages[number].flags, flag))
            return error
        finally:
            run.tally.read(document.document_id)
        return None


def _waiting(run: Run) -> list[Document]:
    """Documents of the scope that were refused as images, whenever that was."""
    with run.database.connection() as connection:
        unread = documents.in_scope(
            connection,
            run.scope,
            stage=CleanedText.key,
            after=CleanedText.after,
            revision=run.revision,
            reason_under="",  # those known to fail, too
        )
        reasons = documents.with_reason(connection, run.scope.app_id)
    images = {row["document_id"] for row in reasons if row["reason"] == "image_only"}
    return [document for document in unread if document.document_id in images]


def _survey(run: Run, pending: Sequence[Document]) -> dict[str, tuple[int, ...] | DocumentError]:
    """Scanned pages of each document."""
    from finrag_pipeline.stages.pages.pdf_file import count_pages

    pool, limits = shared_pool(run.settings), run.settings
    found: dict[str, tuple[int, ...] | DocumentError] = {}
    for document in pending:
        try:
            with source_path(document) as path:
                page_count = pool.call(limits.open_timeout_s, count_pages, path)
                found[document.document_id] = find_scans(pool, limits, path, page_count)
        except DocumentError as error:
            found[document.document_id] = error
    return found
