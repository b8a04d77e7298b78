"""Known names in a chunk, where they stand as words of their own and mean what they name.

What nobody knew before is found by its form in `forms` and `people`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.records.graph import Confidence, EntityType
from finrag_pipeline.stages.extraction.lexicon import Entry, Lexicon
from finrag_pipeline.stages.extraction.placing import is_site
from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.tokens import Tokens, is_nominal

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9]")
_CODE_AFTER = re.compile(
    r"\s*[（(\[【]\s*(?:股票|证券)?(?:代码)?[:：]?\s*(?:[A-Z]{2}[.:]?)?\d{4,6}"
)
_COMPANY_AFTER = re.compile(r"(?:公司|股份|集团|控股|（[^）]{0,6}公司）|\s*[（(]\d{5,6})")
_COMPANY_BEFORE = re.compile(
    r"(?:上市公司|龙头(?:企业|公司)|竞争对手|供应商|客户|股东)[:：为是有“\"]?$"
)
#: What companies do, and other things do not.
_COMPANY_ACTS = re.compile(
    r"(?:公告|披露|推出|宣布|发布(?:了)?(?:20\d\d|公告|业绩)|股价|股东|董事|收购|净利润|"
    r"实现归|\d{4}年(?:[前第]?[一二三四上下]|年报|营收|实现)|主营|成立于|创立于)"
)
#: 北京大学汇丰商学院 is no bank.
_SCHOOL = re.compile("(?:大学|学院|医院|协会|学会)$")
#: A cell of a table that holds nothing else.
_CELL_BEFORE, _CELL_AFTER = re.compile(r"(?:^|[|\t\n])\s*$"), re.compile(r"\s*(?:$|[|\t\n])")
_LIST = re.compile(r"[、，,和与及/]$|^[、，,和与及/]")
#: A term of these types is worth as much to a graph as its sentence says of it.
_CONFIDENCE: dict[EntityType, Confidence] = {"metric": "low", "place": "low", "concept": "low"}
_ADJACENT = 1
#: 中国石化, 东方锅炉: with a country before them words are rather a name.
_COUNTRY = ("中国", "东方", "中航", "中铁", "中粮")


Place = tuple[int, int, Entry]


def known_names(
    places: Sequence[Place],
    chunk: Tagged,
    tokens: Tokens,
    own: frozenset[str],
    shown: frozenset[str],
) -> Iterator[Found]:
    """Known names in a chunk that mean what they name.

    Args:
        places: as `free_names` gives them.
        chunk: with the words of a tagger, if there is one.
        tokens: its words.
        own: names of the company that the document is about: they need no company beside them.
        shown: ordinary words that the document shows somewhere to be companies, see `shown_names`.
    """
    text = chunk.text
    sure = _edges_of_companies(places)
    for start, end, entry in places:
        named = entry.name in own
        if entry.type == "company" and chunk.is_within(start, end, _SCHOOL):
            continue
        if entry.unsure and not named and (chunk.is_place(start, end) or is_site(text, end)):
            continue  # 葛洲坝电站
        if entry.unsure and not (
            named
            or _is_shown(text, tokens, start, end, sure)
            or chunk.is_organisation(start, end)
            or (
                (entry.name in shown or entry.name.startswith(_COUNTRY))
                and not _qualified(text, tokens, start, end)
            )
        ):
            continue
        yield _found(entry, start, end, int(named))


def free_names(chunk: Tagged, tokens: Tokens, lexicon: Lexicon) -> list[Place]:
    """Where known names stand free in a chunk, overlapping ones included."""
    return [
        (start, end, entry)
        for start, end, entry in lexicon.find(chunk.text)
        # a tagger may know words that the dictionary joins with what is beside: 台积|电于
        if (
            chunk.is_organisation(start, end)
            or _stands_free(chunk.text, tokens, start, end, entry.unsure)
        )
        and (not entry.exact or chunk.text[start:end] in (entry.name, entry.name.upper()))
    ]


def shown_names(places: Sequence[Place], text: str, tokens: Tokens) -> Iterator[str]:
    """Long names that are ordinary words, 线上线下, where a chunk shows that a company is meant.

    Short ones, 太阳能, must show it wherever they stand.
    """
    sure = _edges_of_companies(places)
    for start, end, entry in places:
        if entry.unsure and end - start >= _LONG and _is_shown(text, tokens, start, end, sure):
            yield entry.name


def _edges_of_companies(places: Sequence[Place]) -> set[int]:
    """Where registered names begin and end: two of them in a list are hardly ordinary words."""
    companies = (
        (start, end)
        for start, end, entry in places
        if entry.type == "company" and (not entry.unsure or end - start >= _LONG)
    )
    return {edge for company in companies for edge in company}


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
    within = tokens.is_within_word(start) or tokens.is_within_word(end)
    return (end - start >= _LONG and not unsure and not within) or tokens.bounded(start, end)


#: Names of so many characters are hardly ever part of another word.
_LONG = 4


def _is_shown(text: str, tokens: Tokens, start: int, end: int, sure: set[int]) -> bool:
    """Whether what stands beside an ordinary word shows that a company is meant."""
    before, after = text[max(0, start - 12) : start], text[end : end + 24]
    if _CODE_AFTER.match(after) or _COMPANY_AFTER.match(after):
        return True
    if _CELL_BEFORE.search(before) and _CELL_AFTER.match(after):
        return end - start >= _LONG
    if _qualified(text, tokens, start, end):
        return False
    if _COMPANY_ACTS.match(after) or _COMPANY_BEFORE.search(before):
        return True
    # in a list with a company: 甲、乙和丙
    return (_LIST.search(before[-1:]) is not None and start - _ADJACENT in sure) or (
        _LIST.match(after) is not None and end + _ADJACENT in sure
    )


def _qualified(text: str, tokens: Tokens, start: int, end: int) -> bool:
    """Whether a word is said of a thing, or a thing of it: 海量数据处理, 筛选的海量数据."""
    tag = tokens.tag_before(start)
    modified = (is_nominal(tag) and tag not in ("nr", "ns", "x", "l")) or tag.startswith("a")
    behind = tokens.tag_after(end)
    # a verb to the segmenter: 中国医药创新
    said = is_nominal(behind) or behind.startswith("a") or text.startswith("创新", end)
    return said or modified or text[start - 1 : start] == "的"
