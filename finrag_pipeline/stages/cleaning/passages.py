"""The rule for disclaimers, which needs the run of the document: titles, sentences, pages.

Rules that look at one block alone are in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.geometry import overlap_x
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
    r"[此本]份?报告[内中]?所?(描述|提及|载)|不是用作\S{0,8}(推销|促使)|"
    r"投资有风险|市场有风险|据此(投资|入市|操作)|"
    r"not (constitute|be construed as|intended as)[\w ,]{0,60}"
    r"(offer|advice|recommendation|solicitation)|"
    r"(no|any) (representation|warranty|liability)[\w ,]{0,60}(accura|complet|express|loss)|"
    r"views expressed in this (research )?report accurately reflect|"
    r"without (the )?prior (written )?(consent|permission)|"
    r"for (information|reference) purposes? only",
    re.IGNORECASE,
)


def is_disclaimer_title(text: str) -> bool:
    """Whether a short line opens a disclaimer, a rating scale or an analyst's certification."""
    bare = despace(text).strip("：: 【】[]■●◆")
    return weight(bare) <= 44 and bool(_DISCLAIMER_TITLE.search(bare)) and not _POINTER.search(bare)


def is_disclaimer_sentence(text: str) -> bool:
    """Whether a text says what only disclaimers say."""
    return bool(_DISCLAIMER_SENTENCE.search(despace(text)))


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
    """A title counts only with another, before legal sentences, or before nothing long."""
    titles = sum(_opens(block) for block in blocks)
    following = [index for index, block in enumerate(blocks) if is_prose(block.text)]
    return titles >= 2 or not following or any(legal[index] for index in following[:4])


def _mostly_legal(blocks: Sequence[Block], legal: Sequence[bool]) -> bool:
    prose = sum(weight(block.text) for block in blocks if is_prose(block.text))
    ruled = sum(weight(b.text) for b, hit in zip(blocks, legal, strict=True) if hit)
    return 2 * ruled >= prose
