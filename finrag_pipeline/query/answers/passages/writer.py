"""The writer of passages: one direct line first, then at most two that add something.

Why-questions are answered by causes alone (`reasons`), questions for figures by what states them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.passages.asks import Ask
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.choosing import choose, distinct
from finrag_pipeline.query.answers.passages.completing import Beside, complete, nothing_beside
from finrag_pipeline.query.answers.passages.joining import continued, widened
from finrag_pipeline.query.answers.passages.leading import Following, leads, no_more, with_points
from finrag_pipeline.query.answers.passages.reasons import (
    asks_cause,
    asks_event,
    called_absent,
    write_reasons,
)
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.synonyms import Text, others
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.whether import lead_of, verdict
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem, read_chunks
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import MIN_COVERED
from finrag_pipeline.query.question.signals import asks_figure, asks_latest

#: Passages of one document that are looked through for one of several things asked.
_PASSAGES = 10
_WAY = "the answer quotes the best sentences"
#: Share of what is asked that a quote says to be told where it is neither yes nor no.
_MIN_WHETHER = 0.5
#: Share of the words beside a metric that a quote has to say to state the figure of those.
_MIN_TOPIC = 0.25
#: What it counts that a quote is of the newest document, where the newest is asked for.
_NEWEST = 0.4


class Passages:
    """Answers in the words of passages."""

    def __init__(self, tools: Tools, *, stated: bool = False) -> None:
        self._absent = tools.absent
        self._reader = tools.reader
        self._search = tools.search
        self._stated = stated

    def __call__(self, asked: Asked, found: SearchResult) -> Draft:
        if gone := called_absent(asked, self._absent(asked), found):
            return Draft(lacking=gone, way=_WAY)
        wanted = Wanted(asked)
        of_what = dict.fromkeys((*wanted.topics, *wanted.counted))
        if gone := self._absent.unheld(asked, map(others, of_what)):
            return Draft(lacking=gone, way=f"{_WAY}, but nothing of whom is asked says {gone}")
        following, beside = partial(self._following, asked), partial(self._beside, asked)
        return write_passages(asked, found, following, beside, stated=self._stated)

    def _beside(self, asked: Asked, ask: Ask, document_id: str) -> Sequence[Candidate]:
        """What a document says of one of the things asked."""
        try:
            _, found = self._search(asked, ask.text, most=_PASSAGES, document_ids=(document_id,))
        except FinragError:
            return ()  # the rest stands without it
        return Reading(asked, found.results).candidates(rows=True)

    def _following(self, asked: Asked, item: ChunkItem) -> ChunkItem | None:
        """The passage behind one in its document."""
        ordinal = int(item.key.id[2])
        key = content_key(CHUNK, item.document_id, item.revision, ordinal + 1)
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            return read_chunks(connection, [key]).get(key)


class QuotedFigures(Passages):
    """The same for what is known to ask for a figure, however it is worded."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools, stated=True)


def write_passages(
    asked: Asked,
    found: SearchResult,
    following: Following = no_more,
    beside: Beside = nothing_beside,
    *,
    stated: bool = False,
) -> Draft:
    """Choose up to three sentences or table rows that answer a question.

    Sentences are compared by what made the stored vectors, unless that is a server: an answer that
    needs no chat model must not wait for one.

    Args:
        found: ranked evidence with the text of its pages.
        following: reads the passage behind one, where a sentence leads to it; without it only
            what leads to points in its own passage is told.
        beside: reads what a document says of one of several things asked.
        stated: whether a figure is asked for: only what names whom, what and when answers that.
    """
    if asks_cause(asked.question) and not asks_event(asked):
        return write_reasons(asked, found) or Draft(way="no passage gives a reason")
    reading = Reading(asked, found.results)
    every = reading.candidates(rows=reading.wanted.rows or reading.wanted.whether or stated)
    candidates = every
    if stated or asks_figure(asked.question):
        states = Stated(asked)
        candidates = [
            each
            for each in candidates
            if (
                states.by(each.item, each.said, each.time)
                if states.exact
                else _states(reading, each)
            )
        ]
    if reading.wanted.metrics:
        # whose figure it is may be a name that nobody knows: 恒瑞生物 is not 恒瑞医药
        whom = Stated(asked)
        candidates = [each for each in candidates if whom.of_company(each.item, each.said)]
    if asks_latest(asked.question):
        candidates = _newest(reading, candidates)
    named = _named(reading.wanted, candidates)
    chosen = choose(asked.question, named, asked.comparer)
    if not chosen:
        return Draft(way=_WAY)
    if reading.wanted.whether:
        return _whether(reading, chosen)
    chosen = complete(reading.wanted, chosen, every, beside)
    told = [one for each in chosen for one in _whole(each, following)]
    if told and reading.wanted.open:
        told[0] = continued(told[0])
    if not told:
        rest = [each for each in candidates if not leads(each.said.quote)]
        told = [widened(each) for each in choose(asked.question, rest, asked.comparer)]
    return tell(reading, distinct(told), way=_WAY) if told else Draft(way=_WAY)


def _whole(candidate: Candidate, following: Following) -> list[Candidate]:
    """A quote with what it leads to, else with what it cannot be understood without."""
    if leads(candidate.said.quote):
        return with_points(candidate, following)
    return [widened(candidate)]


def _named(wanted: Wanted, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Quotes that have a name that is asked for, where any has one: of other products is spoken
    beside it. None where names are written that none has."""
    counts = [wanted.named(each.said.about, Text(each.said.context)) for each in candidates]
    return [
        each
        for each, count in zip(candidates, counts, strict=True)
        if count or not (any(counts) or wanted.written_names)
    ]


def _newest(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Quotes with those of the newest document before others that say as much."""
    days = {
        each.document_id: document.spoken_on
        for each in candidates
        if each.covered >= MIN_COVERED and (document := reading.document(each.item))
    }
    newest = max(days.values(), default=None)
    return [
        replace(each, strength=_NEWEST if days.get(each.document_id) == newest else 0.0)
        for each in candidates
    ]


def _states(reading: Reading, candidate: Candidate) -> bool:
    """Whether a quote states a figure of what is asked, and not only of its metric."""
    figure = candidate.said.has_figure or reading.wanted.rows
    return figure and candidate.kind == 1 and candidate.topic >= _MIN_TOPIC


def confidence_of(asked: Asked, results: Sequence[Result]) -> float:
    """What an answer compares with `MIN_COVERED`: the best coverage."""
    reading = Reading(asked, results)
    return max((each.covered for each in reading.candidates(rows=True)), default=0.0)


def _whether(reading: Reading, chosen: Sequence[Candidate]) -> Draft:
    """Yes or no by the first quote that says so clearly, which then stands first; else what is said
    most of it, where that is enough."""
    for each in chosen:
        holds = verdict(reading.wanted, each.said)
        if holds is not None:
            rest = [other for other in chosen if other is not each]
            lead = lead_of(reading.wanted.question, holds)
            return tell(
                reading,
                [each, *rest][:2],
                way=_WAY,
                lead=lead,
                kind="boolean",
                value={"boolean": holds},
            )
    near = [each for each in chosen if each.covered >= _MIN_WHETHER]
    return tell(reading, near, way=_WAY) if near else Draft(way=_WAY)
