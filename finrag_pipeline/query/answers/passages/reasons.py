"""The writer of reasons: the clause that gives the cause with its effect, where the effect is what
is asked about; else nothing.

Words that give a cause are `causes`; tables of filings give them in a column of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.causes import Cause, asks_cause, causes_in, gives_causes
from finrag_pipeline.query.answers.passages.choosing import choose
from finrag_pipeline.query.answers.passages.leading import end_of
from finrag_pipeline.query.answers.passages.synonyms import Text, direction
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.wanted import NOTHING, Wanted, metrics_named
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import is_question, is_sentence, placed
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked

__all__ = ["Reasons", "asks_cause", "called_absent", "write_reasons"]

_WAY = "the answer quotes what gives the cause"
#: Characters of a quote that joins an effect to the cause in the sentence behind it.
_LONGEST = 480
#: Sentences before a cause in which its effect may stand; characters of one that points to them.
_MOST_BEFORE, _SHORT = 2, 60
#: Share of the words for of what that an effect says, headings counted half: of one business is not
#: of all.
_MIN_TOPIC = 0.4
#: How surely the reply to a question of the same kind gives the cause.
_REPLY = 0.4
#: Characters of a Chinese word that is a name and nothing else.
_LONG_NAME = 4
#: The same of a column for causes.
_COLUMN = 0.4
#: How far a figure moved: -0.60, 增加1.01 个百分点.
_SHARE = re.compile(
    r"(?P<word>增加|减少|上升|下降)?\s*(?P<sign>[-－–])?\s*\d[\d.,]{0,8}\s*(?:[%％]|个百分点)?"
)
_CLAUSE = re.compile(r"[，,；;]\s*")
_LISTED = re.compile(r"分别|均|双双|respectively|both", re.IGNORECASE)


class Reasons:
    """Answers why something is as it is."""

    def __init__(self, tools: Tools) -> None:
        self._absent = tools.absent

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        if gone := called_absent(asked, self._absent(asked)):
            return Draft(lacking=gone, way=_WAY)
        return write_reasons(asked, found)


def called_absent(asked: Asked, absent: Sequence[str]) -> tuple[str, ...]:
    """Names that nothing has for which a question is refused: where it names a company that is
    known, what is short may be a word of its own, which passages say in others."""
    known = bool(asked.scope.reading.companies)
    return tuple(
        each
        for each in absent
        if each in asked.question
        and (not known or (not each.isascii() and len(each) >= _LONG_NAME))
    )


def write_reasons(asked: Asked, found: SearchResult) -> Draft | None:
    """Up to three causes of what is asked about; None where no passage gives one.

    Args:
        found: ranked evidence with the text of its pages.
    """
    reading = Reading(asked, found.results)
    candidates = list(_candidates(reading))
    chosen = choose(asked.question, candidates, asked.comparer)
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
    context = Text(item.identity)
    sentences = list(placed(item.text))
    for n, (start, sentence) in enumerate(sentences):
        if is_question(sentence):
            if asked_alike := _agreement(wanted, sentence, NOTHING):
                end = _reply_end(sentences[n + 1 :])
                if end and (said := item.quoted(sentences[n + 1][0], end)):
                    yield asked_alike, _REPLY, replace(said, context=f"{said.context}\n{sentence}")
            continue
        if not is_sentence(sentence):
            continue
        before = _before(sentences[:n])
        best: tuple[float, float, int] | None = None
        for cause in causes_in(sentence):
            own = _agreement(wanted, cause.effect, context)
            found = (own, cause.strength, start) if own else None
            if _points_back(cause):
                for begin, said_before in before:
                    earlier = _agreement(wanted, f"{said_before} {cause.effect}", context)
                    if earlier > (found[0] if found else 0.0):
                        found = (earlier, cause.strength, begin)
            if found and (best is None or found[:2] > best[:2]):
                best = found
        if best:
            end = end_of(item.text, sentences, n)
            begin = best[2] if start + len(sentence) - best[2] <= _LONGEST else start
            if said := item.quoted(begin, end):
                yield best[0], best[1], said


def _reply_end(sentences: Sequence[tuple[int, str]]) -> int:
    """Where the first sentences of a reply end; 0 where there is none."""
    end = 0
    for start, sentence in sentences:
        if is_question(sentence) or (end and start + len(sentence) - sentences[0][0] > _LONGEST):
            break
        end = start + len(sentence)
    return end


def _of_rows(wanted: Wanted, result: Result) -> Iterator[tuple[float, float, Quotable]]:
    """Rows of tables that have a column for causes; how their figures moved is the effect."""
    for said in result.item.quotes(wanted.question):
        told = [cell for heading, cell in said.row[1:] if gives_causes(heading) and len(cell) > 3]
        label = said.row[0][1] if said.row else ""
        if not told or not label:
            continue
        effect = f"{label}{_moved([cell for _, cell in said.row[1:]])}"
        if covered := _agreement(wanted, effect, Text(said.context)):
            line = f"{label}：{told[0]}"
            yield covered, _COLUMN, replace(said, told=line, about=f"{label}\n{told[0]}")


def _moved(cells: Sequence[str]) -> str:
    """The word for how the figures of a row moved, by the share that it prints."""
    shares = [match for cell in cells if (match := _SHARE.fullmatch(cell.strip()))]
    if not shares:
        return ""
    fell = shares[-1]["sign"] or shares[-1]["word"] in ("减少", "下降")
    return "下降" if fell else "增长"


def _agreement(wanted: Wanted, effect: str, context: Text) -> float:
    """How far an effect is what is asked about, 0 where it is something else."""
    if not effect:
        return 0.0
    if wanted.metrics and not _of_metric(wanted, effect):
        return 0.0
    told = direction(effect)
    if wanted.direction and told and told != wanted.direction:
        return 0.0
    if wanted.topic(effect, context) < _MIN_TOPIC:
        return 0.0
    return wanted.covered(effect, context)


def _of_metric(wanted: Wanted, effect: str) -> bool:
    """Whether an effect names the metric asked about, and right before its cause no other."""
    last = [each for each in _CLAUSE.split(effect) if each.strip()][-1:]
    nearest = metrics_named("".join(last))
    if nearest and not nearest & wanted.metrics and not _LISTED.search(effect):
        return False
    return wanted.names_metric(effect)


def _before(sentences: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """What stands before a sentence in its passage, the nearest first: each time one sentence
    more, with where it begins."""
    found: list[tuple[int, str]] = []
    joined = ""
    for start, sentence in reversed(sentences[-_MOST_BEFORE:]):
        joined = f"{sentence} {joined}"
        found.append((start, joined))
    return found


def _points_back(cause: Cause) -> bool:
    """Whether an effect only points to what was said before: the increase was due to."""
    return len(cause.effect) < _SHORT and not metrics_named(cause.effect)
