"""Rewrites the line that places each chunk in its document by the chat model, where one is set.

What is asked for is `stages.chunking.context_prompt`; a line that the model failed to write stays
the one of the headings until a later run. The vector of a chunk holds its line, so both are stored
together.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose
from finrag_pipeline.models.embedding import Embedder, Vectors
from finrag_pipeline.pipelines.run.chat_session import Failed, Patience, chat_session, side_by_side
from finrag_pipeline.pipelines.run.run import Run, StageReport, Unfinished, run_stage
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Chunk, Document, Metadata
from finrag_pipeline.stages.chunking.context_prompt import (
    REPLY_TOKENS,
    SYSTEM,
    context_line,
    context_prompt,
    document_card,
)
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.documents import clique_chunks, document_revisions
from finrag_pipeline.store.search import embedded_texts, embeddings
from finrag_pipeline.store.search.embedded_texts import PendingText

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


@dataclass(frozen=True)
class Placed:
    """Lines by the ordinals of their chunks, what is embedded of these, and what went wrong."""

    lines: Mapping[int, str]
    texts: Sequence[PendingText]
    vectors: Vectors
    failures: Sequence[Failed]


@dataclass
class ChunkContexts:
    """Stage: one line of the chat model per chunk that has none of a model yet.

    Readers that see a document already get its new lines and their vectors at once. One instance
    serves one run: when the model fails for good, or the budget is spent, the rest of the run goes
    without.
    """

    session: ChatSession
    embedder: Embedder
    name: str = ASSET
    key: str = ASSET
    after: tuple[str, ...] = ("clique_chunks",)
    _left: int = field(default=0, init=False)
    _reason: str = field(default="", init=False)
    _patience: Patience = field(default_factory=Patience, init=False)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What a run has to say of chunks that kept the line of their headings."""
        if not self._left:
            return ()
        ended = "; the rest of the run was not asked about" if self._patience.stopped else ""
        return (
            f"{self._left} chunks keep the context of their headings, {self.session.name} wrote "
            f"none{ended}: {self._reason}",
        )

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> Placed:
        with run.database.connection() as connection:
            chunks, lacking = clique_chunks.chunks_and_contexts(connection, document)
            metadata = document_revisions.read_metadata(connection, document)
        purpose = Purpose(ASSET, document.document_id)

        def read(reply: str) -> str:
            line = context_line(reply, metadata.language)
            if line is None:
                raise ValueError("it was no line in the document's language")
            return line

        def ask(request: ChatRequest) -> str | Failed:
            return self._patience.ask(lambda: self.session.ask(purpose, request, read))

        replies = side_by_side(ask, context_requests(metadata, chunks, lacking))
        lines = {
            chunks[place].ordinal: reply
            for place, reply in zip(lacking, replies, strict=True)
            if isinstance(reply, str)
        }
        with run.database.connection() as connection:
            texts = embedded_texts.texts_with_contexts(
                connection, document.document_id, document.revision, lines
            )
        vectors = self.embedder.embed_passages([text.text for text in texts])
        failures = [reply for reply in replies if isinstance(reply, Failed)]
        return Placed(lines, texts, vectors, failures)

    def store(
        self, connection: Connection[dict[str, Any]], document: Document, result: Placed
    ) -> dict[str, int] | Unfinished:
        # held until the commit: no reembedding may switch spaces in between
        embeddings.hold_space(connection, self.embedder.space)
        written = clique_chunks.set_contexts(connection, document, result.lines, self.session.name)
        # another run may have been first with some
        mine = [n for n, text in enumerate(result.texts) if text.ordinal in written]
        embeddings.replace(
            connection,
            document.document_id,
            document.revision,
            self.embedder.space,
            [result.texts[n] for n in mine],
            result.vectors[mine],
        )
        counts = {"contexts": len(written)}
        if not result.failures:
            return counts
        left = len(result.failures)
        self._left += left
        self._reason = self._reason or result.failures[0].reason
        in_vain = all(each.answered for each in result.failures)
        return Unfinished(counts, left, result.failures[0].reason, in_vain)


def write_contexts(run: Run, embedder: Embedder) -> StageReport | None:
    """Let the chat model place the chunks of a run's documents, as far as no model did yet.

    Args:
        embedder: of the active vector space.

    Returns:
        None without a chat model. Its `degraded` says how many chunks go without a model's line.

    Raises:
        ConfigurationError: the chat model is configured wrongly.
        StoreUnavailable, StorageFull: the store gave up. Other failures of a model are no errors
            here: the next run asks again.
    """
    session = chat_session(run.database, run.settings, run.scope.app_id)
    if session is None:
        return None
    stage = ChunkContexts(session, embedder)
    # one document after the other: its chunks are asked about side by side
    report = run_stage(run, stage, parallel=1)
    if stage.degraded:
        log.warning("%s", stage.degraded[0])
    return replace(report, degraded=stage.degraded)
