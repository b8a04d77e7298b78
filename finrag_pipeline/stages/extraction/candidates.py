"""What may be a name where nothing tells yet: it becomes a mention where a relation asks for one.

Capitalised words of English, foreign names, quotations and noun phrases of Chinese, and the words
by which a filing speaks of its company: we, our. Names that their form or a list gives away belong
to `forms` and `matches`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import Mention
from finrag_pipeline.stages.extraction.goods import listed_goods
from finrag_pipeline.stages.extraction.proposed_spans import weak_spans
from finrag_pipeline.stages.extraction.tagging import Tagged
from finrag_pipeline.stages.extraction.tokens import Tokens, is_nominal
from finrag_pipeline.stages.extraction.wording import is_rare, may_be_name
from finrag_pipeline.stages.identity.spelling import joined
from finrag_pipeline.words import is_chinese

#: A name of whomever or whatever, or a noun phrase that can but be a product.
Weak = Literal["name", "phrase"]

_WORDS = {
    row["name"]: frozenset(row.listed("words"))
    for row in data_rows(Path(__file__).with_name("candidate_words.csv"), ("name", "words"))
}
_TOKEN = r"[A-Z][A-Za-z0-9À-ÿ]*(?:(?!['’]s\b)[&'’.\-–+][A-Za-z0-9À-ÿ]+)*\+?"
_WORDS_OF = rf"{_TOKEN}(?:(?: of| &| de)? {_TOKEN}| \d{{1,4}}\b)*"
#: National Aeronautics and Space Administration: what ends so is one name.
_BODY = "Administration|Agency|Association|Institute|Commission|Cent(?:er|re)|Engineers|Accountants"
_CAPITALS = re.compile(
    rf"(?<![A-Za-z0-9])(?:(?:{_WORDS_OF},? ){{1,2}}and (?:{_TOKEN} )*?(?:{_BODY})\b|{_WORDS_OF})"
)
#: RCM供应商: what a company deals in.
_FIELD = re.compile(
    r"\s?(?:供应商|服务商|提供商|厂商|开发商|制造商|行业|领域|技术|业务|市场|工艺|标准|认证|药物|疗法"
    r"|渠道|管线|分子|小分子|抑制剂|激动剂|靶点|通路|项目|板块|订单|概念|产业)"
)
#: Brands in small letters among others in a list: including acmeco, Zenlark, Norvik.
_SMALL = re.compile(
    r"(?:(?<=[A-Za-z]{2}, )|(?<=including )|(?<=such as ))(?!including|such|with|among)"
    r"[a-z]{4,}(?: [a-z]{4,})?(?=, [A-Z][\w.]*(?: [A-Z][\w.]*)?, [A-Za-z])"
)
_SITE = re.compile(r"(?<![A-Za-z0-9.@/])[a-z0-9\-]{2,20}\.(?:com|cn|ai|io)(?![A-Za-z0-9/])")
#: SHR-A1904, XH-210: what is made, and nobody.
_MODEL = re.compile(r"[A-Z]{1,5}-?[A-Z]?\d+[A-Z0-9\-]*")
#: A list of goods: 旗下拥有 Zenlark、Norvik 等系统, 格岚、晶岚三大消费品牌.
_GOODS = re.compile(
    r"(?:\s?[、,，]\s?[A-Za-z\u3400-\u9fff]{2,12}){0,6}\s?"
    r"(?:等(?:多个)?(?:系统|系列|产品|车型)|等?[两三四五六七八九十]大(?:[\u3400-\u9fff]{2})?(?:品牌|系统|系列|产品))"
)
#: SIs, and IDM企业: sorts of companies.
_SORT = re.compile(
    r"[A-Z]{2,}s|[A-Z]+-(?:based|like|related|specific|driven|style|free)|[A-Z]{2,5}(?=\s?(?:企业|公司|客户))"
)
#: The rest of a Latin word that a line of Chinese was broken in: Mana gement.
_TORN = re.compile(r" (?!vs|or|of|and|in|to|on|by|at|as|is|for|the|de)[a-z]+(?![A-Za-z])")
_POSSESSIVE = re.compile(r"['’]s?$")
_LETTERS = re.compile("[A-Za-z]")
_WE = re.compile(r"\b(?:[Ww]e|[Oo]ur|[Uu]s)\b(?!\.)")
_QUOTED = re.compile(r"[“「]([^“”「」，。；！？]{2,24})[”」]")
#: What is put in quotation marks and sold by nobody: “星火计划”主管训练营.
_PLAN = re.compile("(?:计划|工程|行动|战略|倡议|理念|活动|政策|模式|精神|奖|目标|原则|体系)$")
_PLANNED = re.compile(
    "[^，。；、“”]{0,6}(?:训练营|培训|计划|行动|活动|工程|倡议|政策|战略|奖|称号|理念|论坛|大会)"
)
#: 子公司诺泰诺和均通过: a short name right behind what it is.
_SUBSIDIARY = re.compile(
    "(?:子公司|孙公司|参股公司|联营公司|合营公司)[“「]?((?![的是未均已不将为开进提使实应可拟需须对在与向从按以能会其])[\u3400-\u9fff]{2,8}?)[”」]?"
    "(?=[，。；、（(]|均|已|于|将|的|与|和|及|为|是|主要|通过|实现|获|在|完成|投产|取得|持有)"
)
#: 与华中某大学附属医院签订: whom one deals with, by how its name ends.
_PARTNER = re.compile(
    "(?:与|和|同|联合|携手|会同)([\u3400-\u9fff]{2,20}?(?:医院|大学|研究院|研究所|研究中心|科学院|学院))"
    "(?![\u3400-\u9fff]{0,2}(?:医院|大学|研究院|研究所|研究中心|学院))"
)
_HAN = re.compile("[\u3400-\u9fff]")
#: Listed companies that an exchange warns of: ST星河.
_WARNED = re.compile(
    r"(?<![A-Za-z])\*?ST\s?[\u3400-\u9fff]{2}(?![\u3400-\u9fff]{0,2}(?:个股|板块|公司))"
)
#: What the names of firms and goods may have in them: 上海|国际集团, 光伏|组件. What is traded is
#: known better by itself.
_LOOSE = ("place", "industry", "concept")
_GENERIC_PHRASE = re.compile(f"(?:{'|'.join(sorted(_WORDS['phrase'], key=len, reverse=True))})+")
#: What noun phrases of goods end with.
_MADE = re.compile(f"(?:{'|'.join(sorted(_WORDS['made'], key=len, reverse=True))})$")
_LINE = re.compile("等?(?:系列|品牌)")
#: Of words with capitals in a line: above, it is a heading and its capitals tell nothing.
_TITLE_SHARE = 0.75
#: Parts of speech of single characters that a name falls into.
_PIECES = frozenset({"r", "n", "ng", "g", "nr", "y", "h", "k", "j", "x", "zg", "b", "nz", "ns"})
#: Words so short open sentences by themselves more often than they name somebody.
_SHORT = 4
#: Characters behind a name that tell what sort it is of.
_BEHIND = 4
_SHORTEST_PHRASE, _LONGEST_PHRASE = 3, 24


def candidates(
    chunk: Tagged, tokens: Tokens, taken: Sequence[Mention], metadata: Metadata
) -> Iterator[tuple[Mention, Weak | None]]:
    """What may be named in a chunk beside what is taken for named, each with how little is known.

    Args:
        chunk: with the words of a tagger, if there is one.
        tokens: its words.
        taken: its mentions; what shares characters with one is no candidate, but for a firm that
            is called after a place.
        metadata: names the company that speaks of itself as we.
    """
    text = chunk.text
    covered = {at for item in taken for at in range(item.start, item.end)}
    loose = [(item.start, item.end) for item in taken if item.type in _LOOSE]
    said: list[tuple[int, int, Weak | None]] = [
        *(
            (start, end, "phrase" if _GOODS.match(text, end) else "name")
            for start, end in weak_spans(chunk, taken)
        ),
        *((*item, "phrase") for goods in listed_goods(text) for item in goods.items),
    ]
    for start, end, weak in (*said, *_all(text, tokens, metadata)):
        within = {at for a, b in loose if start <= a and b <= end for at in range(a, b)}
        free = covered - within if (start, end, weak) in said else covered
        if start < end and free.isdisjoint(range(start, end)):
            covered.update(range(start, end))
            shown = text[start:end]
            own = weak is None
            yield (
                Mention(
                    start,
                    end,
                    shown,
                    (metadata.company_name or shown) if own else joined(shown),
                    "company",
                    "medium",
                    code=metadata.company_code if own else None,
                ),
                weak,
            )


def _all(text: str, tokens: Tokens, metadata: Metadata) -> Iterator[tuple[int, int, Weak | None]]:
    chinese = is_chinese(text)
    if metadata.company_name and not chinese:
        for match in _WE.finditer(text):
            yield *match.span(), None
    for start, end in _latin(text):
        made = _MODEL.fullmatch(text, start, end) or _GOODS.match(text, end)
        yield start, end, "phrase" if made else "name"
    if chinese:
        for match in _WARNED.finditer(text):
            yield *match.span(), "name"
        for match in _QUOTED.finditer(text):
            if not _PLAN.search(match[1]) and not _PLANNED.match(text, match.end()):
                yield *match.span(1), "phrase"
        for match in (*_SUBSIDIARY.finditer(text), *_PARTNER.finditer(text)):
            if is_rare(match[1]) and may_be_name(match[1]):
                yield *match.span(1), "name"
        for start, end in _phrases(text, tokens):
            yield start, end, "phrase"


def _latin(text: str) -> Iterator[tuple[int, int]]:
    """Where names of capitalised words stand, line by line."""
    for line in re.finditer(r"[^\n]+", text):
        words = _LETTERS.findall(line.group()) and re.findall(r"[A-Za-z][\w'’-]*", line.group())
        capital = sum(word[0].isupper() for word in words or ())
        if not _HAN.search(line.group()) and capital > _TITLE_SHARE * len(words or ()):
            continue
        for match in (
            *_CAPITALS.finditer(text, line.start(), line.end()),
            *_SITE.finditer(text, line.start(), line.end()),
            *_SMALL.finditer(text, line.start(), line.end()),
        ):
            yield from _trimmed(text, *match.span())


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A stretch of capitalised words without what opens a sentence or names nobody."""
    opened = start == 0 or re.search(r"(?:^|[.:;!?•–—)”\"\n]\s*)$", text[max(0, start - 4) : start])
    words = [(start + m.start(), start + m.end()) for m in re.finditer(r"\S+", text[start:end])]
    while words and _bare(text, *words[0]) in _WORDS["opening"]:
        words, opened = words[1:], None
    while words and (
        _bare(text, *words[-1]) in _WORDS["opening"] or text[slice(*words[-1])] in ("of", "&", "de")
    ):
        words = words[:-1]
    shown = [_bare(text, *word) for word in words]
    if (
        not words
        or shown[-1] in _WORDS["thing"]
        or all(word in _WORDS["generic"] or word.isdigit() for word in shown)
    ):
        return
    first, last = words[0][0], words[-1][1]
    last -= len(m.group()) if (m := _POSSESSIVE.search(text[first:last])) else 0
    # the first word of a sentence has its capital from there
    alone = (
        len(words) == 1 and opened and not re.search(r"[a-z][A-Z]|\d|^[A-Z]{2}", text[first:last])
    )
    if alone and not _is_name(text, text[first:last]):
        return
    if _TORN.match(text, last) and _HAN.search(_line_of(text, first)):
        return
    sort = _SORT.match(text, first, end + _BEHIND)
    if last - first > 1 and not _FIELD.match(text, last) and not (sort and sort.end() == last):
        yield first, last


def _line_of(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]


def _is_name(text: str, word: str) -> bool:
    """Whether a word that opens a sentence has its capital everywhere in a text."""
    within = re.search(rf"[a-z0-9,] {re.escape(word)}\b", text) is not None
    return within or (len(word) > _SHORT and not re.search(rf"\b{re.escape(word.lower())}", text))


def _bare(text: str, start: int, end: int) -> str:
    return _POSSESSIVE.sub("", text[start:end])


def _phrases(text: str, tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Runs of nouns that say which product is meant: not 新产品, not 系列."""
    run: list[int] = []
    for at in range(len(tokens.starts) + 1):
        inside = at < len(tokens.starts) and _in_phrase(tokens, at)
        if inside:
            run.append(at)
            continue
        if run:
            while run and _GENERIC_PHRASE.fullmatch(_word(tokens, run[0])):
                run = run[1:]
        if run:
            start, end = tokens.starts[run[0]], tokens.ends[run[-1]]
            said = text[start:end]
            if (
                _SHORTEST_PHRASE <= len(said) <= _LONGEST_PHRASE
                and _HAN.search(said)
                and not _GENERIC_PHRASE.fullmatch(said)
                and (_MADE.search(said) or _LINE.match(text, end))
                and text[end : end + 1] not in ("用", "的", "之")
                and not _cut(tokens, run[0])
            ):
                yield start, end
        run = []


def _cut(tokens: Tokens, at: int) -> bool:
    """Whether the segmenter broke the word to the left into characters: 夫|那|奇珠单抗."""
    before = _word(tokens, at - 1) if at else ""
    return len(before) == 1 and _HAN.match(before) is not None and tokens.tags[at - 1] in _PIECES


def _word(tokens: Tokens, at: int) -> str:
    return tokens.text[tokens.starts[at] : tokens.ends[at]]


def _in_phrase(tokens: Tokens, at: int) -> bool:
    tag, word = tokens.tags[at], _word(tokens, at)
    if word in _WORDS["breaks"] or "\n" in word:
        return False
    # 变频空调, 高速电机: what goods do and are like stands before them
    fitting = is_nominal(tag) or tag in ("a", "ad", "v", "d")
    return fitting or word in ("-", "+", "•", "·") or (tag == "m" and word.isascii())
