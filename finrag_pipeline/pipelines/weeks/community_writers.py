"""Who writes reports and summaries of elements: a chat model, or sentences of the documents.

Both are whole: the offline one never stands in for a model that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import BaseModel

from finrag_pipeline.errors import ConfigurationError, ModelReplyUnusable
from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose, Rejected, count_tokens
from finrag_pipeline.models.openai_server import Refused
from finrag_pipeline.pipelines.graph.extractors import extractor_name
from finrag_pipeline.pipelines.run.chat_session import chat_session, side_by_side
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.records.communities import CommunityReport
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.reports import element_summary, offline, prompt
from finrag_pipeline.stages.reports.element_summary import Described
from finrag_pipeline.stages.reports.limits import ReportLimits
from finrag_pipeline.stages.reports.source import Source

#: What the requests are accounted to.
ASSET = "community_summaries"
NOTHING_FIT = "no sentence in it is fit to be told"

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unwritten:
    """Why there is no report, or no summary; `failed` where the writer is the reason."""

    reason: str
    failed: bool = True


class Writer(Protocol):
    """Writes reports and summaries; one instance serves one run."""

    @property
    def name(self) -> str:
        """What is recorded with what it wrote."""
        ...

    @property
    def edition(self) -> str:
        """What a report hangs on beside its source: another edition writes it anew."""
        ...

    def reports(self, sources: Sequence[Source]) -> list[CommunityReport | Unwritten]:
        """One report for each source.

        Raises:
            ModelUnavailable, BudgetExhausted, ConfigurationError: it writes no more for now.
        """
        ...

    def summaries(self, elements: Sequence[Described]) -> list[str | Unwritten]:
        """One summary for each element; errors as `reports`."""
        ...


class OfflineWriter:
    """Reports and summaries of sentences that stand in the documents."""

    name = "offline"
    edition = f"{name}-{offline.EDITION}"

    def __init__(self, limits: ReportLimits) -> None:
        self._limits = limits

    def reports(self, sources: Sequence[Source]) -> list[CommunityReport | Unwritten]:
        return [
            offline.write_report(each) or Unwritten(NOTHING_FIT, failed=False) for each in sources
        ]

    def summaries(self, elements: Sequence[Described]) -> list[str | Unwritten]:
        tokens = self._limits.summary_tokens
        return [element_summary.extract_summary(each, tokens, count_tokens) for each in elements]


class ChatWriter:
    """Reports and summaries by a chat model; what it refuses for good stays unwritten."""

    def __init__(self, session: ChatSession, limits: ReportLimits) -> None:
        self._session = session
        self._limits = limits
        # another wording of the prompt is no reason to pay for every report again
        self.name = self.edition = session.name

    def reports(self, sources: Sequence[Source]) -> list[CommunityReport | Unwritten]:
        return side_by_side(self._report, sources)

    def summaries(self, elements: Sequence[Described]) -> list[str | Unwritten]:
        return side_by_side(self._summary, elements)

    def _report(self, source: Source) -> CommunityReport | Unwritten:
        request = ChatRequest(
            prompt.instruction(source.chinese), prompt.message(source), prompt.REPLY_TOKENS
        )
        return self._ask(
            request, prompt.ReportReply, lambda reply: prompt.read_report(source, reply)
        )

    def _summary(self, described: Described) -> str | Unwritten:
        """Map, then reduce until one summary is left."""
        limits = self._limits
        texts: list[str] = list(described.descriptions)
        while True:
            rows = element_summary.batches(described, texts, limits.prompt_tokens, count_tokens)
            partial: list[str] = []
            for row in rows:
                request = ChatRequest(
                    element_summary.instruction(described),
                    element_summary.message(described.name, row),
                    limits.summary_tokens * 2 + element_summary.REPLY_ROOM,
                )
                written = self._ask(
                    request,
                    element_summary.ElementReply,
                    lambda reply: element_summary.read_summary(
                        reply, limits.summary_tokens, count_tokens
                    ),
                )
                if isinstance(written, Unwritten):
                    return written
                partial.append(written)
            if len(partial) == 1:
                return partial[0]
            if len(partial) >= len(texts):
                return Unwritten("its partial summaries are as many as its descriptions")
            texts = partial

    def _ask(self, request: ChatRequest, form: type[M], read: Callable[[M], T]) -> T | Unwritten:
        def check(reply: M) -> None:
            try:
                read(reply)
            except ValueError as error:
                raise Rejected(str(error)) from error

        try:
            reply = self._session.structured(Purpose(ASSET), request, form, check)
        except (ModelReplyUnusable, Refused) as error:
            return Unwritten(str(error))
        return read(reply)


def writer_name(settings: Settings) -> str:
    """Who the settings say writes, by the name that is recorded: whoever reads entities."""
    if extractor_name(settings) == "offline":
        return OfflineWriter.name
    return settings.chat_model or ""


def load_writer(run: Run, limits: ReportLimits) -> Writer:
    """Who the settings say writes: whoever reads entities.

    Raises:
        ConfigurationError: a chat model is asked for and none is set.
    """
    if writer_name(run.settings) == OfflineWriter.name:
        return OfflineWriter(limits)
    session = chat_session(run.database, run.settings, run.scope.app_id)
    if session is None:
        raise ConfigurationError(
            "FINRAG_EXTRACTOR is chat, but no chat model is set: set FINRAG_CHAT_MODEL and "
            "FINRAG_CHAT_BASE_URL, or FINRAG_EXTRACTOR=offline"
        )
    return ChatWriter(session, limits)


def room_for_source(limits: ReportLimits) -> int:
    """Tokens that the lines of a source may count, so that the whole request fits.

    Raises:
        ConfigurationError: nothing is left beside the instruction.
    """
    bare = max(
        ChatRequest(prompt.instruction(chinese), "", prompt.REPLY_TOKENS).prompt_tokens
        for chinese in (True, False)
    )
    room = limits.prompt_tokens - bare - prompt.FRAME_TOKENS
    if room <= 0:
        raise ConfigurationError(f"a request of {limits.prompt_tokens} tokens holds no source")
    return room
