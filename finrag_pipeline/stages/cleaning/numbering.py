"""Numbers in front of headings, and how deep they say that a heading stands."""

from __future__ import annotations

import re

_NUMBERED: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"^\s*第[一二三四五六七八九十百\d]+[章节部分篇]"), 1),
    (re.compile(r"^\s*[一二三四五六七八九十]{1,3}\s*[、.．]"), 1),
    (re.compile(r"^\s*\d{1,2}(\.\d{1,2}){2,}\.?\s*(?=[^\d\s.%])"), 3),
    (re.compile(r"^\s*\d{1,2}\.\d{1,2}\.?\s+(?=[^\d\s.%])"), 2),
    (re.compile(r"^\s*[（(][一二三四五六七八九十]{1,3}[)）]"), 2),
    (re.compile(r"^\s*\d{1,2}\s*[、.．]\s*(?=[^\d\s.%])"), 2),
)


def numbering_level(text: str) -> int | None:
    """Depth that a heading's number tells, 1 to 3; None without one.

    >>> numbering_level("第一章 总则"), numbering_level("1.1 历史沿革"), numbering_level("总则")
    (1, 2, None)
    """
    return next((level for pattern, level in _NUMBERED if pattern.match(text)), None)
