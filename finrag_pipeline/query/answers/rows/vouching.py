"""Rows that name whom a question asks about, in tables of documents on others: a peer of a broker's
note, a subsidiary, who sells its shares.

Documents on one company are not asked of others; a row that names one is. What is told of it stands
with its name (`attribution`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.terms import called_in, is_known
from finrag_pipeline.query.question.unknown_names import names_in
from finrag_pipeline.stages.identity.names import opens_business
from finrag_pipeline.words import FUNCTION_WORDS, fold, segmenter

#: What parts the words of a label.
_PARTED = re.compile(r"[\s|*()（）、,，/]+")
#: Characters of the shortest name of a label, letters of one in Latin script.
_LEAST, _LEAST_LATIN = 3, 4
_LATIN = re.compile(r"[a-z][a-z.&-]+")


def called(wanted: Wanted, catalogue: Catalogue) -> frozenset[str]:
    """Whom a question names that no document is about, folded; empty where it names one that
    documents are about."""
    if wanted.companies or wanted.strangers:
        return frozenset()
    question = wanted.question
    found = {*wanted.firms, *called_in(question), *wanted.proper_names}
    found.update(name for name, _ in names_in(question, catalogue))
    firms = frozenset(map(fold, wanted.firms))
    return frozenset(each for each in map(fold, found) if each in firms or _is_called(each))


def _is_called(name: str) -> bool:
    """Whether a word may be a name: no metric, and none that the language has."""
    if any(fact_metrics_in(name)):
        return False
    return len(name) >= _LEAST if name.isascii() else len(name) > 1 and not is_known(name)


def vouches(words: str, names: Iterable[str], heads: Iterable[str]) -> bool:
    """Whether one of the texts that stand over a cell or before it has one of the names of a
    question, or a name which the question has.

    Args:
        words: of the question, folded.
        heads: folded.

    >>> vouches("普洛药业 归母净利润预测", (), ["000739.sz 普洛药业"])
    True
    >>> vouches("派赛26年是多少倍", (), ["派赛医疗 301965.sz"])
    True
    >>> vouches("研发人员有多少", (), ["研发人员"]), vouches("稼动率", {"华虹"}, ["华虹半导体*"])
    (False, True)
    """
    told = list(heads)
    if any(name in each for name in names for each in told):
        return True
    parts = (part for each in told for part in _PARTED.split(each))
    return any(
        (part in words or _opening(part) in words) and _is_name(part) for part in parts if part
    )


def _opening(part: str) -> str:
    """The two characters by which a name with words of business behind them is called: 派赛 of
    派赛医疗; itself of any other."""
    short, rest = part[:2], part[2:]
    named = len(part) > _LEAST and not part.isascii() and opens_business(rest)
    return short if named and not is_known(short) else part


def _is_name(text: str) -> bool:
    """Whether a word of a label may be a name: the language has not all of its parts."""
    if _LATIN.fullmatch(text):
        return len(text) >= _LEAST_LATIN
    pieces = list(segmenter().cut(text, False))
    single = (len(each) == 1 and each not in FUNCTION_WORDS for each in pieces)
    return len(text) >= _LEAST and not text.isascii() and any(single)
