"""Effects followed from passage to passage: what one says follows, the next search starts from.

Each link is a sentence of a document. That one link leads to the next is the reader's to judge:
nothing here says so that no document does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from finrag_pipeline.query.answers.plans.effects import Effect, effect_in
from finrag_pipeline.query.answers.plans.walks import MOST_STEPS, Link, nearby
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.answers.writers import Search
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import topic
from finrag_pipeline.query.question.terms import covered, has_term, missing, terms
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import search_words

#: Passages that each search looks through, and sentences that it adds.
_PASSAGES = 12
_MOST_SAID = 3
#: Effects, and related companies, that are followed.
_MOST_OF_A_KIND = 2
#: Share of the weight of what is followed that a sentence has to name, its headings counted half.
_NAMED = 0.6
#: The same of the target: a heading or title that names it will do.
_ON_TARGET = 0.5
#: Words that two sentences share where they say the same.
_ALIKE = 0.7
#: Characters of an effect that the next step looks for, and words that it has at least.
_LONGEST, _LEAST_WORDS = 40, 2


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that states an effect.

    Attributes:
        effect: what it says follows.
        direct: whether it is of both the cause and the target of the question.
        by: the relation by which its step came to whom it speaks of; None: by an effect.
    """

    stated: Quote
    effect: str
    direct: bool = False
    by: Link | None = None


@dataclass(slots=True)
class Chain:
    """What a plan found.

    Attributes:
        first: sentences on the cause itself; `later` those that the following steps led to.
        trail: what each step looked for, and how much it found.
    """

    first: list[Said] = field(default_factory=list[Said])
    later: list[Said] = field(default_factory=list[Said])
    trail: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])


@dataclass(frozen=True, slots=True)
class _Step:
    """What is looked for next: words for the search, what a sentence has to name, and why.

    `effect` says that what is followed was the effect of another sentence.
    """

    words: str
    follows: str
    named: str = ""
    by: Link | None = None
    effect: bool = False


def follow(reader: Reader, search: Search, asked: Asked, wanted: Effect) -> Chain:
    """At most five steps: the cause and its target, who deals with whom of them, what follows.

    Raises:
        FinragError: every lane failed.
    """
    chain = Chain()
    finder = _Finder(search, asked, wanted)
    # where nobody is asked of, only the cause tells what belongs to the question
    named = wanted.subject if topic(wanted.target) else wanted.cause
    chain.first = finder.look(_Step(f"{wanted.cause} {wanted.target}".strip(), named))
    chain.trail.append((wanted.cause, len(chain.first)))
    if not chain.first:
        return chain
    near = nearby(reader, asked)[:_MOST_OF_A_KIND]
    if near:
        chain.trail.append(("relations", len(near)))
    follows = [each for said in chain.first if (each := _followed(said.effect))]
    steps = [
        _Step(f"{each} {wanted.target}".strip(), each, effect=True)
        for each in follows[:_MOST_OF_A_KIND]
    ]
    steps += [_Step(f"{each.to} {wanted.subject}", wanted.subject, each.to, each) for each in near]
    for step in steps[: MOST_STEPS - len(chain.trail)]:
        said = finder.look(step)
        chain.trail.append((step.words, len(said)))
        chain.later += said
    return chain


def _followed(effect: str) -> str:
    """What a search can look for of an effect; empty where it says too little."""
    words = [each for each in terms(effect) if not each[0].isdigit()]
    return effect[:_LONGEST].strip() if len(words) >= _LEAST_WORDS else ""


class _Finder:
    """Looks for sentences that state an effect; each is found once."""

    def __init__(self, search: Search, asked: Asked, wanted: Effect) -> None:
        self._search = search
        self._asked = asked
        self._target = topic(wanted.target)
        self._subject = terms(wanted.subject)
        self._told: list[set[str]] = []

    def look(self, step: _Step) -> list[Said]:
        """The sentences of one step, those first that name most of what is followed."""
        _, found = self._search(self._asked, step.words, most=_PASSAGES)
        follows = terms(step.follows)
        scored = [each for result in found.results for each in self._said(result, step, follows)]
        scored.sort(key=lambda each: -each[0])
        return list(self._new([said for _, said in scored]))[:_MOST_SAID]

    def _said(
        self, result: Result, step: _Step, follows: Sequence[str]
    ) -> Iterator[tuple[float, Said]]:
        item = result.item
        if not isinstance(item, ChunkItem):
            return  # rows of tables state no effects
        around = set(search_words(item.identity))
        settled = set(search_words("\n".join(item.subjects)))
        for each in item.quotes(step.words):
            effect = effect_in(each.quote)
            if (
                not effect
                or not terms(effect)
                or missing(terms(step.named), [each.quote, item.identity])
            ):
                continue
            words = set(search_words(each.quote))
            # where an effect is followed, it has to be what the next sentence starts from
            causes = step.effect and set(search_words(each.quote.replace(effect, " ")))
            share = covered(follows, causes) if causes else covered(follows, words, around)
            # what a heading names alone, a sentence need not be about
            if share < _NAMED or not covered(follows, words):
                continue
            on_target = self._on_target(words, around, settled)
            direct = on_target >= _ON_TARGET and covered(self._subject, words, around) >= _NAMED
            stated = Quote(item, each.quote, each.places)
            yield share + on_target, Said(stated, effect, direct, step.by)

    def _on_target(self, words: set[str], around: set[str], settled: set[str]) -> float:
        """How far a sentence is of the target; who speaks of whom its document settles."""
        left = [term for term in self._target if not has_term(term, settled)]
        return covered(left, words, around) if left else 1.0

    def _new(self, found: Sequence[Said]) -> Iterator[Said]:
        """Sentences without those that were told, or that share their words."""
        for each in found:
            words = set(search_words(squeeze(each.stated.text)))
            if all(len(words & old) < _ALIKE * min(len(words), len(old)) for old in self._told):
                self._told.append(words)
                yield each
