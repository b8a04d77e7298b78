"""A question on its way: its text and options, what it may be answered from, vectors made once.

Where stored vectors are compared, the reading that keeps their space the same meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace

from finrag_pipeline.models.embedders import (
    StoredEmbedder,
    at_hand,
    matching,
    recognised,
    sentence_matching,
)
from finrag_pipeline.models.embedding import Embedder, Vectors, VectorSpace
from finrag_pipeline.query.question.intents import ANYTHING, Intent
from finrag_pipeline.query.question.options import PLAIN, Options
from finrag_pipeline.query.question.scope import EVERYTHING, Scope
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.weeks.community_builds import StoredBuild


class Asked:
    """A question, for any number of lanes at a time.

    Vectors are made by a model, which may be a server that takes its time: ask for them before a
    reading is opened, never inside one.

    Args:
        question: its text.
        where: what it may be answered from.
        embedder: gives the configured embedder; loading it may take long, and fail.
        options: what else was asked for.
        build: the weekly build that it goes to; None: there is none.
        scope: which documents agree with whom and when it means.
        intent: the kind of answer that is wanted.
    """

    def __init__(
        self,
        question: str,
        where: Filter,
        embedder: Callable[[], Embedder],
        options: Options = PLAIN,
        build: StoredBuild | None = None,
        scope: Scope = EVERYTHING,
        intent: Intent = ANYTHING,
    ) -> None:
        self.question = question
        self.where = where
        self.options = options
        self.build = build
        self.scope = scope
        self.intent = intent
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

    def within(self, document_ids: tuple[str, ...]) -> Asked:
        """The same question to some documents alone; vectors are made once for both."""
        asked = copy(self)
        asked.where = replace(self.where, document_ids=document_ids)
        return asked

    def wanting(self, intent: Intent) -> Asked:
        """The same question, wanting another kind of answer."""
        asked = copy(self)
        asked.intent = intent
        return asked

    def in_lane(self, label: str) -> Asked:
        """The same question to one lane alone."""
        asked = copy(self)
        asked.options = replace(self.options, lane=label)
        return asked

    def passages(self, texts: list[str]) -> Vectors:
        """Vectors of passages to compare with, row by row."""
        return self._embedder().embed_passages(texts)

    @property
    def comparer(self) -> Embedder:
        """What sentences of an answer are compared by: the configured embedder, if it is here."""
        return at_hand(self._embedder())

    @property
    def matcher(self) -> Embedder:
        """By what it is matched with what figures are called: its space is no stored one."""
        return matching(self._embedder())

    @property
    def sentence_matcher(self) -> Embedder:
        """By what it is matched with sentences that may answer it: its space is no stored one."""
        return sentence_matching(self._embedder())

    def nearness(self, cosine: float) -> float:
        """A cosine with stored vectors as thresholds know it, see `VectorSpace.nearness`."""
        return self._embedder().space.nearness(cosine)

    @contextmanager
    def reading(self, reader: Reader) -> Generator[tuple[Connection[Row], VectorSpace]]:
        """One state of the store to read from, and the space of its vectors.

        The vector of the question is made before, so that it is there inside.

        Raises:
            VectorSpaceMismatch: the configured embedder did not make them.
        """
        self.vector_of(self.question)
        embedder = self._embedder()
        # both may ask a server, which no connection waits for
        known = StoredEmbedder(embedder, embedder.space)
        with reader.reading(self.where.app_id, self.where.as_of) as connection:
            # what is checked is what is searched, though a reembedding swaps spaces meanwhile
            stored = embeddings.stored_spaces(connection)
            space = recognised(known, stored).space
            embeddings.check_active(stored, space)
            yield connection, space
