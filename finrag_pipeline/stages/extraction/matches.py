"""Known names in a chunk, where they stand as words of their own and mean what they name.

What nobody knew before is found by its form in `forms` and `people`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.records.graph import Confidence, EntityType
from finrag_pipeline.stages.extraction.lexicon import Entry, Lexicon
from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tokens import Tokens, is_nominal

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9]")
_CODE_AFTER = re.compile(
    r"\s*[（(\[【]\s*(?:股票|证券)?(?:代码)?[:：]?\s*(?:[A-Z]{2}[.:]?)?\d{4,6}"
)
_COMPANY_AFTER = re.compile(r"(?:公司|股份|集团|控股|（[^）]{0,6}公司）|\s*[（(]\d{5,6})")
_COMPANY_BEFORE = re.compile(
    r"(?:公司|上市公司|龙头(?:企业|公司)?|企业|厂商|证券|如|例如|包括|竞争对手|供应商|客户|股东)"
    r"[:：为是有“\"]?$"
)
#: What companies do, and other things do not.
_COMPANY_ACTS = re.compile(
    r"(?:公告|披露|发布(?:了)?(?:20\d\d|公告|业绩)|股价|股东|董事|收购|营收|营业收入|净利润|"
    r"实现(?:营|归)"
    r"|\d{4}年(?:[前第]?[一二三四上下]|年报|营收|实现)|主营|成立于|创立于|上市)"
)
_LIST = re.compile(r"[、，,和与及/]$|^[、，,和与及/]")
#: A term of these types is worth as much to a graph as its sentence says of it.
_CONFIDENCE: dict[EntityType, Confidence] = {"metric": "low", "place": "low", "concept": "low"}
_ADJACENT = 1


def known_names(
    text: str, tokens: Tokens, lexicons: Sequence[Lexicon], own: frozenset[str]
) -> Iterator[Found]:
    """Known names that stand free in a chunk.

    Args:
        text: the chunk.
        tokens: its words.
        lexicons: what is known; later ones (of the document itself) go first.
        own: names of the company that the document is about: they need no company beside them.
    """
    places = [
        (start, end, entry, rank)
        for rank, lexicon in enumerate(lexicons)
        for start, end, entry in lexicon.find(text)
        if _stands_free(text, tokens, start, end, entry.unsure)
    ]
    sure = {start for start, _, entry, _ in places if entry.type == "company" and not entry.unsure}
    sure |= {end for _, end, entry, _ in places if entry.type == "company" and not entry.unsure}
    for start, end, entry, rank in places:
        named = entry.name in own
        if entry.unsure and not (named or _is_company(text, tokens, start, end, sure)):
            continue
        yield _found(entry, start, end, rank + named)


def _found(entry: Entry, start: int, end: int, rank: int) -> Found:
    if entry.type == "company":
        confidence: Confidence = "medium" if entry.unsure else "high"
        return Found(start, end, "company", confidence, 2 + rank, entry.name, code=entry.code)
    confidence = _CONFIDENCE.get(entry.type, "medium")
    return Found(start, end, entry.type, confidence, rank, entry.name)


def _stands_free(text: str, tokens: Tokens, start: int, end: int, unsure: bool) -> bool:
    """Whether a name is no part of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if _WORD.match(text[start]) and _WORD.match(before):
        return False
    if _WORD.match(text[end - 1]) and _WORD.match(after):
        return False
    if not _HAN.search(text[start:end]):
        return True
    # the dictionary does not know most long names and may join their ends with what is beside
    return (end - start >= _LONG and not unsure) or tokens.bounded(start, end)


#: Names of so many characters are hardly ever part of another word.
_LONG = 4


def _is_company(text: str, tokens: Tokens, start: int, end: int, sure: set[int]) -> bool:
    """Whether what stands beside an ordinary word shows that a company is meant."""
    before, after = text[max(0, start - 12) : start], text[end : end + 24]
    if _CODE_AFTER.match(after) or _COMPANY_AFTER.match(after) or _COMPANY_ACTS.match(after):
        return True
    if end - start >= _LONG:
        return not (is_nominal(tokens.tag_after(end)) or _modified(tokens, start))
    if _COMPANY_BEFORE.search(before) and not is_nominal(tokens.tag_after(end)):
        return True
    # in a list with a company: 甲、乙和丙
    return (_LIST.search(before[-1:]) is not None and start - _ADJACENT in sure) or (
        _LIST.match(after) is not None and end + _ADJACENT in sure
    )


def _modified(tokens: Tokens, start: int) -> bool:
    tag = tokens.tag_before(start)
    return (is_nominal(tag) and tag not in ("nr", "ns", "x", "l")) or tag.startswith("a")
