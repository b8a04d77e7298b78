"""The same said of another thing of its kind: of 第1组 what is said of 第10组, of one firm what is
said of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.query.question.tagging import tagged
from finrag_pipeline.words import fold, segmenter

_HAN = re.compile(r"[\u3400-\u9fff]")
_NUMBER = re.compile(r"\d+")
#: What only says more of what stands before it.
_ASIDE = re.compile(r"[（(][^（）()]*[）)]")
#: Tags of words that name somebody or a place.
_NAMES = frozenset(("ORG", "LOC", "PER", "nr", "ns", "nt", "nz", "nw"))
#: Words that what is named may be cut into.
_MOST_WORDS = 4


def with_another(text: str, other: str, names: Sequence[str] = ()) -> str | None:
    """A text with another thing in the place of the one of its kind; None where it has none, or
    several.

    Args:
        names: of firms, places and things that the question has.

    >>> with_another("十分组里第10组的收益", "第1组"), with_another("在中证1000里的均值", "沪深300")
    ('十分组里第1组的收益', '在沪深300里的均值')
    >>> with_another("华虹半导体产能利用率", "中芯国际", ["华虹半导体", "中芯国际"])
    '中芯国际产能利用率'
    >>> with_another("毛利率很高", "华东") is None
    True
    """
    for spans in (_numbered(text, other), _named(text, other, names), _tagged(text, other)):
        if len(spans) == 1:
            [(start, end)] = spans
            return f"{text[:start]}{other}{text[end:]}"
        if spans:
            return None
    return None


def _numbered(text: str, other: str) -> list[tuple[int, int]]:
    """What is written alike but for its number, or put together alike."""
    if not _NUMBER.search(other):
        return []
    shown = _ASIDE.sub(lambda match: " " * len(match[0]), text)
    pattern = _NUMBER.sub(r"\\d+", re.escape(other))
    return [each.span() for each in re.finditer(pattern, shown)] or [
        (start, end) for start, end in _pieces(shown) if _form(shown[start:end]) == _form(other)
    ]


def _named(text: str, other: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """The names in a text, where the other is one, too; the longest of those that overlap."""
    bare = fold(other)
    if not any(fold(each) in bare for each in names):
        return []
    folded = fold(text)
    found: list[tuple[int, int]] = []
    for name in sorted(map(fold, names), key=len, reverse=True):
        at = folded.find(name) if name not in bare else -1
        if at >= 0 and not any(start < at + len(name) and at < end for start, end in found):
            found.append((at, at + len(name)))
    return found


def _tagged(text: str, other: str) -> list[tuple[int, int]]:
    """The names of a text that are of the same kind as the other by the tagger."""
    kinds = {tag for _, tag in tagged(other)}
    if len(kinds) != 1 or not kinds <= _NAMES:
        return []
    at, found = 0, list[tuple[int, int]]()
    for word, tag in tagged(text):
        if tag in kinds:
            found.append((at, at + len(word)))
        at += len(word)
    return found


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of a text begin, with where up to four of them end."""
    ends = [0]
    for word in segmenter().cut(text):
        ends.append(ends[-1] + len(word))
    for n, start in enumerate(ends):
        yield from ((start, end) for end in ends[n + 1 : n + 1 + _MOST_WORDS])


def _form(text: str) -> str:
    """How a text is put together: 中证1000 and 沪深300 alike of two characters and a number.

    >>> _form("中证1000"), _form("第10组")
    ('字字9', '字9字')
    """
    return _HAN.sub("字", _NUMBER.sub("9", text))
