"""Documents that a question means by words of their titles: 那份智慧医院白皮书, the dental report.

Words that point at a document or ask about one, and are of no title, are rows of `titles.csv`;
titles that a question quotes whole are `store.documents.covers`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path, PurePath

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.terms import has_term, terms
from finrag_pipeline.words import search_words

_PATH = Path(__file__).with_name("titles.csv")
#: Share of the weight of a question's own words that a title has to hold.
_LEAST_HELD = 0.6
#: Weight of the words that it holds: one that texts seldom use (宠物 8.8), no 行业 (3.0) alone.
LEAST_WEIGHT = 7.0
#: Titles that hold as much as the best one, but for this share, are meant as well.
_AS_GOOD = 0.05


def speaks_of_document(question: str) -> bool:
    """Whether a question speaks of a report as such.

    >>> speaks_of_document("那份眼科白皮书谁写的"), speaks_of_document("眼科市场多大")
    (True, False)
    """
    return bool(_pattern("document").search(question))


def titled_like(
    question: str,
    documents: Iterable[DocumentFacts],
    said: Iterable[tuple[int, int]] = (),
    least: float = LEAST_WEIGHT,
) -> tuple[str, ...]:
    """The documents whose titles, or names of files, hold what a question says, the best alone.

    Args:
        said: places of what the question says of whom and when: no words of a title.
        least: weight of the words that a title has to hold.

    Returns:
        Ids in order; empty where a question says nothing that a title would.
    """
    wanted = own_words(question, said)
    weights = WordWeights.packaged()
    total = sum(map(weights.weight, wanted))
    if total < least:
        return ()
    held = {
        each.document_id: sum(weights.weight(word) for word in wanted if has_term(word, words))
        for each in documents
        if (words := _words(each.row.title or "", each.row.source or ""))
    }
    best = max(held.values(), default=0.0)
    if best < max(least, _LEAST_HELD * total):
        return ()
    return tuple(key for key, weight in sorted(held.items()) if weight >= best - _AS_GOOD * total)


def own_words(question: str, said: Iterable[tuple[int, int]] = ()) -> list[str]:
    """The words of a question that a title might have: none that only asks of a document.

    >>> own_words("白皮书讲了什么？"), own_words("白皮书里确诊多少例？")
    ([], ['确诊'])
    """
    rest = list(question)
    for start, end in said:
        rest[start:end] = " " * (end - start)
    return terms(_pattern("empty").sub(" ", "".join(rest)))


@lru_cache(maxsize=65_536)
def _words(title: str, source: str) -> frozenset[str]:
    return frozenset(search_words(f"{title}\n{PurePath(source).stem}"))


@cache
def _pattern(role: str) -> re.Pattern[str]:
    rows = data_rows(_PATH, ("role", "pattern", "meaning"))
    found = [row["pattern"] for row in rows if row["role"] == role]
    return re.compile("|".join(found), re.IGNORECASE)
