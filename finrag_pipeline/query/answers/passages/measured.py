"""What a figure is asked of: the words right before what is measured, 天然气 in 天然气产量.

A sentence with the figure says them, or what stands right before it does: 销量 of something else
is another figure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.question.signals import places
from finrag_pipeline.query.question.terms import NOUN_WEIGHT, is_known
from finrag_pipeline.words import fold

#: What is measured ends so; what stands before it says of what.
_MEASURE = re.compile(
    r"(?:产能|产量|销量|[\u3400-\u9fff][量额数]|收入|营收|销售额|装机|面积|规模|市场(?=有?(?:多|几|规模|空间|容量)|$))(?!的)"
)
_PIECE = re.compile(r"[^\s，,；;？?：:]+$")
#: What limits the things that are counted: 涉及云计算的专利, 问诊场景的专利.
_LIMITED = re.compile(
    r"(?:涉及|关于|针对|面向|用于)(?P<of>[^，,。；;的\s]{2,8})(?=的|有|占)|"
    r"(?P<in>[^，,。；;的\s]{2,8})(?:场景|方向|领域|赛道|环节)(?=的|有|占|里|中|上|\s)"
)
#: Several things of which a figure is asked each.
_SEVERAL = re.compile(r"[和与及、/]|[两二三四五几各](?:块|项|类|种|家|个|者|大)")
#: A word that is none of the words of a question: two or three characters that ask for nothing.
_STRANGE = re.compile(r"[^\W\d_a-z的了是有多少几各其和与在从到对把被给让请问看查算一]{2,3}")
_PART_OF_YEAR = re.compile(r"[上下]半年|全年|单季度?|[前第]?[一二三四]季度?")
#: Weight of words from which they tell one thing from another: 海外 does, 股份 does not.
_TELLING = 3.0

#: 五大 of 前五大客户.
_FIRST_FEW = re.compile(r"前?[一二三五十\d]+[大名家]")
#: Characters of a word that is made of two others: 厂房设备.
_OF_TWO = 4
#: Characters of the longest word that stands for a longer one, and what it may leave out between.
_LONGEST_SHORT, _ONE_LEFT_OUT = 3, r"[\u3400-\u9fff]?"
#: What says of which of many years, and of no business.
_OF_YEARS = frozenset(("历年", "全年", "当年", "逐年", "往年"))
#: Units, how many there are, who says it, and what any figure may be called.
_NO_NOUN = re.compile(
    r"p(?:p|ct)s?|bps?|分析师|券商|研究员|[人户股家份件项款台套颗只]数|数额|总值|加总|名下|附表|增减额|层面|原本|测算|归类|核实|同期相比|百分比|余地|历年|作何"
)
#: What parts of a company are called, one for another, and what they do to its figures.
_HEADS = frozenset(
    ("平台", "板块", "业务", "分部", "产品线", "条线", "带来", "贡献", "实现", "产生", "创造")
)
#: Where the market of an industry is that no other one is asked of.
_WIDE = frozenset(("国内", "中国", "我国", "全国", "全球", "世界", "行业", "整体"))

#: What asks for a figure, how far before it words stand that name it, and how such words end:
#: no verb or thing does.
_ASKS_HOW_MANY = re.compile(
    r"(?:分别)?(?:大[约概])?(?:是|为|有|达到?|到|占|做到|能做到)?(?:多少|(?<!哪)几|多[大高])"
)
_HEAD_REACH = 2
_RATE = re.compile(r"(?:率|比|收益|超额|价|换手|回撤|倍数|幅度?|息|期限|评分|得分)$")


def heads_of(rest: str, terms: Sequence[str]) -> tuple[str, ...]:
    """The words that name the rate or price that is asked for, right before what asks for it.

    Args:
        rest: a Chinese question without whom and when.
        terms: its words.

    >>> heads_of("量价组合的月度胜率是多少", ("量价", "组合", "月度", "胜率"))
    ('胜率',)
    >>> heads_of("卖了多少台", ("卖了",))
    ()
    """
    asks = _ASKS_HOW_MANY.search(rest)
    before = fold(rest[: asks.start()]).rstrip("，, ") if asks else ""
    return tuple(
        each
        for each in terms
        if (at := before.rfind(each)) >= 0
        and at + len(each) >= len(before) - _HEAD_REACH
        and _RATE.search(each)
    )


def topics_of(question: str, terms: Sequence[str], nouns: Collection[str]) -> tuple[str, ...]:
    """Nouns that say which business, project or the like is asked about: those before 业务 or 项目
    that texts seldom use.

    Args:
        question: folded.
        terms: its words.
    """
    found: list[str] = []
    for start, _ in places("headed", question):
        end = start
        while before := next((each for each in terms if question.endswith(each, 0, end)), ""):
            found.append(before)
            end -= len(before)
    weight = WordWeights.packaged().weight
    return tuple(
        each
        for each in nouns
        if each in found and each not in _OF_YEARS and weight(each) >= NOUN_WEIGHT
    )


def says_topic(topic: str, text: str) -> bool:
    """Whether a text has a topic, the word that it is short for, or one of the two that it is
    made of.

    >>> says_topic("动保", "动物保健"), says_topic("动保", "动力电池与保健品")
    (True, False)
    >>> says_topic("厂房设备", "房屋、建筑物及机器设备")
    True
    """
    if topic in text:
        return True
    halves = topic[:2], topic[2:]
    if len(topic) == _OF_TWO and all(map(is_known, halves)):
        return any(each in text for each in halves)
    short = not topic.isascii() and len(topic) <= _LONGEST_SHORT
    return short and bool(re.search(_ONE_LEFT_OUT.join(map(re.escape, topic)), text))


def is_counted(word: str) -> bool:
    """Whether a noun that a figure is asked of has to be written by documents that print it.

    >>> [is_counted(each) for each in ("票房", "pct", "份数", "分析师")]
    [True, False, False, False]
    """
    if _FIRST_FEW.fullmatch(word) or _NO_NOUN.fullmatch(word):
        return False
    return WordWeights.packaged().weight(word) >= NOUN_WEIGHT


def is_wide(word: str) -> bool:
    """Whether a word says only where a whole industry is."""
    return word in _WIDE


def measured_of(
    bare: str, spans: Collection[tuple[int, int]], words: Sequence[str]
) -> tuple[str, ...]:
    """The words that say of what a figure is asked.

    Args:
        bare: a Chinese question without whom and when, which are blanks.
        spans: where it names metrics.
        words: what else it says.

    >>> measured_of("帮我看看        天然气产量", (), ("天然气", "产量"))
    ('天然气',)
    >>> measured_of("月活用户数多少", (), ("用户数",))
    ('月活',)
    >>> measured_of("国内和海外收入", [(5, 7)], ("国内", "海外"))
    ()
    >>> measured_of("涉及云计算的专利有多少件", (), ("云计算", "专利"))
    ('云计算',)
    """
    weight = WordWeights.packaged().weight
    pieces = list(_measures(bare, spans))
    before = "\n".join(piece for piece, _ in pieces)
    before += "\n" + "\n".join(match["of"] or match["in"] for match in _LIMITED.finditer(bare))
    known = [each for each in words if each in before and weight(each) >= _TELLING]
    found = list(dict.fromkeys([*known, *_unknown(pieces, words)]))
    # OBT平台 and OBT板块 are one
    return tuple([each for each in found if each not in _HEADS] or found)


def _unknown(pieces: Sequence[tuple[str, str]], words: Sequence[str]) -> Iterator[str]:
    """What no word covers at the beginning of what is measured: 月活 in 月活用户数."""
    for before, measure in pieces:
        whole = f"{before}{measure}"
        first = min((at for each in words if (at := whole.find(each)) >= 0), default=0)
        if _STRANGE.fullmatch(whole[:first]) and not _PART_OF_YEAR.fullmatch(whole[:first]):
            yield fold(whole[:first])


def _measures(bare: str, spans: Collection[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Each measure with what stands before it; nothing of several things, each of which has its
    own."""
    for start, end in sorted({*spans, *(each.span() for each in _MEASURE.finditer(bare))}):
        piece = _PIECE.search(bare[:start])
        if piece and not _SEVERAL.search(piece[0]):
            yield piece[0], bare[start:end]
