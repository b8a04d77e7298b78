"""The writer of reasons: the clause that gives the cause with its effect, where the effect is what
is asked about; else nothing.

Words that give a cause are `causes`; tables of filings give them in a column of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.causes import Cause, asks_cause, causes_in, gives_causes
from finrag_pipeline.query.answers.passages.choosing import choose
from finrag_pipeline.query.answers.passages.synonyms import direction
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.wanted import Wanted, metrics_named
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import is_sentence, placed
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import search_words

__all__ = ["Reasons", "asks_cause", "write_reasons"]

_WAY = "the answer quotes what gives the cause"
#: Share of what is asked about that an effect says, its headings counted half.
_MIN_EFFECT = 0.5
#: Characters of a quote that joins an effect to the cause in the sentence behind it.
_LONGEST = 360
_CLAUSE = re.compile(r"[，,；;]\s*")
_LISTED = re.compile(r"分别|均|双双|respectively|both", re.IGNORECASE)


class Reasons:
    """Answers why something is as it is."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        return write_reasons(asked, found)


def write_reasons(asked: Asked, found: SearchResult) -> Draft | None:
    """Up to three causes of what is asked about; None where no passage gives one.

    Args:
        found: ranked evidence with the text of its pages.
    """
    reading = Reading(asked, found.results)
    if lacking := reading.lacking():
        return Draft(lacking=tuple(lacking), way=_WAY)
    candidates = list(_candidates(reading))
    chosen = choose(asked.question, candidates, asked.comparer, least=_MIN_EFFECT)
    return tell(reading, chosen, way=_WAY) if chosen else None


def _candidates(reading: Reading) -> Iterator[Candidate]:
    for result in reading.meant():
        quotes = _of_text(reading.wanted, result) if isinstance(result.item, ChunkItem) else ()
        for covered, strength, said in (*quotes, *_of_rows(reading.wanted, result)):
            if candidate := reading.candidate(covered, result, said):
                yield replace(candidate, strength=strength)


def _of_text(wanted: Wanted, result: Result) -> Iterator[tuple[float, float, Quotable]]:
    """Quotes of a passage that give a cause, each with how far its effect is what is asked."""
    item = result.item
    assert isinstance(item, ChunkItem)
    context = set(search_words(item.identity))
    sentences = list(placed(item.text))
    for n, (start, sentence) in enumerate(sentences):
        if not is_sentence(sentence):
            continue
        before = sentences[n - 1] if n else None
        best: tuple[float, float, int] | None = None
        for cause in causes_in(sentence):
            own = _agreement(wanted, cause.effect, context)
            found = (own, cause.strength, start) if own else None
            if before and _points_back(cause, wanted):
                joined = f"{before[1]} {cause.effect}"
                earlier = _agreement(wanted, joined, context)
                if earlier > own and not metrics_named(cause.effect):
                    found = (earlier, cause.strength, before[0])
            if found and (best is None or found[:2] > best[:2]):
                best = found
        if best:
            end = start + len(sentence)
            if n + 1 < len(sentences) and _runs_on(sentence):
                end = sentences[n + 1][0] + len(sentences[n + 1][1])
            begin = best[2] if end - best[2] <= _LONGEST else start
            if said := item.quoted(begin, end):
                yield best[0], best[1], said


def _of_rows(wanted: Wanted, result: Result) -> Iterator[tuple[float, float, Quotable]]:
    """Rows of tables that have a column for causes."""
    for said in result.item.quotes(wanted.question):
        told = [cell for heading, cell in said.row[1:] if gives_causes(heading) and len(cell) > 3]
        if not told:
            continue
        label = said.row[0][1]
        context = set(search_words(said.context))
        if covered := _agreement(wanted, label, context):
            yield (
                covered,
                0.4,
                replace(said, told=f"{label}：{told[0]}", about=f"{label}\n{told[0]}"),
            )


def _agreement(wanted: Wanted, effect: str, context: set[str]) -> float:
    """How far an effect is what is asked about, 0 where it is something else."""
    if not effect:
        return 0.0
    if wanted.metrics and not _of_metric(wanted, effect):
        return 0.0
    told = direction(effect)
    if wanted.direction and told and told != wanted.direction:
        return 0.0
    return wanted.covered(effect, context)


def _of_metric(wanted: Wanted, effect: str) -> bool:
    """Whether the clause nearest to the cause that names a metric names the one asked about."""
    if _LISTED.search(effect):
        return wanted.names_metric(effect)
    for clause in reversed(_CLAUSE.split(effect)):
        if named := metrics_named(clause):
            return bool(named & wanted.metrics)
    return False


def _points_back(cause: Cause, wanted: Wanted) -> bool:
    """Whether an effect only points to what was said before: the increase was due to."""
    return len(cause.effect) < 60 and not wanted.names_metric(cause.effect)


def _runs_on(sentence: str) -> bool:
    """Whether what gives the cause follows: due to the following:"""
    return sentence.rstrip().endswith((":", "："))
