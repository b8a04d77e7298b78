"""How near the words of a figure are to those of a question: by meaning as a whole, word by word,
and by what is left unsaid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from finrag_pipeline.models.embedding import Embedder, Vectors
from finrag_pipeline.models.semantic import SEARCH_PATH, SemanticTable, characters
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.left import left_of
from finrag_pipeline.query.answers.closest.qualified import NUMBER
from finrag_pipeline.query.answers.counted import unit_agreement
from finrag_pipeline.query.answers.passages.figure_asked import roles_asked
from finrag_pipeline.query.answers.passages.saying import metrics_named, other_metrics
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.writers import Json
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.words import search_words

#: Characters of a figure's words that are compared by meaning.
_LONGEST = 160
#: What filings are called, by their form.
_FORMS = {
    "annual": re.compile(r"(?<!半)年报|(?<!半)年度报告|annual report", re.IGNORECASE),
    "half": re.compile(r"半年报|中报|半年度报告|interim report", re.IGNORECASE),
    "quarter": re.compile(r"季报|季度报告|quarterly report", re.IGNORECASE),
}
_YEAR_DAYS, _MOST_YEARS = 365.0, 4.0
#: A number that a name begins with: 999感冒灵.
_IN_NAME = re.compile(r"(?<![\d.])\d{3,}(?=[\u3400-\u9fff])")


class Wording:
    """The words of one question.

    Args:
        wanted: what it wants.
        embedder: by which meanings are compared.
        report: whether one document alone is looked into.
        longest: characters of what is compared by them.
    """

    def __init__(
        self,
        wanted: Wanted,
        embedder: Embedder,
        *,
        report: bool = False,
        longest: int = _LONGEST,
    ) -> None:
        self.wanted = wanted
        self._report = report
        self._longest = longest
        self._embedder = embedder
        self._table = SemanticTable.packaged(SEARCH_PATH)
        self._said = " ".join(wanted.terms)
        self._vectors: dict[str, Vectors] = {}
        weight = WordWeights.packaged().weight
        self._weights = [weight(each) for each in wanted.terms]

    @cached_property
    def asks_change(self) -> bool:
        """Whether it is asked how far something changed, and not what it was."""
        return "level" not in roles_asked(self.wanted.question)

    def names_other(self, text: str) -> bool:
        """Whether a text names metrics, and none that is asked for where one is."""
        return other_metrics(self.wanted.metrics, metrics_named(text))

    def names_number(self, value: Json) -> bool:
        """Whether a question itself says a figure: the stake that it names is not what it cost."""
        number = value.get("number")
        return number is not None and f"{abs(float(number)):g}" in self._numbers

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """The broken numbers that the question says, and those of names: 999感冒灵."""
        question = self.wanted.question
        said = [*NUMBER.findall(question), *_IN_NAME.findall(question)]
        return frozenset(f"{abs(float(each)):g}" for each in said)

    def meant(self, texts: Sequence[str]) -> dict[str, float]:
        """How near the words of each text are to those of the question as a whole, by word
        vectors, -1 to 1: quick, where very many texts are compared."""
        told = list(dict.fromkeys(texts))
        bags = [Counter(search_words(each[:_LONGEST])) for each in (self._said, *told)]
        vectors = self._table.embed(bags)
        return dict(zip(told, (vectors[1:] @ vectors[0]).tolist(), strict=True))

    def near(self, texts: Sequence[str]) -> list[tuple[float, float]]:
        """How near each text is to the question in meaning, 0 to 1: to what it asks for, and to the
        question as a whole. Some milliseconds a text, each told once."""
        told = [each[: self._longest] for each in texts]
        new = [each for each in dict.fromkeys(told) if each not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed_passages(new), strict=True))
        nearness = self._embedder.space.nearness
        cosines = (self._asked @ self._vectors[each] for each in told)
        return [(nearness(float(one)), nearness(float(other))) for one, other in cosines]

    def _near_left(self, found: Sequence[FoundFigure]) -> list[float]:
        """The same of what is left of the question beside what stands over each figure, which was
        told its nearness before."""
        # the figures of a table stand under the same
        lefts = {over: left_of(self.wanted.bare, over) for over in {each.over for each in found}}
        told = list(dict.fromkeys(lefts[each.over] for each in found))
        asked = dict(zip(told, self._embedder.embed_questions(told), strict=True))
        nearness = self._embedder.space.nearness
        return [
            nearness(float(asked[lefts[each.over]] @ self._vectors[each.name[: self._longest]]))
            for each in found
        ]

    def traits(self, found: Sequence[FoundFigure]) -> list[dict[str, float]]:
        """What the words of each figure have of the question's."""
        if not found:
            return []
        wanted = self.wanted
        near = self.near([each.name for each in found])
        near_left = self._near_left(found)
        labels = self.near([each.label for each in found])
        meant = self.meant([each.name for each in found])
        return [
            {
                "meant": meant[each.name],
                "near": bare,
                "near_whole": whole,
                "near_left": left,
                "near_label": label,
                **self._unsaid(each),
                **self._alike(each),
                "unit": unit_agreement(wanted.question, each.value),
                **self._document(each.document),
                "terms": len(wanted.terms),
                "asked_weight": sum(self._weights),
                "asked_metrics": len(wanted.metrics),
                "asked_times": len(wanted.times.asked),
                "asked_company": bool(wanted.companies),
                "asked_note": bool(wanted.notes or wanted.publishers),
                "asked_report": self._report,
                "asked_change": self.asks_change,
            }
            for each, (bare, whole), left, (label, _) in zip(
                found, near, near_left, labels, strict=True
            )
        ]

    def _unsaid(self, figure: FoundFigure) -> dict[str, float]:
        text = self.wanted.text(f"{figure.text}\n{figure.around}")
        own = self.wanted.text(figure.text)
        weighed = list(zip(self.wanted.terms, self._weights, strict=True))
        left = [weight for term, weight in weighed if not text.has(term)]
        rare = max(weighed, key=lambda each: each[1], default=("", 0.0))[0]
        return {
            "unsaid_weight": sum(left),
            "unsaid_most": max(left, default=0.0),
            "unsaid_count": len(left),
            "rarest": bool(rare) and own.has(rare),
        }

    def _alike(self, figure: FoundFigure) -> dict[str, float]:
        """How near the nearest word of a figure is to each word of the question, by word vectors:
        weighed, and the least of all."""
        if not self._weights:
            return {"alike": 1.0, "least_alike": 1.0}
        told = self._words(figure.text)
        text = self.wanted.text(figure.text)
        none = np.zeros(len(self._weights))
        nearest = (self._terms @ told.T).max(axis=1) if len(told) else none
        said = [1.0 if text.has(each) else 0.0 for each in self.wanted.terms]
        best = np.maximum(nearest, said)
        total = sum(self._weights) or 1.0
        return {
            "alike": float(best @ np.array(self._weights)) / total,
            "least_alike": float(best.min()),
        }

    def least_alike(self, terms: Sequence[str], text: str) -> float:
        """How near the nearest word of a text is to each of some words, by word vectors: the least;
        1 of no words, and of those that it says."""
        if not terms:
            return 1.0
        told = self._embedded(tuple(dict.fromkeys(search_words(text))))
        nearest = (
            (self._embedded(terms) @ told.T).max(axis=1) if len(told) else np.zeros(len(terms))
        )
        held = self.wanted.text(text)
        return float(np.maximum(nearest, [float(held.has(each)) for each in terms]).min())

    @cached_property
    def _asked(self) -> Vectors:
        return self._embedder.embed_questions([self.wanted.bare, self.wanted.question])

    @cached_property
    def _terms(self) -> Vectors:
        return self._embedded(self.wanted.terms)

    def _words(self, text: str) -> Vectors:
        return self._embedded(tuple(dict.fromkeys(search_words(text[:_LONGEST]))))

    def _embedded(self, words: Sequence[str]) -> Vectors:
        return self._table.embed(
            [{**Counter([each]), **Counter(characters(each))} for each in words]
        )

    def _document(self, document: DocumentFacts | None) -> dict[str, float]:
        """How much later than what is asked for a document was written, in years, and whether it is
        the form of filing that is named: 1, none named: 0, another: -1."""
        asked = max((each.last_on for each in self.wanted.times.asked), default=None)
        if document is None:
            return {"age": 0.0, "form": 0.0}
        age = (document.spoken_on - asked).days / _YEAR_DAYS if asked else 0.0
        named = [form for form, words in _FORMS.items() if words.search(self.wanted.question)]
        known = bool(named) and not self.wanted.publishers
        form = (1.0 if document.form in named else -1.0) if known else 0.0
        return {"age": min(max(age, -_MOST_YEARS), _MOST_YEARS), "form": form}
