"""A question with a term in the place of the words that say it otherwise: 应收账款 for
客户尚未付清的货款."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.models.embedding import Vectors
from finrag_pipeline.query.answers.passages.counting import asks_in_money, asks_share
from finrag_pipeline.query.answers.passages.figure_asked import asks_growth
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.restating.phrases import Phrase, phrases_in
from finrag_pipeline.query.restating.terms import Terms
from finrag_pipeline.words import is_chinese

#: What a phrase has to be likely to stand for, and how many terms are tried.
_LIKELY, _MOST = 0.5, 2
#: Terms that are counted of a hundred, and those that are in no money.
_OF_A_HUNDRED = re.compile(r"[率比占]|比例|比重|进度|资本成本|Alpha|表现|收益$")
_NO_MONEY = re.compile(
    r"率$|比例|占比|比重|[人户股份]数|数量|次数|天数|倍数|[人者员士]$|量$|年限|PEG|系数|EV/"
)


def restated(question: str, asked: Asked) -> Iterator[str]:
    """A Chinese question said by the terms that its phrases most likely stand for, the likeliest
    first; nothing where none is likely, or the embedder is another than the terms were learned in.

    Args:
        asked: the question as it is read, which may be without the title of a report.
    """
    if not is_chinese(asked.question):
        return
    bare = Wanted(asked).bare
    named = [(each.start, each.end) for each in fact_metrics_in(bare)]
    # what else is beside a metric that is named says which of it is meant
    phrases = [
        each
        for each in phrases_in(bare)
        if all(each.start < end and start < each.end for start, end in named)
    ]
    terms, embedder = Terms.packaged(), asked.matcher
    if not phrases or not terms.are_of(embedder.space):
        return
    likely = terms.likely(embedder.embed_questions([each.text for each in phrases]))
    told: set[str] = set()
    for place in np.argsort(-likely, axis=None):
        row, column = divmod(int(place), likely.shape[1])
        if likely[row, column] < _LIKELY or len(told) == _MOST:
            return
        name = terms.names[column]
        phrase = _whole(phrases, row, likely[:, column], likely.max(axis=1))
        if name in told or name in phrase.text or not _fits(asked.question, name):
            continue
        told.add(name)
        yield _said(question, asked.question, phrase, name)


def _fits(question: str, name: str) -> bool:
    """Whether a term is counted as a question asks for it."""
    if asks_in_money(question):
        return not _NO_MONEY.search(name)
    if asks_share(question) and not asks_growth(question):
        return bool(_OF_A_HUNDRED.search(name))
    return True


def _whole(phrases: list[Phrase], row: int, likely: Vectors, most: Vectors) -> Phrase:
    """The longest phrase around one that is likely to stand for the same term, and for no other
    more: of 为取得收入付出的直接成本 nothing may be left over to 直接成本."""
    own = phrases[row]
    around = [
        each
        for each, chance, best in zip(phrases, likely, most, strict=True)
        if each.start <= own.start and own.end <= each.end and chance >= max(_LIKELY, best)
    ]
    return max([own, *around], key=lambda each: len(each.text))


def _said(question: str, read: str, phrase: Phrase, name: str) -> str:
    """A question, read without some of it, with a name in the place of a phrase."""
    question = question.replace(read[phrase.start : phrase.end], name)
    if phrase.ahead:
        question = re.sub(f"{re.escape(read[slice(*phrase.ahead)])}[，,、]?", "", question)
    return question
