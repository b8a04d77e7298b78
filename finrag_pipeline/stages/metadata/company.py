"""Decides which company a document is about, and reads its name and all its codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.securities import CodeMention, clean_name, code_mentions
from finrag_pipeline.records import Place
from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row

#: How much a mention says about whose document it is: title and heads speak of it alone, lists of
#: earlier reports and running text name others too. What is said there alone must be said twice.
_TITLE, _COVER, _ASIDE = 4.0, 3.0, 0.5
#: Rows of a table with codes of more companies than this list peers.
_OWN_TABLE_NAMES = 2
_SHORT_NAME = re.compile(
    r"(?:证券|股票|公司(?:的)?(?:中文)?)简称\s*[:：]?\s*([\u3400-\u9fffA-Za-z*][\u3400-\u9fffA-Za-z0-9*\-]{1,9}?)"
    r"(?=$|[\s，,;；（(]|股票|证券|公司|公告|编号|代码)"
)
_NO_SHORT_NAME = re.compile(r"^(?:股票|证券|公司|上市|变更)|有限$|有限公司")
_INDEX = re.compile(
    r"([\u3400-\u9fff][\u3400-\u9fffA-Za-z0-9\-]{1,7})\s+(?:沪深\s?300|恒生|上证|深证|创业板|科创|中证)"
)
_BARE_NAME = re.compile(r"\*?(?:ST)?[\u3400-\u9fff]{2,6}[A-Z]?(?:-[A-Z]{1,2})?")
#: Whose bonds or notes a title is on.
_ISSUER_FIRST = re.compile(
    r"([\u3400-\u9fff（）()]{4,30}?有限(?:责任)?公司)(?=.*(?:评级|债券|票据|募集|融资券))"
)
#: The symbol of a company's shares behind its name, and how often a front page has it at least.
_SYMBOL = re.compile(r"\s\((?:[A-Z]{2,6}\s?[:：]\s?)?([A-Z]{2,5})(?:[.: ][A-Z]{1,2})?\)")
_NAMED_TWICE = 2
_SUFFIX = re.compile(r"-[A-Z]{1,2}$|^\*?ST|\s")


@dataclass(frozen=True, slots=True)
class Company:
    """The company of a document; nothing found is empty."""

    name: Found[str] | None = None
    code: Found[str] | None = None
    codes: Found[tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class _Mention:
    code: str
    name: str | None
    weight: float
    place: Place


def read_company(blocks: Sequence[Block], front: Sequence[Block]) -> Company:
    """The company that the first page and the running heads name most.

    Args:
        blocks: of the whole document.
        front: those of its first page.

    Returns:
        Its name as printed beside a code; its own code, the mainland listing first; all codes
        printed under its name, in order. Codes of other companies are left out.
    """
    heads = [block for block in blocks if block.running and block not in front]
    mentions = [*_mentions(front), *_mentions(heads)]
    score: dict[str, float] = {}
    for mention in mentions:
        score[mention.code] = score.get(mention.code, 0.0) + mention.weight
    if not score:
        return Company()
    order = list(score)
    best = max(order, key=lambda code: (score[code], -order.index(code)))
    if score[best] < 2 * _ASIDE or (
        score[best] < _COVER and len({m.name for m in mentions if m.name}) > 1
    ):
        return Company()
    names = Counter[str]()
    for mention in mentions:
        if mention.code == best and mention.name:
            names[mention.name] += 1 + int(mention.weight)
    name = max(names, key=lambda item: names[item], default=None)
    same = {plain_name(name)} if name else set[str]()
    codes = [
        code
        for code in order
        if code == best
        or any(m.code == code and m.name and plain_name(m.name) in same for m in mentions)
        or (_market(code) != _market(best) and _beside(code, best, mentions))
    ]
    own = min(codes, key=lambda code: (code.endswith(".HK"), code != best, codes.index(code)))
    places = _places(m.place for m in mentions if m.code == own)
    named = name or next((m.name for m in mentions if m.code in codes and m.name), None)
    found = (
        Found(named, _places(m.place for m in mentions if m.name == named))
        if named
        else _name_alone(front, blocks)
    )
    every = _places(m.place for m in mentions if m.code in codes)
    return Company(found, Found(own, places), Found(tuple(codes), every))


def named_company(title: Found[str], front: Sequence[Block]) -> Found[str] | None:
    """The company of a report that prints no code: the issuer that its title opens with, or the one
    that its head and headings name with the symbol of its shares."""
    if match := _ISSUER_FIRST.match(title.value):
        return Found(match[1], title.places)
    named = [
        (match[1], name, row.place)
        for row, block in every_row(front)
        if not block.prose
        for match in _SYMBOL.finditer(row.text)
        if (name := clean_name(row.text[: match.start()]))
    ]
    symbols = Counter(symbol for symbol, _, _ in named)
    most, times = max(symbols.items(), key=lambda each: each[1], default=("", 0))
    if times < _NAMED_TWICE:
        return None
    own = [(name, place) for symbol, name, place in named if symbol == most]
    # the longest is the whole one: Galaxy Works, Inc.
    name, place = max(own, key=lambda each: len(each[0]))
    return Found(name, (place,))


def short_name(rows: Iterable[tuple[Row, Block]]) -> Found[str] | None:
    """The company's short name where a row states it: ``证券简称：…``."""
    for row, _ in rows:
        match = _SHORT_NAME.search(row.text)
        if match and not _NO_SHORT_NAME.search(match[1]):
            return Found(match[1], (row.place,))
    return None


def plain_name(name: str) -> str:
    """A name without marks of its listing: ``*ST``, ``-U``, spaces."""
    return _SUFFIX.sub("", name)


def _mentions(blocks: Sequence[Block]) -> list[_Mention]:
    found: list[_Mention] = []
    for block in blocks:
        weight = _weight(block)
        before: Row | None = None
        here: list[_Mention] = []
        for row in block.rows:
            for number, mention in enumerate(code_mentions(row.text)):
                name = mention.name
                if name is None and number == 0 and before:
                    name = _name_above(row, before, mention)
                here.append(_Mention(mention.code, name, weight, row.place))
            before = row
        if block.kind == "table" and len({m.name for m in here}) > _OWN_TABLE_NAMES:
            continue
        found += here
    return found


def _weight(block: Block) -> float:
    if block.listed or block.prose:
        return _ASIDE
    if block.kind == "title":
        return _TITLE
    return _COVER if block.cover or len(block.text) < 60 else 2 * _ASIDE


def _name_above(row: Row, before: Row, mention: CodeMention) -> str | None:
    """A name alone on the row above a row that begins with its code."""
    begins = re.match(r"\W*(?:(?:股票|证券)?代码\s*[:：]?\s*)?", row.text)
    starts = begins is not None and row.text[begins.end() :].startswith(
        (mention.code[:6], mention.code[:5].lstrip("0"))
    )
    return before.text if starts and _BARE_NAME.fullmatch(before.text) else None


def _beside(code: str, best: str, mentions: Sequence[_Mention]) -> bool:
    """Whether a code without a name stands in a row with the company's own or has rows like it."""
    rows = {mention.place for mention in mentions if mention.code == best}
    return any(
        mention.code == code and mention.name is None and mention.place in rows
        for mention in mentions
    )


def _market(code: str) -> str:
    """Which listing a code is: a company has one a market."""
    return "B" if code.startswith(("900", "200")) else code[-2:].replace("SZ", "SH")


def _name_alone(front: Sequence[Block], blocks: Sequence[Block]) -> Found[str] | None:
    """The name where no code stands beside it: stated, in the chart's legend, or alone on a row
    or before a colon, whichever of these the first pages repeat most."""
    stated = short_name(every_row(front))
    if stated:
        return stated
    for row, _ in every_row(front):
        legend = _INDEX.search(row.text)
        if legend:
            return Found(legend[1], (row.place,))
    text = "".join(block.passage for block in blocks if block.page <= 3 and block.prose)
    rows = [Row(re.split(r"[:：]", row.text)[0], row.place) for row, _ in every_row(front)]
    alone = [row for row in rows if _BARE_NAME.fullmatch(row.text)]
    counts = {row.text: text.count(row.text) for row in alone}
    best = max(alone, key=lambda row: counts[row.text], default=None)
    return Found(best.text, (best.place,)) if best and counts[best.text] >= 2 else None


def _places(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(places))
