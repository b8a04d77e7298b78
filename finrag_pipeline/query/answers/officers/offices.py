"""Offices by any of their names, as questions and documents write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import fold

_PATH = Path(__file__).with_name("offices.csv")
#: What parts the offices of one person: 董事、副总裁兼董事会秘书.
_PARTS = re.compile(r"[、，,;；/／\s]|兼任?|暨|及|和")
#: What stands around an office and is none of it.
_BESIDE = re.compile(
    r"^(?:现任|时任|担任|代|拟任|公司|本公司)+|[（(][^（）()]*[)）]|(?:先生|女士|男|女|代行|注\d?)+$"
)


@cache
def offices() -> Mapping[str, tuple[str, ...]]:
    """The names of each office, the longest first."""
    rows = data_rows(_PATH, ("office", "words", "meaning"))
    return {
        row["office"]: tuple(sorted(map(fold, row.listed("words")), key=len, reverse=True))
        for row in rows
    }


def offices_in(question: str) -> list[tuple[str, str]]:
    """The offices that a question names, in its order, each with how it calls it; the longest of
    several at a place.

    >>> [offices_in(each) for each in ("谁是副总经理", "新总裁和新董秘是谁", "营收多少")]
    [[('vice_president', '副总经理')], [('president', '总裁'), ('secretary', '董秘')], []]
    """
    text = fold(question)
    words = {word: office for office, every in offices().items() for word in every}
    found: dict[str, str] = {}
    for match in _pattern().finditer(text):
        found.setdefault(words[match[0].removesuffix("s") if match["s"] else match[0]], match[0])
    return list(found.items())


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted((word for every in offices().values() for word in every), key=len, reverse=True)
    chinese = "|".join(re.escape(word) for word in words if not word.isascii())
    english = "|".join(re.escape(word) for word in words if word.isascii())
    return re.compile(rf"{chinese}|(?<![a-z])(?:{english})(?P<s>s?)(?![a-z])")


def holds(text: str, office: str) -> bool:
    """Whether a text that gives somebody's offices names one.

    >>> told = "董事、副总裁兼董事会秘书"
    >>> [holds(told, each) for each in ("secretary", "vice_president", "president", "chairman")]
    [True, True, False, False]
    """
    own = offices()[office]
    parts = (_BESIDE.sub("", fold(each).strip()) for each in _PARTS.split(text))
    return any(each in own for each in parts)


def is_offices(text: str) -> bool:
    """Whether a text is nothing but offices.

    >>> is_offices("董事、总经理"), is_offices("负责公司的日常经营")
    (True, False)
    """
    parts = [each for each in _PARTS.split(text) if each.strip()]
    return 0 < len(text) <= _LONGEST and bool(parts) and all(_OFFICE.search(p) for p in parts)


#: Characters of somebody's offices in one cell, and how each of them ends.
_LONGEST = 60
_OFFICE = re.compile(
    r"(?:董事长?|主席|总经理|总裁|首席[\u3400-\u9fff]{1,6}[官家]|总监|负责人|会计师|工程师|秘书|书记|监事|代表|人员|委员|"
    r"经理|主任|部长|助理|顾问|c[efot]o)(?:[（(][^（）()]*[)）]|男|女)*$",
    re.IGNORECASE,
)
