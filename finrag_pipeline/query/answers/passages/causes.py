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

_PATH = Path(__file__).with_name("causes.csv")
_COLUMNS = ("side", "language", "strength", "pattern", "meaning")
_SIDES = ("after", "before", "asked", "column")
_COMMA = re.compile(r"[，,]\s*")
#: A cause has so many characters at least, an effect that stands before its cue as well.
_LEAST = 4
_LEAD = re.compile(r"^[\s\d（(）).、,，:：•·◆➢■●\-–—]+")


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause in a sentence: the words that give it, and those that say of what.

    Attributes:
        effect: what it is the cause of; empty where the sentence opens with the cause and says
            no more.
        cause: the cause; empty where it follows the sentence.
        strength: how surely the cue joins a cause and its effect.
    """

    effect: str
    cause: str
    strength: float


def asks_cause(question: str) -> bool:
    """Whether a question asks why.

    >>> [asks_cause(each) for each in ("毛利率为何下降？", "怎么看毛利率？", "What drove sales?")]
    [True, False, True]
    """
    return bool(_pattern("asked").search(question))


def gives_causes(heading: str) -> bool:
    """Whether a column of a table gives causes.

    >>> gives_causes("变动原因"), gives_causes("变动比例（%）")
    (True, False)
    """
    return bool(_pattern("column").search(heading))


def causes_in(sentence: str) -> Iterator[Cause]:
    """Each cause that a sentence gives, in order.

    >>> [(each.effect, each.cause) for each in causes_in("毛利率同比下降，主要系原材料涨价。")]
    [('毛利率同比下降', '原材料涨价')]
    >>> [(each.effect, each.cause) for each in causes_in("受需求疲弱影响，订单减少。")][:1]
    [('订单减少', '需求疲弱影响')]
    >>> [each.cause for each in causes_in("Sales fell 5%, due to lower volumes.")]
    ['lower volumes']
    """
    text = sentence.strip().rstrip("。；;.")
    for match, side, strength in _cues(text):
        before, after = text[: match.start()], text[match.end() :]
        if side == "before":
            if _says(before) and _says(after):
                yield Cause(_bare(after), _bare(before), strength)
            continue
        effect = _bare(before)
        if not _says(effect):
            # 由于A，B: the effect follows the cause
            cause, _, effect = _parted(after)
            yield Cause(_bare(effect), _bare(cause), strength)
        else:
            yield Cause(effect, _bare(after), strength)


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
