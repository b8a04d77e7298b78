"""The extractor that asks a chat model about every chunk, eight at a time.

What is asked and how replies are read is `stages.extraction.prompt*`; who keeps the extractions is
`entity_mentions`.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import Counter
from collections.abc import Mapping, Sequence

from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose, Rejected, with_schema
from finrag_pipeline.pipelines.run.chat_session import Failed, Patience, side_by_side
from finrag_pipeline.records import Chunk, Document, Metadata
from finrag_pipeline.records.graph import ChunkExtraction
from finrag_pipeline.stages.extraction.prompt import (
    REPLY_TOKENS,
    Profile,
    again,
    instruction,
    message,
    nothing_found,
    prompt_fingerprint,
    says_something,
)
from finrag_pipeline.stages.extraction.prompt_reading import read_extraction
from finrag_pipeline.stages.extraction.prompt_reply import ExtractionReply

log = logging.getLogger(__name__)

#: What the requests are accounted to.
ASSET = "entity_mentions"


def extraction_requests(
    metadata: Metadata, chunks: Sequence[Chunk], profile: Profile
) -> list[ChatRequest]:
    """What is asked about a document's chunks, in their order, as it is sent."""
    system = instruction(metadata.language, profile)
    room = REPLY_TOKENS[profile]
    return [
        with_schema(ChatRequest(system, message(metadata, chunk), room), ExtractionReply)
        for chunk in chunks
    ]


class ChatExtractor:
    """Reads chunks by a chat model; one instance serves one run.

    Attributes:
        name: what is recorded with what it reads.
        fingerprint: changes whenever it may read otherwise: model, prompts, form or profile.
    """

    def __init__(self, session: ChatSession, profile: Profile) -> None:
        self._session = session
        self._profile: Profile = profile
        self._patience = Patience()
        self._guard = threading.Lock()
        self._dropped: Counter[str] = Counter()
        self.name = f"chat:{session.name}"
        parts = f"{session.name}\n{prompt_fingerprint(profile)}"
        self.fingerprint = hashlib.sha256(parts.encode()).hexdigest()[:12]

    @property
    def stopped(self) -> str | None:
        """Why no more is asked in this run; None while it goes on."""
        return self._patience.stopped

    @property
    def dropped(self) -> Mapping[str, int]:
        """Entities, relations and claims that replies held and their chunks do not print."""
        with self._guard:
            return dict(sorted(self._dropped.items()))

    def extract(
        self, document: Document, metadata: Metadata, chunks: Sequence[Chunk]
    ) -> list[ChunkExtraction]:
        """What each chunk says, in order.

        A chunk that the model fails on for good, or names nothing in though it says something,
        has a `problem` and nothing else; its request is asked again by the next extraction.

        Where `stopped` is set afterwards, not all chunks were asked about: the budget is spent, or
        the model failed eight times in a row. Such a document is not done. Every reply until then
        is kept, so that the next run asks for the rest only.

        Raises:
            ConfigurationError: the model is configured wrongly.
            StoreUnavailable, StorageFull: replies could not be kept.
        """
        requests = extraction_requests(metadata, chunks, self._profile)
        purpose = Purpose(ASSET, document.document_id)

        def ask(place: int) -> ChunkExtraction:
            return self._read(purpose, requests[place], chunks[place], metadata)

        return side_by_side(ask, range(len(chunks)))

    def _read(
        self, purpose: Purpose, request: ChatRequest, chunk: Chunk, metadata: Metadata
    ) -> ChunkExtraction:
        def check(reply: ExtractionReply) -> None:
            found = read_extraction(reply, chunk, metadata).extraction.mentions
            if not found and says_something(chunk.content):
                raise Rejected(nothing_found(metadata.language))

        reply = self._patience.ask(
            lambda: self._session.structured(
                purpose, request, ExtractionReply, check, again(metadata.language)
            )
        )
        if isinstance(reply, Failed):
            if not self._patience.stopped:
                # the check `extraction_problems` names them: there may be hundreds
                log.info("%s, chunk %d: %s", purpose.document_id, chunk.ordinal, reply.reason)
            return ChunkExtraction(chunk.ordinal, problem=reply.reason, answered=reply.answered)
        read_reply = read_extraction(reply, chunk, metadata)
        with self._guard:
            self._dropped.update(read_reply.dropped)
        return read_reply.extraction
