"""Rewrites the line that places each chunk in its document by the chat model, where one is set.

It comes between chunks and embeddings, since the embedding holds the line. What is asked for is
`stages.context_prompt`; a line that the model fails to write stays the one of the headings.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from psycopg import Connection

from finrag_pipeline.errors import (
    BudgetExhausted,
    ConfigurationError,
    ModelReplyUnusable,
    ModelUnavailable,
)
from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose
from finrag_pipeline.models.openai_server import Refused
from finrag_pipeline.pipelines.chat_session import Patience, chat_session, side_by_side
from finrag_pipeline.pipelines.run import Run, StageReport, run_stage
from finrag_pipeline.pipelines.workers import ReaderPool
from finrag_pipeline.records import Chunk, Document, Metadata
from finrag_pipeline.stages.context_prompt import (
    REPLY_TOKENS,
    SYSTEM,
    context_line,
    context_prompt,
    document_card,
)
from finrag_pipeline.store import clique_chunks, document_revisions

log = logging.getLogger(__name__)

#: What the requests are accounted to.
ASSET = "chunk_contexts"


def context_requests(
    metadata: Metadata, chunks: Sequence[Chunk], places: Sequence[int]
) -> list[ChatRequest]:
    """What is asked for the chunks at some places of a document's chunks, in their order."""
    card = document_card(metadata, [chunk.section for chunk in chunks])
    return [
        ChatRequest(SYSTEM, context_prompt(card, metadata.language, chunks, place), REPLY_TOKENS)
        for place in places
    ]


@dataclass
class ChunkContexts:
    """Stage: one line of the chat model per chunk that has none of a model yet.

    One instance serves one run: when the model fails for good, or the budget is spent, the rest of
    the run goes without.
    """

    session: ChatSession
    name: str = ASSET
    key: str = ASSET
    after: tuple[str, ...] = ("clique_chunks",)
    _failed: int = field(default=0, init=False)
    _reason: str = field(default="", init=False)
    _patience: Patience = field(default_factory=Patience, init=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What a run has to say of chunks that kept the line of their headings."""
        if not self._failed:
            return ()
        ended = "; the rest of the run was not asked about" if self._patience.stopped else ""
        return (
            f"{self._failed} chunks keep the context of their headings, {self.session.name} wrote "
            f"none{ended}: {self._reason}",
        )

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> dict[int, str]:
        with run.database.connection() as connection:
            if self.key in document_revisions.stage_rows(connection, document):
                return {}  # a run that was interrupted before its vectors
            chunks, lacking = clique_chunks.chunks_and_contexts(connection, document)
            metadata = document_revisions.read_metadata(connection, document)
        requests = context_requests(metadata, chunks, lacking)
        purpose = Purpose(ASSET, document.document_id)

        def ask(request: ChatRequest) -> str | None:
            return self._line(purpose, request, metadata.language)

        lines = side_by_side(ask, requests)
        found = zip(lacking, lines, strict=True)
        return {chunks[place].ordinal: line for place, line in found if line}

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: dict[int, str]
    ) -> dict[str, int]:
        clique_chunks.set_contexts(connection, document, result, self.session.name)
        return {"contexts": len(result)}

    def _line(self, purpose: Purpose, request: ChatRequest, language: str) -> str | None:
        def read(reply: str) -> str:
            line = context_line(reply, language)
            if line is None:
                raise ValueError("it was no line in the document's language")
            return line

        if self._patience.stopped:
            return self._note("")
        try:
            line = self.session.ask(purpose, request, read)
        except (ModelUnavailable, ModelReplyUnusable, Refused) as error:
            return self._note(str(error))
        except (ConfigurationError, BudgetExhausted) as error:
            # the next request would fare no better
            return self._note(str(error), for_good=True)
        self._patience.succeeded()
        return line

    def _note(self, reason: str, *, for_good: bool = False) -> None:
        with self._guard:
            self._failed += 1
            self._reason = self._reason or reason
        if reason:
            self._patience.failed(reason, for_good=for_good)


def write_contexts(run: Run, pending: Sequence[Document]) -> StageReport | None:
    """Let the chat model place the chunks of documents that are about to be embedded.

    Args:
        pending: those documents; what readers see already keeps its lines and vectors.

    Returns:
        None without a chat model. Its `degraded` says how many chunks go without a model's line.

    Raises:
        StoreUnavailable, StorageFull: the store gave up. A model's failure is no error here.
    """
    session = chat_session(run.database, run.settings, run.scope.app_id)
    if session is None:
        return None
    stage = ChunkContexts(session)
    # one document after the other: its chunks are asked about side by side
    report = run_stage(run, stage, parallel=1, pending=pending)
    if stage.degraded:
        log.warning("%s", stage.degraded[0])
    return replace(report, degraded=stage.degraded)
