"""The figures of sentences that a question may mean, with what they say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.qualified import lacks_bound, leaves_in
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.counted import counts_otherwise
from finrag_pipeline.query.answers.passages.apart import asked_spans, is_then
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.counting import (
    RATES,
    asks_ratio,
    counted_as,
    is_ratio,
)
from finrag_pipeline.query.answers.passages.figure_asked import roles_asked, roles_in_turn
from finrag_pipeline.query.answers.passages.mentions import Mention, Role, is_torn, mentions_in
from finrag_pipeline.query.answers.passages.opposites import is_opposed
from finrag_pipeline.query.answers.passages.planned import lacks_beginning, lacks_standing
from finrag_pipeline.query.answers.passages.respective import belongs, respective
from finrag_pipeline.query.answers.passages.spelling_out import names_numbers
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.told_value import told_value
from finrag_pipeline.query.answers.passages.unfit import UNTOLD, is_of_another, is_other_end
from finrag_pipeline.query.answers.passages.valued import with_unit
from finrag_pipeline.query.answers.passages.whose import before
from finrag_pipeline.query.answers.writers import Draft, Json
from finrag_pipeline.query.question.tagging import firms_in
from finrag_pipeline.words import fold

#: Of a part of what is asked.
_PART = re.compile(r"其中")
_WORD = re.compile(r"\w")
_LEADS = re.compile(r"\s?[，,]")
_WAY = "the sentence that says most of the question and means the same"


@dataclass(frozen=True, slots=True)
class _Said:
    """A figure of a sentence, what leads to it, its traits, all that are beside it, and whether its
    sentence opens with the only time that it names."""

    mention: Mention
    own: str
    wide: str
    traits: dict[str, float]
    beside: Sequence[_Said]
    led: bool


def figures_of_sentences(
    reading: Reading, states: Stated, wording: Wording
) -> Iterator[FoundFigure]:
    """The figures of the sentences that may be quoted, each with its clause."""
    wanted = reading.wanted
    # 建德厂 is a plant
    firms = [fold(each) for each in firms_in(wanted.bare, ()) if not each.endswith("厂")]
    for line in reading.candidates(rows=False, timely=False, figures=True):
        if not _may_be_meant(reading, states, line):
            continue
        line = with_unit(line)
        text = line.said.told
        around = f"{line.said.context}\n{line.item.identity}"
        times = list(periods_in(text))
        mentions = mentions_in(text, times)
        if lacks_standing(wanted.question, f"{text}\n{line.said.context}"):
            continue
        if UNTOLD.search(text) or any(is_torn(text, each.quantity) for each in mentions):
            continue
        whole = _of_line(reading, wording, line, firms)
        document, ahead = reading.document(line.item), before(line.item, line.said)
        for said in _said_in(reading, wording, line, times, mentions):
            if any(_is_timelier(each, said) for each in said.beside):
                continue
            mention = said.mention
            value = told_value(wanted, text, mention.quantity, changed=mention.role != "level")
            if value is None or wording.names_number(value):
                continue
            if not counts_otherwise(wording.wanted.question, value):
                told = partial(_told, reading, line, value)
                traits = whole | said.traits
                whole_text = f"{text}\n{around}"
                place = f"{line.document_id} {text}", 0, mention.quantity.start
                yield FoundFigure(
                    said.wide,
                    said.wide,
                    said.own,
                    whole_text,
                    around,
                    value,
                    document,
                    place,
                    traits,
                    told,
                    ahead=ahead,
                )


def _said_in(
    reading: Reading,
    wording: Wording,
    line: Candidate,
    times: Sequence[ReportingPeriod],
    mentions: Sequence[Mention],
) -> list[_Said]:
    """The figures of a sentence that are of no other metric than what is asked.

    Args:
        times: that the sentence names.
    """
    text, found = line.said.told, list[_Said]()
    question = reading.wanted.question
    asked = asked_spans(reading.wanted)
    listed = list(respective(text, [each.quantity for each in mentions]))
    things = {each.quantity.start: each.thing for each in listed}
    meant = belongs(question, listed)
    # by how many points something moved is no share
    moved = roles_asked(question) != frozenset[Role]({"level"})
    for place, mention in enumerate(mentions):
        quantity = mention.quantity
        if quantity.upper is not None or (quantity.unit == "pp" and not moved):
            continue
        if not (line.own or reading.is_own_up_to(line, quantity.start)):
            continue
        if meant and quantity.start in things and quantity.start != meant.quantity.start:
            continue
        thing = things.get(quantity.start)
        own = mention.own if thing is None else f"{thing} {quantity.text}"
        wide = mention.wide if thing is None else own
        when = [each for each in times if each.start < quantity.end][-1:]
        if lacks_beginning(question, f"{wide} {own}"):
            continue
        if wording.names_other(own):
            continue  # 研发费用, where the staff of it is asked for
        end = is_other_end(question, text, quantity) and not (when and is_then(when, asked))
        traits = _of_mention(reading, line, mention, own, wide)
        traits |= {"place": place, "of_many": len(mentions), "listed": thing is not None}
        traits |= {"other_end": end, "other": is_of_another(question, mention)}
        traits["names_other"] = wording.names_other(wide)
        # 2024年，…为7万吨，…为9万吨: what opens a sentence says when all of it is
        led = len(times) == 1 and bool(_LEADS.match(text, times[0].end)) and not times[0].start
        found.append(_Said(mention, own, wide, traits, found, led))
    return found


def _is_timelier(one: _Said, other: _Said) -> bool:
    """Whether a figure counted as another one says as much of what is asked, and that it is of the
    time asked for, which the other does not: 产能30000L，预计2024年底将达44000L. What is of another
    time by its own words is outdone by any that is of this one. What is listed, or stands behind
    the time of its sentence, is all of one time."""
    if other.traits["listed"] or other.led:
        return False
    units = one.mention.quantity.unit, other.mention.quantity.unit
    roles = one.mention.role, other.mention.role
    alike = units[0] == units[1] and roles[0] == roles[1]
    then = one.traits["own_time"] == Time.NAMED > other.traits["own_time"]
    as_much = one.traits["covered"] >= other.traits["covered"]
    return alike and then and (as_much or other.traits["own_time"] == Time.OTHER)


def _told(reading: Reading, line: Candidate, value: Json) -> Draft:
    return tell(reading, [line], way=_WAY, value=value)


def _of_line(
    reading: Reading, wording: Wording, line: Candidate, firms: Sequence[str]
) -> dict[str, float]:
    """What a sentence as a whole says of a question, and what it lacks of what one asks for.

    Args:
        firms: that the question names, folded.
    """
    wanted = reading.wanted
    text = line.said.told
    around = f"{text}\n{line.said.context}\n{line.item.identity}"
    near = wanted.text(around)
    lacks = {
        "no_bound": lacks_bound(wording.wanted, around),
        "left_in": leaves_in(wording.wanted, around),
        "no_firm": bool(firms) and not any(each in fold(around) for each in firms),
        "no_metric": not line.metric,
        "no_numbers": not names_numbers(wanted, line),
        "no_topics": not all(map(near.has, wanted.topics)),
    }
    return {
        **lacks,
        "lacks": sum(lacks.values()),
        "table": 0,
        "rank": line.result.rank,
        "agrees": reading.asked.scope.agreement(line.document_id),
        "said": line.covered,
        "over": line.topic,
        "beside": wanted.covered(line.item.identity),
        "time": int(line.time),
        "measured": all(map(near.has, wanted.measured)),
        "length": len(text),
    }


def _of_mention(
    reading: Reading, line: Candidate, mention: Mention, own: str, wide: str
) -> dict[str, float]:
    """What the clause of a figure says of it."""
    wanted, quantity = reading.wanted, mention.quantity
    question, context = wanted.question, wanted.text(line.said.context)
    asked = asked_spans(wanted)
    times = list(periods_in(wide))
    return {
        "own": wanted.covered(own, context),
        "heading": wanted.topic(own),
        "covered": wanted.covered(wide, context),
        "topic": wanted.topic(wide),
        "kind": is_ratio(own, quantity) if asks_ratio(question) else counted_as(question, quantity),
        "fits": mention.role in roles_asked(question),
        "in_turn": any(mention.role in each for each in roles_in_turn(question)),
        "own_time": int(wanted.times.of(wide, "", None)),
        "then": bool(asked) and bool(times) and is_then(times[-1:], asked),
        "named": not _PART.search(own),
        "head": not wanted.head or any(map(wanted.text(wide).has, wanted.head)),
        "metric": not wanted.metrics or wanted.names_metric(wide),
        "strange": len(_WORD.findall(own)),
        "money": bool(quantity.unit) and quantity.unit not in RATES and not quantity.unit.isalpha(),
        "share": quantity.unit in RATES,
        "change": mention.role != "level",
        "counted": bool(quantity.unit),
    }


def _may_be_meant(reading: Reading, states: Stated, line: Candidate) -> bool:
    """Whether a line is of the company that is asked for, where none is named of any; of no other
    time, and says no opposite."""
    wanted = reading.wanted
    if wanted.companies or wanted.strangers:
        own = states.of_whom(line.item, line.said)
    else:
        own = states.of_no_other(line.item, line.said)
    if line.time <= Time.BEFORE and reading.asked.options.document is None:
        return False  # where one report is meant, its day may be what is read as the time asked for
    return own and not is_opposed(wanted.question, line.said.told)
