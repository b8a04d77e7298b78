"""Images of pages, drawn from the file that a document was read from, and kept for a while.

Drawing itself belongs to `stages.pages.images`; it runs in processes of its own, so that a file
that hangs or kills a parser costs its own request alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from finrag_pipeline.errors import DocumentError, NotFound
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Box
from finrag_pipeline.serve.http.errors import RequestRefused
from finrag_pipeline.stages.pages.images import draw_nothing, draw_page
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import document_sources, sources
from finrag_pipeline.store.documents.document_sources import Original

#: Two: while one draws a page that takes long, others are drawn.
_WORKERS, _MEMORY_MIB = 2, 1024
#: A page of a real report takes 20 to 200 ms, one full of drawings up to 3 s.
_TIMEOUT_S = 15.0
_KEPT_BYTES = 64 * 2**20
#: What a parser suffered, and might not suffer again.
_PASSING = ("reader_timeout", "reader_memory", "reader_crashed")


class PageImages:
    """Draws pages for any number of threads; `close` ends its processes."""

    def __init__(self) -> None:
        self._pool = ReaderPool(_WORKERS, _MEMORY_MIB)
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._size = 0
        self._guard = threading.Lock()

    def warm(self) -> None:
        """Start the processes and let them load what draws, without waiting for them."""
        for _ in range(_WORKERS):
            self._pool.submit(_TIMEOUT_S, draw_nothing)

    def close(self) -> None:
        """End the processes."""
        self._pool.close()

    def image(
        self,
        reader: Reader,
        app_id: str,
        document_id: str,
        page: int,
        width_px: int,
        boxes: Sequence[Box],
    ) -> bytes:
        """A page of a document as a PNG, with boxes marked.

        Raises:
            NotFound: the application has no such document or page.
            RequestRefused: its file is gone, changed, or no PDF, or cannot be drawn.
        """
        with reader.reading(app_id) as connection:
            original = document_sources.original(connection, document_id)
        if original is None:
            raise NotFound(f"no document {document_id} is indexed in this application")
        if page > original.pages:
            raise NotFound(f"document {document_id} has {original.pages} pages")
        key = (original.content_sha256, page, width_px, *boxes)
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = self._drawn(original, page, width_px, boxes)
        self._keep(key, drawn)
        return drawn

    def _drawn(self, original: Original, page: int, width_px: int, boxes: Sequence[Box]) -> bytes:
        changed = False
        pdfs = [uri for uri in original.uris if uri.lower().endswith(".pdf")]
        if not pdfs:
            raise _no_image(404, "not_a_pdf", "only pages of PDF files are drawn")
        for uri in pdfs:
            try:
                with sources.local_copy(uri) as path:
                    if sources.content_sha256(str(path)) != original.content_sha256:
                        changed = True
                        continue
                    return self._pool.call(_TIMEOUT_S, draw_page, path, page, width_px, boxes)
            except OSError:
                continue
            except DocumentError as error:
                if error.reason in _PASSING:
                    raise _no_image(503, "page_not_drawn", "drawing the page broke off") from None
                raise _no_image(404, "page_not_drawn", "the page cannot be drawn") from None
        if changed:
            raise _no_image(410, "file_changed", "the file holds something else by now")
        raise _no_image(410, "file_gone", "the file is no longer where it was ingested from")

    def _keep(self, key: tuple[object, ...], drawn: bytes) -> None:
        with self._guard:
            if key in self._kept:
                return
            self._kept[key] = drawn
            self._size += len(drawn)
            while self._size > _KEPT_BYTES:
                _, oldest = self._kept.popitem(last=False)
                self._size -= len(oldest)


_MENDS = {
    404: "its text is shown by its evidence",
    410: "put the file back, or ingest what is there now",
    503: "try again in a few seconds",
}


def _no_image(status: int, type: str, message: str) -> RequestRefused:
    headers = {"Retry-After": "5"} if status == 503 else {}
    return RequestRefused(status, type, message, _MENDS[status], headers)
