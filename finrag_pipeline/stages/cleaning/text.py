"""Joins printed rows into text, and tells running text from labels.

No boxes are decided here beyond the gaps between neighbours on a row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from finrag_pipeline.records import TextLine

#: A row or paragraph that ends so is complete.
SENTENCE_END = re.compile(r"[。！？；!?;.][”\"’）)】」]*\s*$")
#: Names where figures and tables come from, before a colon; a pattern, in any case.
SOURCE_LABEL = r"(?:(?:资料|数据|信息|消息|图片)?来源|Sources?)"
_COMPLETE = re.compile(r"[。！？][”\"’）)】]?\s*$")
#: Half-width characters of the shortest Chinese sentence: labels with a full stop are shorter.
_SHORTEST_SENTENCE = 24
_DAY = re.compile(r"^\s*20\d\d\s*[-./年]\s*\d{1,2}\s*[-./月]\s*\d{1,2}\s*日?\s*$")
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")
_CLAUSE = re.compile(r"[，。；！？]|[,;:.](\s|$)")
#: A share that the end of a row cuts in two: 有4 over 6%的专家.
_CUT = re.compile(r"[\u3400-\u9fff](?<![图表第注])\d{1,2}$")
_GOES_ON = re.compile(r"\d{1,2}(?:\.\d+)?[%％]")
_SPACES = re.compile(r"[ \t\r\n\u00a0\u2000-\u200b\u3000]+")
_LETTER_SPACED = re.compile(r"(?<![^\s])[\u3400-\u9fff](?: [\u3400-\u9fff](?![\u3400-\u9fff]))+")
_BETWEEN_CJK = re.compile(
    r"(?<=[\u3400-\u9fff，。；：、！？（）《》“”]) +(?=[\u3400-\u9fff，。；：、！？（）《》“”])"
)


def join_rows(rows: Sequence[Sequence[TextLine]]) -> str:
    """Rows as one text: Chinese without a space, words with one, a hyphenated word without.

    Every non-space character stays: a hyphen at a line's end is kept, since ``year-on-year``
    breaks there as often as a split word does.
    """
    text = ""
    previous: TextLine | None = None
    for row in rows:
        for index, line in enumerate(row):
            piece = _SPACES.sub(" ", line.text).strip()
            if not piece:
                continue
            gap = line.bbox[0] - previous.bbox[2] if index and previous else None
            text += _joint(text, piece, gap, line.size) + piece
            previous = line
    return text


def weight(text: str) -> int:
    """Length of a text in half-width characters: a Chinese character counts two."""
    # every row of a page is weighed many times over: counted in C, not character by character
    squeezed = "".join(text.split())
    return len(squeezed) + len(_CJK.findall(squeezed))


def usual_size(lines: Iterable[TextLine]) -> float:
    """Font size of most characters in points, to the half; the larger of two, 0 without lines."""
    weights: dict[float, int] = {}
    for line in lines:
        size = round(line.size * 2) / 2
        weights[size] = weights.get(size, 0) + len(line.text.strip())
    return max(weights, key=lambda size: (weights[size], size), default=0.0)


def is_prose(text: str) -> bool:
    """Whether a text is running sentences and not a label, a caption or a cell.

    Sentences on forecasts are up to two thirds figures, so letters need only be a third.
    """
    return (
        weight(text) >= 60
        and len(_CLAUSE.findall(text)) >= 2
        and 10 * sum(char.isalpha() for char in text) >= 3 * len("".join(text.split()))
    )


def is_sentence(text: str) -> bool:
    """Whether a text ends as a Chinese sentence does and is too long for a label.

    >>> is_sentence("市场竞争加剧的风险提升。"), is_sentence("同上。"), is_sentence("收盘价 12 元")
    (True, False, False)
    """
    return weight(text) >= _SHORTEST_SENTENCE and bool(_COMPLETE.search(text))


def is_day(text: str) -> bool:
    """Whether a row is a date and nothing else.

    >>> is_day("2025 年08 月22 日"), is_day("2025年8月22日，公司发布公告")
    (True, False)
    """
    return bool(_DAY.match(text))


def despace(text: str) -> str:
    """Text with the spaces between Chinese characters taken out, for matching only."""
    return _BETWEEN_CJK.sub("", _SPACES.sub(" ", text)).strip()


def folded(text: str) -> str:
    """Text as `despace` gives it with full-width letters, figures and signs as half-width ones.

    For matching only: what is kept stays as it is printed.

    >>> folded("涨幅１０％ 以上（含）")
    '涨幅10% 以上(含)'
    """
    return despace(unicodedata.normalize("NFKC", text))


def tighten(text: str) -> str:
    """Lines with letter-spaced Chinese pulled together, for matching only.

    Unlike `despace` it leaves the space between two words: it may part a name from a title.
    """
    lines = (_SPACES.sub(" ", line).strip() for line in text.splitlines())
    return "\n".join(_LETTER_SPACED.sub(lambda m: m[0].replace(" ", ""), line) for line in lines)


def _joint(left: str, right: str, gap: float | None, size: float) -> str:
    """What stands between two pieces; `gap` in points when they share a row."""
    if not left:
        return ""
    chinese = bool(_CJK.match(left[-1]) and _CJK.match(right[0]))
    if gap is not None:
        return " " if gap > (1.0 if chinese else 0.1) * size else ""
    if _CJK.match(left[-1]) or _CJK.match(right[0]):
        return ""
    if left[-1] in "-\u00ad\u2010" and len(left) > 1 and left[-2].isalpha() and right[0].isalpha():
        return ""
    if _GOES_ON.match(right) and _CUT.search(left[-3:]):
        return ""
    return " "
