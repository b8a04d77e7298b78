"""Which candidates are told: the one that answers best, then those that add something to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.question.relevance import MIN_COVERED
from finrag_pipeline.query.weights import SENTENCE_RANK

Vector = NDArray[np.float32]

MOST_LINES = 3
#: A further line says something of its own, by nearness, and answers nearly as well as the best.
_MAX_ALIKE = 0.75
_MIN_OF_BEST = 0.75
#: Share of what is wanted of which a further line says as much as the best one.
_MIN_COVERED_OF_BEST = 0.6
#: Sentences that are embedded: 30 take e5 0.15 s of a core.
_MAX_EMBEDDED = 30
#: In other words less has to be covered, as nearness shows that the same is spoken of.
_FAR_SHARE, _NEAR = 0.5, 0.42
#: The score from which a quote answers, though in hardly any word of the question.
_SURE = 2.1
#: The score from which a quote is worth reading where nothing answers, and how many are told then.
_NEAREST, _MOST_NEAREST = 1.5, 2
#: What it counts that a further line stands near the best, and within how many characters.
_BESIDE, _BESIDE_CHARACTERS = 0.2, 400
#: How much farther apart a question and what answers it lie in two languages than in one.
_ACROSS = 0.3
#: What agreement by type counts beside words and nearness, each of 0 to 1.
_TIME, _METRIC, _KIND, _OTHERS = 0.5, 0.3, 0.6, 0.3

#: What it counts that a quote is of the newest document, where the newest is asked for.
_NEWEST = 0.4


def choose(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that are told, best first; empty where none says enough."""
    fitting = [each for each in candidates if each.covered >= MIN_COVERED * _FAR_SHARE]
    judged = _judged(reading, fitting)
    return _told([each for each in judged if _enough(each)], reading.comparer)


def choose_near(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same where none says enough in words: those that are near, and agree by type, surely."""
    judged = _judged(reading, candidates)
    return _told([each for each in judged if each.score >= _SURE], reading.comparer)


def choose_nearest(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The two that come nearest to an answer, where nothing is one; empty where nothing is near."""
    judged = _judged(reading, candidates)
    told = _told([each for each in judged if each.score >= _NEAREST], reading.comparer)
    return told[:_MOST_NEAREST]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A candidate with how well it answers, how near it is to the question, and its vector."""

    candidate: Candidate
    score: float
    near: float
    vector: Vector


def _judged(reading: Reading, candidates: Sequence[Candidate]) -> list[_Judged]:
    """The most promising candidates, best first."""
    fitting = sorted(candidates, key=lambda each: -_promise(each))[:_MAX_EMBEDDED]
    if not fitting:
        return []
    embedder = reading.comparer
    vectors = reading.vectors([each.said.told for each in fitting])
    cosines = vectors @ embedder.embed_questions([reading.wanted.question])[0]
    judged: list[_Judged] = []
    for each, vector, cosine in zip(fitting, vectors, cosines, strict=True):
        near = embedder.space.nearness(float(cosine))
        near += _ACROSS * reading.wanted.speaks_otherwise(each.said.told)
        judged.append(_Judged(each, _promise(each) + near, near, vector))
    return sorted(judged, key=lambda each: -each.score)


def _promise(candidate: Candidate) -> float:
    """How well a candidate answers by its words, its types and its passage's rank."""
    ranked = 1 / (SENTENCE_RANK + candidate.result.rank)
    return candidate.covered + agreement(candidate) + ranked


def _told(judged: Sequence[_Judged], embedder: Embedder) -> list[Candidate]:
    """The best, and those that add something to it."""
    if not judged:
        return []
    best = judged[0]
    chosen = [best]

    def order(each: _Judged) -> float:
        # what stands beside the best goes on with it
        return -(each.score + _BESIDE * stands_beside(each.candidate, best.candidate))

    for each in sorted(judged[1:], key=order):
        if len(chosen) == MOST_LINES:
            break
        if each.score < _MIN_OF_BEST * best.score:
            continue
        nearness = embedder.space.nearness
        alike = max(nearness(float(each.vector @ other.vector)) for other in chosen)
        told = [other.candidate for other in chosen]
        if alike <= _MAX_ALIKE and _adds(each.candidate, best.candidate, told):
            chosen.append(each)
    return [each.candidate for each in chosen]


def distinct(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Lines without those that another one, widened, holds."""
    quotes = [squeeze(each.said.quote) for each in chosen]
    return [
        each
        for n, each in enumerate(chosen)
        if not any(
            quotes[n] in other and (m < n or quotes[n] != other)
            for m, other in enumerate(quotes)
            if m != n
        )
    ]


def stands_beside(candidate: Candidate, best: Candidate) -> bool:
    """Whether a quote stands near another one of its passage."""
    near = abs(candidate.said.start - best.said.start) <= _BESIDE_CHARACTERS
    return candidate.item.key == best.item.key and near


def _enough(judged: _Judged) -> bool:
    """Whether a quote says enough of what is wanted, in the same words or in near ones."""
    covered = judged.candidate.covered
    return covered >= MIN_COVERED or covered + judged.near >= MIN_COVERED + _NEAR


def agreement(each: Candidate) -> float:
    """How far a line agrees by type: time, metric, kind of answer, whose it is."""
    time = _TIME * (each.time - Time.OPEN) / (Time.NAMED - Time.OPEN)
    return (
        each.strength + time + _METRIC * each.metric + _KIND * each.kind - _OTHERS * (not each.own)
    )


def _adds(candidate: Candidate, best: Candidate, told: Sequence[Candidate]) -> bool:
    """Whether a line is on the very same question as the best, and in other words than all."""
    same = (
        candidate.kind >= best.kind
        and candidate.metric >= best.metric
        and candidate.own >= best.own
        and candidate.time >= min(best.time, Time.DOCUMENT)
        and candidate.covered >= _MIN_COVERED_OF_BEST * best.covered
    )
    quote = squeeze(candidate.said.quote)
    others = [squeeze(each.said.quote) for each in told]
    return same and not any(quote in other or other in quote for other in others)


def newest_first(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
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
