"""Which candidates may answer: of the company, the metric and the kind asked for, near in words.

Which of them are told is `choosing`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.choosing import (
    choose_near,
    choose_nearest,
    newest_first,
)
from finrag_pipeline.query.answers.passages.leading import leads
from finrag_pipeline.query.answers.passages.spelling_out import spells_out
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.signals import asks_latest

#: Share of the words beside a metric that a quote has to say to state the figure of those.
_MIN_TOPIC = 0.25
#: Up to which result a passage may come nearest that says little of the question.
_FIRST = 3


def near_lines(
    reading: Reading, candidates: Sequence[Candidate], *, figure: bool
) -> list[Candidate]:
    """What comes surely near where hardly a word of the question is said: it is put in others."""
    wanted = reading.wanted
    told = [each for each in _named(wanted, candidates) if not leads(each.said.quote)]
    if figure:
        told = [each for each in told if each.metric and each.topic >= _MIN_TOPIC]
        told = [each for each in told if each.said.has_figure and _is_of(reading, each)]
    near = [each for each in told if reading.is_about(each.result)]
    return choose_near(reading, near)


def nearest_lines(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
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


def fitting_lines(
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
    return spells_out(reading.wanted, candidate) and reading.is_about(candidate.result)
