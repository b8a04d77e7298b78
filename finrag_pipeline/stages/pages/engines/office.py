"""Reads DOCX, PPTX, HTML and Markdown with Docling, which needs no model for them.

Opening and refusing files is here; what their items become is in `office_regions`. Nothing is
fetched and nothing is run: images, frames, scripts and external entities are left where they are.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import Metadata, PageReading, Place, Region, Table
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline.stages.pages.engines.office_regions import is_cover, read_items

#: File suffix to the format's name in Docling.
_FORMATS = {".docx": "docx", ".pptx": "pptx", ".html": "html", ".htm": "html", ".md": "md"}
#: What a zip archive must hold to be of a format.
_MAIN_PARTS = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml"}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: Name of the stream in which Office keeps a document under a password.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


@dataclass(frozen=True, slots=True)
class OfficeReading:
    """All that is read from one file: slides, or one page without size, and what stands there.

    `tables` are for `tables.join_pages` to finish.
    """

    pages: tuple[PageReading, ...]
    regions: tuple[Region, ...]
    tables: tuple[Table, ...]


def office_format(name: str) -> str | None:
    """The format that a file name promises: docx, pptx, html, md, or None for all others.

    >>> office_format("报告.DOCX"), office_format("报告.pdf")
    ('docx', None)
    """
    return _FORMATS.get(PurePosixPath(name).suffix.lower())


def is_installed() -> bool:
    """Whether the extra `docling` is there."""
    return find_spec("docling") is not None


def read_office(path: Path, kind: str) -> OfficeReading:
    """Read one file.

    Args:
        path: a local file.
        kind: as `office_format` names it.

    Returns:
        Regions and tables in reading order. A page is a slide, with boxes in points; the other
        formats have one page and boxes of no area. Costs 0.01 s a page, and 6 s once a process.

    Raises:
        DocumentError: ``zero_bytes``, ``wrong_format``, ``encrypted``, ``truncated``, or
            ``needs_docling`` where the extra is missing.
    """
    content = path.read_bytes()
    _require_format(content, kind)
    if not is_installed():
        raise DocumentError("needs_docling", kind)
    if kind in ("html", "md"):
        content = _as_utf8(content, kind)
    from docling.datamodel.base_models import ConversionStatus, DocumentStream

    stream = DocumentStream(name=f"document.{kind}", stream=io.BytesIO(content))
    result = _converter().convert(stream, raises_on_error=False)
    if result.status not in (ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS):
        why = "; ".join(str(error.error_message) for error in result.errors) or "no text"
        raise DocumentError("truncated", why.splitlines()[0][:200])
    return OfficeReading(*read_items(result.document))


def read_office_metadata(reading: OfficeReading, source_name: str) -> Metadata:
    """What a file says of itself: in a format without pages, its first lines are its cover."""
    if any(page.width for page in reading.pages):
        return read_metadata(reading.regions, source_name)
    cover = is_cover(reading.regions)
    paged = [
        region if first else replace(region, page=2)
        for region, first in zip(reading.regions, cover, strict=True)
    ]
    metadata = read_metadata(paged, source_name)
    places = {
        name: tuple(Place(1, place.bbox) for place in found)
        for name, found in metadata.places.items()
    }
    return replace(metadata, places=places)


@lru_cache(maxsize=1)
def _converter() -> Any:
    from docling.datamodel.backend_options import HTMLBackendOptions, MarkdownBackendOptions
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import (
        DocumentConverter,
        HTMLFormatOption,
        MarkdownFormatOption,
    )

    closed = dict.fromkeys(("fetch_images", "enable_remote_fetch", "enable_local_fetch"), False)
    # text before the first heading is text
    html = HTMLBackendOptions.model_validate({"infer_furniture": False, **closed})
    markdown = MarkdownBackendOptions.model_validate(closed)
    return DocumentConverter(
        allowed_formats=[InputFormat.DOCX, InputFormat.PPTX, InputFormat.HTML, InputFormat.MD],
        format_options={
            InputFormat.HTML: HTMLFormatOption(backend_options=html),
            InputFormat.MD: MarkdownFormatOption(backend_options=markdown),
        },
    )


def _require_format(content: bytes, kind: str) -> None:
    if not content:
        raise DocumentError("zero_bytes")
    begins = f"it begins with {content[:8]!r}"
    if kind not in _MAIN_PARTS:
        if content.startswith((b"%PDF-", b"PK\x03\x04", _OLE)) or b"\0\0\0" in content[:4096]:
            raise DocumentError("wrong_format", begins)
        return
    if content.startswith(_OLE) and _ENCRYPTED in content:
        raise DocumentError("encrypted")
    if not content.startswith(b"PK"):
        raise DocumentError("wrong_format", begins)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        raise DocumentError("truncated", str(error)) from error
    if _MAIN_PARTS[kind] not in names:
        raise DocumentError("wrong_format", f"it holds no {_MAIN_PARTS[kind]}")


def _as_utf8(content: bytes, kind: str) -> bytes:
    """Text in UTF-8 under its mark, without which an HTML parser guesses.

    What is neither and names no encoding of its own is GB 18030, as old Chinese pages are.
    """
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        if kind == "html" and b"charset" in content[:2048].lower():
            return content
        text = content.decode("gb18030", errors="replace")
    return text.encode("utf-8-sig")
