"""Stretches of a chunk that a tagger proposes as names of companies: where each begins and ends,
and whether it is sure by how it is written.

What bears the others out is `proposals`; what words can be a name at all is `wording`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from finrag_pipeline.records.graph import Mention
from finrag_pipeline.stages.extraction.people import reads_as_person
from finrag_pipeline.stages.extraction.placing import cuts_firm, is_of_title, is_technology
from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged, Word
from finrag_pipeline.stages.extraction.wording import (
    BODY,
    ENDING,
    EXTENSION,
    NO_ENDING,
    ORGANISATION,
    is_common,
    is_company_like,
    is_latin_name,
    is_rare,
    may_be_name,
    reads_as_sentence,
)

_NAMED = ("ORG", "PER", "nz", "nw")
#: A code in brackets behind a name.
CODED = (
    r"\s*[（(][^（）()]{0,12}(?:\d{5,6}|\d{4}\.?HK|[A-Z]{1,5}\.(?:US|O|N|OQ)"
    r"|(?:NASDAQ|NYSE|US)[:：. ]?[A-Z]+)"
)
_BEFORE_CODE = re.compile(
    r"[\u3400-\u9fff][\u3400-\u9fffA-Za-z0-9\-]{1,9}(?=\s*[（(](?:(?:股票|证券|港股)?代?码?[:：]?\s*)"
    r"(?:(?:SH|SZ|BJ|HK)?[.:]?\d{6}(?:\.[A-Z]{2})?|\d{4,5}\s?\.?\s?HK|[A-Z]{1,5}\.(?:US|O|N|OQ)"
    r"|(?:NASDAQ|NYSE|US)[:：. ]?[A-Z]+)\s*[)）/、,，;；])"
)
#: Tags of words that stand in no name.
PARTING = ("p", "c", "u", "xc", "w", "d", "r", "m", "q", "f")
_TRADES = ("industry", "commodity", "concept")
_TAKEN = ("company", "organisation", "policy", "place")
#: Words that a tagger may have cut a name into.
MOST_PARTS = 3
#: 天津善臻科技|发展合伙企业（有限合伙）
_LEGAL_BEHIND = re.compile(
    r"[\u3400-\u9fff]{0,6}?(?:合伙企业|有限责任公司|有限公司)(?:\s*[（(]有限合伙[)）])?"
)
#: An organisation of ordinary words, shorter than this, is rather a word: 新增.
_ORDINARY = 4
#: What is so long and ends so.
_HOUSE = re.compile(
    "(?!上市|大型|本|该|各|全国|国有|民营|多家|子公司)[\u3400-\u9fff]{4,14}"
    "(?:集团|公司|银行|保险|证券|基金|电视台|电网|铁路|航空|石油|电信)"
)
_HAN = re.compile("[\u3400-\u9fff]")
_NOBODY = re.compile(
    "的|元$|^(?:新增|购买|其他|本次|原有|多家)|^(?:所有者权益|股东权益|[认沽购]*期权)"
)
_PROGRAMME = re.compile("计划|项目|活动|工程|行动")
#: 其他|生物技术公司: many of a sort.
_MANY = re.compile("(?:其他|其它|多家|各家|各类|知名|国内外|部分|一些|两家|三家)$")
_LATIN_EDGE = re.compile("[A-Za-z]{2}")
#: Capitalised words right before one that is.
_LATIN_BEFORE = re.compile(r"(?:(?<![A-Za-z])[A-Z][A-Za-z&.\-]* )+$")
#: 精准医学公司 IDEAYA: what somebody is, before a name.
_DESCRIBED = re.compile(r"\s?[A-Z]")
_WHAT_SORT = re.compile("(?<!限)(?<!股份)(?<!集团)公司$")
#: 王霖作为持有公司股份的董事: whom a tagger rightly takes for a person.
_PERSONAL = re.compile(
    "先生|女士|承诺|作为[^，。；]{0,14}(?:董事|监事|股东|高级管理人员|高管|实际控制人)"
)
_HOLDING = re.compile("(?:公司|集团|控股|股份)$")
#: A word that ends the name of a company, and little else.
_FIRM = re.compile(
    "控股|资本|创投|影业|热电|科技|股份|集团|传媒|药业|生物|电子|半导体|投资|银行|证券|保险|基金|实业|重工|精密|光电|医疗|制药|能源|新材|汽车"
)


Grade = Literal["sure", "maybe"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stretch that may be a company; `sure` ones by how they are written."""

    start: int
    end: int
    grade: Grade
    tag: str


def name_start(chunk: Tagged, end: int) -> int | None:
    """Where the organisation begins that a tagger finds to end at `end`, if it finds one."""
    at = chunk.ending(end)
    return chunk.words[at].start if at >= 0 and chunk.words[at].tag == "ORG" else None


def proposed_spans(chunk: Tagged, known: Sequence[Found | Mention]) -> list[Proposal]:
    """What may be a company in a chunk, where no name of `known` stands."""
    companies = [each for each in known if each.type in _TAKEN]
    trades = {(each.start, each.end) for each in known if each.type in _TRADES}
    found: list[Proposal] = []
    for at, word in enumerate(chunk.words):
        if word.tag not in _NAMED or word.end - word.start < 2:
            continue
        if (word.start, word.end) in trades:
            continue  # 格岚钛|新能源汽车
        start, end = _begun(chunk, at), _extended(chunk, at)
        text = chunk.text[start:end]
        taken = [each for each in companies if each.start < end and start < each.end]
        taken = [each for each in taken if not _is_part(each, word)]
        if any(not _says_more(chunk.text, each, start, end) for each in taken):
            continue
        if BODY.search(text) or ORGANISATION.search(text) or not may_be_name(text):
            continue
        if is_of_title(chunk.text, start, end) or is_technology(chunk.text, start, end):
            continue
        if end > word.end or (word.tag == "ORG" and is_company_like(text)):
            found.append(Proposal(start, end, "sure", "ORG"))
        elif is_rare(text) or is_latin_name(text):
            found.append(Proposal(start, end, "maybe", word.tag))
    return [*found, *_before_codes(chunk, [*found, *companies])]


def _before_codes(chunk: Tagged, taken: Sequence[Proposal | Found | Mention]) -> Iterator[Proposal]:
    """What stands before a code in brackets: its last words that may be a name."""
    for match in _BEFORE_CODE.finditer(chunk.text):
        end = match.end()
        if any(each.start < end <= each.end for each in taken):
            continue
        at = first = chunk.ending(end)
        while at >= 0 and chunk.words[at].start >= match.start() and first - at < MOST_PARTS:
            shown = chunk.shown(chunk.words[at])
            verb = chunk.words[at].tag in ("v", "vn", "vd") and not is_rare(shown)
            if chunk.words[at].tag in PARTING or (verb and at < first):
                break
            at -= 1
        start = chunk.words[at + 1].start if 0 <= first != at else end
        name = chunk.text[start:end]
        if end - start >= 2 and may_be_name(name) and is_rare(name) and not BODY.search(name):
            yield Proposal(start, end, "sure", "ORG")


def _is_part(known: Found | Mention, word: Word) -> bool:
    """Whether a place is but a part of what a tagger takes for an organisation: 中芯|北京."""
    return (
        known.type == "place"
        and word.tag == "ORG"
        and word.start <= known.start
        and known.end <= word.end
        and known.end - known.start < word.end - word.start - 1
    )


def _says_more(text: str, known: Found | Mention, start: int, end: int) -> bool:
    """Whether a stretch is another company's name with a known one in it: 华润|医药控股."""
    behind = text[known.end : end]
    holding = _HOLDING.search(behind) is not None and len(behind) > 2
    part = EXTENSION.fullmatch(behind) is not None and not text.startswith(NO_ENDING, end)
    return known.start == start and (holding or part)


def _begun(chunk: Tagged, at: int) -> int:
    """The start of a name with a first part that the tagger cut off: 广证|恒生, Zyntrex|Bio公司."""
    latin = _LATIN_BEFORE.search(chunk.text, 0, chunk.words[at].start)
    if latin and chunk.text[chunk.words[at].start].isascii():
        return latin.start()
    word, before = chunk.words[at], chunk.words[at - 1] if at else None
    if before is None or before.end != word.start or word.tag != "ORG":
        return word.start
    shown = chunk.shown(before)
    cut = before.tag in ("nz", "PER", "n", "v", "ORG") and 2 <= len(shown) <= 4
    unknown = cut and is_rare(shown) and may_be_name(shown) and not shown.isascii()
    return before.start if unknown else word.start


def _extended(chunk: Tagged, at: int) -> int:
    """The end of a name with the words of business that the tagger cut off: 迈普|医学."""
    first = chunk.words[at]
    end = first.end
    shown = chunk.shown(first)
    if first.tag == "ORG" and (legal := _LEGAL_BEHIND.match(chunk.text, end)):
        return legal.end()
    if first.tag not in ("ORG", "PER") or ENDING.search(shown) or not _is_stem(shown):
        return end
    for word in chunk.words[at + 1 : at + 3]:
        if word.start != end or not EXTENSION.fullmatch(chunk.shown(word)):
            break
        end = word.end
    # 诺泰|医药行业 is an industry, 速腾|机器人业务 a business
    return first.end if chunk.text.startswith(NO_ENDING, end) else end


def _is_stem(text: str) -> bool:
    return is_rare(text) and not text.isascii() and may_be_name(text) and not BODY.search(text)


def weak_spans(chunk: Tagged, known: Sequence[Mention]) -> list[tuple[int, int]]:
    """What may name a company where a relation says that one stands there, in order of print.

    Beside what is proposed, organisations of ordinary words (国际集团), and what a tagger took for
    such words though it ends like a company: 雪松|控股, 高瓴|资本.

    Args:
        chunk: with the words of a tagger; without words nothing is found.
        known: its mentions.
    """
    # what is known of any other sort is no firm: 碳酸锂
    taken = [each for each in known if each.type != "place"]
    places = {(each.start, each.end) for each in known if each.type == "place"}
    spans = {
        (each.start, _with_place(chunk, each))
        for each in proposed_spans(chunk, known)
        if each.tag != "PER"
        or not (
            reads_as_person(chunk.text[each.start : each.end])
            or _PERSONAL.match(chunk.text, each.end)
        )
    }
    for at, word in enumerate(chunk.words):
        shown = chunk.shown(word)
        if word.tag == "ORG" and not BODY.search(shown) and _may_act(shown):
            spans.add((word.start, word.end))
        elif _FIRM.fullmatch(shown) and (start := _begun_before(chunk, at)) is not None:
            spans.add((start, word.end))
    return [
        (start, end)
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1]))
        # Latin names are read by their capitals
        if _HAN.search(chunk.text, start, end)
        and not _LATIN_EDGE.search(chunk.text[start - 1 : start + 1])
        and not _LATIN_EDGE.search(chunk.text[end - 1 : end + 1])
        and not _NOBODY.search(chunk.text[start:end])
        and not cuts_firm(chunk.text, start, end)
        and not is_of_title(chunk.text, start, end)
        and not _PROGRAMME.match(chunk.text, end)
        and not (_WHAT_SORT.search(chunk.text, start, end) and _DESCRIBED.match(chunk.text, end))
        and not _MANY.search(chunk.text[max(0, start - 3) : start])
        and (start, end) not in places
        and not any(each.start < end and start < each.end for each in taken)
    ]


def _with_place(chunk: Tagged, each: Proposal) -> int:
    """Where a short name ends with the place behind it: 全资子公司鑫芯|香港|持有."""
    at = chunk.at(each.end)
    place = chunk.words[at] if at >= 0 else None
    acts = place is not None and place.tag == "LOC" and chunk.at(place.end) >= 0
    verb = acts and place and chunk.words[chunk.at(place.end)].tag == "v"
    return place.end if place and verb else each.end


def _may_act(text: str) -> bool:
    """Whether a tagger's organisation may be a firm, of ordinary words, too: 上海国际集团."""
    house = _HOUSE.fullmatch(text) is not None and not is_common(text)
    return may_be_name(text) or (house and not reads_as_sentence(text))


def _begun_before(chunk: Tagged, at: int) -> int | None:
    """Where a name begins whose last word says that it is one: words of which one is rare, with a
    verb, a preposition or a mark before them."""
    first = at
    while (
        first and at - first < MOST_PARTS and chunk.words[first - 1].end == chunk.words[first].start
    ):
        if chunk.words[first - 1].tag in (*PARTING, "v", "vd", "ad"):
            break
        first -= 1
    start = chunk.words[first].start
    name = chunk.text[start : chunk.words[at].end]
    return start if first < at and may_be_name(name) and is_rare(name) else None
