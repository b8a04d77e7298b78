"""How much a text has to do with a question: the share that it has of what the question is about.

Which texts answer it is for the writers and for the descent into reports.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from finrag_pipeline.query.question.signals import is_general
from finrag_pipeline.query.question.terms import covered, missing, needed_names, terms
from finrag_pipeline.words import search_words

# Share of the question's weight that a text must cover. `benchmarks/answer_threshold.py`, 274
# questions on 16 indexed reports and 400 on companies that are not, share answered: 0.30 94.5 and
# 2.8 %, 0.35 94.5 and 2.0 %, 0.40 93.4 and 1.8 %, 0.45 80.7 and 1.2 %.
MIN_COVERED = 0.35


def topic(question: str) -> list[str]:
    """The terms of a question but for those that only ask for the whole; may be empty.

    >>> topic("储能产业链有哪些关键公司？上下游关系是什么？"), topic("整体格局如何？")
    (['储能'], [])
    >>> topic("What does the whole value chain of lithium look like?")
    ['lithium', 'look', 'like']
    """
    return [term for term in terms(question) if not is_general(term)]


@dataclass(frozen=True)
class Relevance:
    """What a question is about, compared with texts."""

    question: str

    @cached_property
    def terms(self) -> list[str]:
        """Its terms but for those that ask for the whole; none: everything is relevant."""
        return topic(self.question)

    def covered(self, text: str, context: str = "") -> float:
        """The share, 0 to 1, of the question's terms that a text has; its context counts half."""
        if not self.terms:
            return 1.0
        return covered(self.terms, set(search_words(text)), set(search_words(context)))

    def lacking(self, texts: Iterable[str]) -> list[str]:
        """Names in the question, without which a text is about something else, that none has."""
        wanted = [name for name in needed_names(self.question) if not is_general(name)]
        return missing(wanted, texts)
