"""Tables of contents: their headings and their rows, which end in page numbers that rise.

Tables of figures print dotted leaders too, so leaders alone say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from finrag_pipeline.stages.cleaning.text import folded

_LEADER = r"(?:\.{4,}|…{2,}|·{4,}|．{4,}|(?:\.\s){4,}|_{6,}|-{6,})"
#: A title, leaders, a page number; a figure with a sign, a comma or decimals is none.
_ENTRY = re.compile(rf"\w\W*?{_LEADER}\s*(\d{{1,4}}|[ivxlcIVXLC]{{1,6}})\s*$")
_LED_FIGURE = re.compile(rf"{_LEADER}\W*\d[\d.,]*\W*$")
_LED = re.compile(rf"{_LEADER}\s*$")
_BARE_ENTRY = re.compile(r"^\D.*\D[\s.…·]+(\d{1,3})\s*$")
_HEAD = re.compile(r"^(图表?|表格?|附?[图表]|page( no\.?)?|页码)$", re.IGNORECASE)
_NUMBERED_END = re.compile(r"^\D{2,60}\d{1,3}$")
_STOP = re.compile(r"[。；！？]")
_HEADING = re.compile(
    r"^\W*(目\s*录|(内容|正文|报告|章节)目录|(图\s*表?|图片|表格?|附?[图表]|插图|公式)\s*目\s*录|"
    r"(目录|图表?|表格?|图片|插图|内容)(目录)?(索引|清单|一览)|插图和附表清单|图形?目次|表目次|"
    r"目\s*次|table of contents|contents|index to financial statements|"
    r"(list|index) of (figures|tables|charts|exhibits)|(figures|tables|charts))\W*$",
    re.IGNORECASE,
)


def is_contents_heading(text: str) -> bool:
    """Whether a line is the heading of a table of contents."""
    return bool(_HEADING.match(folded(text)))


def is_contents(rows: Sequence[str]) -> bool:
    """Whether half of some rows are titles with dotted leaders and page numbers that rise.

    Leaders to other figures must be fewer.

    >>> is_contents(["Overview ........ 3", "Outlook ........ 12"])
    True
    >>> is_contents(["Goodwill ........ 5,366", "Other assets ........ 159"])
    False
    """
    numbers = [match[1] for row in rows if (match := _ENTRY.search(row))]
    figures = sum(bool(_LED_FIGURE.search(row)) and not _ENTRY.search(row) for row in rows)
    return len(numbers) > figures and 2 * len(numbers) >= len(rows) and _rises(numbers)


def is_listing(rows: Sequence[str], under_heading: bool) -> bool:
    """Whether rows are entries of contents without leaders or without their page numbers.

    Args:
        rows: the printed rows of a block.
        under_heading: whether the heading of a table of contents stands on the page.
    """
    if under_heading and 2 * sum(bool(_LED.search(row) or _ENTRY.search(row)) for row in rows) >= (
        len(rows)
    ):
        return True
    numbers = [match[1] for row in rows if (match := _BARE_ENTRY.match(row))]
    enough = len(rows) >= (2 if under_heading else 4) and 10 * len(numbers) >= 7 * len(rows)
    return enough and _rises(numbers)


def is_entry(text: str) -> bool:
    """Whether a short text on a page of contents is an entry or the head of a list of it.

    >>> is_entry("图19：各地区产能 .... 21"), is_entry("关于作者 16"), is_entry("图表")
    (True, True, True)
    """
    bare = folded(text)
    led = re.search(_LEADER, bare) is not None
    return led or bool(_HEAD.match(bare) or (_NUMBERED_END.match(bare) and not _STOP.search(bare)))


def _rises(numbers: Sequence[str]) -> bool:
    """Whether page numbers hardly ever fall; Roman ones are taken as they come."""
    values = [int(number) for number in numbers if number.isdigit()]
    falls = sum(after < before for before, after in pairwise(values))
    return bool(numbers) and 5 * falls <= len(values)
