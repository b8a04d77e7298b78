"""Other words for what is asked: 提升 for 增长, 境外 for 海外; and the direction that words give.

A group a row of `synonyms.csv`; other names of metrics are `grammar.fact_metrics`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.question.terms import has_term
from finrag_pipeline.words import fold, stem

Direction = Literal["up", "down", ""]

_PATH = Path(__file__).with_name("synonyms.csv")
_COLUMNS = ("group", "words")
#: What turns no direction though a word in it does: 降本增效, 亏损收窄 is up.
_TURNED = re.compile(r"亏损.{0,4}(?:收窄|减少|缩小)|(?:loss|losses) (?:narrow|decreas)\w*|减亏")
_BLURRED = re.compile(r"降本|降价|提价|增收不增利")


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    return {row["group"]: row.listed("words") for row in data_rows(_PATH, _COLUMNS)}


@cache
def others(term: str) -> tuple[str, ...]:
    """The words of the groups of a term, itself the first.

    >>> others("境外")[:3], others("毛利率")
    (('境外', '海外', '国外'), ('毛利率',))
    """
    found = [term]
    for group in _groups().values():
        if term in group or (term.isascii() and stem(term) in map(stem, group)):
            found += [each for each in group if each != term]
    return tuple(dict.fromkeys(found))


def holds(term: str, text_words: Collection[str]) -> bool:
    """Whether a text, given by its `search_words`, has a term or another word for it."""
    return any(has_term(each, text_words) for each in others(term))


def direction(text: str) -> Direction:
    """Whether a text says that something rose or fell; empty where it says neither, or both.

    >>> [direction(each) for each in ("毛利率下降", "亏损收窄", "毛利率", "Sales increased 5%")]
    ['down', 'up', '', 'up']
    """
    bare = fold(text)
    if _TURNED.search(bare):
        return "up"
    bare = _BLURRED.sub(" ", bare)
    rose, fell = _directions("up").search(bare), _directions("down").search(bare)
    if bool(rose) == bool(fell):
        return ""
    return "up" if rose else "down"


@cache
def _directions(name: str) -> re.Pattern[str]:
    english = "|".join(_groups()[f"{name}_en"])
    return re.compile("|".join([*_groups()[name], rf"(?<![a-z])(?:{english})"]))
