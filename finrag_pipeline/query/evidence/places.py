"""Where on its pages a quote stands, and whether numbers of a text stand in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.query.evidence.citation import MARK
from finrag_pipeline.records import Place

_SPACE = re.compile(r"\s+")
#: Spaces that Chinese has none of: behind its marks, and between characters that a justified line
#: or a title has drawn apart.
_BEHIND_MARK = re.compile(r"(?<=[，。；：、！？]) (?=[\u3400-\u9fff（《“])")
_DRAWN_APART = re.compile(r"[\u3400-\u9fff](?: [\u3400-\u9fff](?=[^\u3400-\u9fff]|$)){3,}")


def numbers_grounded(answer: str, quotes: Iterable[str]) -> bool:
    """Whether every number of an answer, markers aside, stands in a quote."""
    quoted = {number for quote in quotes for number in numbers_in(quote)}
    return all(number in quoted for number in numbers_in(MARK.sub(" ", answer)))


def locate(quote: str, regions: Sequence[tuple[Place, str]]) -> tuple[Place, ...] | None:
    """The boxes that a quote stands in: one region, or the consecutive ones that it crosses.

    Args:
        regions: kept text of its pages in reading order; white space does not count.

    Returns:
        None where the quote is not found.
    """
    wanted = squeeze(quote)
    if not wanted:
        return None
    joined = ""
    ends: list[int] = []
    for _, text in regions:
        joined += squeeze(text)
        ends.append(len(joined))
    start = joined.find(wanted)
    if start < 0:
        return None
    stop = start + len(wanted)
    bounds = zip(regions, [0, *ends], ends, strict=False)
    return tuple(place for (place, _), begin, end in bounds if begin < stop and start < end)


def in_line(text: str) -> str:
    """A text as one line that is read: white space as one space, and none where Chinese has none.

    >>> in_line("收入 增长。\\n其中 A 股份"), in_line("利 润 分 配 权 的股本 总 额")
    ('收入 增长。其中 A 股份', '利润分配权 的股本 总 额')
    >>> in_line("up. It"), in_line("升 至")
    ('up. It', '升 至')
    """
    text = _BEHIND_MARK.sub("", _SPACE.sub(" ", text).strip())
    return _DRAWN_APART.sub(lambda run: squeeze(run[0]), text)


def squeeze(text: str) -> str:
    """Text without its white space: line ends of a page say nothing."""
    return _SPACE.sub("", text)
