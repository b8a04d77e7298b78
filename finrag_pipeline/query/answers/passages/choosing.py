"""Which candidates are told: the one that answers best, then those that add something to it."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.question.relevance import MIN_COVERED
from finrag_pipeline.query.weights import SENTENCE_RANK

MOST_LINES = 3
#: A further line says something of its own, by nearness, and answers nearly as well as the best.
_MAX_ALIKE = 0.75
_MIN_OF_BEST = 0.8
#: Share of what is wanted of which a further line says as much as the best one.
_MIN_COVERED_OF_BEST = 0.8
#: Sentences that are embedded: 30 take e5 0.15 s of a core.
_MAX_EMBEDDED = 30
#: In other words less has to be covered, as nearness shows that the same is spoken of.
_FAR_SHARE, _NEAR = 0.5, 0.42
#: What it counts that a further line stands near the best, and within how many characters.
_BESIDE, _BESIDE_CHARACTERS = 0.2, 400
#: What agreement by type counts beside words and nearness, each of 0 to 1.
_TIME, _METRIC, _KIND, _OTHERS = 0.5, 0.3, 0.6, 0.3


def choose(
    question: str,
    candidates: Sequence[Candidate],
    embedder: Embedder,
    *,
    least: float = MIN_COVERED,
    most: int = MOST_LINES,
) -> list[Candidate]:
    """The candidates that are told, best first; empty where none says enough.

    Args:
        least: share of what is wanted that one has to say.
        most: lines at most.
    """
    fitting = [each for each in candidates if each.covered >= least * _FAR_SHARE]
    fitting.sort(key=lambda each: -(each.covered + agreement(each)))
    fitting = fitting[:_MAX_EMBEDDED]
    if not fitting:
        return []
    vectors = embedder.embed_passages([each.said.told for each in fitting])
    cosines = vectors @ embedder.embed_questions([question])[0]
    near_by = embedder.space.nearness
    scores = [
        each.covered
        + near_by(float(cosine))
        + agreement(each)
        + 1 / (SENTENCE_RANK + each.result.rank)
        for each, cosine in zip(fitting, cosines, strict=True)
    ]
    order = sorted(range(len(fitting)), key=lambda n: (-scores[n], n))
    order = [n for n in order if _enough(fitting[n].covered, near_by(float(cosines[n])), least)]
    if not order:
        return []
    chosen = [order[0]]
    best = fitting[order[0]]
    # what stands beside the best goes on with it
    others = sorted(
        order[1:], key=lambda n: -(scores[n] + _BESIDE * stands_beside(fitting[n], best))
    )
    for n in others:
        if len(chosen) == most:
            break
        if scores[n] < _MIN_OF_BEST * scores[order[0]]:
            continue
        alike = max(near_by(float(vectors[n] @ vectors[m])) for m in chosen)
        if alike <= _MAX_ALIKE and _adds(fitting[n], best, [fitting[m] for m in chosen]):
            chosen.append(n)
    return [fitting[n] for n in chosen]


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


def _enough(covered: float, near: float, least: float) -> bool:
    """Whether a quote says enough of what is wanted, in the same words or in near ones."""
    return covered >= least or (covered >= least * _FAR_SHARE and covered + near >= least + _NEAR)


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
