"""What a question asks for, term by term, and which of its terms a text lacks.

Whether that is enough for an answer is decided in `extractive`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.words import is_chinese, search_words, subject, words

_FIGURE_ASKED = re.compile(
    r"多少|多大|多高|几[家个名倍元人成位]|占比|比例|幅度|(?:率|额|量|数|价|值|收入|利润|成本|费用|营收)[是为有]?[？?]?$"
    r"|how (?:much|many|high|large)|what (?:percent|share|proportion)|what (?:is|was|were|are) .*"
    r"\b(?:revenues?|sales|income|profit|margin|ratio|rate|eps|price|costs?|expenses?|number|amount)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def terms(question: str) -> list[str]:
    """The words that say what a question is about, each once, in order.

    A Chinese word of one character says little alone: with its neighbour it is part of a name.

    >>> terms("凯莱英2024年的毛利率是多少？")
    ['凯莱', '莱英', '2024', '毛利率']
    """
    found: list[str] = []
    for piece in subject(question).split():
        parts = words(piece)
        for number, word in enumerate(parts):
            if len(word) > 1 or word.isascii():
                found.append(word)
            elif number > 0:
                found.append(parts[number - 1][-1] + word)
            elif len(parts) > 1:
                found.append(word + parts[1][0])
    return list(dict.fromkeys(found))


def has_term(term: str, text_words: Collection[str]) -> bool:
    """Whether a text, given by its `search_words`, has a term, however the text was cut."""
    if term in text_words:
        return True
    return (
        len(term) > 2
        and not term.isascii()
        and all(left + right in text_words for left, right in pairwise(term))
    )


def covered(
    asked: Sequence[str], text_words: Collection[str], context_words: Collection[str] = ()
) -> float:
    """The share, 0 to 1, of the weight of terms that a text has; its context counts half."""
    weights = WordWeights.packaged()
    total = found = 0.0
    for term in asked:
        weight = weights.weight(term)
        total += weight
        if has_term(term, text_words):
            found += weight
        elif has_term(term, context_words):
            found += weight * CONTEXT_SHARE
    return found / total if total else 0.0


#: A heading over a sentence says what it is about, but not that it says it.
CONTEXT_SHARE = 0.5


def names(question: str) -> list[str]:
    """The terms of a question without which a text is about something else.

    They are terms that finance texts hardly use: companies, people, products, codes.
    """
    weights = WordWeights.packaged()
    return [
        term
        for term in terms(question)
        if weights.weight(term) >= NAME_WEIGHT and not _YEAR.fullmatch(term)
    ]


NAME_WEIGHT = 9.0


def missing(wanted: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The terms that none of some texts has."""
    present: set[str] = set()
    for text in texts:
        present.update(search_words(text))
    return [term for term in wanted if not has_term(term, present)]


def asks_figure(question: str) -> bool:
    """Whether the answer to a question is a number."""
    return bool(_FIGURE_ASKED.search(question.strip()))


def insufficient(question: str, lacking: Sequence[str]) -> str:
    """The sentence that says, in the question's language, that there is no answer."""
    if is_chinese(question):
        if lacking:
            return f"资料不足：已入库的资料中没有提到“{'、'.join(lacking)}”。"
        return "资料不足：已入库的资料中没有找到足以回答该问题的内容。"
    if lacking:
        return f"Insufficient evidence: the indexed documents do not mention {', '.join(lacking)}."
    return "Insufficient evidence: nothing in the indexed documents answers this question."
