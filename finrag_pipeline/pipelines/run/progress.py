"""How far a stage is, told to whoever watches: documents, and their pages where those are known."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

#: (stage, done, in all): pages where a stage opens documents, else documents. What there is in all
#: grows while documents are opened.
Progress = Callable[[str, int, int], None]


def silent(stage: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


class Tally:
    """What a stage has done of its documents, which are read side by side.

    A document counts as one until it is opened and says how many pages it has.
    """

    def __init__(self, progress: Progress, stage: str, documents: Iterable[str] = ()) -> None:
        self._progress, self._stage = progress, stage
        self._pages = dict.fromkeys(documents, 1)
        self._read: dict[str, int] = {}
        self._done, self._total = 0, len(self._pages)
        self._lock = threading.Lock()
        progress(stage, 0, self._total)

    def opened(self, document: str, pages: int) -> None:
        """A document has so many pages to read."""
        with self._lock:
            known = self._pages.get(document, 0)
            self._pages[document] = max(pages, 1)
            self._add(0, self._pages[document] - known)

    def read(self, document: str, pages: int = 1) -> None:
        """So many more pages of a document are read."""
        with self._lock:
            self._count(document, self._read.get(document, 0) + pages)

    def finished(self, document: str) -> None:
        """Nothing of a document is left to do, whatever became of it."""
        with self._lock:
            self._count(document, self._pages.get(document, 0))

    def _count(self, document: str, read: int) -> None:
        read = min(read, self._pages.get(document, 0))
        more = read - self._read.get(document, 0)
        self._read[document] = read
        self._add(more, 0)

    def _add(self, done: int, total: int) -> None:
        if done or total:
            self._done += done
            self._total += total
            self._progress(self._stage, self._done, self._total)
