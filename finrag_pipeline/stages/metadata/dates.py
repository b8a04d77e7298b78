"""Reads the day, else the month, that a document gives as its own: on its cover, in its heads and
imprint.

How days and months are written is `grammar.days`; those of filings are in `filing_days`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.grammar.days import days_in, months_in
from finrag_pipeline.records import Place
from finrag_pipeline.stages.metadata.front import Block, Found

#: Words before a date that make it the document's own, and words that make it another's.
_OWN = re.compile(
    r"(?<!数据)(?:报告|发布|出版|撰写|完成|刊发|研报|定稿|截稿|更新|印发|report|publi\w+|issue|release)"
    r"\w{0,4}\s*(?:日期|时间|日|date[d]?|on)\s*[:：]?\s*$|"
    r"(?:发布|刊发|出版|发表|更新|撰写|成稿|定稿)于\s*$|"
    r"\b(?:published|released|issued)\s*(?:[:：]|in|on)?\s*$|"
    r"^\W*(?:日期|时间|date)\s*[:：]\s*$",
    re.IGNORECASE,
)
#: Words behind it that do.
_OWN_AFTER = re.compile(r"^\s*(?:发布|出版|刊发|发表|印发|定稿|第?[一二三1-3]版|版$)")
_OTHER = re.compile(
    r"收盘|收市|股价|截[至止]|数据|价格|现价|年末|期末|上市|成立|基准|推荐日|交易日|"
    r"as of|as at|close|priced|ended|ending|since|生效|effective|会议|召开|举[行办]|"
    r"解禁|限售|将[有于在]|到期|登记日|除权",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"星期[一二三四五六日天]|周[一二三四五六日]|(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.I
)
_COPYRIGHT = re.compile(r"©|\(c\)|copyright|版权所有|all rights reserved", re.IGNORECASE)
#: Ranks up to which a day, and a month, is taken for the document's own.
_LAST_DAY_RANK, _LAST_MONTH_RANK = 2.8, 2.0
#: A head names series, sort of report and house beside its day; what is longer is a sentence.
_LONG_ROW = 60
#: House, title and day, as platforms name the files that they collect: `…-250719.pdf`.
_ARCHIVED = re.compile(r"-(2\d)(0[1-9]|1[0-2])([0-3]\d)(?=(?:\.\w{2,4})?$)")
_DATA = ("table", "picture", "source")
#: The issue of a monthly is its month; of others a number tells no day.
_ISSUE = re.compile(r"(?<!\d)(20[0-4]\d)\s*年?\s*第?\s*(1[0-2]|0?[1-9])\s*期(?!货|權|权|刊)")
#: What parts a day from the series and the sort of report in one row.
_PARTS = re.compile(r"[·•|｜]")
_MONTHLY = re.compile(r"月[刊报報度]|\bmonthly\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Published:
    """A day of publication and what it rests on, as `records.Metadata.published_basis` has it."""

    day: date
    basis: str


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A date with how far it is from being the document's own: 0 is surest."""

    rank: float
    day: date
    place: Place


def read_published_on(blocks: Sequence[Block], front: Sequence[Block]) -> Found[Published] | None:
    """The day that a document calls its own or prints alone on a row of its cover.

    Days of market data, earlier reports and events stand in tables, lists and sentences; a month is
    the document's own only by a label or alone, and its last day stands for it: nobody can have
    read it later than that, and `--as-of` must not show it earlier.

    Args:
        blocks: of the whole document; its running heads and its imprint are asked when the first
            page has no day of its own.
        front: those of its first page.
    """
    last = max((block.page for block in blocks), default=0)
    heads = [b for b in blocks if b.page > 1 and b.running]
    imprint = [b for b in blocks if b.page in (2, last) and b not in front and not b.running]
    days = list(_days(front)) or [_later(item) for item in _days(heads) if item.rank <= 2]
    days = days or [item for item in _days(imprint) if item.rank < 1]
    # a day among other words is weaker than a month alone
    weak = days and min(item.rank for item in days) > _LAST_MONTH_RANK
    if days and not (weak and _own_month(front, 1.0)):
        best = min(item.rank for item in days)
        # days of earlier reports stand alone too where a list is set in columns: the last is own
        near = best if best < 1 or best > 2 else 2
        found = max((item for item in days if item.rank <= near), key=lambda item: item.day)
        return Found(Published(found.day, "day"), (found.place,))
    for part, highest in ((front, _LAST_MONTH_RANK), (heads, 1.0), (imprint, 1.0)):
        month = _own_month(part, highest)
        if month:
            return Found(Published(month.day, "month"), (month.place,))
    issue = _issue([*front, *heads])
    return Found(Published(issue.day, "month"), (issue.place,)) if issue else None


def _issue(blocks: Sequence[Block]) -> _Ranked | None:
    """The month of which a monthly is the issue, where its cover or heads name but one."""
    short = [(row, block) for block in blocks if not block.prose for row in block.rows]
    if not any(_MONTHLY.search(row.text) for row, _ in short):
        return None
    found = [
        _Ranked(1.0, _last_day(int(match[1]), int(match[2])), row.place)
        for row, block in short
        if block.kind not in _DATA and len(row.text) <= _LONG_ROW
        for match in _ISSUE.finditer(row.text)
    ]
    return found[0] if len({item.day for item in found}) == 1 else None


def _last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def named_on(names: Sequence[str], after: date | None = None) -> Published | None:
    """The day in the first name of a file that bears one, the last in it.

    Args:
        names: of the file, then that under which it was archived.
        after: the last day that the document reports on, which names bear as well.
    """
    for name in names:
        days = sorted(days_in(_ARCHIVED.sub(r"-20\1-\2-\3", name)), key=lambda found: found[1])
        later = [day for day, _, _ in days if after is None or day > after]
        if later:
            return Published(later[-1], "name")
    return None


def _later(item: _Ranked) -> _Ranked:
    return _Ranked(item.rank + 0.5, item.day, item.place)


def _days(blocks: Iterable[Block]) -> Iterator[_Ranked]:
    for block in blocks:
        yield from (item for item in _ranked(block) if item.rank <= _LAST_DAY_RANK)


def _own_month(blocks: Iterable[Block], highest: float) -> _Ranked | None:
    """The surest month of some blocks; none where several stand alike, as under a chart."""
    found = [item for block in blocks for item in _ranked_months(block) if item.rank <= highest]
    best = min((item.rank for item in found), default=None)
    best_found = [item for item in found if item.rank == best]
    return best_found[0] if len({item.day for item in best_found}) == 1 else None


def _ranked_months(block: Block) -> Iterator[_Ranked]:
    """Months of a block; in a title or a sentence they tell what it is about."""
    if block.listed or block.kind in _DATA or block.rule in ("chart", "contents_page"):
        return
    own = _COPYRIGHT.search(block.passage)
    for row in block.rows:
        months = list(months_in(row.text))
        for month, start, end in months:
            rest = _PARTS.split(row.text[:start])[-1] + _PARTS.split(row.text[end:])[0]
            beside = len(re.sub(r"[\W_]", "", rest))
            if _labelled(row.text[:start], row.text[end:]) or (own and len(months) == 1):
                yield _Ranked(0.0, month, row.place)
            elif len(months) > 1 or _OTHER.search(rest):
                continue
            elif beside <= 2:
                yield _Ranked(1.0, month, row.place)
            elif beside <= 16 and block.kind not in ("title", "heading") and not block.prose:
                yield _Ranked(2.0, month, row.place)


def _labelled(before: str, after: str) -> bool:
    return bool(_OWN.search(before) or _OWN_AFTER.search(after))


def _ranked(block: Block) -> Iterator[_Ranked]:
    """Days of a block with how far each is from being the document's own."""
    single = len(block.rows) == 1
    before = ""
    # a day over the first paragraph is no list's, whatever the paragraph quotes
    opening = block.rows[0].text if block.prose and block.rows else None
    for row in block.rows:
        text = row.text
        days = list(days_in(text))
        for day, start, end in days:
            label, rest = text[:start], text[:start] + text[end:]
            beside = len(re.sub(r"[\W_]", "", _WEEKDAY.sub("", rest)))
            data = block.kind in _DATA
            alone = beside <= 2
            named = _labelled(label, text[end:]) and not (data and label.startswith("日期"))
            if named or (alone and _OWN.search(f"{before}：")):
                rank = 0.0
            elif (
                _OTHER.search(rest)
                or (alone and _OTHER.search(before[-12:]) and not before[-1:].isdigit())
                or (data and not (single and alone))
                or (block.listed and not (alone and text == opening))
                or text.startswith(("-", "—", "－"))
            ):
                rank = 4.0
            elif (block.prose and not alone) or len(days) > 1 or beside > _LONG_ROW:
                rank = 3.0
            elif beside > 24:
                rank = 2.8 if block.cover else 3.0
            else:
                rank = 1.0 if alone else 2.0 if beside <= 16 and text[-1] not in ")）" else 2.5
            yield _Ranked(rank, day, row.place)
        before = text
