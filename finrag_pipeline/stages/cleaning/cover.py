"""The rule for covers: side columns and data boxes of the first page are metadata, not text.

What they say is read in `metadata`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.geometry import bounds, overlap_x
from finrag_pipeline.stages.cleaning.text import despace, is_prose, weight

_SENTENCE = re.compile(r"。|[a-z]\.(\s|$)")
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
    return bool(_COVER.search(despace(text)))


def cover_matter(blocks: Sequence[Block | None], width: float) -> dict[Block, str]:
    """Side columns and data boxes of the first page: metadata, not text.

    Args:
        blocks: the first page's blocks in reading order; None stands for what another rule took.
        width: of the page, in points.

    Returns:
        Block to kind: ``side`` for what stands beside the running text, ``cover`` for rating,
        analyst and date lines above it. Running text is never among them.
    """
    left = [block for block in blocks if block is not None]
    prose = [block for block in left if is_prose(block.text)]
    body = _main_column(prose, width)
    matter: dict[Block, str] = {}
    for block in left:
        if is_prose(block.text) and weight(block.text) >= 160 and _SENTENCE.search(block.text):
            continue
        beside = body is not None and overlap_x(body, block.bbox) < 0.2
        if beside and not _spans(block, width):
            matter[block] = "side"
        elif is_cover_line(block.text) and not is_prose(block.text):
            matter[block] = "cover"
    return matter


def _main_column(prose: Sequence[Block], width: float) -> Box | None:
    """The column with most running text, unless it is as wide as the page."""
    if not prose:
        return None
    largest = max(prose, key=lambda block: weight(block.text))
    column = bounds(b.bbox for b in prose if overlap_x(b.bbox, largest.bbox) > 0.5)
    return column if column[2] - column[0] < 0.85 * width else None


def _spans(block: Block, width: float) -> bool:
    return block.bbox[2] - block.bbox[0] > 0.6 * width
