"""A question on its way through the lanes: its text, its filter, and vectors made once.

Where vectors are compared, the snapshot that keeps their space the same meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from psycopg import Connection

from finrag_pipeline.models.embedders import recognised
from finrag_pipeline.models.embedding import Embedder, Vectors
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter

Row = dict[str, Any]


class Asked:
    """A question, for any number of lanes at a time.

    Args:
        question: its text.
        where: what it may be answered from.
        embedder: gives the configured embedder; loading it may take long, and fail.
    """

    def __init__(self, question: str, where: Filter, embedder: Callable[[], Embedder]) -> None:
        self.question = question
        self.where = where
        self._embedder = embedder
        self._vectors: dict[str, Vectors] = {}
        self._guard = threading.Lock()

    @property
    def vector(self) -> Vectors:
        """The vector of the question; zero where it has no words."""
        return self.vector_of(self.question)

    def vector_of(self, text: str) -> Vectors:
        """The vector of a question made from this one, each made once."""
        with self._guard:
            if text not in self._vectors:
                self._vectors[text] = self._embedder().embed_questions([text])[0]
            return self._vectors[text]

    @contextmanager
    def snapshot(self, reader: Reader) -> Generator[tuple[Connection[Row], Space]]:
        """One state of the store to read from, and the space of its vectors.

        Raises:
            VectorSpaceMismatch: the configured embedder did not make them.
        """
        embedder = self._embedder()
        with reader.reading(self.where.app_id, self.where.as_of) as connection:
            # what is checked is what is searched, though a reembedding swaps spaces meanwhile
            space = recognised(embedder, embeddings.stored_spaces(connection)).space
            embeddings.check_space(connection, space)
            yield connection, space

    def passages(self, texts: list[str]) -> Vectors:
        """Vectors of passages to compare with, row by row."""
        return self._embedder().embed_passages(texts)
