"""The rule for disclaimers, which needs the run of the document: titles, sentences, pages.

Rules that look at one block alone are in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from finrag_pipeline.records import Box, TextLine
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.boxes import TABLE_KINDS
from finrag_pipeline.stages.cleaning.geometry import overlap_x
from finrag_pipeline.stages.cleaning.numbering import numbering_level
from finrag_pipeline.stages.cleaning.text import SENTENCE_END, folded, is_prose, weight

_TITLE = re.compile(
    r"(免责|法律|重要|特别|特殊|郑重|一般|版权|风险|合规|免责条款)(声明|申明|披露|条款)|"
    r"(分析师|研究员|研究报告|作者|证券)\S{0,8}(声明|申明|承诺|保证|介绍|简介)|(团队|小组|组)(介绍|简介)$|"
    r"(信息|利益|利害关系|权益|监管)披露$|(评级|等级)(说明|标准|定义|体系|体系说明)|"
    r"投资评级(的|说明|标准|系统|制度|和相关定义)|(权利|使用)声明|证券投资咨询业务(资格)?说明|方法论$|"
    r"disclaimers?|(important|required|legal|regulatory|other) disclosures?|disclosure appendix|"
    r"analyst certification|rating (definition|system|explanation)|legal (notice|statement)|"
    r"copyright notice",
    re.IGNORECASE,
)
#: Titles on back pages alone: covers and chapters bear such words too.
_BACK_TITLE = re.compile(
    r"投资评级$|(公司|机构|集团|研究[所院部])(简介|介绍)$|^关于\S{2,10}$|^about \w+( \w+)?$", re.I
)
_POINTER = re.compile(r"请|务必|阅读|参阅|参见|详见|see |refer to", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(不构成|并非|不作为|不应视为)\S{0,20}(投资建议|要约|邀请|招揽|买卖|出价|询价|最终操作建议)|"
    r"证券投资咨询(业务)?(执业)?资格|证券投资咨询”业务资格|"
    r"(未经|没有)\S{0,16}(书面|事先|许可|授权|同意)\S{0,20}(转载|复制|刊[登载发]|翻版|引用|发布|分发)|"
    r"(注册分析师|执业证书|证券分析师)\S{0,40}(勤勉|独立|客观|公正)|勤勉的职业态度|"
    r"(作者|分析师|本人|我们)保证\S{0,12}(数据|信息|资料)\S{0,8}(合规|合法|公开)渠道|"
    r"结论不受(任何)?(第三方|其他人)|"
    r"(本报告|报告中)(的|所)?\S{0,12}(公开(的)?资料|准确性|完整性|可靠性|保证|仅供)|"
    r"(研究报告|本报告|分析师)\S{0,40}(准确地?反映|直接或间接)|"
    r"(未来|报告(日|发布日)?后?的?)?\d{1,2}(\s*[至到-]\s*\d{1,2})?\s*个月(内|以内)?\S{0,16}(相对|跑赢|涨幅|"
    r"涨跌幅|表现|优于|强于).{0,24}(指数|大盘|基准|市场|%)|"
    r"[此本]份?报告[内中]?所?(描述|提及|载)|不是用作\S{0,8}(推销|促使)|"
    r"投资有风险|市场有风险|据此(投资|入市|操作)|"
    r"not (constitute|be construed as|intended as)[\w ,]{0,60}"
    r"(offer|advice|recommendation|solicitation)|"
    r"(no|any) (representation|warranty|liability)[\w ,]{0,60}(accura|complet|express|loss)|"
    r"views expressed in this (research )?report accurately reflect|"
    r"(report|document|publication|material)[\w ,]{0,60} without (the )?prior (written )?"
    r"(consent|permission)|"
    r"(report|document|publication|material)[\w ,]{0,40} for (information|reference)\w* "
    r"purposes? only",
    re.IGNORECASE,
)
#: Words of disclaimers that companies also say of themselves: they count beside other signs only.
_HINT = re.compile(
    r"(本公司|我司|我公司)(及其|不|对|可能|会|具[有备])|(不承担|不负)\S{0,8}责任|"
    r"(不曾|未曾|不会|没有)\S{0,24}(报酬|补偿|利益)|版权(归|为)\S{0,20}所有|"
    r"(擅自|不得)\S{0,8}(复制|转载|传播|引用)|(追究|保留)\S{0,12}(责任|权利|法律措施)"
)
#: A chapter behind a disclaimer has that much running text, in half-width characters.
_CHAPTER = 200


def is_disclaimer_sentence(text: str) -> bool:
    """Whether a text says what only disclaimers say."""
    return bool(_SENTENCE.search(folded(text)))


def legal_from(lines: Sequence[TextLine]) -> float | None:
    """The height, in points, from which a page holds its document's legal matter, if it does.

    It begins with the title of a disclaimer, and the page has sentences of one.
    """
    tops = [line.bbox[1] for line in lines if _is_title(line.text, _TITLE)]
    if not tops or not any(is_disclaimer_sentence(line.text) for line in lines):
        return None
    return min(tops)


def disclaimers(pages: Sequence[Sequence[Block | None]]) -> set[Block]:
    """Blocks of disclaimers, rating definitions and analysts' certifications.

    A title opens a passage that runs to the foot of its page or to a chapter behind it, on the
    first page only in its own column. It goes on over the page where half of the next page's
    text is legal, or where nothing but such pages follow to the end of the document. Without a
    title, a block of legal sentences falls alone.

    Args:
        pages: the blocks of each page in reading order; None stands for what another rule took.

    Returns:
        The blocks to drop.
    """
    parts = [[block for block in page if block is not None] for page in pages]
    backs = list(accumulate(map(_may_close, reversed(parts)), lambda a, b: a and b))[::-1]
    dropped: set[Block] = set()
    running = False
    for number, (blocks, back) in enumerate(zip(parts, backs, strict=True)):
        back = back and number > 0
        titles = [_opens(block, back) for block in blocks]
        hints = running or any(titles)
        legal = [_is_legal(block, hints) for block in blocks]
        running = running and (back or _mostly_legal(blocks, legal))
        column: Box | None = None
        opened = False
        for index, block in enumerate(blocks):
            if not opened and titles[index] and _confirmed(blocks[index:], legal, titles, index):
                running = opened = True
                column = block.bbox if number == 0 else None
            elif running and _is_chapter(blocks[index:], any(legal[index:])):
                running = False
            beside = column is not None and overlap_x(column, block.bbox) < 0.3
            if (running and not beside) or legal[index]:
                dropped.add(block)
        running = running and number > 0
    return dropped


def _is_title(text: str, pattern: re.Pattern[str]) -> bool:
    bare = folded(text).strip(": 【】[]■●◆▌|")
    return weight(bare) <= 44 and bool(pattern.search(bare)) and not _POINTER.search(bare)


def _opens(block: Block, back: bool) -> bool:
    first = "".join(line.text for line in block.rows[0])
    if back and _is_title(first, _BACK_TITLE):
        return True
    return _is_title(first, _TITLE) and (
        len(block.rows) == 1 or is_disclaimer_sentence(block.text) or block.kind == "section-header"
    )


def _is_legal(block: Block, hints: bool) -> bool:
    """A block whose sentences are a disclaimer's: one in a short text, a share of a long one."""
    text = folded(block.text)
    hits = len(_SENTENCE.findall(text))
    if hints or hits:
        hits += len(_HINT.findall(text))
    return hits > 0 and weight(text) <= 300 * hits


def _confirmed(
    blocks: Sequence[Block], legal: Sequence[bool], titles: Sequence[bool], start: int
) -> bool:
    """A title counts only with another, before legal sentences, or before nothing long."""
    following = [start + i for i, block in enumerate(blocks) if is_prose(block.text)]
    return sum(titles[start:]) >= 2 or not following or any(legal[i] for i in following[:4])


def _mostly_legal(blocks: Sequence[Block], legal: Sequence[bool]) -> bool:
    prose = sum(weight(block.text) for block in blocks if is_prose(block.text))
    ruled = sum(weight(b.text) for b, hit in zip(blocks, legal, strict=True) if hit)
    return 2 * ruled >= prose


def _may_close(blocks: Sequence[Block]) -> bool:
    """Whether a page may be one of those that close a document: legal words, or hardly any."""
    if any(_opens(block, back=True) or _is_legal(block, hints=True) for block in blocks):
        return True
    grids = any(block.kind in TABLE_KINDS for block in blocks)
    return not grids and not any(
        is_prose(block.text) and SENTENCE_END.search(block.text) for block in blocks
    )


def _is_chapter(blocks: Sequence[Block], legal: bool) -> bool:
    """Whether a numbered heading with running text begins here, and no legal words follow."""
    first = blocks[0]
    if legal or numbering_level(first.text) is None or is_prose(first.text):
        return False
    return sum(weight(block.text) for block in blocks if is_prose(block.text)) >= _CHAPTER
