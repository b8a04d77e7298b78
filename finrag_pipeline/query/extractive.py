"""An answer without a chat model: the sentences and table rows that fit the question best, cited.

Finding evidence belongs to the lanes; whether the answer holds is checked in `checks`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.checks import locate, squeeze
from finrag_pipeline.query.results import Evidence, Result
from finrag_pipeline.query.rows import table_rows
from finrag_pipeline.query.terms import (
    asks_figure,
    chance_pairs,
    covered,
    has_term,
    missing,
    names,
    terms,
)
from finrag_pipeline.records import Place
from finrag_pipeline.words import search_words

# Share of the question's weight that a sentence must cover. `benchmarks/answer_threshold.py`, 274
# questions on 16 indexed reports and 400 on companies that are not, share answered: 0.30 94.5 and
# 2.8 %, 0.35 94.5 and 2.0 %, 0.40 93.4 and 1.8 %, 0.45 80.7 and 1.2 %.
MIN_COVERED = 0.35
_MAX_SENTENCES = 3
#: A further sentence says something of its own, and fits nearly as well as the best.
_MAX_ALIKE = 0.75
_MIN_OF_BEST = 0.7
# Sentences that cover the question best are embedded: 60 take 10 ms.
_MAX_EMBEDDED = 60
_MIN_CHARACTERS = 8
# Longer is no sentence but a table or a cover that was read as one: it holds any word.
_MAX_CHARACTERS = 300

_SENTENCE = re.compile(
    r".+?(?:[。！？；!?;…]+[”’」』）)\"']*|(?<=[a-z0-9)%][.])(?=\s+[A-Z])|\n|$)", re.DOTALL
)
#: The title of a figure or table names what it shows, but not what it says.
_CAPTION = re.compile(r"(?:图表?|表格?|附表|figure|table|exhibit|chart)\s*\d+", re.IGNORECASE)
_SAYS_SOMETHING = re.compile(r"[。！？；!?;.…”）)]\s*$|\d")


@dataclass(frozen=True, slots=True)
class Drawn:
    """An answer's text and evidence; both empty where there is none, then with what is lacking."""

    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    result: Result
    quote: str
    text: str
    covered: float
    has_figure: bool
    places: tuple[Place, ...] = ()


def answer_from(question: str, results: Sequence[Result]) -> Drawn:
    """Choose up to three sentences or table rows that answer a question.

    Sentences are compared by the offline embedder whatever made the stored vectors: an answer that
    needs no chat model must not wait for a hosted one.

    Args:
        results: ranked evidence with the text of its pages.
    """
    lacking = _lacking(question, results)
    if lacking or not results:
        return Drawn(lacking=tuple(lacking))
    candidates = sorted(_candidates(question, results), key=lambda each: -each.covered)
    best = [each for each in candidates if each.covered >= MIN_COVERED][:_MAX_EMBEDDED]
    if not best:
        return Drawn()
    chosen = _choose(question, best)
    evidence = tuple(
        Evidence(
            n=n,
            kind=each.result.kind,
            document_id=each.result.document_id,
            source=each.result.source,
            places=each.places,
            quote=each.quote,
            published_on=each.result.published_on,
        )
        for n, each in enumerate(chosen, 1)
    )
    text = " ".join(f"{each.text}[{n}]" for n, each in enumerate(chosen, 1))
    return Drawn(text, evidence)


def confidence_of(question: str, results: Sequence[Result]) -> float:
    """What `answer_from` compares with `MIN_COVERED`: the best coverage, 0 if a name is missing."""
    if _lacking(question, results):
        return 0.0
    return max((each.covered for each in _candidates(question, results)), default=0.0)


def split(text: str) -> list[str]:
    """Sentences of a chunk, exact; the splitter of the stages takes two seconds to import."""
    return [piece for match in _SENTENCE.finditer(text) if (piece := match.group().strip())]


def _candidates(question: str, results: Sequence[Result]) -> list[_Candidate]:
    wanted, about = _wanted(question, results)
    figure = asks_figure(question)
    found: list[_Candidate] = []
    for result in _about(about, results):
        # who speaks of whom is settled by the document: a sentence need not say it again
        known = (result.company, result.company_code, result.broker)
        identity = set(search_words("\n".join(name for name in known if name)))
        asked = [term for term in wanted if not has_term(term, identity)] or wanted
        context = set(search_words(result.identity))
        if result.table is None:
            for sentence in split(result.text):
                places = locate(sentence, result.regions_text)
                if places and _is_sentence(sentence):
                    share = covered(asked, set(search_words(sentence)), context)
                    has_figure = figure and any(map(str.isdigit, sentence))
                    found.append(_Candidate(result, sentence, sentence, share, has_figure, places))
        elif figure:
            context |= set(search_words(result.table.caption or ""))
            for row in table_rows(result.table.cells):
                # the row says what it counts, the header when; other rows' figures say nothing
                said = set(search_words(f"{row.label}\n{' '.join(row.header.values())}"))
                text = row.sentence(result.table.caption, result.table.unit, question)
                share = covered(asked, said, context)
                places = (row.place,) if row.place else result.places
                found.append(_Candidate(result, row.quote, text, share, True, places))
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
    return [f"{each.identity}\n{each.text}" for each in results]


def _about(about: Sequence[str], results: Sequence[Result]) -> list[Result]:
    """The results that have the most of the names asked for, so that no other is quoted."""
    if not about:
        return list(results)
    counts = [len(about) - len(missing(about, _texts([each]))) for each in results]
    return [each for each, count in zip(results, counts, strict=True) if count == max(counts)]


def _is_sentence(text: str) -> bool:
    """Whether a piece says something: headings inside a chunk match well and say nothing."""
    fits = _MIN_CHARACTERS <= len(text) <= _MAX_CHARACTERS
    return fits and _SAYS_SOMETHING.search(text) is not None and not _CAPTION.match(text)


def _choose(question: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    embedder = OfflineEmbedder()
    vectors = embedder.embed_passages([each.text for each in candidates])
    nearness = vectors @ embedder.embed_questions([question])[0]
    # what covers the question and is near it; a figure where one is asked for; the lanes' order
    scores = [
        each.covered + float(near) + 0.2 * each.has_figure + 1 / (4 + each.result.rank)
        for each, near in zip(candidates, nearness, strict=True)
    ]
    order = sorted(range(len(candidates)), key=lambda n: (-scores[n], n))
    chosen: list[int] = []
    for n in order:
        if len(chosen) == _MAX_SENTENCES or scores[n] < _MIN_OF_BEST * scores[order[0]]:
            break
        said = [squeeze(candidates[m].quote) for m in chosen]
        says = squeeze(candidates[n].quote)
        repeated = any(says in other or other in says for other in said)
        alike = max((float(vectors[n] @ vectors[m]) for m in chosen), default=0.0)
        if alike <= _MAX_ALIKE and not repeated:
            chosen.append(n)
    return [candidates[n] for n in chosen]
