"""Other words for what is asked: 提升 for 增长, overseas for 海外; and the direction of words.

A group a row of `synonyms.csv`; other names of metrics are `grammar.fact_metrics`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.models.dictionary import is_pinyin, sounds_in, translations
from finrag_pipeline.words import fold, search_words, stem, words

Direction = Literal["up", "down", ""]

_PATH = Path(__file__).with_name("synonyms.csv")
_COLUMNS = ("group", "words")
#: Characters of a word that a dictionary may lack.
_LEAST_GROUPED = 3
#: Characters of a name that may stand at the beginning of a longer word.
_LEAST_JOINED = 5
_DIGITS = dict(zip("一二两三四五六七八九", "1223456789", strict=True))
#: Phases of a trial: III期.
_PHASES = dict(zip("一二三四", ("i", "ii", "iii", "iv"), strict=True))
#: What turns no direction though a word in it does: 降本增效, 亏损收窄 is up.
_TURNED = re.compile(r"亏损.{0,4}(?:收窄|减少|缩小)|(?:loss|losses) (?:narrow|decreas)\w*|减亏")
_BLURRED = re.compile(r"降本|降价|提价|增收不增利")


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    return {row["group"]: row.listed("words") for row in data_rows(_PATH, _COLUMNS)}


@lru_cache(maxsize=4096)  # terms are as many as questions
def others(term: str) -> tuple[str, ...]:
    """The words of the groups of a term, itself the first.

    >>> others("境外")[:3], others("毛利率"), others("tariff")
    (('境外', '海外', '国外'), ('毛利率',), ('tariff', '关税', '贸易壁垒'))
    """
    found = [term]
    for group in _groups().values():
        known = [stem(each.lower()) if each.isascii() else each for each in group]
        if term in known:
            found += known
    return tuple(dict.fromkeys(found))


def respelled(name: str) -> tuple[str, ...]:
    """A name, and what it is with another word of a group for one of its own.

    >>> respelled("海外资产")[:3]
    ('海外资产', '境外资产', '国外资产')
    """
    ways = (name.replace(word, other) for word in words(name) for other in others(word))
    return tuple(dict.fromkeys((name, *ways)))


def in_chinese(term: str) -> tuple[str, ...]:
    """Chinese words for an English term: those of its groups, those of the dictionary.

    >>> in_chinese("peru"), in_chinese("tariff")[:2], in_chinese("2024")
    (('秘鲁',), ('关税', '贸易壁垒'), ())
    """
    found = [each for each in others(term) if not each.isascii()]
    found += translations(term) if term.isascii() and term.isalpha() else ()
    return tuple(dict.fromkeys(found))


def grouped_in(text: str) -> list[str]:
    """Chinese words of groups that a text has, the longest first: 实控人 is in no dictionary.

    >>> grouped_in("有没有实控人")
    ['实控人']
    """
    written = (each for group in _groups().values() for each in group)
    grouped = {each for each in written if len(each) >= _LEAST_GROUPED}
    found: list[str] = []
    for word in sorted(grouped, key=lambda word: (-len(word), word)):
        if not word.isascii() and word in text:
            found.append(word)
            text = text.replace(word, " ")
    return found


class Text:
    """A text as terms are looked for in it: Chinese ones as they stand, English ones by their
    stems, numbers written in either way.

    >>> text = Text("完成2 个1 类新药的申报，revenues increased")
    >>> [text.has(each) for each in ("一类", "申报", "revenu", "境外")]
    [True, True, True, False]
    >>> Text("临床III 期项目").has("三期")
    True

    Attributes:
        across: whether it is Chinese and the question is not: the dictionary is asked then.
    """

    def __init__(self, text: str, *, across: bool = False) -> None:
        self.across = across
        self._bare = "".join(fold(text).split())
        self._words = set(search_words(text))

    def has(self, term: str) -> bool:
        """Whether it has a term or another word for it."""
        ways = (term, *in_chinese(term)) if self.across else others(term)
        return any(self._has(each) for each in ways)

    def has_name(self, name: str) -> bool:
        """The same of a name, which marks may be joined to: OpenDEL in OpenDELTM."""
        return self.has(name) or (len(name) >= _LEAST_JOINED and name in self._bare)

    def _has(self, term: str) -> bool:
        if term.isascii():
            return term in self._words
        return term in self._bare or any(
            f"{digits[term[0]]}{term[1:]}" in self._bare
            for digits in ((_DIGITS, _PHASES) if term[1:2] == "期" else (_DIGITS,))
            if term[0] in digits
        )

    def sounds(self, term: str) -> bool:
        """Whether it has a name that an English question writes as it sounds: 江中, Jiangzhong."""
        long = len(term) > _LEAST_JOINED and term.isalpha()
        return long and is_pinyin(term) and sounds_in(term, self._bare)


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
    group = _groups()[name]
    # of one character it is a part of any word
    chinese = [each for each in group if not each.isascii() and len(each) > 1]
    english = "|".join(stem(each) if len(each) > 4 else each for each in group if each.isascii())
    return re.compile("|".join([*chinese, rf"(?<![a-z])(?:{english})"]))
