"""The writer of passages: one direct line first, then at most two that add something.

Why-questions are answered by causes alone (`reasons`), questions for figures by what states them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from finrag_pipeline.errors import FinragError
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.query.answers.passages.apart import ALL
from finrag_pipeline.query.answers.passages.asks import Ask, asks_of, untold
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.cause_lines import giving_causes
from finrag_pipeline.query.answers.passages.choosing import (
    choose,
    choose_near,
    choose_nearest,
    distinct,
    newest_first,
)
from finrag_pipeline.query.answers.passages.completing import TOLD, Beside, complete, nothing_beside
from finrag_pipeline.query.answers.passages.counting import counted_as
from finrag_pipeline.query.answers.passages.excerpts import excerpts
from finrag_pipeline.query.answers.passages.figure_asked import asks_one
from finrag_pipeline.query.answers.passages.joining import widened
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
    called_absent,
    write_reasons,
)
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.synonyms import others
from finrag_pipeline.query.answers.passages.telling import tell, tell_nearest
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.valued import value_of
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.whether import lead_of, verdict
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem, read_chunks
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_figure, asks_latest, cue, wanted_kind

#: Passages of one document that are looked through for one of several things asked.
_PASSAGES = 10
_WAY = "the answer quotes the best sentences"
#: Share of the words beside a metric that a quote has to say to state the figure of those.
_MIN_TOPIC = 0.25
#: The same that what is said of a figure has to say of what is asked.
_MOST = 0.5
#: Up to which result a passage may come nearest that says little of the question.
_FIRST = 3


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
        wanted, scope = Wanted(asked), asked.scope
        gone = self._absent.unheld(asked, map(others, wanted.topics))
        if not gone and scope.reading.companies:
            # what one company has to do with another stands where both are named
            written = scope.catalogue.registered.written
            gone = self._absent.unheld(asked, map(written, scope.reading.strangers))
        counted = self._absent.unheld(asked, map(others, wanted.counted))
        if not gone and len(counted) == len(wanted.counted):
            gone = counted  # of several nouns one may be put in other words
        if gone:
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
    asks_why = asks_cause(asked.question) and not asks_event(asked)
    if asks_why and (reasons := write_reasons(asked, found)):
        return reasons
    reading, states = Reading(asked, found.results), Stated(asked)
    every = reading.candidates(rows=True)
    if unnamed := _unnamed(asked.question, every):
        return Draft(lacking=unnamed, way=_WAY)
    every = giving_causes(reading.wanted, every) if asks_why else every
    figure = stated or (asks_figure(asked.question) and not asks_why)
    fitting = _fitting(reading, states, every, figure=figure)
    chosen = choose(reading, fitting)
    if reading.wanted.whether and (draft := _whether(reading, chosen)):
        return draft
    if figure and (valued := value_of(reading.wanted, chosen, fitting)):
        value, line = valued
        said = _told([line], following, in_full=True)
        return tell(reading, said, way=_WAY, value=value)
    if figure and chosen and asks_one(reading.wanted) and not _has_figure(reading, chosen[0]):
        # beside what is asked stands another figure, or several
        near = _told(chosen, following, in_full=False)
        return tell_nearest(reading, distinct(near), way=_WAY)
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
        near = _near(reading, named, figure=figure)
        told = _told(near, following, in_full=False)
        if figure and told and asks_one(reading.wanted):
            return tell_nearest(reading, distinct(told), way=_WAY)
        # a figure that is near is another one, and one of somebody else no less
        if not told and not figure and not states.uncapitalised:
            own = [each for each in rows if states.of_no_other(each.item, each.said)]
            if nearest := _told(_nearest(reading, own), following, in_full=False):
                return tell_nearest(reading, distinct(nearest), way=_WAY)
    return tell(reading, distinct(told), way=_WAY) if told else Draft(way=_WAY)


def _has_figure(reading: Reading, line: Candidate) -> bool:
    """Whether a line says all that is asked and has a figure that may be it: of what is asked."""
    wanted, text = reading.wanted, line.said.told
    if line.covered < ALL:
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


def _near(reading: Reading, candidates: Sequence[Candidate], *, figure: bool) -> list[Candidate]:
    """What comes surely near where hardly a word of the question is said: it is put in others."""
    wanted = reading.wanted
    told = [each for each in _named(wanted, candidates) if not leads(each.said.quote)]
    if figure:
        told = [each for each in told if each.metric and each.topic >= _MIN_TOPIC]
        told = [each for each in told if each.said.has_figure and _is_of(reading, each)]
    near = [each for each in told if reading.is_about(each.result)]
    return choose_near(reading, near)


def _nearest(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Sentences that come nearest where nothing answers: of what is about the question as a whole,
    else of what was found first on a company that it names and says a word of it; none where no
    document is about whom it names."""
    if reading.wanted.strangers:
        return []
    told = [each for each in candidates if not leads(each.said.quote) and not each.said.row]
    about = [each for each in told if reading.is_about(each.result)]
    first = [each for each in told if each.result.rank <= _FIRST and each.covered]
    near = about or (first if reading.wanted.companies else [])
    return choose_nearest(reading, near)


def _fitting(
    reading: Reading, states: Stated, candidates: Sequence[Candidate], *, figure: bool
) -> list[Candidate]:
    """The candidates that may answer: with the figure that is asked for, the company that a metric
    is of, the names that are written; the newest before others where that is asked for."""
    fitting = list(candidates)
    if figure:
        fitting = [
            each
            for each in fitting
            if (
                states.by(each.item, each.said, each.time)
                if states.exact
                else _states(reading, each)
            )
        ]
    if reading.wanted.metrics:
        # whose figure it is may be a name that nobody knows: 恒瑞生物 is not 恒瑞医药
        fitting = [each for each in fitting if states.of_company(each.item, each.said)]
    if asks_latest(reading.wanted.question):
        fitting = newest_first(reading, fitting)
    return _named(reading.wanted, fitting)


def _named(wanted: Wanted, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Quotes that have a name that is asked for, where any has one: of other products is spoken
    beside it. None where names are written that none has."""
    counts = [wanted.named(each.said.about, wanted.text(each.said.context)) for each in candidates]
    return [
        each
        for each, count in zip(candidates, counts, strict=True)
        if count or not (any(counts) or wanted.written_names)
    ]


def _states(reading: Reading, candidate: Candidate) -> bool:
    """Whether a quote states a figure of what is asked, and not only of its metric."""
    said, wanted = candidate.said, reading.wanted
    figure = said.has_figure or wanted.rows
    # a row is of the metric that its label, or what stands over it, names
    named = candidate.metric or not said.row or wanted.names_metric(said.context)
    topic = candidate.topic >= _MIN_TOPIC
    return figure and named and topic and candidate.kind == 1 and _is_of(reading, candidate)


def _is_of(reading: Reading, candidate: Candidate) -> bool:
    """Whether a figure is of what is asked, and a sentence's not of a part of its time: that of
    half a year is none for nine months."""
    if not candidate.own or (candidate.time == Time.PART and not candidate.said.row):
        return False
    return reading.spells_out(candidate) and reading.is_about(candidate.result)


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
                way=_WAY,
                lead=lead,
                kind="boolean",
                value={"boolean": holds},
            )
    return None
