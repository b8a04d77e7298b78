"""The writer of passages: one direct line first, then at most two that add something.

Why-questions are answered by causes alone (`reasons`), questions for figures by what states them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from finrag_pipeline.errors import FinragError
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.query.answers.passages.apart import ALL
from finrag_pipeline.query.answers.passages.asks import Ask, asks_of, untold
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.cause_lines import giving_causes
from finrag_pipeline.query.answers.passages.choosing import choose, distinct
from finrag_pipeline.query.answers.passages.completing import TOLD, Beside, complete, nothing_beside
from finrag_pipeline.query.answers.passages.counting import counted_as
from finrag_pipeline.query.answers.passages.defining import defining_first, term_asked
from finrag_pipeline.query.answers.passages.excerpts import excerpts
from finrag_pipeline.query.answers.passages.figure_asked import asks_one
from finrag_pipeline.query.answers.passages.fitting import (
    fitting_lines,
    near_lines,
    nearest_lines,
)
from finrag_pipeline.query.answers.passages.joining import widened
from finrag_pipeline.query.answers.passages.lacking import WAY, lacking
from finrag_pipeline.query.answers.passages.leading import (
    Following,
    announced_behind,
    leads,
    no_more,
    with_points,
)
from finrag_pipeline.query.answers.passages.mentions import counts, mentions_in
from finrag_pipeline.query.answers.passages.reasons import (
    asks_cause,
    asks_event,
    write_reasons,
)
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.telling import tell, tell_nearest
from finrag_pipeline.query.answers.passages.unfit import UNTOLD
from finrag_pipeline.query.answers.passages.valued import value_of
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.whether import lead_of, verdict
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem, read_chunks
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_figure, cue, wanted_kind
from finrag_pipeline.words import is_chinese

#: Passages of one document that are looked through for one of several things asked.
_PASSAGES = 10
#: The same that what is said of a figure has to say of what is asked.
_MOST = 0.5
#: How texts say what a term means.
_MEANING_ZH, _MEANING_EN = "是指 定义 含义", "means defined as refers to"
#: Results whose documents are asked what a term means.
_FIRST = 3


class Passages:
    """Answers in the words of passages."""

    def __init__(self, tools: Tools, *, stated: bool = False) -> None:
        self._absent = tools.absent
        self._reader = tools.reader
        self._search = tools.search
        self._stated = stated

    def __call__(self, asked: Asked, found: SearchResult) -> Draft:
        if gone := lacking(asked, found, self._absent):
            return gone
        if term := term_asked(asked.question):
            found = self._with_meaning(asked, found, term)
        following, beside = partial(self._following, asked), partial(self._beside, asked)
        return write_passages(asked, found, following, beside, stated=self._stated)

    def _with_meaning(self, asked: Asked, found: SearchResult, term: str) -> SearchResult:
        """What was found, and what the documents of that say a term means."""
        ids = tuple(dict.fromkeys(str(each.item.key.id[0]) for each in found.results[:_FIRST]))
        try:
            words = f"{term} {_MEANING_ZH if is_chinese(asked.question) else _MEANING_EN}"
            _, more = self._search(asked, words, most=_PASSAGES, document_ids=ids or None)
        except FinragError:
            return found  # what was found may say it
        held = {each.item.key for each in found.results}
        new = (each for each in more.results if each.item.key not in held)
        return replace(found, results=(*found.results, *new))

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
    asks_why = asks_cause(asked.question) and not asks_event(asked)
    if asks_why and (reasons := write_reasons(asked, found)):
        return reasons
    reading, states = Reading(asked, found.results), Stated(asked)
    every = reading.candidates(rows=True)
    if term := term_asked(asked.question):
        every = defining_first(term, every)
    if unnamed := _unnamed(asked.question, every):
        return Draft(lacking=unnamed, way=WAY)
    every = giving_causes(reading.wanted, every) if asks_why else every
    figure = stated or (asks_figure(asked.question) and not asks_why)
    fitting = fitting_lines(reading, states, every, figure=figure)
    chosen = choose(reading, fitting)
    if reading.wanted.whether and (draft := _whether(reading, chosen)):
        return draft
    if figure and (valued := value_of(reading.wanted, chosen, fitting)):
        value, line = valued
        said = _told([line], following, in_full=True)
        return tell(reading, said, way=WAY, value=value)
    if figure and chosen and asks_one(reading.wanted) and not _has_figure(reading, chosen[0]):
        # beside what is asked stands another figure, or several
        near = _told(chosen, following, in_full=False)
        return tell_nearest(reading, distinct(near), way=WAY)
    chosen = complete(reading.wanted, chosen, every, beside)
    # beside the figure of a metric stand those of others
    in_full = states.exact or _in_full(reading.wanted, chosen, figure=figure)
    told = _told(chosen, following, in_full=in_full)
    if not told:
        rest = [each for each in fitting if not leads(each.said.quote)]
        told = _told(choose(reading, rest), following, in_full=in_full)
    if not told and not states.exact:
        rows = reading.candidates(rows=True)
        rows = giving_causes(reading.wanted, rows) if asks_why else rows
        named = [
            each for each in rows if states.of_company(each.item, each.said, around=not figure)
        ]
        near = near_lines(reading, named, figure=figure)
        told = _told(near, following, in_full=False)
        if figure and told and asks_one(reading.wanted):
            return tell_nearest(reading, distinct(told), way=WAY)
        # a figure that is near is another one, and one of somebody else no less
        if not told and not figure and not states.uncapitalised:
            own = [each for each in rows if states.of_no_other(each.item, each.said)]
            if nearest := _told(nearest_lines(reading, own), following, in_full=False):
                return tell_nearest(reading, distinct(nearest), way=WAY)
    return tell(reading, distinct(told), way=WAY) if told else Draft(way=WAY)


def _has_figure(reading: Reading, line: Candidate) -> bool:
    """Whether a line says all that is asked and has a figure that may be it: of what is asked."""
    wanted, text = reading.wanted, line.said.told
    if line.covered < ALL or UNTOLD.search(text):
        return False
    mentions = mentions_in(text, list(periods_in(text)))
    if not mentions:
        return counts(wanted.question, text)  # in characters: 四角
    return any(
        counted_as(wanted.question, each.quantity) and wanted.topic(each.wide) >= _MOST
        for each in mentions
    )


def _told(lines: Sequence[Candidate], following: Following, *, in_full: bool) -> list[Candidate]:
    """Lines with what they lead to, else with what they cannot be understood without and, where
    they do not say in full what is asked, with what stands around them."""
    told: list[tuple[Candidate, bool]] = []
    for each in lines:
        if leads(each.said.quote):
            told += [(point, True) for point in with_points(each, following)]
        else:
            wide = widened(each)
            told.append((wide, in_full))
            if not in_full and (lead := announced_behind(wide)):
                told += [(point, True) for point in with_points(lead, following)]
    return excerpts(told)


def _in_full(wanted: Wanted, lines: Sequence[Candidate], *, figure: bool) -> bool:
    """Whether lines say all that is asked: each of several things, or one figure by its name."""
    asks = asks_of(wanted)
    said = "\n".join(each.said.told for each in lines)
    if len(asks) > 1:
        return not untold(wanted, asks, said, TOLD)
    return figure and bool(lines) and lines[0].covered >= ALL


def confidence_of(asked: Asked, results: Sequence[Result]) -> float:
    """What an answer compares with `MIN_COVERED`: the best coverage."""
    reading = Reading(asked, results)
    return max((each.covered for each in reading.candidates(rows=True)), default=0.0)


def _unnamed(question: str, lines: Sequence[Candidate]) -> tuple[str, ...]:
    """The largest customer or supplier that a question wants named and no line calls so."""
    largest = cue("largest", question)
    if largest is None or wanted_kind(question) not in ("name", "names"):
        return ()
    return () if any(cue("largest", each.said.told) for each in lines) else (largest,)


def _whether(reading: Reading, chosen: Sequence[Candidate]) -> Draft | None:
    """Yes or no by the first quote that says so clearly, which then stands first; None where none
    does."""
    for each in chosen:
        holds = verdict(reading.wanted, each.said)
        if holds is not None:
            rest = [other for other in chosen if other is not each]
            lead = lead_of(reading.wanted.question, holds)
            return tell(
                reading,
                distinct(excerpts((one, False) for one in [each, *rest][:2])),
                way=WAY,
                lead=lead,
                kind="boolean",
                value={"boolean": holds},
            )
    return None
