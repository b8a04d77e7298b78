"""Ratings of houses, which each names its own way, in classes: words of `ratings.csv`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import fold

_PATH = Path(__file__).with_name("ratings.csv")
#: A mark of a house's own scale behind its word: 买入-A.
_MARK = re.compile(r"\s?[-－][abc]$")
#: What stands beside a rating when it is printed.
_CHANGED = (
    r"(?P<change>首次覆盖|首次|维持|重申|上调|下调|调高|调低|不变|无变动|"
    r"\b(?:initiat\w*|maintain\w*|reiterat\w*|upgrad\w*|downgrad\w*|unchanged)\b)"
)
_WAYS = {
    1: ("上调", "调高", "upgrad"),
    -1: ("下调", "调低", "downgrad"),
    0: ("维持", "重申", "不变", "无变动", "maintain", "reiterat", "unchanged"),
}
_PRICE_WAYS = {
    1: re.compile(r"上调|调高|上修|提升|提高|\b(?:rais|increas)\w*", re.IGNORECASE),
    -1: re.compile(r"下调|调低|下修|下降|\b(?:cut|lower|reduc)\w*", re.IGNORECASE),
    0: re.compile(r"维持|\b(?:maintain|reiterat)\w*", re.IGNORECASE),
}
#: What a question says where it means the better half of all scales.
_LIKED = re.compile(r"看好|看多|bullish|positive", re.IGNORECASE)


@cache
def _classes() -> Mapping[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for row in data_rows(_PATH, ("class", "rank", "words")):
        for word in row.listed("words"):
            if word in found:
                row.wrong(f"{word} stands twice")
            found[word] = (row["class"], int(row["rank"]))
    return found


def rating_class(rating: str | None) -> str:
    """The class of a printed rating: buy, recommend, outperform, neutral, sell, or none.

    >>> rating_class("买入-A"), rating_class("Equal-weight"), rating_class(None)
    ('buy', 'neutral', '')
    """
    return _of(rating)[0]


def raised(before: str | None, after: str | None) -> int:
    """1 where a rating is better than the one before, -1 where it is worse, else 0.

    Words of one class are one opinion; but who says 推荐 after 强烈推荐 says less.

    >>> raised("增持", "买入"), raised("买入", "中性"), raised("推荐", "推荐"), raised(None, "买入")
    (1, -1, 0, 0)
    >>> raised("强烈推荐", "推荐"), raised("Buy", "买入")
    (-1, 0)
    """
    (one, first), (other, second) = _of(before), _of(after)
    if not one or not other:
        return 0
    if first == second:
        return _strength(after or "") - _strength(before or "")
    return 1 if second < first else -1


def printed_change(row: str, rating: str) -> str:
    """What the row of a rating says beside it became of it; empty where it says nothing.

    >>> printed_change("增持（下调）", "增持"), printed_change("Buy (Maintained)", "Buy")
    ('下调', 'Maintained')
    >>> printed_change("全年指引上调至17%，维持“买入”评级，上调目标价", "买入")
    '维持'
    """
    word = re.escape(rating)
    beside = (rf"{_CHANGED}[^。；，,\n]{{0,8}}?{word}", rf"{word}[^。；，,\n]{{0,4}}?{_CHANGED}")
    for pattern in beside:
        if found := re.search(pattern, row, re.IGNORECASE):
            return found["change"]
    return ""


def changed_to(row: str, rating: str) -> int | None:
    """1 where the row of a rating says that it was raised, -1 lowered, 0 kept; None: neither.

    >>> changed_to("增持（下调）", "增持"), changed_to("买入(维持)", "买入")
    (-1, 0)
    """
    said = fold(printed_change(row, rating))
    return next((way for way, words in _WAYS.items() if said and said.startswith(words)), None)


def price_changed_to(sentence: str) -> int | None:
    """1 where a sentence says that a target price was raised, -1 cut, 0 kept; None: neither.

    >>> price_changed_to("上调目标价至63港元"), price_changed_to("We cut our price target to $5")
    (1, -1)
    """
    for way, words in _PRICE_WAYS.items():
        if words.search(sentence):
            return way
    return None


def classes_in(question: str) -> frozenset[str]:
    """The classes of the ratings that a question names.

    >>> sorted(classes_in("哪些券商给买入？")), sorted(classes_in("who rates it a hold"))
    (['buy'], ['neutral'])
    """
    folded = fold(question)
    found: set[str] = set()
    if _LIKED.search(folded):
        found |= {"buy", "outperform"}
    for match in _words().finditer(folded):
        found.add(_classes()[match[0]][0])
    if "recommend" in found:  # who asks what is recommended means what is to be bought
        found.add("buy")
    return frozenset(found)


@cache
def _words() -> re.Pattern[str]:
    """Longer words first: 强烈推荐 is no 推荐."""
    words = sorted(_classes(), key=len, reverse=True)
    # a word of Latin letters stands alone; 推荐 in 推荐的理由 is none of ratings alone
    forms = [rf"\b{re.escape(each)}\b" if each.isascii() else re.escape(each) for each in words]
    return re.compile("|".join(forms))


def _strength(rating: str) -> int:
    return int(fold(rating).startswith(("强", "strong")))


def _of(rating: str | None) -> tuple[str, int]:
    return _classes().get(_MARK.sub("", fold(rating or "").strip()), ("", 0))
