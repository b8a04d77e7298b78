"""An answer in a chat model's words: every sentence rests on quotes that evidence holds.

What it is shown is `passages`, what it is told `prompts`. Its analysis is kept with the reply and
never said: nothing checks it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from pydantic import BaseModel, Field

from finrag_pipeline.models.chat import ChatRequest, ChatSession, Purpose, Rejected
from finrag_pipeline.query.answers.chat.passages import Shown, shown_of
from finrag_pipeline.query.answers.chat.prompts import instruction
from finrag_pipeline.query.answers.map_reduce import plain
from finrag_pipeline.query.answers.writers import Draft, Json
from finrag_pipeline.query.answers.writing import in_one_line
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.context import item_text
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.places import numbers_grounded, squeeze
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.grounding.strangers import own_words
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import MIN_COVERED
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.query.question.terms import covered, terms
from finrag_pipeline.words import fold, is_chinese, search_words

_REPLY_TOKENS = 2_000
#: The same words four times on end are no sentence: small models go on until they are cut.
_REPEATS = re.compile(r"(\S{2,40}?)\s*(?:\1\s*){3,}")
_YES, _NO = frozenset(("yes", "是", "true")), frozenset(("no", "否", "不是", "false"))


class _Quote(BaseModel):
    page: int = Field(description="number of a page")
    quote: str = Field(description="words of that page, copied exactly")


class _Sentence(BaseModel):
    text: str = Field(description="one sentence of the answer, without numbers of pages")
    quotes: list[_Quote]


class _Reply(BaseModel):
    step_by_step_analysis: str
    reasoning_summary: str
    relevant_pages: list[int]
    final_answer: list[_Sentence]
    value: list[str]


def write(
    session: ChatSession, asked: Asked, found: SearchResult, offline: Draft | None
) -> Draft | None:
    """An answer of the evidence for a question; without citations where that does not answer.

    A sentence with a number or a name that its quotes do not have, or with little of what they
    say, is told in the words of its first quote.

    Args:
        found: evidence with the text of its pages, and what the graph says around the question:
            for orientation, never cited.
        offline: an answer without the model, whose evidence is shown first.

    Returns:
        None where there is no evidence to write from.

    Raises:
        ModelUnavailable, ModelReplyUnusable, BudgetExhausted: there is no answer.
        ConfigurationError: the model is configured wrongly, or refuses this request.
    """
    shown = shown_of(asked.question, found, offline)
    if not shown:
        return None
    kind = (offline.kind if offline else "") or asked.options.kind or wanted_kind(asked.question)
    chinese = is_chinese(asked.question)
    request = ChatRequest(
        instruction(kind, chinese), _message(asked.question, shown, found), _REPLY_TOKENS
    )

    def check(reply: _Reply) -> None:
        _check(reply, shown)

    reply = session.structured(Purpose("questions"), request, _Reply, check)
    cited = _Cited(asked.question, shown)
    lines = list(dict.fromkeys(filter(None, map(cited.line, reply.final_answer))))
    return Draft(
        ("" if chinese else " ").join(lines),
        tuple(cited.made.values()),
        tuple(cast(EvidenceItem, each.item) for each in shown),
        way=f"{session.name} answered from {len(shown)} passages",
        kind=kind,
        value=_value(kind, reply.value, list(cited.made.values())) if lines else None,
    )


def _message(question: str, shown: Sequence[Shown], found: SearchResult) -> str:
    told = "\n".join(f"- {plain(_context_text(item))}" for item in found.graph_context)
    context = f"<context>\n{told}\n</context>\n" if told else ""
    pages = "\n".join(f"[{n}] {plain(each.text)}" for n, each in enumerate(shown, 1))
    return f"{context}<pages>\n{pages}\n</pages>\n\n{plain(question)}"


def _context_text(item: Json) -> str:
    return item["description"] if item["kind"] == "report" else item_text(item)


def _check(reply: _Reply, shown: Sequence[Shown]) -> None:
    """Refuse pages that were not shown, words that they do not have, and what runs in circles."""
    quotes = [each for sentence in reply.final_answer for each in sentence.quotes]
    for page in (*reply.relevant_pages, *(each.page for each in quotes)):
        if not 1 <= page <= len(shown):
            raise Rejected(f"there is no page {page}: use 1 to {len(shown)}")
    for sentence in reply.final_answer:
        if not sentence.quotes:
            raise Rejected("a sentence has no quote: give one, or leave the sentence out")
        if _REPEATS.search(sentence.text):
            raise Rejected(f"it repeats itself: {sentence.text[:40]!r}")
    for each in quotes:
        if shown[each.page - 1].find(each.quote) is None:
            raise Rejected(f"page {each.page} does not hold the words {each.quote[:80]!r}")


class _Cited:
    """Sentences with their marks, and what those stand for."""

    def __init__(self, question: str, shown: Sequence[Shown]) -> None:
        self._question = question
        self._shown = shown
        self.made: dict[tuple[int, str], Citation] = {}

    def line(self, sentence: _Sentence) -> str:
        """A sentence with its marks; empty where nothing is said."""
        cited: list[Citation] = []
        for each in sentence.quotes:
            shown = self._shown[each.page - 1]
            found = shown.find(each.quote)
            assert found is not None  # what no page has was refused
            key = (each.page, squeeze(found[0]))
            if key not in self.made:
                self.made[key] = shown.item.cite(len(self.made) + 1, *found)
            cited.append(self.made[key])
        around = [self._shown[each.page - 1].item.identity for each in sentence.quotes]
        text = in_one_line(sentence.text)
        if not self._rests(text, [each.quote for each in cited], around):
            text = in_one_line(cited[0].quote)
        return text + "".join(f"[{each.n}]" for each in dict.fromkeys(cited)) if text else ""

    def _rests(self, text: str, quotes: Sequence[str], around: Sequence[str]) -> bool:
        """Whether a sentence has no number and no name of its own, and something of its quotes."""
        known, quoted = [*quotes, *around, self._question], "\n".join(quotes)
        if not numbers_grounded(text, known):
            return False
        if is_chinese(text) != is_chinese(quoted):
            return True  # words of two languages cannot be compared
        if own_words(text, "\n".join(known)):
            return False
        said = set(search_words(quoted))
        return covered(terms(text), said, set(search_words("\n".join(around)))) >= MIN_COVERED


def _value(kind: str, value: Sequence[str], cited: Sequence[Citation]) -> Json | None:
    """The value of an answer: yes or no, or names that stand in what it cites; else None."""
    given = [each.strip() for each in value if each.strip()]
    if kind == "boolean" and len(given) == 1 and fold(given[0]) in _YES | _NO:
        return {"boolean": fold(given[0]) in _YES}
    held = squeeze(fold("\n".join(each.quote for each in cited)))
    named = [each for each in given if squeeze(fold(each)) in held]
    if kind == "name" and len(named) == 1:
        return {"name": named[0]}
    return {"names": list(dict.fromkeys(named))} if kind == "names" and named else None
