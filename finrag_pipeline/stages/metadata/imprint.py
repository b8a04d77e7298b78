"""Reads what a document says of its author: copyright lines, statements, names alone on a cover.

Which of them published it is decided by `broker`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.grammar.publishers import canonical
from finrag_pipeline.stages.metadata.front import Block

_HAN = r"\u4e00-\u9fff"
_NAME = rf"(?P<name>[{_HAN}A-Za-z&·.（）()]{{2,28}}?)"
_WROTE = r"(?:撰写|编写|编撰|制作|发布|出品|编制|出具|提供|完成|拥有)"
_LATIN_NAME = r"(?P<name>[a-z]?[A-Z][\w&.'’\-]*(?:,? [A-Z&][\w&.'’\-]*){0,6})"
_STATEMENTS = tuple(
    re.compile(form)
    for form in (
        rf"版权(?:均)?(?:归属于?|归|属于?|为|由)\s*{_NAME}(?=所有|享有|，|。|,|（|\(|、|；|$)",
        rf"(?:^|[^{_HAN}]){_NAME}\s*(?:版权所有|保留(?:所有|一切)权利)",
        rf"本(?:报告|白皮书|研究|文件|刊物|资料|蓝皮书|研究报告)(?:由|为|系由?|是由?)\s*{_NAME}"
        rf"(?:[（(][^）)]{{1,40}}[)）])?(?:独家|联合|负责|共同|组织|独立)?{_WROTE}",
        r"(?:编写单位|编制单位|发布机构|发布单位|研究机构|出品方|出品机构|出品单位|主办单位|撰写单位|"
        rf"牵头单位|联合发布|编著|出品|出版)\s*[:：]\s*{_NAME}(?=[\s、，,；;|（(]|$)",
        rf"注明(?:出处|来源)?(?:为|是|[:：])\s*[“\"「]?{_NAME}(?=[”\"」，。,；;（(]|$)",
        rf"(?:均系|均为|均属于?|均归)\s*{_NAME}(?=独有|所有|专有|的)",
        r"(?:©|\([cC]\)|（[cC]）|(?i:\bcopyright\b))[\s©,.，。]*(?:\([cC]\)\s*)?"
        r"(?:(?:19|20)\d\d[\s\-–,年.，。]*)*(?:版权所有[\s，。,.]*)?"
        r"(?:(?i:all rights reserved)[\s.,]*)?(?:by\s+)?"
        rf"(?:{_LATIN_NAME}|(?P<han>[{_HAN}]{{2,20}}?(?=版权|保留|，|。|\s|$)))",
        r"\b(?i:published|prepared|produced|issued|released|compiled) by:?\s+(?:the )?"
        rf"{_LATIN_NAME}",
    )
)
_LEGAL_FORM = re.compile(
    r"[\s,]*(?:\b(?:Inc|Ltd|Limited|LLC|LLP|L\.P|Co|Corp|Corporation|Company|PLC|plc|GmbH|AG|S\.A|B\.V|N\.V|"
    r"All Rights Reserved|All|Reserved)\b\.?[\s,]*)+$|"
    r"(?:股份|集团股份|控股)?有限(?:责任)?公司(?:[研分][\u4e00-\u9fff]{1,4})?$"
)
#: Where a house sits stands behind its legal form.
_BEHIND_FORM = re.compile(
    r"(?<=\bB\.V\.|\bN\.V\.|\bS\.A\.),.*$|(?<=\bLtd),.*$|(?<=\bInc),.*$|(?<=\bLLC),.*$"
)
_NO_NAME = re.compile(
    r"^(?:the|all|this|rights?|reserved|and|or|by|in|of|for|copyright|本|我|其|该|各|任何|国家|作者|原作者|甲方|"
    r"乙方|公司|中国境|双方|上述|以下|客户|读者|分析师|编辑部|所|研究团队)",
    re.IGNORECASE,
)
_HAN_ENDING = (
    "研究院|研究所|研究中心|研究部|研究|咨询|智库|协会|学会|出版社|大学|学院|委员会|事务所|联盟|联合会|"
    "基金会|交易所|实验室|证券|期货|银行|资本|顾问|联席会|商会|公司|集团|科技|数据|网|资讯|财经|传媒|国际|"
    "平台|俱乐部|书院|中心"
)
#: How the names of institutions end.
_INSTITUTION = re.compile(
    rf"(?:[{_HAN}A-Za-z&·（）() ]{{2,30}}(?:研究院|研究所|研究中心|研究部|咨询|智库|协会|"
    r"学会|出版社|大学|学院|委员会|事务所|联盟|联合会|基金会|交易所|实验室|证券|期货|银行|资本|顾问|联席会|商会|有限公司)|"
    r"(?:[A-Z][\w&.'’\-]*,? ){1,5}(?:Research|Institute|Bank|Securities|Capital|Group|Association|"
    r"University|LLP|Consulting|Partners|Organization|Organisation|Foundation|Council|Advisors|"
    r"Advisory|Markets|Press|Agency|Authority|Commission|Economics|Insights|Analytics|"
    r"Cent(?:er|re) for [A-Z][\w ]+|School of [A-Z]\w+))"
    r"(?:,? (?:Co|Limited|Ltd|LLC|Inc)\b\.?,?)*"
)
_NO_INSTITUTION = re.compile(
    r"报告|专题|行业|分析|投资咨询|请|的|与|及|和|：|:|\d|[，。,；]|日期|电话|从业|中国证监|industry|equity|"
    r"global research|^research|market research",
    re.IGNORECASE,
)
#: Rules of regions that are no part of a cover.
_NO_COVER = ("table", "chart", "contact", "disclaimer", "contents_page", "page_footer")


def stated_authors(block: Block) -> Iterator[str]:
    """Names that a block states as those of its author, without legal forms."""
    texts = [block.passage] if block.prose else [row.text for row in block.rows] + [block.passage]
    for form in _STATEMENTS:
        for text in texts:
            found = [_tidy(_name_in(match)) for match in form.finditer(text)]
            names = [name for name in found if len(name) >= 2 and not _NO_NAME.search(name)]
            names = [name for name in names if _like_a_name(name)]
            yield from names
            if names:
                break


def alone_on_a_cover(text: str, block: Block) -> str | None:
    """The name of an institution that a row of a cover consists of."""
    if block.kind in ("title", "table", "picture", "source") or block.rule in _NO_COVER:
        return None
    bare = text.strip(" ·|•")
    alone = not block.prose and _INSTITUTION.fullmatch(bare) and not _NO_INSTITUTION.search(bare)
    return _tidy(bare) if alone else None


def _name_in(match: re.Match[str]) -> str:
    found = match.groupdict()
    return found["name"] or found.get("han") or ""


def _like_a_name(name: str) -> bool:
    """Whether it is a house that is known, or ends as the names of institutions do."""
    han = "\u4e00" <= name[-1] <= "\u9fff"
    return not han or bool(re.search(rf"(?:{_HAN_ENDING})$", name)) or canonical(name) != name


def _tidy(name: str) -> str:
    """A house by the name it is kept under, else a name without its legal form."""
    bare = _BEHIND_FORM.sub("", name).strip(" .,，。（(")
    known = canonical(bare)
    return known if known != bare else _LEGAL_FORM.sub("", bare).strip(" .,，。")
