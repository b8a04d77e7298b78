"""The rule for covers: side columns and data boxes of the first page are metadata, not text.

What they say is read in `metadata`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.geometry import bounds, overlap_x
from finrag_pipeline.stages.cleaning.text import despace, is_prose, is_sentence, weight

_SENTENCE = re.compile(r"。|[a-z]\.(\s|$)")
#: Data that stand nowhere else where a cover's box has them: rating, target and current price.
_DATA = re.compile(
    r"(目标|当前|最新|合理)(股?价格?|价值|估值|价位)\S{0,8}?\s*[:：]|(目标|合理)(股?价|价值)\S{0,6}\s*\d|"
    r"(^|\n|\s)(昨?日?收盘价?|现价|股价)(\S{0,3}[(（]\S{1,6}[)）])?\s*[:：]?\s*(HK\$|RMB|US\$|[$¥￥])?\s*\d|"
    r"评级\s*[:：]\s*\S|"
    r"(买入|买进|增持|中性|减持|卖出|推荐|持有|强推|[优强弱]于大市|同步大市|跑[赢输]\S{2})"
    r"\s*[(（/-]?\s*(维持|首次|上调|下调|调[高低])|target price\s*[:(]|current price\s*[:(]",
    re.IGNORECASE,
)
#: A callout beside the text that says what is expected, without a full stop: 预计到2034年，…将达到
#: 6,140亿美元.
_EXPECTS = re.compile(r"预计|预期|将[达以]")
_MEASURED = re.compile(r"\d\s*(?:[%％]|[百千万亿]|个?百分点|倍|[美港欧日]?元)")
_SHORTEST_CALLOUT = 32
_LISTED = re.compile(r"《|[（(]?20\d\d[-./年]\s?\d{1,2}[-./月]\s?\d{1,2}日?[)）]?")
_COVER = re.compile(
    r"^(.{2,14}?|[\w .,&'-]{2,60}?)\s?[（(][\d./A-Za-z\s]{4,24}[)）].{0,14}$|"
    r"^[—\-]*\s*(证券)?(研究报告|公司(研究|点评|深度|简评|报告|动态|更新)|行业(研究|点评|深度|报告))|分析师|联系人|"
    r"研究(助理|员)|投资评级|评级\s*[:：]|^(当前|目标|收盘|最新)股?价|总?市值|总股本|执业|SAC|"
    r"^(买入|买进|增持|中性|减持|卖出|推荐|谨慎推荐|强烈推荐|"
    r"[优强弱]于大市|同步大市|跑[赢输](大市|行业)|持有|强推)([(（【\s]|$)|"
    r"^(20\d\d)\s*[-./年]\s*\d{1,2}\s*([-./月]\s*\d{1,2}\s*日?)?$|^\W*(buy|hold|sell|outperform|neutral|overweight|underweight)\b|"
    r"(主编|编辑|撰写|作者|出品|商业合作)\s*[:：]|analyst|target price|market cap",
    re.IGNORECASE,
)


def is_cover_line(text: str) -> bool:
    """Whether a text is a cover's data: company and code, rating, date, analyst, report series."""
    return bool(_COVER.search(despace(text))) and not is_sentence(text)


def is_cover_data(text: str) -> bool:
    """Whether a text that is no sentence prints a rating, a target price or a current price.

    >>> is_cover_data("当前价： 91.62 元"), is_cover_data("公司目标价：维持45元，给予买入评级。")
    (True, False)
    """
    return bool(_DATA.search(text)) and not is_sentence(text) and not is_prose(text)


def cover_matter(blocks: Sequence[Block | None], width: float) -> dict[Block, str]:
    """Side columns and data boxes of the first page: metadata, not text.

    Args:
        blocks: the first page's blocks in reading order; None stands for what another rule took.
        width: of the page, in points.

    Returns:
        Block to kind: ``side`` for what stands beside the running text, ``cover`` for rating,
        price, analyst and date lines above it. Sentences and callouts are never among them.
    """
    left = [block for block in blocks if block is not None]
    body = _main_column([block for block in left if is_prose(block.text)], width)
    matter: dict[Block, str] = {}
    for block in left:
        if is_sentence(block.text) and not _is_listing(block.text):
            continue
        if is_prose(block.text) and weight(block.text) >= 160 and _SENTENCE.search(block.text):
            continue
        beside = body is not None and overlap_x(body, block.bbox) < 0.2
        if beside and not _spans(block, width):
            if _is_callout(block.text):
                continue
            matter[block] = "side"
        elif is_cover_data(block.text) or (is_cover_line(block.text) and not is_prose(block.text)):
            matter[block] = "cover"
    return matter


def _is_callout(text: str) -> bool:
    """Whether a text says what something is expected to be, and is no line of data or of a list.

    >>> _is_callout("预计到 2034 年，全球医疗\\n服务市场规模将达到\\n6,140亿美元")
    True
    >>> _is_callout("预期评级：买入"), _is_callout("2025-05-06 业绩点评 预计净利润增长 20%将达新高")
    (False, False)
    """
    told = despace(text)
    data = ":" in told or "：" in told or _LISTED.search(told) or _COVER.search(told)
    says = _EXPECTS.search(told) and _MEASURED.search(told)
    return bool(says and not data) and weight(told) >= _SHORTEST_CALLOUT


def _is_listing(text: str) -> bool:
    """Whether a text is a list of publications: titles or days, two at least."""
    return len(_LISTED.findall(text)) >= 2


def _main_column(prose: Sequence[Block], width: float) -> Box | None:
    """The column with most running text, unless it is as wide as the page.

    Lists of related reports read like running text and are none.
    """
    told = [block for block in prose if not _is_listing(block.text)]
    columns = [[each for each in told if _level(each.bbox, block.bbox)] for block in told]
    most = max(columns, key=lambda blocks: sum(weight(b.text) for b in blocks), default=None)
    if most is None:
        return None
    column = bounds(block.bbox for block in most)
    return column if column[2] - column[0] < 0.85 * width else None


def _level(box: Box, other: Box) -> bool:
    """Whether two boxes are of one column: one over the other and about as wide."""
    narrow, wide = sorted((box[2] - box[0], other[2] - other[0]))
    return overlap_x(box, other) > 0.5 and narrow > 0.5 * wide


def _spans(block: Block, width: float) -> bool:
    return block.bbox[2] - block.bbox[0] > 0.6 * width
