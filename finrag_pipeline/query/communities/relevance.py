"""How much a report or a finding has to do with a question: its words, and its vector.

Which of them answer it is for `descent` and `offline`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from finrag_pipeline.query.communities.reports import Report
from finrag_pipeline.query.scope import topic, topic_names
from finrag_pipeline.query.terms import covered, missing
from finrag_pipeline.words import search_words

# The same share that a sentence must cover to be quoted, see `extractive.MIN_COVERED`; with the
# words that only ask for the whole left out of the question.
MIN_COVERED = 0.35


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

    def lacking(self, reports: list[Report]) -> list[str]:
        """Names in the question that none of some reports has."""
        return missing(topic_names(self.question), [each.whole_text for each in reports])
