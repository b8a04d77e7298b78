"""Rules and leaders that are typed as signs: rules are taken for drawn ones, leaders fall away.

Text files set tables with rows of dashes, with bars between columns, and with dots that lead from a
label to its figures. None of them is text of a cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from finrag_pipeline.stages.tables.crossing import Rule
from finrag_pipeline.stages.tables.ink import View
from finrag_pipeline.stages.tables.phrases import Word, text_rows

_DASHES = re.compile(r"^[-=_~*+|–—―─━═]*?([-=_~*–—―─━═])\1{2,}[-=_~*+|–—―─━═]*$")
#: A word of so many dashes is a rule wherever it stands; fewer are one where nothing else stands.
_LONG = 8
_BAR = re.compile(r"^[|│┃]+|[|│┃]+$")
#: Bars one under another make a rule from so many rows on, this near to a line in points.
_BARS, _BAR_PT = 3, 1.5
_TAIL = re.compile(r"(?<=[^\s.·…．_])\s*(?:\.{4,}|·{4,}|．{3,}|…{2,}|_{6,})$")
_LEADER = re.compile(r"^(?:\.{2,}|·{2,}|．+|…+|_{3,})$")
_DOT = re.compile(r"^[.·．…]$")
#: So many dots of leaders stand one by one, and so near to the next, in their height.
_DOTS, _STEP = 3, 1.5


def without_typewriting(view: View) -> View:
    """A view in which typed rules are rules and no word is a rule or a leader."""
    if not any(_signs(word.text) for word in view.words):
        return view
    rows = text_rows(view.words)
    bars, leaders = _bars(rows), any(map(_has_leader, rows))
    horizontal: list[Rule] = []
    words: list[Word] = []
    for row in rows:
        dashed = all(_DASHES.match(word.text) or _BAR.fullmatch(word.text) for word in row)
        kept: list[Word] = []
        for word in row:
            if _DASHES.match(word.text) and (dashed or len(word.text) >= _LONG):
                horizontal.append(Rule(_height(word), word.bbox[0], word.bbox[2]))
            elif bars:
                kept += _without_bars(word)
            else:
                kept.append(word)
        words += _without_leaders(kept) if leaders else kept
    return replace(
        view,
        words=tuple(words),
        horizontal=(*view.horizontal, *horizontal),
        vertical=(*view.vertical, *bars),
    )


def _signs(text: str) -> bool:
    return bool(_DASHES.match(text) or _BAR.search(text) or _TAIL.search(text)) or bool(
        _LEADER.match(text) or _DOT.match(text)
    )


def _height(word: Word) -> float:
    """Where the ink of a typed rule lies: low for underscores, else in the middle of its line."""
    low = "_" in word.text
    return word.bbox[3] - 0.15 * (word.bbox[3] - word.bbox[1]) if low else word.y


def _bars(rows: Sequence[Sequence[Word]]) -> list[Rule]:
    """Vertical rules that bars on rows one below another draw."""
    places = sorted(
        (x, row[0].bbox[1], row[0].bbox[3])
        for row in rows
        for word in row
        for x in _bar_places(word)
    )
    rules: list[Rule] = []
    while places:
        near = [place for place in places if place[0] - places[0][0] <= _BAR_PT]
        places = places[len(near) :]
        spans = sorted((top, bottom) for _, top, bottom in near)
        run = [spans[0]]
        for above, below in pairwise([*spans, (float("inf"), float("inf"))]):
            if below[0] - above[1] > 3 * (above[1] - above[0]):
                if len(run) >= _BARS:
                    rules.append(Rule(near[0][0], run[0][0], run[-1][1]))
                run = []
            run.append(below)
    return rules


def _bar_places(word: Word) -> Iterator[float]:
    width = (word.bbox[2] - word.bbox[0]) / len(word.text)
    for match in _BAR.finditer(word.text):
        yield word.bbox[0] + width * (match.start() + match.end()) / 2


def _without_bars(word: Word) -> list[Word]:
    return _cut(word, _BAR.sub(_blank, word.text))


def _has_leader(row: Sequence[Word]) -> bool:
    """Whether dots lead on a row: several behind a word or in one, or one by one."""
    dots = 0
    for word in row:
        dots = dots + 1 if _DOT.match(word.text) else 0
        if dots >= _DOTS or (word is not row[0] and _LEADER.match(word.text)):
            return True
    return any(_TAIL.search(word.text) for word in row)


def _without_leaders(row: Sequence[Word]) -> list[Word]:
    kept: list[Word] = []
    last: Word | None = None
    for word in row:
        dots = _DOT.match(word.text) or _LEADER.match(word.text)
        if not (dots and last is not None and _touches(last, word)):
            kept += _cut(word, _TAIL.sub(_blank, word.text))
        last = word
    return kept


def _touches(left: Word, right: Word) -> bool:
    return right.bbox[0] - left.bbox[2] < _STEP * (right.bbox[3] - right.bbox[1])


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _cut(word: Word, text: str) -> list[Word]:
    """A word without the blanks at its ends, its box made shorter by their share of its signs."""
    inner = text.strip()
    if inner == word.text:
        return [word]
    if not inner:
        return []
    x0, y0, x1, y1 = word.bbox
    width = (x1 - x0) / len(text)
    left, right = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
    return [Word((x0 + width * left, y0, x1 - width * right, y1), inner)]
