"""Words that say the opposite of what is asked: what is told of 境外 answers nothing of 境内.

A pair a row of `opposites.csv`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import fold

_PATH = Path(__file__).with_name("opposites.csv")


def is_opposed(question: str, text: str) -> bool:
    """Whether a text says the opposite of a word of a question, and not the word itself.

    >>> is_opposed("境内客户的收入", "境外客户收入2.46亿元"), is_opposed("收入", "境外客户收入")
    (True, False)
    >>> is_opposed("非流动负债", "流动负债"), is_opposed("流动负债", "非流动负债合计")
    (True, True)
    """
    asked, told = fold(question), fold(text)
    return any(
        _says(asked, one, other)
        and not _says(asked, other, one)
        and _says(told, other, one)
        and not _says(told, one, other)
        for one, other in _pairs()
    )


def _says(text: str, words: tuple[str, ...], opposite: tuple[str, ...]) -> bool:
    """Whether a text has one of some words that is no part of one for the opposite."""
    for word in opposite:
        if any(each in word for each in words):
            text = text.replace(word, " ")
    return any(each in text for each in words)


@cache
def _pairs() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    rows = list(data_rows(_PATH, ("one", "other", "meaning")))
    found = [(row.listed("one"), row.listed("other")) for row in rows]
    return tuple(pair for one, other in found for pair in ((one, other), (other, one)))
