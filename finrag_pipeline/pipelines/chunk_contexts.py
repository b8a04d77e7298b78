"""Rewrites the line that places each chunk in its document by the chat model, where one is set.

It comes between chunks and embeddings, since the embedding holds the line. What is asked for is
`stages.context_prompt`; a line that the model fails to write stays the one of the headings.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from psycopg import Connection

from finrag_pipeline.errors import (
    ConfigurationError,
    ModelReplyUnusable,
    ModelUnavailable,
)
from finrag_pipeline.models.chat import ChatModel, load_chat_model
from finrag_pipeline.models.openai_server import Refused
from finrag_pipeline.pipelines.run import Run, StageReport, run_stage
from finrag_pipeline.pipelines.workers import ReaderPool
from finrag_pipeline.records import Document
from finrag_pipeline.stages.context_prompt import (
    REPLY_TOKENS,
    SYSTEM,
    context_line,
    context_prompt,
    document_card,
)
from finrag_pipeline.store import clique_chunks, documents

log = logging.getLogger(__name__)

#: Chunks asked about side by side: small enough for the rate limits of hosted models, and servers
#: of one's own batch them.
_IN_FLIGHT = 8
# Failures in a row after which a run asks no more: one wave of requests, each of them repeated.
_GIVE_UP = _IN_FLIGHT


@dataclass
class ChunkContexts:
    """Stage: one line of the chat model per chunk that has none of a model yet.

    One instance serves one run: when the model fails for good, the rest of the run goes without.
    """

    model: ChatModel
    name: str = "chunk_contexts"
    key: str = "chunk_contexts"
    after: tuple[str, ...] = ("clique_chunks",)
    _failed: int = field(default=0, init=False)
    _in_a_row: int = field(default=0, init=False)
    _reason: str = field(default="", init=False)
    _given_up: bool = field(default=False, init=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What a run has to say of chunks that kept the line of their headings."""
        if not self._failed:
            return ()
        ended = "; the rest of the run was not asked about" if self._given_up else ""
        return (
            f"{self._failed} chunks keep the context of their headings, {self.model.name} wrote "
            f"none{ended}: {self._reason}",
        )

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> dict[int, str]:
        with run.database.connection() as connection:
            if self.key in documents.stage_rows(connection, document):
                return {}  # a run that was interrupted before its vectors
            chunks, lacking = clique_chunks.chunks_and_contexts(connection, document)
            metadata = documents.read_metadata(connection, document)
        card = document_card(metadata, [chunk.section for chunk in chunks])

        def ask(place: int) -> str | None:
            message = context_prompt(card, metadata.language, chunks, place)
            return self._line(message, metadata.language)

        with ThreadPoolExecutor(_IN_FLIGHT) as threads:
            lines = list(threads.map(ask, lacking))
        found = zip(lacking, lines, strict=True)
        return {chunks[place].ordinal: line for place, line in found if line}

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: dict[int, str]
    ) -> dict[str, int]:
        clique_chunks.set_contexts(connection, document, result, self.model.name)
        return {"contexts": len(result)}

    def _line(self, message: str, language: str) -> str | None:
        if self._given_up:
            return self._note("")
        try:
            line = context_line(self.model.complete(SYSTEM, message, REPLY_TOKENS), language)
        except (ModelUnavailable, ModelReplyUnusable, Refused) as error:
            return self._note(str(error))
        except ConfigurationError as error:  # the next request would be refused like this one
            return self._note(str(error), for_good=True)
        if line is None:
            return self._note("its reply was no line in the document's language")
        with self._guard:
            self._in_a_row = 0
        return line

    def _note(self, reason: str, *, for_good: bool = False) -> None:
        with self._guard:
            self._failed += 1
            self._in_a_row += 1
            self._reason = self._reason or reason
            if not self._given_up and (for_good or self._in_a_row >= _GIVE_UP):
                self._given_up = True
                log.warning("%s: no more contexts in this run: %s", self.model.name, reason)


def write_contexts(run: Run, pending: Sequence[Document]) -> StageReport | None:
    """Let the chat model place the chunks of documents that are about to be embedded.

    Args:
        pending: those documents; what readers see already keeps its lines and vectors.

    Returns:
        None without a chat model. Its `degraded` says how many chunks go without a model's line.

    Raises:
        StoreUnavailable, StorageFull: the store gave up. A model's failure is no error here.
    """
    model = load_chat_model(run.settings)
    if model is None:
        return None
    stage = ChunkContexts(model)
    # one document after the other: its chunks are asked about side by side
    report = run_stage(run, stage, parallel=1, pending=pending)
    return replace(report, degraded=stage.degraded)
