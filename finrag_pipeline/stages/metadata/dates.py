"""Reads the day that a document gives as its own from the dates on its cover."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row

_DIGITS = {digit: str(value) for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": "0",
    "○": "0",
    "Ｏ": "0",
    "O": "0",
}
_NUMERALS = re.compile(
    r"(二[〇○ＯO零一二三四五六七八九]{3})\s*年\s*"
    r"([一二三四五六七八九十]{1,2})\s*月\s*([一二三四五六七八九十]{1,3})\s*日"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_FORMS = (
    re.compile(r"(?P<y>20\d\d)\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日"),
    re.compile(
        r"(?<![\d.])(?P<y>20\d\d)\s?(?P<s>[-./／])\s?(?P<m>\d{1,2})\s?(?P=s)\s?(?P<d>\d{1,2})(?![\d%])"
    ),
    re.compile(r"(?<!\d)(?P<y>20[0-4]\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[ -](?P<M>{_MONTH}),?[ -](?P<y>20\d\d)", re.I),
    re.compile(rf"\b(?P<M>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<y>20\d\d)", re.I),
)
#: Words before a date that make it the document's own, and words that make it another's.
_OWN = re.compile(
    r"(?:报告|发布|出版|撰写|完成|刊发|研报|report|publi\w+|issue)\w{0,4}\s*"
    r"(?:日期|时间|日|date[d]?|on)\s*[:：]?\s*$|"
    r"^\W*(?:日期|date)\s*[:：]\s*$",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"收盘|收市|股价|截[至止]|数据|价格|现价|年末|期末|上市|成立|基准|推荐日|交易日|"
    r"as of|close|priced|ended|since",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"星期[一二三四五六日天]|周[一二三四五六日]|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.I
)
_SIGNED = re.compile(r"董事会\s*$|董\s*事\s*会")


def days_in(text: str) -> Iterator[tuple[date, int, int]]:
    """Days in a text with where each begins and ends, in order of form then of print.

    >>> [str(day) for day, _, _ in days_in("二〇二五年十月三十一日 20251030 Oct 29, 2025")]
    ['2025-10-31', '2025-10-30', '2025-10-29']
    """
    for match in _NUMERALS.finditer(text):
        year = int("".join(_DIGITS[char] for char in match[1]))
        day = _day(year, _number(match[2]), _number(match[3]))
        if day:
            yield day, match.start(), match.end()
    taken: list[tuple[int, int]] = []
    for form in _FORMS:
        for match in form.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            parts = match.groupdict()
            named = parts.get("M")
            month = _MONTHS.index(named[:3].lower()) + 1 if named else int(parts["m"])
            day = _day(int(parts["y"]), month, int(parts["d"]))
            if day:
                taken.append(match.span())
                yield day, match.start(), match.end()


def read_published_on(front: Sequence[Block], heads: Iterable[Block]) -> Found[date] | None:
    """The day that the cover calls its own or prints alone on a row, else beside a few words.

    Days of market data, earlier reports and events stand in tables, lists and sentences.

    Args:
        front: blocks of the first page.
        heads: running heads and feet of the others, asked when the first page has no day of its
            own.
    """
    ranked = [(rank, found) for block in front for rank, found in _ranked(block)]
    if not ranked or min(rank for rank, _ in ranked) > 3:
        ranked += [
            (rank + 0.5, found) for block in heads for rank, found in _ranked(block) if rank <= 3
        ]
    if not ranked:
        return None
    best = min(rank for rank, _ in ranked)
    # days of earlier reports stand alone too where a list is set in columns: the last is its own
    near = best if best < 1 or best > 2 else 2
    found = [item for rank, item in ranked if rank <= near]
    return max(found, key=lambda item: item.value)


def signed_on(blocks: Sequence[Block]) -> Found[date] | None:
    """The day under a board's signature, the last one where notices follow each other."""
    signed: Found[date] | None = None
    before: Row | None = None
    for row, block in every_row(blocks):
        days = [] if block.prose else list(days_in(row.text))
        above = bool(before and _SIGNED.search(before.text) and len(before.text) <= 40)
        if len(days) == 1 and len(row.text) <= 45 and (above or _SIGNED.search(row.text)):
            signed = Found(days[0][0], (row.place,))
        before = row
    return signed


def _ranked(block: Block) -> Iterator[tuple[float, Found[date]]]:
    """Days of a block with how far each is from being the document's own: 0 is surest."""
    single = len(block.rows) == 1
    before = ""
    for row in block.rows:
        text = row.text
        days = list(days_in(text))
        for day, start, end in days:
            label, rest = text[:start], text[:start] + text[end:]
            beside = len(re.sub(r"[\W_]", "", _WEEKDAY.sub("", rest)))
            data = block.kind in ("table", "picture", "source")
            alone = beside <= 2
            named = _OWN.search(label) and not (data and label.startswith("日期"))
            if named or (alone and _OWN.search(f"{before}：")):
                rank = 0.0
            elif (
                _OTHER.search(rest)
                or (alone and _OTHER.search(before[-12:]))
                or (data and not (single and alone))
                or block.listed
                or text.startswith(("-", "—", "－"))
            ):
                rank = 4.0
            elif (block.prose and not alone) or len(days) > 1 or beside > 24:
                rank = 3.0
            else:
                rank = 1.0 if alone else 2.0 if beside <= 16 and text[-1] not in ")）" else 2.5
            yield rank, Found(day, (row.place,))
        before = text


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _number(text: str) -> int:
    """A Chinese number up to 39."""
    tens, ten, ones = text.rpartition("十")
    one = int(_DIGITS.get(ones, "0")) if ones else 0
    return (int(_DIGITS.get(tens, "1")) if ten and tens else 1) * 10 + one if ten else one
