"""What a run over files would ask a chat model: calls, tokens and money, before any is spent.

The requests are those that the stages send, one for one; where they follow from replies, a range.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.models.chat import ChatRequest, load_chat_model, prices_of
from finrag_pipeline.pipelines.documents import chunk_contexts
from finrag_pipeline.pipelines.documents.estimate_reading import ReadDocument, read_files
from finrag_pipeline.pipelines.graph import chat_extraction
from finrag_pipeline.pipelines.graph.entity_mentions import stage_key
from finrag_pipeline.pipelines.graph.entity_summaries import ASSET as SUMMARIES
from finrag_pipeline.pipelines.graph.extractors import extractor_name
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.graph.summary_prompt import REPLY_TOKENS as SUMMARY_REPLY_TOKENS
from finrag_pipeline.store.graph import entity_summaries
from finrag_pipeline.store.usage import model_replies

# The shortest reply of a kind: a line of ten words, an object with three empty arrays.
_SHORTEST_REPLY = 10
# Entities that a chunk names, on average at most; how many of them are frequent shows only then.
_ENTITIES_A_CHUNK = {"full": 10, "lite": 3}
# A summary is written from twelve chunks under an instruction; a full chunk of figures counts twice
# the 500 tokens that chunks are cut by, which leave marks out.
_SUMMARY_PROMPT_TOKENS = 12 * 1000 + 800


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high`; what is known is the same in both."""

    low: float = 0
    high: float = 0

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)


@dataclass(frozen=True, slots=True)
class Amount:
    """What requests take."""

    calls: Range = Range()
    prompt_tokens: Range = Range()
    completion_tokens: Range = Range()
    cost: Range = Range()

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class AssetEstimate:
    """What one asset will ask (`asked`), and what it would, were a chat model to do it."""

    asset: str
    asked: Amount
    by_chat_model: Amount


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run over some files takes; `chat_model` None where none is set."""

    documents: int
    pages: int
    chunks: int
    unreadable: tuple[tuple[str, str], ...]
    chat_model: str | None
    assets: tuple[AssetEstimate, ...]

    @property
    def total(self) -> Amount:
        return sum((each.asked for each in self.assets), Amount())


def estimate(run: Run, paths: Sequence[str], arrival_on: date) -> Estimate:
    """Read files and tell what their run would ask a chat model that answers well.

    A reply that cannot be used is asked for once more, one that is cut with more room: that is
    not foreseen. Requests whose replies are stored cost nothing and are left out.

    Raises:
        SourceUnavailable, ConfigurationError, StoreUnavailable: as `read_files`.
    """
    settings = run.settings
    read, unreadable = read_files(run, paths, arrival_on)
    model = load_chat_model(settings)
    places = (model.server, model.name) if model else ("", "")
    chats = model is not None
    extracts = chats and extractor_name(settings) == "chat"
    contexts = _unknown(run, _context_requests(read), places)
    done = stage_key(run) if extracts else None
    extraction = _unknown(run, _extraction_requests(read, settings, done), places)
    stages = (
        _stage(settings, chunk_contexts.ASSET, contexts, asked=chats),
        _stage(settings, chat_extraction.ASSET, extraction, asked=extracts),
        _summaries(run, len(extraction), asked=extracts),
    )
    return Estimate(
        len(read),
        sum(each.page_count for each in read),
        sum(len(each.chunks) for each in read),
        tuple(unreadable),
        model.name if model else None,
        stages,
    )


def _context_requests(read: Iterable[ReadDocument]) -> list[ChatRequest]:
    return [
        request
        for each in read
        for request in chunk_contexts.context_requests(each.metadata, each.chunks, each.unplaced)
    ]


def _extraction_requests(
    read: Iterable[ReadDocument], settings: Settings, done: str | None
) -> list[ChatRequest]:
    """What reading asks of documents that have not passed the stage `done`."""
    if settings.graph == "off":
        return []
    return [
        request
        for each in read
        if done not in each.stages
        for request in chat_extraction.extraction_requests(
            each.metadata, each.chunks, settings.graph
        )
    ]


def _unknown(
    run: Run, requests: Iterable[ChatRequest], places: tuple[str, str]
) -> list[ChatRequest]:
    """The different ones of some requests, without those whose replies are stored."""
    by_key = {request.sha256(*places): request for request in requests}
    with run.database.connection() as connection:
        known = model_replies.known(connection, by_key)
    return [request for key, request in by_key.items() if key not in known]


def _stage(
    settings: Settings, asset: str, requests: Sequence[ChatRequest], *, asked: bool
) -> AssetEstimate:
    calls = len(requests)
    prompt = sum(request.prompt_tokens for request in requests)
    shortest = calls * _SHORTEST_REPLY
    longest = sum(request.max_tokens for request in requests)
    amount = _amount(settings, (calls, calls), (prompt, prompt), (shortest, longest))
    return AssetEstimate(asset, amount if asked else Amount(), amount)


def _summaries(run: Run, extracted: int, *, asked: bool) -> AssetEstimate:
    """Summaries of the entities that enough chunks name; those of before may be written anew."""
    if run.settings.graph == "off":
        return AssetEstimate(SUMMARIES, Amount(), Amount())
    mentions = extracted * _ENTITIES_A_CHUNK[run.settings.graph]
    with run.database.connection() as connection:
        before = len(entity_summaries.frequent(connection, run.scope.app_id))
    calls = min(mentions, before + mentions // entity_summaries.FREQUENT_CHUNKS)
    amount = _amount(
        run.settings,
        (0, calls),
        (0, calls * _SUMMARY_PROMPT_TOKENS),
        (0, calls * SUMMARY_REPLY_TOKENS),
    )
    return AssetEstimate(SUMMARIES, amount if asked else Amount(), amount)


def _amount(
    settings: Settings,
    calls: tuple[int, int],
    prompt: tuple[int, int],
    completion: tuple[int, int],
) -> Amount:
    prices = prices_of(settings)
    low, high = (prices.cost(prompt[end], completion[end]) for end in (0, 1))
    return Amount(Range(*calls), Range(*prompt), Range(*completion), Range(low, high))
