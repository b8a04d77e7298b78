"""The fingerprint of the code that reads documents: the same text, tables and chunks come of it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from finrag_pipeline.settings import Settings

#: Raised by one whenever a stage may make other rows of the same document.
STAGE_VERSIONS = {"cleaned_text": 9, "html_tables": 15, "clique_chunks": 3}
#: Packages whose releases read the same PDF differently, by engine.
_ENGINE_PACKAGES = {
    "pymupdf": ("pymupdf",),
    "docling": ("pymupdf", "docling-slim", "docling-parse"),
}


@lru_cache(maxsize=2)
def current_revision(pdf_engine: str = "pymupdf") -> str:
    """Twelve hexadecimal digits that change with the stages, the engine, libraries and vectors."""
    from finrag_pipeline.models.segmentation import segmentation_fingerprint

    parts = {
        "stages": STAGE_VERSIONS,
        "pdf_engine": pdf_engine,
        **{name: _version(name) for name in _ENGINE_PACKAGES[pdf_engine]},
        "spacy": version("spacy"),
        "segmentation": segmentation_fingerprint(),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def tried_under(settings: Settings) -> str:
    """What must change before a document that failed is tried again: code, bounds, extras."""
    office = "on" if find_spec("docling") else "missing"
    return (
        f"{current_revision(settings.pdf_engine)} open={settings.open_timeout_s:g}s "
        f"page={settings.page_timeout_s:g}s memory={settings.worker_memory_mib}MiB "
        f"ocr={ocr_state(settings)} ocr_page={settings.ocr_page_timeout_s:g}s docling={office}"
    )


def ocr_state(settings: Settings) -> str:
    """Whether pages that are images are read: ``on``, ``off``, or ``missing`` without the extra."""
    if settings.ocr == "off":
        return "off"
    return "on" if find_spec("rapidocr") else "missing"


def document_id(app_id: str, content_sha256: str) -> str:
    """Id of a content in an app: the same on every machine, whatever the file's name.

    >>> document_id("default", "00")
    'd9777f1bf64cbf8af5bf5'
    """
    digest = hashlib.sha256(f"{app_id}\n{content_sha256}".encode()).hexdigest()
    return f"d{digest[:20]}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # the engine is refused before anything is read
        return "missing"
