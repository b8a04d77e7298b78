"""The mentions of each chunk of a document: what is found, declared and referred to, settled.

How they relate belongs to `relations`, what is said of them to `claims`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import Mention
from finrag_pipeline.stages.extraction.aliases import Declared, declared_by
from finrag_pipeline.stages.extraction.definitions import description_of
from finrag_pipeline.stages.extraction.english import english_settled
from finrag_pipeline.stages.extraction.forms import formed_names, says_which_business, segments
from finrag_pipeline.stages.extraction.lexicon import Lexicon
from finrag_pipeline.stages.extraction.listings import listings_together
from finrag_pipeline.stages.extraction.matches import free_names, known_names, shown_names
from finrag_pipeline.stages.extraction.people import people, tagged_people
from finrag_pipeline.stages.extraction.products import products
from finrag_pipeline.stages.extraction.proposals import proposed_names
from finrag_pipeline.stages.extraction.references import references
from finrag_pipeline.stages.extraction.spans import Found, longest
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.tokens import Tokens, tokens_of
from finrag_pipeline.stages.extraction.wording import ORGANISATION, whole_names
from finrag_pipeline.stages.identity.spelling import joined

_CODE_BEHIND = re.compile(
    r"(?:[为是系][\u3400-\u9fff]{2,14}上市公司)?\s*[（(\[【][^（）()\[\]【】]{0,12}\d{4,6}[^（）()\[\]【】]{0,12}[)）\]】]"
)
#: 储能 in 储能业务 is no mention of its own.
_WITHIN_SEGMENTS = ("industry", "commodity", "concept", "metric", "place")
_NOT_THEIRS = re.compile(
    "并非|不是|没有|无(?![线人锡机纺菌])|不涉及|未涉及|不含|剥离|未知|股东|曾|就职|任职|历任"
)
#: What a clause says of a segment: how it does, or that it is what its company does.
_DOES = re.compile(
    "收入|营收|利润|净利|毛利|增长|增速|下降|下滑|提升|增加|减少|占比|贡献|稳健|稳固|稳定|恢复|订单|同比"
    "|环比|承压|主营|从事|聚焦|专注|布局|包括|涵盖|包含|分为|负责|隶属"
)
_CLAUSE_END = re.compile("[\n。；;，,：:]")
#: 原料药与中间体业务 is one; 甲业务和乙业务 are two.
_CUT_LIST = re.compile(
    "(?<!业务)(?<!板块)(?<!分部)(?<!事业部)(?:[与及和]|(?<![%％])、|以及|其他|其它)$"
)
#: A sentence ends, or words of English: Chinese ones put the office right behind the company.
_NOT_THEIR_OFFICE = re.compile(r"[\n。；;a-z]")
_SHORTEST_SEGMENT = 4
_SENTENCE = re.compile(r"[\n。；;]")


def mentions_of(
    words: Sequence[Tagged], metadata: Metadata, lexicon: Lexicon
) -> list[tuple[Mention, ...]]:
    """The mentions of each chunk in order of print; no two share a character.

    Args:
        words: of the chunks; what a tagger takes for names proposes what no list and no form gives
            away.
    """
    texts = [chunk.text for chunk in words]
    tokens = [tokens_of(text) for text in texts]
    own = _own_names(metadata)
    known = [free_names(*chunk, lexicon) for chunk in zip(words, tokens, strict=True)]
    shown = frozenset(
        name for chunk in zip(known, texts, tokens, strict=True) for name in shown_names(*chunk)
    )
    first = [
        longest(_named(chunk, cut, metadata, list(known_names(places, chunk, cut, own, shown))))
        for places, chunk, cut in zip(known, words, tokens, strict=True)
    ]
    first = [longest(some) for some in english_settled(texts, first)]
    first = [
        longest([*found, *proposed])
        for found, proposed in zip(first, proposed_names(words, first), strict=True)
    ]
    first = [
        longest([*found, *products(chunk, found), *persons])
        for chunk, found, persons in zip(words, first, tagged_people(words), strict=True)
    ]
    declared = declared_by(zip(texts, first, strict=True), metadata)
    listings = listings_together(texts, metadata)
    return _whole(
        [
            _settle(text, cut, found, declared, listings)
            for text, cut, found in zip(texts, tokens, first, strict=True)
        ]
    )


def _whole(found: Sequence[tuple[Mention, ...]]) -> list[tuple[Mention, ...]]:
    """Mentions whose names are whole where a document prints them so elsewhere.

    Lines and cells cut names at either end: 南省能源投资集团有限公司, …指数证券投.
    """
    names = {each.name for some in found for each in some if each.type == "company"}
    whole = whole_names(names)
    return [
        tuple(
            replace(each, name=whole[each.name]) if each.type == "company" else each
            for each in some
        )
        for some in found
    ]


def _own_names(metadata: Metadata) -> frozenset[str]:
    return frozenset(name for name in (metadata.company_name, metadata.broker) if name)


def _named(
    chunk: Tagged, tokens: Tokens, metadata: Metadata, known: Sequence[Found]
) -> Iterable[Found]:
    text = chunk.text
    yield from known
    # a registered name inside tells where a longer form really begins
    registered = {item.end for item in known if item.type in ("company", "organisation")}
    yield from (
        f for f in formed_names(chunk, tokens) if f.type != "company" or f.end not in registered
    )
    yield from people(chunk, metadata)
    for name, code in (
        (metadata.company_name, metadata.company_code),
        (metadata.broker, None),
    ):
        for match in re.finditer(re.escape(name), text) if name else ():
            if len(name or "") > 3 or tokens.bounded(*match.span()):
                # the publisher of a paper may be a body: 世界卫生组织
                kind = "organisation" if ORGANISATION.search(name or "") else "company"
                yield Found(*match.span(), kind, "high", 3, name, code=code)


def _settle(
    text: str,
    tokens: Tokens,
    found: Sequence[Found],
    declared: Declared,
    listings: Mapping[str, tuple[str, ...]],
) -> tuple[Mention, ...]:
    items = [*found, *_declared_names(text, tokens, declared)]
    items = longest(items)
    items = longest([*items, *references(text, tokens, declared.generic, items)])
    items = longest([*items, *_owned_segments(text, tokens, items)])
    items = [_with_company(text, item, items) for item in items]
    return tuple(_mention(text, item, declared, listings) for item in items)


def _declared_names(text: str, tokens: Tokens, declared: Declared) -> Iterable[Found]:
    for alias, stands_for in declared.names.items():
        for match in re.finditer(re.escape(alias), text):
            start, end = match.span()
            word = alias.isascii() and re.search(
                r"[A-Za-z0-9_]", text[start - 1 : start] + text[end : end + 1]
            )
            if not word and (len(alias) > 3 or tokens.bounded(start, end)):
                yield replace(stands_for, start=start, end=end)


def _owned_segments(text: str, tokens: Tokens, items: Sequence[Found]) -> Iterable[Found]:
    """Segments with the company that the same sentence names last before them."""
    for segment in segments(text, tokens):
        sentence = 0
        for mark in _SENTENCE.finditer(text, 0, segment.start):
            sentence = mark.end()
        owners = [
            item
            for item in items
            if item.type == "company"
            and sentence <= item.start
            and item.end < segment.end
            # a title of another paper
            and text.rfind("《", sentence, item.start) <= text.rfind("》", sentence, item.start)
        ]
        # printed in one piece with its company, 腾讯游戏业务, it begins behind it
        start = max([segment.start, *(item.end for item in owners if item.end > segment.start)])
        taken = any(
            item.start < segment.end and start < item.end
            for item in items
            if item.type not in _WITHIN_SEGMENTS
        )
        # cut out of a longer term: 代工业务 of 晶圆代工业务
        start = min([start, *(i.start for i in items if i.start < start < i.end)])
        # a name alone before 业务 says nothing of which
        taken = taken or segment.end - start < _SHORTEST_SEGMENT
        taken = taken or not says_which_business(text[start : segment.end])
        taken = taken or _CUT_LIST.search(text, sentence, start) is not None
        taken = taken or not _DOES.search(*_clause(text, segment.start, segment.end))
        # 并非储能业务: named to say that it is not theirs
        taken = taken or _NOT_THEIRS.search(text, sentence, start) is not None
        if len({item.name or text[item.start : item.end] for item in owners}) == 1 and not taken:
            owner = owners[0]
            yield replace(segment, start=start, company=owner.name or text[owner.start : owner.end])


def _clause(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The text and where the clause begins and ends around a place of it."""
    first = max((mark.end() for mark in _CLAUSE_END.finditer(text, 0, start)), default=0)
    last = _CLAUSE_END.search(text, end)
    return text, first, last.start() if last else len(text)


def _with_company(text: str, item: Found, items: Sequence[Found]) -> Found:
    """A person with the company that the words before the office name; a company with its code."""
    if item.type == "company" and item.code is None:
        match = _CODE_BEHIND.match(text, item.end)
        codes = code_mentions(text[item.start : match.end()]) if match else []
        return replace(item, code=codes[0].code) if codes else item
    if item.type != "person" or item.company:
        return item
    near = [
        other
        for other in items
        if other.type in ("company", "organisation")
        and 0 <= item.start - other.end <= 16
        and not _NOT_THEIR_OFFICE.search(text, other.end, item.start)
    ]
    if not near:
        return item
    return replace(item, company=near[-1].name or text[near[-1].start : near[-1].end])


def _mention(
    text: str, item: Found, declared: Declared, listings: Mapping[str, tuple[str, ...]]
) -> Mention:
    shown = text[item.start : item.end]
    name = joined(item.name or shown)
    return Mention(
        start=item.start,
        end=item.end,
        text=shown,
        name=name,
        type=item.type,
        confidence=item.confidence,
        aliases=(*declared.aliases.get(name, ()), *listings.get(item.code or "", ())),
        company=item.company,
        code=item.code,
        description=item.description or description_of(text, item.end),
    )
