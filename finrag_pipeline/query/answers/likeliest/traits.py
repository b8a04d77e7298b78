"""What tells how far a sentence answers: by itself, with what stands around it and in its passage,
and beside the other sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.likeliest.asking import asked_terms, asks_whom, further_names
from finrag_pipeline.query.answers.passages.asks import Ask, asks_of
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.causes import asks_cause, causes_in
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.telling import tell_nearest
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.clauses import is_question
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.words import is_chinese

Traits = dict[str, float]

#: Traits that tell more beside those of the other sentences.
COMPARED = (
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
    "passage lacks",
    "excerpt lacks",
    "excerpt lacks most",
    "least asked",
    "causes",
    "near around",
    "near_whole around",
    "focus alike",
    "focus alike in excerpt",
    "rerank",
    "score",
)
#: What intents and kinds of answer ask for, each by itself.
_INTENTS = ("reason", "whether", "items", "passage", "list", "comparison", "record", "newest")
_KINDS = ("day", "person", "place", "number", "company", "plan", "progress", "measure", "share")
#: Traits of which an excerpt has the most that a sentence in it has.
_AROUND = ("near", "near_whole", "near_left", "meaning")
#: Characters of a sentence that are matched with a question.
_LONGEST = 400
#: Of what no reranker saw.
_UNRANKED = -9.0


def traits_of(
    reading: Reading, lines: Sequence[Candidate], excerpts: Sequence[Candidate]
) -> list[Traits]:
    """The traits of sentences, each by itself and beside the others.

    Args:
        excerpts: each sentence with what stands around it, as it is told.
    """
    asked, wanted = reading.asked, reading.wanted
    report = asked.options.document is not None
    wording = Wording(wanted, asked.sentence_matcher, report=report, longest=_LONGEST)
    asks, states = asks_of(wanted), Stated(asked)
    worded = wording.traits([_found(reading, each) for each in lines])
    meanings = _meanings(reading, lines)
    focus, whom = asked_terms(wanted), asks_whom(asked.question)
    question = {**_of_question(reading), "asks": len(asks), "asks_who": whom, "focus": len(focus)}
    of_passage = Counter(each.item.key for each in lines)
    traits = [
        {
            **question,
            **_said(reading, states, asks, line, excerpt),
            **words,
            "meaning": meaning,
            **_focused(wording, focus, line, excerpt),
            "new names": further_names(asked.question, line.said.told) if whom else -1,
            "new names in excerpt": further_names(asked.question, excerpt.said.told)
            if whom
            else -1,
            "lines of passage": of_passage[line.item.key],
        }
        for line, excerpt, words, meaning in zip(lines, excerpts, worded, meanings, strict=True)
    ]
    around = [
        _around(traits, _within(lines, line, excerpt))
        for line, excerpt in zip(lines, excerpts, strict=True)
    ]
    return list(compared([each | more for each, more in zip(traits, around, strict=True)]))


def compared(traits: Sequence[Mapping[str, float]]) -> Iterator[Traits]:
    """Traits with what they are beside those of the other sentences."""
    ordered = {name: sorted((each[name] for each in traits), reverse=True) for name in COMPARED}
    for each in traits:
        told = {**each, "sentences": len(traits)}
        for name, values in ordered.items():
            best = values[0] if each[name] < values[0] or len(values) < 2 else values[1]
            told[f"{name} lead"] = each[name] - best
            told[f"{name} place"] = values.index(each[name])
        yield told


def _of_question(reading: Reading) -> Traits:
    """What is the same of all sentences."""
    asked, wanted = reading.asked, reading.wanted
    own = {each.name for each in wanted.kinds}
    texts = "\n".join(each.text for each in reading.results)
    identities = "\n".join(each.item.identity for each in reading.results)
    return {
        **_lacks(wanted, texts, identities, "pool"),
        "names": len({*wanted.written_names, *wanted.topics}),
        "kinds": len(wanted.kinds),
        "metrics": len(wanted.metrics),
        "companies": len(wanted.companies),
        "notes": len(wanted.notes),
        "publishers": len(wanted.publishers),
        "asks_why": asks_cause(asked.question),
        "asks figure": asks_figure(asked.question),
        "asks_long": len(asked.question),
        "chinese": is_chinese(asked.question),
        **{f"asks_{name}": asked.intent.name == name for name in _INTENTS},
        **{f"asks kind {name}": name in own for name in _KINDS},
    }


def _said(
    reading: Reading, states: Stated, asks: Sequence[Ask], line: Candidate, excerpt: Candidate
) -> Traits:
    """What a sentence, what stands around it and its passage say of the question."""
    wanted, said, item = reading.wanted, line.said, line.item
    context = wanted.text(said.context)
    whom = wanted.companies or wanted.strangers
    return {
        "covered": line.covered,
        "topic": line.topic,
        "about": wanted.covered(line.result.text, wanted.text(item.identity)),
        "named": wanted.named(said.told, context),
        "excerpt": wanted.covered(excerpt.said.told, context),
        "time": int(line.time),
        "own": line.own,
        "of_whom": states.of_whom(item, said) if whom else states.of_no_other(item, said),
        "kind": line.kind,
        "excerpt kind": wanted.of_kind(excerpt.said.told),
        "metric": line.metric,
        "rank": line.result.rank,
        "rerank": _UNRANKED if line.result.rerank is None else line.result.rerank,
        "score": line.result.score,
        "start": said.start,
        "length": len(said.told),
        "excerpt length": len(excerpt.said.told),
        "agrees": reading.asked.scope.agreement(line.document_id),
        "beside": wanted.covered(item.identity),
        "in_other_language": is_chinese(wanted.question) != is_chinese(said.told),
        "question mark": is_question(said.told),
        "cause": max((each.strength for each in causes_in(said.told)), default=0.0),
        "causes": max((each.strength for each in causes_in(excerpt.said.told)), default=0.0),
        "least asked": min(
            (each.told_by(wanted, excerpt.said.told, said.context) for each in asks), default=1.0
        ),
        **_lacks(wanted, line.result.text, item.identity, "passage"),
        **_lacks(wanted, excerpt.said.told, f"{said.context}\n{item.identity}", "excerpt"),
    }


def _lacks(wanted: Wanted, text: str, around: str, name: str) -> Traits:
    """The weights of the words of a question that a text lacks."""
    held, weight = wanted.text(f"{text}\n{around}"), WordWeights.packaged().weight
    left = [weight(each) for each in wanted.terms if not held.has(each)]
    return {
        f"{name} lacks": sum(left),
        f"{name} lacks most": max(left, default=0.0),
        f"{name} lacks count": len(left),
    }


def _focused(wording: Wording, focus: Sequence[str], line: Candidate, excerpt: Candidate) -> Traits:
    """How far the words at what asks are said, or near to a word that is."""
    wanted, own, wide = wording.wanted, line.said.told, excerpt.said.told
    return {
        "focus said": wanted.share_of(focus, own) if focus else 1.0,
        "focus in excerpt": wanted.share_of(focus, wide) if focus else 1.0,
        "focus alike": wording.least_alike(focus, own),
        "focus alike in excerpt": wording.least_alike(focus, wide),
    }


def _found(reading: Reading, line: Candidate) -> FoundFigure:
    """A sentence as `Wording` compares it."""
    told, around = line.said.told, f"{line.said.context}\n{line.item.identity}"
    document = reading.document(line.item)
    place = line.document_id, 0, line.said.start
    tell_it = partial(tell_nearest, reading, [line], way="")
    return FoundFigure(told, told, told, around, around, {}, document, place, {}, tell_it)


def _meanings(reading: Reading, lines: Sequence[Candidate]) -> list[float]:
    """How near each sentence is to the question in the space of the store, 0 to 1."""
    comparer = reading.comparer
    (asked,) = comparer.embed_questions([reading.wanted.question])
    vectors = reading.vectors([each.said.told for each in lines])
    return [comparer.space.nearness(float(each @ asked)) for each in vectors]


def _around(traits: Sequence[Traits], within: Sequence[int]) -> Traits:
    """How near the nearest of the sentences is that an excerpt holds.

    Args:
        traits: of every sentence by itself.
        within: which of them it holds.
    """
    near = {f"{name} around": max(traits[n][name] for n in within) for name in _AROUND}
    return {**near, "lines around": len(within)}


def _within(lines: Sequence[Candidate], line: Candidate, excerpt: Candidate) -> list[int]:
    """Which sentences an excerpt holds, its own among them."""
    begin = excerpt.said.start
    end = begin + len(excerpt.said.quote)
    return [
        n
        for n, each in enumerate(lines)
        if each is line or (each.item.key == line.item.key and begin <= each.said.start < end)
    ]
