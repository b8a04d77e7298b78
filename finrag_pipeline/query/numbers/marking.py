"""A question in which every word that is understood is marked, so that what is left is known.

A mark is as long as what it stands for: places stay the same. What words do is `wording`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from finrag_pipeline.query.numbers.records import Measure
from finrag_pipeline.query.numbers.wording import find, wordings
from finrag_pipeline.words import FUNCTION_WORDS, segmenter

COMPANY, PERIOD, BROKER, DONE, STATEMENT = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
#: The first character of a measure says which it is, the others that it goes on.
_FIRST_MEASURE, _LAST_MEASURE, MEASURE_GOES_ON = 0xE100, 0xE1FF, "\ue00f"
_LEFT = re.compile(r"[\u3400-\u9fff]+|[A-Za-z][A-Za-z&'’.\-]*|\d[\d.,%]*")
#: What a sentence that asks for something names.
_TELLING = re.compile(f"[{COMPANY}\ue100-\ue1ff]")
_ENDS = re.compile(r"[.?!:;。？！；]\s+|[。？！；]")
#: What a sentence begins behind: what follows a colon goes on with it.
_STARTS = re.compile(r"[.?!;。？！；]\s+|[。？！；]")
_MARK = re.compile("[\ue000-\ue1ff]")


class Marked:
    """A question on its way to be understood.

    Attributes:
        text: with a mark for each character that is understood; as long as the question.
        measures: in the order in which they were marked, not of the question.
    """

    def __init__(self, text: str) -> None:
        self.written = text
        self.text = text
        self.measures: list[Measure] = []

    def mark(self, start: int, end: int, by: str = DONE) -> None:
        """Mark a place as understood."""
        self.text = self.text[:start] + by * (end - start) + self.text[end:]

    def mark_measure(self, start: int, end: int, measure: Measure) -> None:
        """Mark a place as a measure; measures in it are measures of the question no longer."""
        first = chr(_FIRST_MEASURE + len(self.measures))
        self.measures.append(measure)
        going = MEASURE_GOES_ON * (end - start - 1)
        self.text = self.text[:start] + first + going + self.text[end:]

    def placed(self) -> list[tuple[int, int, Measure]]:
        """The measures where they stand, in the order of the question."""
        pattern = re.compile(f"[{chr(_FIRST_MEASURE)}-{chr(_LAST_MEASURE)}]{MEASURE_GOES_ON}*")
        return [
            (match.start(), match.end(), self.measures[ord(match[0][0]) - _FIRST_MEASURE])
            for match in pattern.finditer(self.text)
        ]

    def inside(self, start: int, end: int) -> list[Measure]:
        """The measures in a place, in order."""
        return [each for first, last, each in self.placed() if start <= first and last <= end]

    def take(self, role: str) -> list[tuple[str, re.Match[str]]]:
        """Mark all words of a role as understood; their values and matches, longest first."""
        found: list[tuple[str, re.Match[str]]] = []
        matches = sorted(find(role, self.text), key=lambda each: _length(each[1]), reverse=True)
        for value, match in matches:
            start, end = match.span()
            if not _MARK.search(self.text, start, end) and self.text[start:end] == match[0]:
                self.mark(start, end)
                found.append((value, match))
        return found

    def has(self, role: str) -> bool:
        """Whether there are words of a role; they are marked."""
        return bool(self.take(role))

    def left(self) -> Iterator[tuple[int, int, str]]:
        """What nothing explains: runs of characters or words, without what only asks."""
        text = self.text
        for _, pattern in reversed(wordings("filler")):
            text = pattern.sub(_blanked, text)
        for match in _LEFT.finditer(text):
            word = match[0]
            if word[0] < "\u3400":
                if not _TELLING.search(_sentence(self.text, match.start())):
                    # a sentence that names nothing only says how to answer
                    continue
                if word.lower().strip(".'’") not in FUNCTION_WORDS and word not in ("'s", "s"):
                    yield match.start(), match.end(), word.strip(".'’-")
                continue
            if rest := _content(word):
                start = match.start() + word.find(rest)
                yield start, start + len(rest), rest


def _sentence(text: str, at: int) -> str:
    """The sentence that a place is in."""
    start = max((match.end() for match in _STARTS.finditer(text, 0, at)), default=0)
    end = _ENDS.search(text, at)
    return text[start : end.start() if end else len(text)]


def _length(match: re.Match[str]) -> int:
    return match.end() - match.start()


def _blanked(match: re.Match[str]) -> str:
    return DONE * _length(match)


def _content(run: str) -> str:
    """A run of Chinese without what only asks at its ends; empty where nothing else is in it.

    Words are cut first, so that 本 goes but 本科 and 资本 stay.
    """
    words = list(segmenter().cut(run))
    plain = [_is_plain(word) or word in FUNCTION_WORDS for word in words]
    if all(plain) or _is_plain(run):
        return ""
    first = plain.index(False)
    last = len(plain) - plain[::-1].index(False)
    return "".join(words[first:last])


def _is_plain(text: str) -> bool:
    """Whether a text is nothing but words that only ask, tell how it is said, or where."""
    return _plain().fullmatch(text) is not None


@cache
def _plain() -> re.Pattern[str]:
    # whichever way they are put together: 本期 is no 本 with something behind it
    ways = "|".join(f"(?:{each.pattern})" for _, each in wordings("plain"))
    return re.compile(f"(?:{ways})+")
