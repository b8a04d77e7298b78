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
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.graph import entity_graph, entity_summaries, unfinished_elements
from finrag_pipeline.store.graph.unfinished_elements import SUMMARY

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
    listed = _listed(database, app_id, by)
    looked_at = written = lacking = 0
    last = None
    while True:
        with database.connection() as connection:
            batch = unfinished_elements.listed(connection, app_id, SUMMARY, last, _BATCH)
            ids = [each.src for each in batch]
            sources = entity_summaries.sources(connection, app_id, ids)
            stored = entity_summaries.summaries(connection, app_id, ids)
        if not batch:
            break
        run.progress(ASSET, looked_at, max(listed, looked_at + len(batch)))
        new = [
            source
            for source in sources
            if source.entity_id not in stored
            or stored[source.entity_id].source_sha256 != entity_summaries.source_sha256(source, by)
        ]
        made = dict(zip((source.entity_id for source in new), write(new), strict=True))
        failed = {entity_id for entity_id, summary in made.items() if summary is None}
        rare = set(ids) - {source.entity_id for source in sources}
        with database.transaction() as connection:
            entity_graph.lock(connection, app_id)
            # what failed stays on the list, and what was published or withdrawn meanwhile
            finished = [each for each in batch if each.src not in failed]
            done = unfinished_elements.strike(connection, app_id, SUMMARY, finished)
            now = {entity_id for _, entity_id, _, _ in done}
            entity_summaries.delete(connection, app_id, sorted(rare & now))
            for source in new:
                summary = made[source.entity_id]
                if summary is not None and source.entity_id in now:
                    entity_summaries.set_summary(connection, app_id, source, summary, by)
                    written += 1
        lacking += len(failed)
        looked_at, last = looked_at + len(batch), batch[-1]
    run.progress(ASSET, looked_at, looked_at)
    with database.connection() as connection:
        held = entity_summaries.count(connection, app_id)
    degraded: tuple[str, ...] = ()
    if writer and writer.failed:
        degraded = (
            f"{writer.failed} entities have no summary, {writer.name} wrote none: {writer.reason}",
        )
    return Summaries(held + lacking, written, degraded)


def _listed(database: Database, app_id: str, by: str) -> int:
    """How many entities to look at: what changed, after all were looked at once for this writer."""
    under = entity_summaries.made_under(by)
    with database.connection() as connection:
        complete = unfinished_elements.summaries_listed(connection, app_id, under)
        frequent = [] if complete else entity_summaries.frequent(connection, app_id)
    with database.transaction() as connection:
        entity_graph.lock(connection, app_id)
        if not complete:
            # what became frequent since was listed by whoever published it
            unfinished_elements.list_summaries(connection, app_id, under, frequent)
        return unfinished_elements.count(connection, app_id, SUMMARY)
