"""Embeddings by a server that speaks OpenAI's `/embeddings`: hosted, vLLM, TEI, Ollama, and others.

How it is reached and asked again is `openai_server`; this module sends batches and checks vectors.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from finrag_pipeline.models.embedding import Vectors, VectorSpace, unit
from finrag_pipeline.models.fingerprint import measured_space
from finrag_pipeline.models.openai_server import ModelServer, Refused
from finrag_pipeline.models.prompts import family_prompts

log = logging.getLogger(__name__)

# What most servers take by default: text-embeddings-inference 32 texts; smaller limits (10 at
# some hosts) are found by halving. OpenAI takes 300,000 tokens, about a character each at most.
_BATCH_TEXTS = 32
_BATCH_CHARACTERS = 100_000
#: No model holds less: what is refused below that length is not refused for its length.
_SHORT_CHARACTERS = 128


class OpenAIEmbedder:
    """Unit vectors from a server, in the order of the texts whatever order it answers in.

    A text that the server refuses is cut by a quarter until it is taken: how much is cut depends
    on that text alone, so its vector does, too. A blank text gets a zero vector without asking.

    Args:
        server: where to ask.
        model: its name there.
        dimension: length to ask for; None: what the model makes.
    """

    def __init__(self, server: ModelServer, model: str, dimension: int | None = None) -> None:
        self._name = f"openai:{model}"
        self._passages = _Requests(server, model, dimension)
        self._questions = _Requests(server.for_questions(), model, dimension)
        # servers put nothing before a text, whatever the model was trained with
        self._prompts = family_prompts(model)
        self._space: VectorSpace | None = None

    @property
    def space(self) -> VectorSpace:
        """Name, length and fingerprint, by two short requests at the first use.

        Raises:
            FinragError: as `embed_passages`.
        """
        return self._known_space(self._passages)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored text, shape `(len(texts), dimension)`.

        Raises:
            ModelUnavailable: the server gave up or cannot be reached; nothing was lost but time.
            ConfigurationError: it refuses the key, the model, or a short text.
            ModelReplyUnusable: its answer has too few vectors, or others than were asked for.
        """
        return _rows(self._passages, self._prompts.document, texts, self.space.dimension)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, with the prefix of the model's family; errors the same, sooner."""
        dimension = self._known_space(self._questions).dimension
        return _rows(self._questions, self._prompts.query, texts, dimension)

    def _known_space(self, requests: _Requests) -> VectorSpace:
        if self._space is None:
            length = requests.embed(["probe"], None).shape[1]

            def embed(texts: Sequence[str]) -> Vectors:
                return _rows(requests, self._prompts.document, texts, length)

            self._space = measured_space(self._name, embed)
        return self._space


class _Requests:
    """Texts to unit vectors by as many requests as that takes."""

    def __init__(self, server: ModelServer, model: str, dimension: int | None) -> None:
        self._server = server
        self._model = model
        self._dimension = dimension

    def embed(self, texts: Sequence[str], dimension: int | None) -> Vectors:
        # by length: the few too long ones are then refused together, not each with its batch
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        parts = [
            self._batch([texts[row] for row in rows], dimension) for rows in _batches(texts, order)
        ]
        made = np.concatenate(parts)
        return made[np.argsort(order)]

    def _batch(self, texts: Sequence[str], dimension: int | None) -> Vectors:
        try:
            return self._ask(texts, dimension)
        except Refused:
            if len(texts) > 1:
                half = len(texts) // 2
                return np.concatenate(
                    [self._batch(texts[:half], dimension), self._batch(texts[half:], dimension)]
                )
            if len(texts[0]) <= _SHORT_CHARACTERS:
                raise
            kept = max(_SHORT_CHARACTERS, len(texts[0]) * 3 // 4)
            log.warning(
                "%s refused a text of %d characters: trying its first %d (a server that cuts by "
                "itself, or a model with a longer window, is faster)",
                self._server.name,
                len(texts[0]),
                kept,
            )
            return self._batch([texts[0][:kept]], dimension)

    def _ask(self, texts: Sequence[str], dimension: int | None) -> Vectors:
        from openai import omit

        with self._server.errors():
            reply: Any = self._server.client.embeddings.create(
                model=self._model,
                input=list(texts),
                # not every server knows the SDK's default, base64
                encoding_format="float",
                dimensions=self._dimension or omit,
            )
        return self._checked(getattr(reply, "data", None), len(texts), dimension)

    def _checked(self, data: object, count: int, dimension: int | None) -> Vectors:
        """Unit rows in the order asked for, from entries in any order."""
        if not isinstance(data, list):
            raise self._server.unusable("without a list of vectors")
        entries = cast(list[Any], data)
        if len(entries) != count:
            raise self._server.unusable(f"with {len(entries)} vectors for {count} texts")
        by_text = {
            entry.index: getattr(entry, "embedding", None)
            for entry in entries
            if isinstance(getattr(entry, "index", None), int)
        }
        if set(by_text) != set(range(count)):
            raise self._server.unusable("its vectors do not say which text is whose")
        listed = [by_text[text] for text in range(count)]
        try:
            rows = np.array(listed, dtype=np.float64)
        except (TypeError, ValueError):
            rows = np.zeros(0)
        if rows.ndim != 2 or not rows.size:
            raise self._server.unusable("its vectors are no lists of numbers of one length")
        made = int(np.size(rows, 1))
        wanted = dimension or self._dimension or made
        if made != wanted:
            raise self._server.unusable(f"with vectors of {made} numbers instead of {wanted}")
        if not np.isfinite(rows).all():
            raise self._server.unusable("its vectors hold numbers that are not finite")
        return unit(rows)


def _rows(requests: _Requests, prefix: str, texts: Sequence[str], dimension: int) -> Vectors:
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    rows = [row for row, text in enumerate(texts) if text.strip()]
    if rows:
        vectors[rows] = requests.embed([prefix + texts[row] for row in rows], dimension)
    return vectors


def _batches(texts: Sequence[str], order: Sequence[int]) -> Iterator[list[int]]:
    """Rows in the given order, as many together as the bounds allow, one at least."""
    batch: list[int] = []
    characters = 0
    for row in order:
        full = len(batch) == _BATCH_TEXTS or characters + len(texts[row]) > _BATCH_CHARACTERS
        if batch and full:
            yield batch
            batch, characters = [], 0
        batch.append(row)
        characters += len(texts[row])
    if batch:
        yield batch
