"""The sentences that may answer a question, with what tells how far they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.excerpts import excerpts
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.telling import tell_nearest
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.words import is_chinese

#: Sentences that are judged: those that say most of the question.
_MOST = 40
#: Traits that tell more beside those of the other sentences.
_COMPARED = (
    "covered",
    "topic",
    "about",
    "near",
    "near_whole",
    "near_left",
    "alike",
    "least_alike",
    "meant",
    "meaning",
    "unsaid_weight",
    "unsaid_most",
    "excerpt",
)
#: What intents ask for, each by itself.
_ASKED = ("reason", "whether", "items", "passage", "list", "comparison", "record", "newest")
_WAY = "no way answered: the sentence that most likely does is quoted"


@dataclass(frozen=True, slots=True)
class LikelySentence:
    """A sentence that may answer.

    Attributes:
        line: the sentence as it may be quoted.
        excerpt: the same with the sentences around it, as it is told.
        traits: how far it answers.
    """

    line: Candidate
    excerpt: Candidate
    traits: Mapping[str, float]

    @property
    def told(self) -> str:
        """What an answer says of it."""
        return self.excerpt.said.told

    def tell_near(self, reading: Reading) -> Draft:
        """A refusal that quotes it and what stands around it."""
        return tell_nearest(reading, [self.excerpt], way=_WAY)


def likely_sentences(reading: Reading) -> list[LikelySentence]:
    """The sentences of some passages that may answer, those that say most of the question first."""
    lines = reading.candidates(rows=False, timely=False)[:_MOST]
    if not lines:
        return []
    asked = reading.asked
    report = asked.options.document is not None
    wording, states = Wording(reading.wanted, asked.matcher, report=report), Stated(asked)
    around = [excerpts([(each, False)])[0] for each in lines]
    worded = wording.traits([_found(reading, each) for each in lines])
    meaning = _meanings(reading, lines)
    traits = [
        {
            **_traits(reading, states, line, excerpt),
            **words,
            "meaning": near,
            **{f"asks_{name}": asked.intent.name == name for name in _ASKED},
        }
        for line, excerpt, words, near in zip(lines, around, worded, meaning, strict=True)
    ]
    _compare(traits)
    return [LikelySentence(*each) for each in zip(lines, around, traits, strict=True)]


def _found(reading: Reading, line: Candidate) -> FoundFigure:
    """A sentence as `Wording` compares it."""
    told, around = line.said.told, f"{line.said.context}\n{line.item.identity}"
    document = reading.document(line.item)
    place = line.document_id, 0, line.said.start
    tell_it = partial(tell_nearest, reading, [line], way=_WAY)
    return FoundFigure(told, told, told, around, around, {}, document, place, {}, tell_it)


def _meanings(reading: Reading, lines: Sequence[Candidate]) -> list[float]:
    """How near each sentence is to the question in the space of the store, 0 to 1."""
    comparer = reading.comparer
    (asked,) = comparer.embed_questions([reading.wanted.question])
    vectors = reading.vectors([each.said.told for each in lines])
    return [comparer.space.nearness(float(each @ asked)) for each in vectors]


def _traits(
    reading: Reading, states: Stated, line: Candidate, excerpt: Candidate
) -> dict[str, float]:
    wanted, said = reading.wanted, line.said
    context = wanted.text(said.context)
    return {
        "covered": line.covered,
        "topic": line.topic,
        "about": wanted.covered(line.result.text, wanted.text(line.item.identity)),
        "named": wanted.named(said.told, context),
        "names": len({*wanted.written_names, *wanted.topics}),
        "excerpt": wanted.covered(excerpt.said.told, context),
        "time": int(line.time),
        "own": line.own,
        "of_whom": states.of_whom(line.item, said)
        if wanted.companies or wanted.strangers
        else states.of_no_other(line.item, said),
        "kind": line.kind,
        "kinds": len(wanted.kinds),
        "metric": line.metric,
        "rank": line.result.rank,
        "start": said.start,
        "length": len(said.told),
        "agrees": reading.asked.scope.agreement(line.document_id),
        "beside": wanted.covered(line.item.identity),
        "chinese": is_chinese(wanted.question),
        "in_other_language": is_chinese(wanted.question) != is_chinese(said.told),
        "asks_long": len(wanted.question),
    }


def _compare(traits: Sequence[dict[str, float]]) -> None:
    """Adds what traits are beside those of the other sentences."""
    for name in _COMPARED:
        values = [each[name] for each in traits]
        ordered = sorted(values, reverse=True)
        for each, value in zip(traits, values, strict=True):
            best = ordered[0] if value < ordered[0] or len(ordered) < 2 else ordered[1]
            each[f"{name} lead"] = value - best
            each[f"{name} place"] = ordered.index(value)
    for each in traits:
        each["sentences"] = len(traits)
