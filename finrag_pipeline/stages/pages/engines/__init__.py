"""What reads documents: PDF engines behind one protocol, OCR, and the office formats.

PyMuPDF's own reader is `pdf` and `tables`; nothing here decides what a line means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from finrag_pipeline.records import PageReading

if TYPE_CHECKING:
    from finrag_pipeline.stages.tables.reading import TableReading

__all__ = ["DoclingEngine", "PdfEngine", "PymupdfEngine", "load_engine"]


class PdfEngine(Protocol):
    """Reads pages and, from what it saw on them, tables; values only, so that it can be sent to
    another process."""

    def unusable(self) -> str | None:
        """Why it cannot read anything, with the mend, or None; loads its models to find out."""
        ...

    def read_pages(self, path: Path, first: int, last: int) -> tuple[PageReading, ...]:
        """Read a range of pages, 1-based and inclusive: see `pdf.read_pages`."""
        ...

    def read_tables(self, path: Path, pages: Sequence[tuple[int, Any]]) -> TableReading:
        """Read the parts of tables on pages, given the `raw_layout` of each, for
        `tables.join_pages`: see `tables.read_flagged_tables`."""
        ...


@dataclass(frozen=True, slots=True)
class PymupdfEngine:
    """PyMuPDF, whose models come in its wheel."""

    def unusable(self) -> str | None:
        return None

    def read_pages(self, path: Path, first: int, last: int) -> tuple[PageReading, ...]:
        from finrag_pipeline.stages.pages.pdf import read_pages

        return read_pages(path, first, last)

    def read_tables(self, path: Path, pages: Sequence[tuple[int, Any]]) -> TableReading:
        from finrag_pipeline.stages.tables.reading import read_flagged_tables

        return read_flagged_tables(path, pages)


@dataclass(frozen=True, slots=True)
class DoclingEngine:
    """Docling, whose models are in a folder of their own; None is where Docling downloads to."""

    artifacts: Path | None = None

    def unusable(self) -> str | None:
        from finrag_pipeline.stages.pages.engines.docling_pdf import missing_models

        return missing_models(self.artifacts)

    def read_pages(self, path: Path, first: int, last: int) -> tuple[PageReading, ...]:
        from finrag_pipeline.stages.pages.engines.docling_pdf import read_pages

        return read_pages(path, first, last, self.artifacts)

    def read_tables(self, path: Path, pages: Sequence[tuple[int, Any]]) -> TableReading:
        from finrag_pipeline.stages.pages.engines.docling_pdf import read_tables

        return read_tables(pages)


def load_engine(name: str, artifacts: Path | None = None) -> PdfEngine:
    """The engine of a name.

    Args:
        name: ``pymupdf`` or ``docling``.
        artifacts: folder of Docling's models.
    """
    return DoclingEngine(artifacts) if name == "docling" else PymupdfEngine()
