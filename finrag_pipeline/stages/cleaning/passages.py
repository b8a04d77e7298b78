"""Rules that need the run of a page or document: disclaimers and the cover's side matter.

Rules that look at one block alone are in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.geometry import bounds, overlap_x
from finrag_pipeline.stages.cleaning.text import despace, is_prose, weight

_DISCLAIMER_TITLE = re.compile(
    r"(免责|法律|重要|特别|特殊|郑重|一般|版权|风险|合规|免责条款)(声明|申明|披露|条款)|"
    r"(分析师|研究员|研究报告|作者|证券)\S{0,8}(声明|承诺|保证|介绍|简介)|(信息|利益|利害关系|权益)披露|"
    r"(评级|等级)(说明|标准|定义|体系|体系说明)|投资评级(的|说明|标准|系统|制度)|(权利|使用)声明|"
    r"证券投资咨询业务(资格)?说明|方法论|"
    r"disclaimer|disclosures?$|analyst certification|rating (definition|system|explanation)|"
    r"legal notice|copyright notice",
    re.IGNORECASE,
)
_POINTER = re.compile(r"请|务必|阅读|参阅|参见|详见|see |refer to", re.IGNORECASE)
_DISCLAIMER_SENTENCE = re.compile(
    r"(不构成|并非|不作为|不应视为)\S{0,20}(投资建议|要约|邀请|招揽|买卖|出价|询价|最终操作建议)|"
    r"(本公司|我司|我公司)(及其|不|对|可能|会|具[有备])|证券投资咨询(业务)?(执业)?资格|"
    r"(未经|没有)\S{0,16}(书面|事先|许可|授权|同意)\S{0,20}(转载|复制|刊[登载发]|翻版|引用|发布|分发)|"
    r"(注册分析师|执业证书|证券分析师)\S{0,40}(勤勉|独立|客观|公正)|勤勉的职业态度|"
    r"(本报告|报告中)(的|所)?\S{0,12}(公开(的)?资料|准确性|完整性|可靠性|保证|仅供)|版权(归|为)\S{0,20}所有|"
    r"(不曾|未曾|不会|没有)\S{0,24}(报酬|补偿|利益)|(不承担|不负)\S{0,8}责任|"
    r"(未来|报告(日|发布日)?后?的?)?\s*\d{1,2}\s*个月(内|以内)?\S{0,16}(相对|跑赢|涨幅|"
    r"涨跌幅|表现|优于|强于)\S{0,24}(指数|大盘|基准|市场|%)|"
    r"投资有风险|市场有风险|据此(投资|入市|操作)|"
    r"not (constitute|be construed as|intended as)[\w ,]{0,60}"
    r"(offer|advice|recommendation|solicitation)|"
    r"(no|any) (representation|warranty|liability)[\w ,]{0,60}(accura|complet|express|loss)|"
    r"views expressed in this (research )?report accurately reflect|"
    r"without (the )?prior (written )?(consent|permission)|"
    r"for (information|reference) purposes? only",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"。|[a-z]\.(\s|$)")
_COVER = re.compile(
    r"^.{2,14}?\s?[（(][\d./A-Za-z\s]{4,24}[)）].{0,14}$|"
    r"^[—\-]*\s*(证券)?(研究报告|公司(研究|点评|深度|简评|报告|动态|更新)|行业(研究|点评|深度|报告))|分析师|联系人|"
    r"研究(助理|员)|投资评级|评级\s*[:：]|(当前|目标|收盘|最新)(股?价)|总?市值|总股本|执业|SAC|"
    r"^(买入|增持|中性|减持|卖出|推荐|谨慎推荐|强烈推荐|优于大市|跑赢行业|持有|强推)([(（【\s]|$)|"
    r"^(20\d\d)\s*[-./年]\s*\d{1,2}\s*([-./月]\s*\d{1,2}\s*日?)?$|^\W*(buy|hold|sell|outperform|neutral)\b|"
    r"(主编|编辑|撰写|作者|出品|商业合作)\s*[:：]|analyst|target price|market cap",
    re.IGNORECASE,
)


def is_disclaimer_title(text: str) -> bool:
    """Whether a short line opens a disclaimer, a rating scale or an analyst's certification."""
    bare = despace(text).strip("：: 【】[]■●◆")
    return weight(bare) <= 44 and bool(_DISCLAIMER_TITLE.search(bare)) and not _POINTER.search(bare)


def is_disclaimer_sentence(text: str) -> bool:
    """Whether a text says what only disclaimers say."""
    return bool(_DISCLAIMER_SENTENCE.search(despace(text)))


def is_cover_line(text: str) -> bool:
    """Whether a text is a cover's data: company and code, rating, date, analyst, report series."""
    return bool(_COVER.search(despace(text)))


def disclaimers(pages: Sequence[Sequence[Block | None]]) -> set[Block]:
    """Blocks of disclaimers, rating definitions and analysts' certifications.

    A title opens a passage that runs to the foot of its page, on the first page only in its own
    column; it goes on over the page where the next page opens with legal sentences or another
    such title. Without a title, a block of legal sentences falls alone.

    Args:
        pages: the blocks of each page in reading order; None stands for what another rule took.

    Returns:
        The blocks to drop.
    """
    dropped: set[Block] = set()
    running = False
    for number, page in enumerate(pages):
        blocks = [block for block in page if block is not None]
        legal = [_is_legal(block) for block in blocks]
        opening = next((index for index, block in enumerate(blocks) if _opens(block)), None)
        # half of a page's running text must be legal before a passage may cross onto it
        running = running and _mostly_legal(blocks, legal)
        column: Box | None = None
        for index, block in enumerate(blocks):
            if index == opening and _confirmed(blocks[index:], legal[index:]):
                running, column = True, (block.bbox if number == 0 else None)
            beside = column is not None and overlap_x(column, block.bbox) < 0.3
            if (running and not beside) or legal[index]:
                dropped.add(block)
        running = running and number > 0
    return dropped


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


def _opens(block: Block) -> bool:
    first = "".join(line.text for line in block.rows[0])
    return is_disclaimer_title(first) and (
        len(block.rows) == 1 or is_disclaimer_sentence(block.text) or block.kind == "section-header"
    )


def _is_legal(block: Block) -> bool:
    """A block whose sentences are a disclaimer's: one in a short text, a share of a long one."""
    text = despace(block.text)
    hits = len(_DISCLAIMER_SENTENCE.findall(text))
    return hits > 0 and weight(text) <= 300 * hits


def _confirmed(blocks: Sequence[Block], legal: Sequence[bool]) -> bool:
    """A title counts only where legal sentences follow, or nothing long does."""
    following = [index for index, block in enumerate(blocks) if is_prose(block.text)]
    return not following or any(legal[index] for index in following[:4])


def _mostly_legal(blocks: Sequence[Block], legal: Sequence[bool]) -> bool:
    prose = sum(weight(block.text) for block in blocks if is_prose(block.text))
    ruled = sum(weight(b.text) for b, hit in zip(blocks, legal, strict=True) if hit)
    return 2 * ruled >= prose


def _main_column(prose: Sequence[Block], width: float) -> Box | None:
    """The column with most running text, unless it is as wide as the page."""
    if not prose:
        return None
    largest = max(prose, key=lambda block: weight(block.text))
    column = bounds(b.bbox for b in prose if overlap_x(b.bbox, largest.bbox) > 0.5)
    return column if column[2] - column[0] < 0.85 * width else None


def _spans(block: Block, width: float) -> bool:
    return block.bbox[2] - block.bbox[0] > 0.6 * width
