"""An answer without a chat model: the sentences and table rows that fit the question best, cited.

Finding evidence belongs to the lanes; what may be quoted is said by its kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.answers.stated import Stated
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import MIN_COVERED
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.terms import (
    chance_pairs,
    covered,
    has_term,
    missing,
    names,
    terms,
)
from finrag_pipeline.query.weights import FIGURE_BONUS, SENTENCE_RANK
from finrag_pipeline.words import search_words

_MAX_SENTENCES = 3
#: A further sentence says something of its own, by nearness, and fits nearly as well as the best.
_MAX_ALIKE = 0.75
_MIN_OF_BEST = 0.7
# Sentences that cover the question best are embedded: 30 take e5 0.15 s of a core.
_MAX_EMBEDDED = 30


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something that may be quoted, and the share of the question's terms that it covers."""

    result: Result
    said: Quotable
    covered: float
    has_figure: bool


def write_extractive(asked: Asked, found: SearchResult) -> Draft:
    """Choose up to three sentences or table rows that answer a question.

    Sentences are compared by what made the stored vectors, unless that is a server: an answer that
    needs no chat model must not wait for one.

    What asks for a figure is only answered by what names whom, what and when is asked.

    Args:
        found: ranked evidence with the text of its pages.
    """
    return _write(asked, found, stated=asks_figure(asked.question))


def write_quoted_figures(asked: Asked, found: SearchResult) -> Draft:
    """The same for what is known to ask for a figure, however it is worded."""
    return _write(asked, found, stated=True)


def _write(asked: Asked, found: SearchResult, *, stated: bool) -> Draft:
    question, results = asked.question, found.results
    way = "the answer quotes the best sentences"
    if lacking := _lacking(question, results):
        return Draft(lacking=tuple(lacking), way=way)
    candidates = sorted(_candidates(question, results), key=lambda each: -each.covered)
    if stated:
        states = Stated(asked)
        candidates = [each for each in candidates if states.by(each.result.item, each.said)]
    best = [each for each in candidates if each.covered >= MIN_COVERED][:_MAX_EMBEDDED]
    if not best:
        return Draft(way=way)
    chosen = _choose(question, best, asked.comparer)
    citations = tuple(
        each.result.item.cite(n, each.said.quote, each.said.places)
        for n, each in enumerate(chosen, 1)
    )
    text = " ".join(f"{each.said.told}[{n}]" for n, each in enumerate(chosen, 1))
    return Draft(text, citations, tuple(each.item for each in results), way=way)


def confidence_of(question: str, results: Sequence[Result]) -> float:
    """What an answer compares with `MIN_COVERED`: the best coverage, 0 if a name is missing."""
    if _lacking(question, results):
        return 0.0
    return max((each.covered for each in _candidates(question, results)), default=0.0)


def _candidates(question: str, results: Sequence[Result]) -> list[_Candidate]:
    wanted, about = _wanted(question, results)
    figure = asks_figure(question)
    found: list[_Candidate] = []
    for result in _about(about, results):
        # who speaks of whom is settled by the document: a sentence need not say it again
        identity = set(search_words("\n".join(result.item.subjects)))
        asked = [term for term in wanted if not has_term(term, identity)] or wanted
        context: dict[str, set[str]] = {}
        for said in result.item.quotes(question):
            if said.context not in context:
                context[said.context] = set(search_words(said.context))
            share = covered(asked, set(search_words(said.about)), context[said.context])
            found.append(_Candidate(result, said, share, figure and said.has_figure))
    return found


def _wanted(question: str, results: Sequence[Result]) -> tuple[list[str], list[str]]:
    """The terms of a question and the names among them, as its evidence shows where names end."""
    by_chance = chance_pairs(question, _texts(results))
    wanted, about = (
        [term for term in found if term not in by_chance]
        for found in (terms(question), names(question))
    )
    return wanted, about


def _lacking(question: str, results: Sequence[Result]) -> list[str]:
    _, about = _wanted(question, results)
    return missing(about, _texts(results))


def _texts(results: Sequence[Result]) -> list[str]:
    return [f"{each.item.identity}\n{each.text}" for each in results]


def _about(about: Sequence[str], results: Sequence[Result]) -> list[Result]:
    """The results that have the most of the names asked for, so that no other is quoted."""
    if not about:
        return list(results)
    counts = [len(about) - len(missing(about, _texts([each]))) for each in results]
    return [each for each, count in zip(results, counts, strict=True) if count == max(counts)]


def _choose(
    question: str, candidates: Sequence[_Candidate], embedder: Embedder
) -> list[_Candidate]:
    vectors = embedder.embed_passages([each.said.told for each in candidates])
    cosines = vectors @ embedder.embed_questions([question])[0]
    near_by = embedder.space.nearness
    # what covers the question and is near it; a figure where one is asked for; the lanes' order
    scores = [
        each.covered
        + near_by(float(cosine))
        + FIGURE_BONUS * each.has_figure
        + 1 / (SENTENCE_RANK + each.result.rank)
        for each, cosine in zip(candidates, cosines, strict=True)
    ]
    order = sorted(range(len(candidates)), key=lambda n: (-scores[n], n))
    chosen: list[int] = []
    for n in order:
        if len(chosen) == _MAX_SENTENCES or scores[n] < _MIN_OF_BEST * scores[order[0]]:
            break
        said = [squeeze(candidates[m].said.quote) for m in chosen]
        says = squeeze(candidates[n].said.quote)
        repeated = any(says in other or other in says for other in said)
        alike = max((near_by(float(vectors[n] @ vectors[m])) for m in chosen), default=0.0)
        if alike <= _MAX_ALIKE and not repeated:
            chosen.append(n)
    return [candidates[n] for n in chosen]
