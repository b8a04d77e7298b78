"""Writes summaries of the entities that many chunks name, anew where what they rest on changed.

Who reads entities writes of them, too: the chat model, else sentences of their own are taken.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose, Rejected
from finrag_pipeline.pipelines.graph.extractors import extractor_name
from finrag_pipeline.pipelines.run.chat_session import Failed, Patience, chat_session, side_by_side
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.records.graph import EntitySource, EntitySummary
from finrag_pipeline.stages.graph.summaries import extract_summary
from finrag_pipeline.stages.graph.summary_prompt import (
    REPLY_TOKENS,
    SummaryReply,
    instruction,
    message,
    read_summary,
)
from finrag_pipeline.store.graph import entity_graph, entity_summaries

log = logging.getLogger(__name__)

#: What the requests are accounted to.
ASSET = "entity_summaries"
#: Entities read and committed together.
_BATCH = 100
OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Summaries:
    """How many entities are to have a summary, and how many got a new one now."""

    frequent: int
    written: int
    degraded: tuple[str, ...] = ()


class ChatWriter:
    """Summaries by a chat model; one instance serves one run."""

    def __init__(self, session: ChatSession) -> None:
        self._session = session
        self._patience = Patience()
        self.name = session.name
        self.failed = 0
        self.reason = ""

    def write(self, sources: list[EntitySource]) -> list[EntitySummary | None]:
        """One summary each; None where the model failed: the next run asks again.

        Raises:
            ConfigurationError: the model is configured wrongly.
        """
        found = side_by_side(self._one, sources)
        self.failed += sum(each is None for each in found)
        return found

    def _one(self, source: EntitySource) -> EntitySummary | None:
        def check(reply: SummaryReply) -> None:
            try:
                read_summary(source, reply)
            except ValueError as error:
                raise Rejected(str(error)) from error

        request = ChatRequest(instruction(source), message(source), REPLY_TOKENS)
        reply = self._patience.ask(
            lambda: self._session.structured(Purpose(ASSET), request, SummaryReply, check)
        )
        if isinstance(reply, Failed):
            log.info("summary of %s: %s", source.name, reply.reason)
            self.reason = self.reason or reply.reason
            return None
        return read_summary(source, reply)


def write_summaries(run: Run) -> Summaries:
    """Bring the summaries of an app's entities to what its chunks say now.

    Raises:
        ConfigurationError: the chat model is configured wrongly.
        StoreUnavailable, StorageFull: the store gave up; summaries written until then stay.
    """
    if run.settings.graph == "off":
        return Summaries(0, 0)
    database, app_id = run.database, run.scope.app_id
    writer: ChatWriter | None = None
    if extractor_name(run.settings) == "chat":
        session = chat_session(database, run.settings, app_id)
        writer = ChatWriter(session) if session else None
    by = writer.name if writer else OFFLINE
    write: Callable[[list[EntitySource]], list[EntitySummary | None]]
    write = writer.write if writer else lambda sources: [extract_summary(each) for each in sources]
    with database.transaction() as connection:
        frequent = entity_summaries.frequent(connection, app_id)
        entity_summaries.keep_only(connection, app_id, frequent)
        stored = entity_summaries.summaries(connection, app_id)
    written = 0
    for start in range(0, len(frequent), _BATCH):
        run.progress(ASSET, start, len(frequent))
        with database.connection() as connection:
            sources = entity_summaries.sources(connection, app_id, frequent[start : start + _BATCH])
        new = [
            source
            for source in sources
            if source.entity_id not in stored
            or stored[source.entity_id].source_sha256 != entity_summaries.source_sha256(source, by)
        ]
        if not new:
            continue
        with_summary = list(zip(new, write(new), strict=True))
        with database.transaction() as connection:
            # what was published or withdrawn meanwhile is for whoever did that to write of
            entity_graph.lock(connection, app_id)
            now = entity_summaries.sources(connection, app_id, [each.entity_id for each in new])
            for source, summary in with_summary:
                if summary is not None and source in now:
                    entity_summaries.set_summary(connection, app_id, source, summary, by)
                    written += 1
    run.progress(ASSET, len(frequent), len(frequent))
    degraded: tuple[str, ...] = ()
    if writer and writer.failed:
        degraded = (
            f"{writer.failed} entities have no summary, {writer.name} wrote none: {writer.reason}",
        )
    return Summaries(len(frequent), written, degraded)
