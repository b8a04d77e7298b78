"""The writer of reasons: the clause that gives the cause with its effect, where the effect is what
is asked about; else nothing.

Words that give a cause are `causes`, what is asked about is `effects`; tables that give causes in a
column of their own are `cause_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.cause_rows import cause_rows
from finrag_pipeline.query.answers.passages.causes import (
    Cause,
    asks_cause,
    causes_in,
)
from finrag_pipeline.query.answers.passages.choosing import choose
from finrag_pipeline.query.answers.passages.effects import AskedEffect, outcomes
from finrag_pipeline.query.answers.passages.explaining import read_explaining
from finrag_pipeline.query.answers.passages.joining import LONGEST, end_of, refers_back
from finrag_pipeline.query.answers.passages.lacking import called_absent
from finrag_pipeline.query.answers.passages.leading import leads
from finrag_pipeline.query.answers.passages.synonyms import Text
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import is_question, is_sentence, placed
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.signals import cue

__all__ = ["Reasons", "asks_cause", "asks_event", "write_reasons"]

_WAY = "the answer quotes what gives the cause"
#: Sentences before a cause in which its effect may stand; characters of one that points to them.
_MOST_BEFORE, _SHORT = 2, 60
#: How surely the reply to a question of the same kind, and a column for causes, give the cause.
_REPLY = _COLUMN = 0.4


class Reasons:
    """Answers why something is as it is."""

    def __init__(self, tools: Tools) -> None:
        self._absent = tools.absent
        self._reader = tools.reader

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        if gone := called_absent(asked, self._absent(asked), found):
            return Draft(lacking=gone, way=_WAY)
        return write_reasons(asked, found, read_explaining(self._reader, asked))


#: What a filing explains is of its own period, whatever times the reasons name: 2025年春节备货.
_EXPLAINS = re.compile(r"变[动化](?:的)?(?:主要)?原因(?:说明)?[：:]")


def asks_event(asked: Asked) -> bool:
    """Whether a question with words for why asks what happened, and not why a figure moved."""
    effect = AskedEffect(Wanted(asked))
    moved = bool(effect.metrics or effect.direction)
    return not moved and cue("event", asked.question) is not None


def write_reasons(
    asked: Asked, found: SearchResult, explaining: Sequence[Result] = ()
) -> Draft | None:
    """Up to three causes of what is asked about; None where no passage gives one.

    Args:
        found: ranked evidence with the text of its pages.
        explaining: what explains figures of whom is asked about, see `explaining`.
    """
    seen = {each.item.key for each in found.results}
    results = [*found.results, *(each for each in explaining if each.item.key not in seen)]
    reading = Reading(asked, results)
    chosen = choose(reading, list(_candidates(reading)))
    return tell(reading, chosen, way=_WAY) if chosen else None


def _candidates(reading: Reading) -> Iterator[Candidate]:
    effect = AskedEffect(reading.wanted)
    for result in reading.meant():
        if isinstance(result.item, ChunkItem):
            document = reading.document(result.item)
            for covered, strength, said, when in _of_text(effect, result.item):
                if _EXPLAINS.search(said.told):
                    when = _own_period(document) or when
                if candidate := reading.candidate(covered, result, said, when=when):
                    yield replace(candidate, strength=strength)
        document = reading.document(result.item)
        for covered, said, when in cause_rows(
            effect, reading.wanted.question, result.item, document
        ):
            if candidate := reading.candidate(covered, result, said, when=when):
                yield replace(candidate, strength=_COLUMN)


def _own_period(document: DocumentFacts | None) -> str:
    """The period of a filing, as texts write it; empty for other documents."""
    row = document.row if document is not None else None
    if row is None or row.kind != "filing" or row.period_last_on is None:
        return ""
    part = {3: "第一季度", 6: "上半年", 9: "前三季度", 12: "度"}.get(row.period_last_on.month, "")
    return f"{row.fiscal_year or row.period_last_on.year}年{part}" if part else ""


def _of_text(effect: AskedEffect, item: ChunkItem) -> Iterator[tuple[float, float, Quotable, str]]:
    """Quotes of a passage that give a cause, each with how far its effect is what is asked, how
    surely it is the cause, and the words that tell its time."""
    context = effect.text(item.identity)
    text, own = item.with_lead()
    sentences = list(placed(text))
    for n, (start, sentence) in enumerate(sentences):
        if start < own:
            continue
        if is_question(sentence):
            if alike := effect.agreement(sentence):
                begin, end = _reply(sentences[n + 1 :])
                if said := item.quoted(text[begin:end], begin - own):
                    yield alike, _REPLY, replace(said, context=f"{said.context}\n{sentence}"), ""
            continue
        # 瓶颈在于：, and what follows it
        if not (is_sentence(sentence) or leads(sentence)):
            continue
        best = _best_cause(effect, sentence, sentences[:n], start, context)
        if best:
            covered, strength, begin = best
            end = end_of(sentences, n, begin)
            if end - begin > LONGEST:
                begin = start
            if said := item.quoted(text[begin:end], max(begin - own, 0)):
                # what goes on may tell of times to come
                yield covered, strength, said, text[begin : start + len(sentence)]


def _best_cause(
    effect: AskedEffect,
    sentence: str,
    before: Sequence[tuple[int, str]],
    start: int,
    context: Text,
) -> tuple[float, float, int] | None:
    """The cause of a sentence whose effect is most what is asked about: how far it is, how surely
    it is the cause, and where its quote begins."""
    best: tuple[float, float, int] | None = None
    earlier = _joined(before)
    for cause in causes_in(sentence):
        begin = start
        points = refers_back(cause.cause) and len(cause.effect) < _SHORT
        if earlier and (cause.back or points):
            begin = earlier[-1 if cause.back else 0][0]
        elif cause.back:
            continue
        own = effect.agreement(cause.effect, context)
        found = (own, cause.strength, begin) if own else None
        if _points_back(cause):
            for at, said_before in earlier:
                agreed = effect.agreement(f"{said_before} {cause.effect}", context)
                if agreed > (found[0] if found else 0.0):
                    found = (agreed, cause.strength, at)
                    break
        if found and (best is None or found[:2] > best[:2]):
            best = found
    return best


def _reply(sentences: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """Where the first sentences of a reply begin and end."""
    if not sentences:
        return 0, 0
    begin = end = sentences[0][0]
    for start, sentence in sentences:
        reached = start + len(sentence)
        if is_question(sentence) or (end > begin and reached - begin > LONGEST):
            break
        end = reached
    return begin, end


def _joined(before: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """What stands before a sentence in its passage, the nearest first: each time one sentence
    more, with where it begins."""
    found: list[tuple[int, str]] = []
    joined = ""
    for start, sentence in reversed(before[-_MOST_BEFORE:]):
        joined = f"{sentence} {joined}"
        found.append((start, joined))
    return found


def _points_back(cause: Cause) -> bool:
    """Whether an effect only points to what was said before: the increase was due to."""
    return len(cause.effect) < _SHORT and not outcomes(cause.effect)
