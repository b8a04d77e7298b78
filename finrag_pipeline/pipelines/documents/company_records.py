"""Documents that are made of company records and stand in no file: what they hold, read back.

How records come into the store is `pipelines.enterprise_graph`.
"""

from __future__ import annotations

import hashlib

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.records import Document
from finrag_pipeline.records.enterprise import RecordDocument
from finrag_pipeline.store.documents import enterprise_graph


def record_of(run: Run, document: Document) -> RecordDocument | None:
    """The record that a document is made of; None for a document of a file.

    Raises:
        DocumentError: ``source_missing`` where the record says something else by now.
    """
    if not all(enterprise_graph.is_record(uri) for uri in document.uris):
        return None
    with run.database.connection() as connection:
        content = enterprise_graph.content_of(connection, document)
    if content is None or hashlib.sha256(content.encode()).hexdigest() != document.content_sha256:
        raise DocumentError("source_missing", ", ".join(document.uris))
    return RecordDocument.from_json(content)
