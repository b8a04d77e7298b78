"""The fingerprint of the code that reads documents: the same text, tables and chunks come of it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import version

#: Raised by one whenever a stage may make other rows of the same PDF.
STAGE_VERSIONS = {"cleaned_text": 1, "html_tables": 1, "clique_chunks": 1}


@lru_cache(maxsize=1)
def current_revision() -> str:
    """Twelve hexadecimal digits that change with the stages, their libraries and embedder."""
    from finrag_pipeline.models.hashing import HashingEmbedder

    parts = {
        "stages": STAGE_VERSIONS,
        "pymupdf": version("pymupdf"),
        "spacy": version("spacy"),
        "segmentation": HashingEmbedder().space.fingerprint,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def document_id(app_id: str, content_sha256: str) -> str:
    """Id of a content in an app: the same on every machine, whatever the file's name.

    >>> document_id("default", "00")
    'd9777f1bf64cbf8af5bf5'
    """
    digest = hashlib.sha256(f"{app_id}\n{content_sha256}".encode()).hexdigest()
    return f"d{digest[:20]}"
