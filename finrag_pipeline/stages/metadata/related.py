"""Tells lists of other publications on a first page from what the report says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.stages.metadata.front import Block, Row

#: What opens a list of other publications, and what belongs to the report again.
_LIST_HEAD = re.compile(
    r"^\W*(?:相关(?:研究|报告|深度)|近期(?:研究|报告)|历史(?:研究|报告)|前期(?:研究|报告)|"
    r"往期(?:研究|报告|回顾)|最近研究|延伸阅读|更多研究|"
    r"(?:related|recent|previous|prior) (?:research|reports?|publications))"
    r"\S{0,4}\W*$",
    re.IGNORECASE,
)
_OWN_ROW = re.compile(
    r"分析师|研究员|联系人|研究助理|SAC|执业|执证|登记编号|[SA]\d{13}|@|评级|目标价|收盘|股价|市值|股本|"
    r"(?:基础|基本|市场|交易)(?:数据|资料|状况)|走势|analyst|rating|target price|market data",
    re.IGNORECASE,
)
_TITLE_OPENS, _TITLE_CLOSES = re.compile(r"《|<<"), re.compile(r"》|>>")
#: A row under a listed title holds its day alone.
_DAY_ROW = re.compile(r"^[\W\d年月日]+$")


def marked(blocks: Sequence[Block]) -> list[Block]:
    """With the regions under the heading of a list marked as of others, up to the report's own."""
    found: list[Block] = []
    head: Block | None = None
    for block in blocks:
        text = block.rows[0].text
        if block.page == 1 and len(block.rows) == 1 and _LIST_HEAD.match(text):
            head = block
        elif head and (block.prose or _OWN_ROW.search(block.text) or not _under(head, block)):
            head = None
        found.append(replace(block, other=True) if head else block)
    return found


def _under(head: Block, block: Block) -> bool:
    (left, top, right, _), (x0, y0, x1, _) = head.place.bbox, block.place.bbox
    return block.page == head.page and y0 >= top and x0 < right and x1 > left


def parted(block: Block) -> Iterator[Block]:
    """A region, in two where only some of its rows list other publications."""
    if block.prose or block.page > 1:
        yield block
        return
    others: list[Row] = []
    headed = quoted = False
    before: Row | None = None
    for row in block.rows:
        if _LIST_HEAD.match(row.text):
            headed = True
        elif _OWN_ROW.search(row.text) and not _TITLE_OPENS.search(row.text):
            headed = quoted = False
        opened = bool(_TITLE_OPENS.search(row.text))
        if (
            headed
            or opened
            or quoted
            or (others and others[-1] is before and _DAY_ROW.match(row.text))
        ):
            others.append(row)
        if opened or quoted:
            quoted = not _TITLE_CLOSES.search(row.text)
        before = row
    own = tuple(row for row in block.rows if row not in others)
    if own and others:
        yield Block(block.kind, block.rule, block.place, own)
        yield Block(block.kind, block.rule, block.place, tuple(others), other=True)
    else:
        yield block
