"""Reads the day that a document gives as its own from the dates on its cover.

How days are written is `grammar.days`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from finrag_pipeline.grammar.days import days_in
from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row

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
