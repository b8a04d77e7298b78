"""How long a list is wanted and in which order: the first three, the five largest, how many.

Words are data: `ranking.csv`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.numerals import chinese_number

_PATH = Path(__file__).with_name("ranking.csv")
_NUMERAL = r"(?P<{}>\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})"
_UNIT = r"(?:大|名|家|位|个|项|款|只|强|种|类)?"
#: 前三大, TOP 5, 最高的三位: the number that stands beside what ranks.
_FIRST = re.compile(
    rf"前\s*{_NUMERAL.format('first')}{_UNIT}|\btop\s*{_NUMERAL.format('top')}\b|"
    rf"(?:最[高大多强低小少]|靠前|居前|领先)的?{_NUMERAL.format('most')}(?:大|名|家|位|个|项|款|只|种|类)|"
    r"\b(?P<english>two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+"
    r"(?:largest|biggest|highest|smallest|lowest|leading|main)\b",
    re.IGNORECASE,
)
#: 三大股东, 十大客户: as many as are usual, in their order.
_GREAT = re.compile(r"(?<![前几])(?P<great>[三五十]|10|5|3)大(?=[一-鿿])")
#: 第一大股东 is the first of them.
_ONE = re.compile(
    r"(?:第[一1]|最)大的?(?:单一)?(?=股东)|持股最多的?(?=股东)|\blargest (?=shareholder\b)"
)
#: What joins the amounts to the items that they are of.
_JOINED = re.compile(
    r"[，,；;]|(?<=[\u4e00-\u9fff])(?:以及|及其?|和|与)(?=[\u4e00-\u9fff])|\band\b"
)
_ENGLISH = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Ranking:
    """What is asked of a list beside its items.

    Attributes:
        most: how many are wanted; None: all.
        falling: whether the greatest go first; None: in the order of the document.
        amounts: whether what stands beside the items is wanted too.
        each: whether every item has to have them.
    """

    most: int | None = None
    falling: bool | None = None
    amounts: bool = False
    each: bool = False


def read_ranking(question: str) -> Ranking:
    """What a question says of length and order.

    >>> read_ranking("前三大股东及持股比例")
    Ranking(most=3, falling=True, amounts=True, each=False)
    >>> read_ranking("哪些公司上调了指引？")
    Ranking(most=None, falling=None, amounts=False, each=False)
    >>> read_ranking("The five largest customers").most, read_ranking("第一大股东是谁").most
    (5, 1)
    """
    first = _FIRST.search(question)
    found = first or _GREAT.search(question)
    written = next(filter(None, found.groupdict().values()), "") if found else ""
    falling = True if first else None
    if _says("most").search(question):
        falling = True
    if _says("least").search(question):
        falling = False
    if _ONE.search(question):
        return Ranking(1, True, bool(_says("amounts").search(question)), each=False)
    return Ranking(
        _number(written) if written else None,
        falling,
        bool(_says("amounts").search(question)),
        bool(_says("each").search(question)),
    )


def without_ranking(text: str) -> str:
    """A text without the words that rank: they say nothing of the items."""
    for pattern in (_ONE, _FIRST, _GREAT, _says("most"), _says("least")):
        text = pattern.sub(" ", text)
    return text


def without_amounts(text: str, *, clauses: bool = True) -> str:
    """A text without a last part that asks for amounts alone.

    Args:
        clauses: whether that may be a clause of its own.

    >>> without_amounts("在研项目有哪些，各投了多少"), without_amounts("主要股东及持股比例")
    ('在研项目有哪些', '主要股东')
    """
    for join in reversed(list(_JOINED.finditer(text))):
        if join[0] in "，,；;" and not clauses:
            return text
        if _says("amounts").search(text, join.end()):
            return text[: join.start()]
    return text


def _number(written: str) -> int | None:
    if written.isdigit():
        return int(written)
    if written.casefold() in _ENGLISH:
        return _ENGLISH.index(written.casefold()) + 2
    number = chinese_number(written)
    return int(number) if number is not None else None


@cache
def _says(what: str) -> re.Pattern[str]:
    """The words of a row of `ranking.csv`, English ones whole."""
    words = next(
        row.listed("words") for row in data_rows(_PATH, ("says", "words")) if row["says"] == what
    )
    return re.compile("|".join(rf"\b{w}\b" if w[0].isascii() else w for w in words), re.IGNORECASE)
