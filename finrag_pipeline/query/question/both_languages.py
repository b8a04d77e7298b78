"""An English question with Chinese words for what it says: reports on the same are Chinese, too."""

from __future__ import annotations

from itertools import pairwise

from finrag_pipeline.models.dictionary import translations
from finrag_pipeline.query.question.terms import terms
from finrag_pipeline.words import is_chinese

#: Chinese words for an English one that are searched for.
_MOST = 3


def in_both(question: str) -> str:
    """A question as it is searched by words: behind an English one stand Chinese words for it."""
    if is_chinese(question):
        return question
    asked = terms(question)
    pairs = [each for pair in pairwise(asked) for each in translations(*pair)[:_MOST]]
    words = [each for term in asked if term.isalpha() for each in translations(term)[:_MOST]]
    return " ".join([question, *dict.fromkeys([*pairs, *words])])
