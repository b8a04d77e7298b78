"""What a text lists: items between commas of a list, under numbers or bullets. Text in, items out.

Which of them answer a question is `items`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from finrag_pipeline.query.evidence.clauses import split

#: What stands between two items of one list.
_COMMAS = "、"
_LEAST_ITEMS = 2
_LONGEST_ITEM, _LONGEST_LATIN = 40, 90
#: Up to here what opens an item under a number is its name, and not a sentence.
_LONGEST_LABEL = 45
#: What a list is led in by; the item begins behind it.
_LEAD = re.compile(
    r"(?P<sure>包括但不限于|包括了?|包含了?|涵盖了?|囊括了?|覆盖了?|主要有|主要是|主要为|主要由|分别为|"
    r"分别是|分为|划分为|合作了?|服务于|聚焦于?|专注于?|提供|拥有|推出了?|布局了?|(?:整合|并购|收购|入股)了?|销售给|来自于?|"
    r"例如|诸如|譬如|比如|(?<!不)如(?!果|何|期|下|此|今|同)|即|为(?!了|主)|是(?!否)|应用于|适用于|"
    r"用于|面临|有(?!限|效|望|关|所|力|序|机|助|利|别)|[：:])\s*|"
    r"(?:具有|涉及|带来|导致|引起|由|以|在|对|与|向|通过)\s*"
)
#: What follows the last item where nothing closes the list.
_BEHIND = re.compile(
    r"等|同比|环比|的|在|是|为|均|都|已|将|也|则|占|位居|分别|合计|以及其他|构成|组成|共同|仍|有望|成为|排名|"
    r"三|两|四|五|[二六七八九十](?=[大类个种家项])|[,，。；;：:！!？?\n]"
)
_LAST_JOIN = re.compile(r"以及其?|(?<![不普涉触])及其?(?!时)|(?<!缓)和(?!解)|与(?!会)|或者?")
_INSIDE = re.compile(r"^(?:包括|例如|比如|主要是|主要为|主要有|如|含|即|为|其中)?[：:]?")
_BRACKETS = re.compile(r"[（(][^（）()]*[)）]")
#: What opens a clause, and no item.
_CLAUSES = re.compile(r"随着|由于|因为|如果|倘若|虽然|尽管|为了|当(?!地)|若(?!干)|它们|他们|我们")
#: What opens an item under a number or a bullet; by style.
_STYLES = (
    r"[①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮]",
    r"[（(]\d{1,2}[)）][.．、]?",
    r"(?<![\d.%A-Za-z])\d{1,2}[)）、](?!\d)",
    r"(?:(?<=^)|(?<=[\s。；;：:]))\d{1,2}[.．](?!\d)",
    r"[（(][一二三四五六七八九十]{1,2}[)）]",
    r"(?:(?<=^)|(?<=[\s。；;：:]))[一二三四五六七八九十]{1,2}、",
    r"(?:(?<=^)|(?<=[\s。；;：:，,]))[一二三四五六七八九十]是",
    r"(?:(?<=^)|(?<=[\s。；;：:，,]))(?:第[一二三四五六七八九十]|其[一二三四五六七八九])[，,、]?(?=\S)",
    r"[•●■◆▪➢✓]",
    r"(?:(?<=^)|(?<=\n))\s*[-–]\s",
    r"(?:(?<=^)|(?<=[\s:;,]))\([a-z]\)",
)
_NUMBERED = tuple(re.compile(each, re.MULTILINE) for each in _STYLES)
_LABEL_END = re.compile(r"[：:。；;，,！!？?\n]|\.(?=\s|$)")
_OPENS = re.compile(
    r"^(?:[❑■◆●•▪➢□⚫✓]|(?:本?公司|集团)的|以及|及|和|与|或|其中|其|另外|此外|还有|"
    r"and |or |the )\s*",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"(?:等等?|等方面|等(?:的|相关)?风险|etc\.?)$|[\s。；;，,、.：:！!]+$")
#: What leads in an English list.
_LATIN_LEAD = re.compile(
    r"\b(?:such as|including|includes?|included|comprises?|comprising|consists? of|namely|are|were|"
    r"is|offers?|provides?|sells?|between|like|from|:)\s*:?\s+",
    re.IGNORECASE,
)
_LATIN_BREAK = re.compile(
    r",\s+(?:and|or|as well as)\s+|;\s+(?:and|or)\s+|[,;]\s+|\s+(?:and|or)\s+"
)
#: Short sentences of risks, and their like, stand behind such a heading.
_HEADED = re.compile(
    r"(?:风险(?:提示|因素|分析|揭示|警示)|催化剂?|关键假设|"
    r"(?:key |main )?risks?(?: factors?)?(?: include)?)\s*[：:]\s*",
    re.IGNORECASE,
)
#: Where such a list ends: with its sentence, or where a line begins with a mark of its own.
_HEADED_END = re.compile(r"。|\n\s*(?=[■◆●•▪➢□\d]|\S{2,12}[：:])|\n\s*\n|[.](?=\s|$)")
#: What parts its items, the first of these that it has.
_HEADED_BREAKS = ("；", ";", "，", ",", "、")
_MOST_HEADED = 600


#: Boxes to tick, as filings' forms print them.
_FORM = re.compile(r"[□☐]\s*(?:适用|不适用|是|否)")


#: What one list stands in; what follows one by one is another: 甲、乙和丙分别增长3%、2%和1%.
_RUN = re.compile(r"(?:(?:分别|依次)|[^，。；;！!？?\n,])(?:(?!分别|依次)[^，。；;！!？?\n,])*")
#: Figures that stand in one list.
_VALUE = re.compile(
    r"[-+−]?\d[\d,]*(?:\.\d+)?\s*(?:%|％|pct|pp|[万百千]?亿?[美港日]?元|[万亿]|个百分点|[家个项倍])?"
)
_VALUES = re.compile(
    rf"{_VALUE.pattern}(?:\s*(?:、|/|,|，|和|及|以及|与|\band\b)\s*{_VALUE.pattern})+"
)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Items that stand in one list.

    Attributes:
        items: as they are told, in order.
        quotes: the words of each that a citation holds: a sentence, or its own part of a text.
        lead: what stands before the list, its last words.
        tail: what stands behind it, its first words.
        closed: whether words lead it in or close it, so that its ends are sure.
        led: whether words lead it in: in 在产品质量、种类上 the noun is part of the first item.
    """

    items: tuple[str, ...]
    quotes: tuple[str, ...]
    lead: str
    tail: str = ""
    closed: bool = True
    led: bool = True


def enumerations(text: str) -> Iterator[Enumeration]:
    """The lists of a text.

    >>> [each.items for each in enumerations("主要客户包括甲公司、乙集团和丙股份等龙头企业。")]
    [('甲公司', '乙集团', '丙股份')]
    >>> [each.items for each in enumerations("风险提示：需求不及预期；汇率波动；竞争加剧。")]
    [('需求不及预期', '汇率波动', '竞争加剧')]
    >>> [each.items for each in enumerations("举措：1）扩产：新建基地。2）出海：设立子公司。")]
    [('扩产', '出海')]
    >>> [each.items for each in enumerations("Products such as pumps, valves and motors.")]
    [('pumps', 'valves', 'motors')]
    >>> [each.items for each in enumerations("三家代表企业（甲科技、乙集团、丙股份）均已上市。")]
    [('甲科技', '乙集团', '丙股份')]
    """
    if _FORM.search(text):
        return  # headings of a form that was left empty list nothing
    yield from _under_numbers(text)
    yield from _headed(text)
    for sentence in split(text):
        yield from _in_brackets(sentence)
        yield from _between_commas(sentence)
        yield from _latin(sentence)


def values_beside(listed: Enumeration) -> tuple[str, ...]:
    """The figures that the sentence of a list gives its items one by one; empty where it does not.

    >>> found = enumerations("收入来自中国、美国和欧亚，占比分别为84%、13%和3%。")
    >>> [(each.items, values_beside(each)) for each in found][0]
    (('中国', '美国', '欧亚'), ('84%', '13%', '3%'))
    """
    sentence = listed.quotes[0]
    if len(set(listed.quotes)) > 1:
        return ()
    for run in _VALUES.finditer(sentence, sentence.rfind(listed.items[-1]) + len(listed.items[-1])):
        values = tuple(each[0] for each in _VALUE.finditer(run[0]))
        if len(values) == len(listed.items):
            return values
    return ()


def _under_numbers(text: str) -> Iterator[Enumeration]:
    for style in _NUMBERED:
        marks = list(style.finditer(text))
        if len(marks) < _LEAST_ITEMS:
            continue
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        pieces = [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
        # the last goes on until its sentence, or line, ends
        pieces[-1] = _first_sentence(pieces[-1])
        found = [(label(piece), _quote(piece)) for piece in pieces]
        kept = [(name, quote) for name, quote in found if name and quote]
        if len(kept) >= _LEAST_ITEMS:
            names, quotes = zip(*kept, strict=True)
            yield Enumeration(names, quotes, text[: marks[0].start()][-60:])


def label(piece: str) -> str:
    """What an item under a number, or a line of a list, is called: the words that it opens with.

    >>> label("政策风险：集采降价超出预期。"), label("持续扩大海外产能，建设新基地。")
    ('政策风险', '持续扩大海外产能，建设新基地')
    """
    piece = piece.strip()
    end = _LABEL_END.search(piece)
    opening = piece[: end.start()] if end else piece
    if end and end[0] in "，,":
        # what a comma ends is no name: the sentence, where it is short
        whole = re.split(r"[。；;！!？?\n：:]", piece, maxsplit=1)[0]
        opening = whole if len(whole) <= _LONGEST_LABEL else opening
    return _clean(opening) if len(opening) <= 2 * _LONGEST_LABEL else ""


def _first_sentence(piece: str) -> str:
    sentences = split(piece)
    return sentences[0] if sentences else piece


def _quote(piece: str) -> str:
    """The first sentence of an item: what it is called stands there."""
    return _first_sentence(piece).strip()


def _headed(text: str) -> Iterator[Enumeration]:
    """Short sentences of risks behind their heading: one list, however it is parted."""
    for head in _HEADED.finditer(text):
        rest = text[head.end() : head.end() + _MOST_HEADED]
        end = _HEADED_END.search(rest)
        listed = rest[: end.start()] if end else rest
        if any(style.match(listed.strip()) for style in _NUMBERED):
            continue
        mark = next((each for each in _HEADED_BREAKS if each in listed), "\n")
        pieces = [piece.strip() for piece in listed.split(mark)]
        told = [(_clean(piece), piece) for piece in pieces if piece]
        kept = [(name, quote) for name, quote in told if 2 <= len(name) <= _LONGEST_LATIN]
        if kept:
            names, quotes = zip(*kept, strict=True)
            yield Enumeration(names, quotes, text[head.start() : head.end()])


def _between_commas(sentence: str) -> Iterator[Enumeration]:
    masked = _BRACKETS.sub(lambda match: "＿" * len(match[0]), sentence)
    for run in _RUN.finditer(masked):
        if _COMMAS not in run[0]:
            continue
        start, end = run.span()
        first = masked.index(_COMMAS, start)
        leads = [match for match in _LEAD.finditer(masked, start, first) if match.end() < first]
        begin = leads[-1].end() if leads else start
        parts = _places(masked, begin, end, _COMMAS)
        *before, last = parts
        tail_at = _end_of_last(masked, *last)
        sure = bool(leads) and leads[-1]["sure"] is not None
        closed = masked[tail_at : tail_at + 1] == "等" or (tail_at == end and sure)
        places = [*before, *_joined(masked, last[0], tail_at)]
        items = [_clean(sentence[a:b]) for a, b in places]
        if _CLAUSES.match(items[0]) or len(items) < _LEAST_ITEMS:
            continue
        if all(1 < len(each) <= _LONGEST_ITEM for each in items):
            lead = sentence[max(0, begin - 60) : begin]
            tail = sentence[tail_at : tail_at + 30]
            yield Enumeration(tuple(items), (sentence,) * len(items), lead, tail, closed, sure)


def _in_brackets(sentence: str) -> Iterator[Enumeration]:
    """Items in brackets behind what they are: 代表企业（甲、乙、丙）."""
    for match in _BRACKETS.finditer(sentence):
        inside = _INSIDE.sub("", match[0][1:-1])
        items = [_clean(each) for each in inside.split(_COMMAS)]
        if len(items) >= _LEAST_ITEMS and all(1 < len(each) <= _LONGEST_ITEM for each in items):
            lead, tail = (
                sentence[max(0, match.start() - 60) : match.start()],
                sentence[match.end() :],
            )
            yield Enumeration(tuple(items), (sentence,) * len(items), lead, tail[:30])


def _places(text: str, start: int, end: int, mark: str) -> list[tuple[int, int]]:
    ends = [start - 1, *(n for n in range(start, end) if text[n] == mark), end]
    return [(one + 1, other) for one, other in pairwise(ends)]


def _end_of_last(text: str, start: int, end: int) -> int:
    """Where the last item ends: at what closes the list, else where another word begins."""
    closing = text.find("等", start + 1, end)
    if closing > start:
        return closing
    behind = _BEHIND.search(text, start + 2, end)
    return behind.start() if behind else end


def _joined(text: str, start: int, end: int) -> Sequence[tuple[int, int]]:
    """The last item, two where a word joins two."""
    for match in _LAST_JOIN.finditer(text, start + 1, end):
        if match.start() - start >= 2 and end - match.end() >= 2:
            return ((start, match.start()), (match.end(), end))
    return ((start, end),)


def _latin(sentence: str) -> Iterator[Enumeration]:
    if sum(character.isascii() for character in sentence) < 0.8 * len(sentence):
        return
    masked = _BRACKETS.sub(lambda match: "_" * len(match[0]), sentence)
    leads = [match for match in _LATIN_LEAD.finditer(masked)]
    for n, lead in enumerate(leads):
        end = leads[n + 1].start() if n + 1 < len(leads) else len(sentence)
        breaks = list(_LATIN_BREAK.finditer(masked, lead.end(), end))
        if not breaks:
            continue
        edges = [lead.end(), *(place for each in breaks for place in each.span()), end]
        items = [_clean(sentence[edges[at] : edges[at + 1]]) for at in range(0, len(edges) - 1, 2)]
        kept = [each for each in items if 1 < len(each) <= _LONGEST_LATIN]
        if len(kept) >= _LEAST_ITEMS and len(kept) == len(items):
            before = sentence[max(0, lead.start() - 90) : lead.end()]
            yield Enumeration(tuple(kept), (sentence,) * len(kept), before)


def _clean(text: str) -> str:
    """An item without what opens or closes it in its list."""
    text = " ".join(text.split())
    while (shorter := _CLOSES.sub("", _OPENS.sub("", text))) != text:
        text = shorter
    return text.strip("“”\"'《》 ") if text.count("《") != 1 else text.strip()
