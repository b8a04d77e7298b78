"""What a question asks of a part: its words, the metric, whether it rose; several side by side.

Which cells answer is `cells`'; words that name no part are `plain_words.csv`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.periods import months_before
from finrag_pipeline.query.answers.comparisons.sides import read_comparison
from finrag_pipeline.query.answers.passages.saying import without_asking
from finrag_pipeline.query.answers.passages.synonyms import Direction
from finrag_pipeline.query.answers.passages.times import Times
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import FUNCTION_WORDS, fold, search_words

_WORD = re.compile(r"[A-Za-z][\w&'’.-]*|\d[\w-]*[A-Za-z][\w-]*|(?<![\d.,])\d{3}(?![\d.,])")
#: Several of what is called by a number: 737s.
_PLURAL = re.compile(r"(?<=\d)s$")
_NAME = r"[A-Z][\w&.'’-]*(?:\s+(?:&\s+|(?:and|of)\s+(?=[A-Z]))?[A-Z][\w&.'’-]*)*"
#: Two parts by their names: Greater China or North America, U.S. or international sales.
_SIDES = re.compile(
    rf"(?P<one>{_NAME})\s+(?:or|vs\.?|versus|compared (?:to|with))\s+(?:the )?"
    rf"(?P<other>{_NAME}|[a-z][\w-]+(?=\s|[?,.]|$))"
)
#: What is left of the company before its part.
_NO_NAME = re.compile(r"^[^\w(]*(?:['’]?s\b)?\W*")
#: What only opens a question.
_OPENING = re.compile(r"^(?:Did|Does|Do|Is|Are|Was|Were|Has|Have|Which|What|Compare)\s+")
#: What is longer is of several years.
_YEARS = timedelta(days=400)
_MOVED = re.compile(
    r"\b(?:grow(?:th|n)?|grew|chang\w+|year earlier|(?:in|de)creas\w+|r[io]se|f[ae]ll)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(r"%|\b(?:percent(?:age)?|margin|rate|ratio|share)\b", re.I)


@dataclass(frozen=True, slots=True)
class AskedParts:
    """What is asked of one part or several.

    Attributes:
        parts: the words of each, stemmed; all that the tables have to say of it.
        names: how the question writes each.
        metrics: names of the vocabulary that are asked for.
        times: when.
        share: whether a share or a growth is asked for.
        direction: whether it rose or fell, where that is asked.
        moved: whether it is asked how far it moved.
        whether: whether yes or no is asked for.
    """

    parts: tuple[frozenset[str], ...]
    names: tuple[str, ...]
    metrics: frozenset[str]
    times: Times
    share: bool
    direction: Direction
    moved: bool
    whether: bool


def read_parts(asked: Asked) -> AskedParts | None:
    """What a question asks of parts of one company; None where it names no part of any."""
    wanted = Wanted(asked)
    if len(asked.scope.reading.companies) != 1 or not wanted.companies:
        return None
    comparison = read_comparison(asked)
    names: tuple[str, ...] = ()
    topic = wanted.rest
    if sides := _SIDES.search(topic):
        names = (_OPENING.sub("", sides["one"]), sides["other"])
        topic = f"{topic[: sides.start()]} {topic[sides.end() :]}"
    elif comparison is not None and comparison.sides[0].kind == "part":
        named = tuple(each.name for each in comparison.sides)
        if all(words_of(wanted.without_metrics(each)) for each in named):
            names, topic = named, comparison.topic
    shared = words_of(wanted.without_metrics(topic))
    names = tuple(_NO_NAME.sub("", wanted.without_metrics(each)).strip() for each in names)
    parts = tuple(words_of(wanted.without_metrics(each)) | shared for each in names) or (shared,)
    if not all(parts):
        return None
    return AskedParts(
        parts,
        names or ("",),
        wanted.metrics,
        _times(asked, wanted),
        bool(_SHARE.search(asked.question)),
        wanted.direction,
        bool(_MOVED.search(asked.question)),
        wanted.whether,
    )


def _times(asked: Asked, wanted: Wanted) -> Times:
    """The last of the times that a question names, of a span of years the last year."""
    named = [each for each in asked.scope.reading.periods if each.text]
    last = max(named, key=lambda each: (each.last_on, each.first_on), default=None)
    if last is None:
        return wanted.times
    if last.last_on - last.first_on > _YEARS:
        last = replace(last, first_on=months_before(last.last_on, 12))
    ends = map(asked.scope.year_end, sorted(wanted.companies))
    return Times([last], next(filter(None, ends), None))


def words_of(text: str) -> frozenset[str]:
    """The words of a text that tell which part is meant, stemmed.

    >>> sorted(words_of("How much did the Cloud Works segment grow?"))
    ['cloud', 'work']
    """
    told = (_PLURAL.sub("", each[0]) for each in _WORD.finditer(without_asking(text)))
    kept = (
        each for each in told if not _is_plain(fold(each).removesuffix("'s").removesuffix("’s"))
    )
    return frozenset(word for each in kept for word in search_words(each) if len(word) > 1)


def _is_plain(word: str) -> bool:
    return word in FUNCTION_WORDS or word in _plain_words()


@cache
def _plain_words() -> frozenset[str]:
    path = Path(__file__).with_name("plain_words.csv")
    rows = data_rows(path, ("language", "words", "meaning"))
    return frozenset(word for row in rows for word in row.listed("words"))
