"""Causes as sentences give them: the words that join an effect to its cause, and where both stand.

The words are rows of `causes.csv`; whether the effect is what is asked about is `reasons`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.question.signals import asks_reason

_PATH = Path(__file__).with_name("causes.csv")
_COLUMNS = ("side", "language", "strength", "pattern", "meaning")
_SIDES = (
    "after",
    "before",
    "column",
    "heading",
    "opens",
    "ends",
    "refers",
    "first",
    "point",
    "listed",
)
_COMMA = re.compile(r"[，,]\s*")
#: A cause has so many characters at least, an effect that stands before its cue as well.
_LEAST = 4
#: What follows a cue that is surer is its cause alone.
_SURE = 0.4
_CLAUSE = re.compile(r"[，,；;。]")
_LEAD = re.compile(r"^[\s\d（(）).、,，:：•·◆➢■●\-–—]+")


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause in a sentence: the words that give it, and those that say of what.

    Attributes:
        effect: what it is the cause of; empty where the sentence opens with the cause and says
            no more.
        cause: the cause; empty where it follows the sentence.
        strength: how surely the cue joins a cause and its effect.
        back: whether the cause stands before the sentence, which opens with 因此 or the like.
    """

    effect: str
    cause: str
    strength: float
    back: bool = False


def asks_cause(question: str) -> bool:
    """Whether a question asks why.

    >>> [asks_cause(each) for each in ("毛利率为何下降？", "怎么看毛利率？", "What drove sales?")]
    [True, False, True]
    """
    return asks_reason(question)


def gives_causes(heading: str) -> bool:
    """Whether a column of a table gives causes.

    >>> gives_causes("变动原因"), gives_causes("变动比例（%）")
    (True, False)
    """
    return bool(_pattern("column").search(heading))


def gives_cause(cell: str) -> bool:
    """Whether a cell gives a cause by its own words, as under a heading that another page has.

    >>> gives_cause("主要系本期销售回款增加。"), gives_cause("1,234.5")
    (True, False)
    """
    return opens_cause(cell) or ends_cause(cell)


def opens_cause(cell: str) -> bool:
    """Whether a cell opens as one that gives a cause."""
    return bool(_pattern("opens").search(cell.strip()))


def ends_cause(cell: str) -> bool:
    """Whether a cell ends as one that gives a cause."""
    return bool(_pattern("ends").search(cell.strip()))


def moves_listed(text: str) -> bool:
    """Whether a text says of several that they moved: 收入利润双增."""
    return bool(_pattern("listed").search(text))


def causes_in(sentence: str) -> Iterator[Cause]:
    """Each cause that a sentence gives, in order.

    >>> [(each.effect, each.cause) for each in causes_in("毛利率同比下降，主要系原材料涨价。")]
    [('毛利率同比下降', '原材料涨价')]
    >>> [(each.effect, each.cause) for each in causes_in("受需求疲弱影响，订单减少。")][:1]
    [('订单减少', '需求疲弱影响')]
    >>> told = "另一家则因新院亏损净利润大降66%，净利率仅1%"
    >>> [each.effect for each in causes_in(told)][-1]
    '另一家则新院亏损净利润大降66%'
    >>> [each.cause for each in causes_in("Sales fell 5%, due to lower volumes.")]
    ['lower volumes']
    """
    text = sentence.strip().rstrip("。；;.")
    for match, side, strength in _cues(text):
        before, after = text[: match.start()], text[match.end() :]
        if side == "before":
            if _says(after) and (_says(before) or not before.strip()):
                yield Cause(_bare(after), _bare(before), strength, back=not before.strip())
            continue
        cause, comma, effect = _parted(after)
        if _says(before):
            yield Cause(_bare(before), _bare(after), strength)
        if not _says(before) or (strength < _SURE and comma):
            # 由于A，B: the effect follows the cause, and of what it is may stand before
            of_what = _CLAUSE.split(before)[-1] if _says(before) and effect else ""
            yield Cause(_bare(f"{of_what}{effect}"), _bare(cause), strength)
        if _says(before) and strength < _SURE:
            # 公司因A利润下降: both in one clause
            yield Cause(_bare(f"{_CLAUSE.split(before)[-1]}{cause}"), _bare(cause), strength)


def _cues(text: str) -> Iterator[tuple[re.Match[str], str, float]]:
    """Words that join cause and effect, none inside another, the surest first at each place."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[re.Match[str], str, float]] = []
    for pattern, side, strength in _joining():
        for match in pattern.finditer(text):
            if all(match.end() <= start or end <= match.start() for start, end in taken):
                taken.append(match.span())
                found.append((match, side, strength))
    yield from sorted(found, key=lambda each: each[0].start())


def _says(text: str) -> bool:
    return len(_bare(text)) >= _LEAST


def _bare(text: str) -> str:
    return _LEAD.sub("", text).strip(" ，,、；;：:（(")


def _parted(text: str) -> tuple[str, str, str]:
    comma = _COMMA.search(text)
    if comma is None:
        return text, "", ""
    return text[: comma.start()], comma[0], text[comma.end() :]


@cache
def _joining() -> tuple[tuple[re.Pattern[str], str, float], ...]:
    return tuple(
        (re.compile(row["pattern"], re.IGNORECASE), row["side"], float(row["strength"]))
        for row in data_rows(_PATH, _COLUMNS)
        if row.choice("side", _SIDES) in ("after", "before")
    )


@cache
def _pattern(side: str) -> re.Pattern[str]:
    rows = [row["pattern"] for row in data_rows(_PATH, _COLUMNS) if row["side"] == side]
    return re.compile("|".join(rows), re.IGNORECASE)


def _for_database(*sides: str) -> str:
    """Patterns as the database reads them: without what only Python has."""
    rows = [row["pattern"] for row in data_rows(_PATH, _COLUMNS) if row["side"] in sides]
    return "|".join(row.replace(r"\b", r"\y") for row in rows)


#: Cells that give causes, and passages that announce them, for the database.
CAUSE_CELL = _for_database("opens", "ends")
CAUSE_HEADING = _for_database("heading")
