"""Stretches of a chunk that a tagger proposes as names of companies: where each begins and ends,
and whether it is sure by how it is written.

What bears the others out is `proposals`; what words can be a name at all is `wording`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged, Word
from finrag_pipeline.stages.extraction.wording import (
    BODY,
    ENDING,
    EXTENSION,
    NO_ENDING,
    ORGANISATION,
    is_company_like,
    is_latin_name,
    is_rare,
    may_be_name,
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
_TAKEN = ("company", "organisation", "policy", "place")
#: Words that a tagger may have cut a name into.
MOST_PARTS = 3
#: 天津善臻科技|发展合伙企业（有限合伙）
_LEGAL_BEHIND = re.compile(
    r"[\u3400-\u9fff]{0,6}?(?:合伙企业|有限责任公司|有限公司)(?:\s*[（(]有限合伙[)）])?"
)
_HOLDING = re.compile("(?:公司|集团|控股|股份)$")

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


def proposed_spans(chunk: Tagged, known: Sequence[Found]) -> list[Proposal]:
    """What may be a company in a chunk, where no name of `known` stands."""
    companies = [each for each in known if each.type in _TAKEN]
    found: list[Proposal] = []
    for at, word in enumerate(chunk.words):
        if word.tag not in _NAMED or word.end - word.start < 2:
            continue
        start, end = _begun(chunk, at), _extended(chunk, at)
        text = chunk.text[start:end]
        taken = [each for each in companies if each.start < end and start < each.end]
        taken = [each for each in taken if not _is_part(each, word)]
        if any(not _says_more(chunk.text, each, start, end) for each in taken):
            continue
        if BODY.search(text) or ORGANISATION.search(text) or not may_be_name(text):
            continue
        if end > word.end or (word.tag == "ORG" and is_company_like(text)):
            found.append(Proposal(start, end, "sure", "ORG"))
        elif is_rare(text) or is_latin_name(text):
            found.append(Proposal(start, end, "maybe", word.tag))
    return [*found, *_before_codes(chunk, [*found, *companies])]


def _before_codes(chunk: Tagged, taken: Sequence[Proposal | Found]) -> Iterator[Proposal]:
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


def _is_part(known: Found, word: Word) -> bool:
    """Whether a place is but a part of what a tagger takes for an organisation: 中芯|北京."""
    return (
        known.type == "place"
        and word.tag == "ORG"
        and word.start <= known.start
        and known.end <= word.end
        and known.end - known.start < word.end - word.start - 1
    )


def _says_more(text: str, known: Found, start: int, end: int) -> bool:
    """Whether a stretch is another company's name with a known one in it: 华润|医药控股."""
    behind = text[known.end : end]
    holding = _HOLDING.search(behind) is not None and len(behind) > 2
    part = EXTENSION.fullmatch(behind) is not None and not text.startswith(NO_ENDING, end)
    return known.start == start and (holding or part)


def _begun(chunk: Tagged, at: int) -> int:
    """The start of a name with a first part that the tagger cut off: 广证|恒生."""
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
