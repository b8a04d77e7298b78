"""Words that stand for the company of a document: 公司, 本公司, the Company, where they do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tokens import Tokens, is_nominal

#: 公司 as a word of its own: not 公司债, 公司治理.
_WORD = re.compile(
    r"(?:本|我)?(?:公司|集团)(?!们|法|债|章程|治理|制|类|简称|代码|名称|研究|地址|网址|点评|"
    r"深度(?:报告|研究|点评|跟踪|分析)|首次(?:覆盖|评级)|动态|评级|信息|概况|简介"
    r"|资料|间)|发行人"
    r"|\b[Tt]he (?:Company|Group|Registrant|Issuer|Corporation)\b(?!['’]s (?:Act|Law))"
)
#: Words before 公司 that make it another company, or none in particular.
_OTHER = re.compile(
    r"(?:上市|该|各|此|某|两|几|家|等|的其他|其他|其它|大型|龙头|目标|标的|关联|海外|国内|外国|"
    r"子|母|分|孙|控股|参股|集团|股份|有限"
    r"|全资|保险|证券|基金|信托|物流|药|贸易|代表|相关|重点|可比|优质|所有|合资|合营|联营|项目|"
    r"管理|投资|担保|科技|租赁|服务|咨询|设计|开发|制造|运营|建设|的)\s?$"
)

#: Before the one whom another company deals with: 甲是公司的客户, 甲与公司签署.
_OBJECT = re.compile("[是系为向与和对被由给]$|作为$|委托$|采用了?$|占$|持有$|入股$|纳入$")

#: What opens a sentence, or a line of a list with a label.
#: Not 正极来自甲: there it is spoken of whoever gets it.
_OPENS = re.compile(r"(?:^|[\n。；])[^\n。；，]{0,8}(?<!来自)(?<!购自)(?<![由向与和、对被从给])$")
_END = re.compile(r"[\n。；]+")


def references(
    text: str, tokens: Tokens, generic: Mapping[str, Found], named: Sequence[Found]
) -> Iterator[Found]:
    """Places where a word stands for the company that it is declared for.

    A sentence that opens with another company speaks of that one: nothing is resolved in it, nor
    in the next sentence, until the own company is named.

    Args:
        text: a chunk.
        tokens: its words.
        generic: words, lower case, and whom they stand for.
        named: the names found in the chunk, in order.
    """
    if not generic:
        return
    others = _other_topics(text, named, {f.name for f in generic.values()})
    for match in _WORD.finditer(text):
        antecedent = generic.get(match.group().lower())
        start, end = match.span()
        if antecedent is None or (
            any(a <= start < b for a, b in others) and not _OBJECT.search(text[:start][-3:])
        ):
            continue
        if not match.group().isascii() and (
            not tokens.bounded(start, end)
            or _modified(tokens.tag_before(start))
            or _OTHER.search(text[max(0, start - 4) : start])
        ):
            continue
        yield Found(
            start,
            end,
            "company",
            "high" if antecedent.confidence == "high" else "medium",
            5,
            antecedent.name,
            code=antecedent.code,
        )


def is_reference(text: str, start: int, end: int) -> bool:
    """Whether a word that stands for a company stands there, and no name."""
    return _WORD.fullmatch(text, start, end) is not None


def _modified(tag: str) -> bool:
    """Whether a noun before 公司 says which; 预计 and the like are verbal nouns and do not."""
    return is_nominal(tag) and tag != "vn"


def _other_topics(text: str, named: Sequence[Found], own: set[str | None]) -> list[tuple[int, int]]:
    """Stretches whose topic is another company: from where it opens a sentence to the end of the
    next one, or to where the own company is named."""
    found: list[tuple[int, int]] = []
    for at, item in enumerate(named):
        opens = item.type == "company" and _OPENS.search(text[: item.start])
        if not opens or (item.name or text[item.start : item.end]) in own:
            continue
        sentence = _end_of_sentence(text, item.end)
        stop = _end_of_sentence(text, sentence)
        later = (f.start for f in named[at:] if (f.name or text[f.start : f.end]) in own)
        found.append((item.start, min(stop, next(later, stop))))
    return found


def _end_of_sentence(text: str, start: int) -> int:
    match = _END.search(text, start)
    return match.end() if match else len(text)
