"""Names of a question that the catalogue does not know: how they are written, and by which parts a
text knows them.

Which of them the whole store does not know is `absent`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import starmap

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.publishers import publishers
from finrag_pipeline.models.dictionary import is_pinyin, translations
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.houses import find_houses
from finrag_pipeline.query.question.placed import PLACE, is_placed, lists_places, opens_with_place
from finrag_pipeline.query.question.signals import is_general, places
from finrag_pipeline.query.question.tagging import tagged
from finrag_pipeline.query.question.terms import CAPITALISED, CODE, PROPER_TAGS, is_known, names
from finrag_pipeline.stages.identity.names import opens_business, split_form
from finrag_pipeline.words import fold, is_chinese, segmenter, subject, words

_HAN = re.compile(r"[\u3400-\u9fff]")
#: What a guess of the segmentation joins to the name behind it.
_BEFORE = (
    "对与和在给向让把被从将由为比跟及按照据依就以等那这哪该其某每各另她他它我你您请问查家做叫找"
)
#: A word of one character of these kinds belongs to no name: pronouns, measures, particles, verbs.
_APART = re.compile(r"[rqpcudvamfy]")
_APART_FROM = re.compile(r"[\s，。；：、？！,;:?!（）()“”\"]+")
#: What a house does with what is asked about, one character behind its short name.
_DOES = tuple("用给称说按把算讲看")
#: What asks whether by saying it twice: 灵不灵.
_WHETHER = re.compile(r"([\u3400-\u9fff])不\1")
#: What points to a thing and counts it is no beginning of its name: 那份口腔报告.
_COUNTED = re.compile(r"[那这哪该][份篇张本套批笔单款项种轮期次]")
#: A month whose year nothing says: 11月利率债月报.
_MONTH = re.compile(r"(?<!\d)(?:1[0-2]|0?[1-9])月份?")
#: What asks why is part of no name: 为啥中衡联合把….
_WHY = re.compile(r"为什么|为[啥何]|凭什么|凭啥|干嘛")
#: What a time ends with that is asked for its end: 2025年末海外资产.
_END = re.compile(r"[末底初](?![级步期始次端尾部层线座盘])")
_BEFORE_CODE = re.compile(r"(?:[A-Z][\w&.'’-]*\s+)*[A-Z][\w&.'’-]*\s*[（(]\s*$")
_POSSESSIVE = re.compile(r"['’]s?$")
_JOINS = re.compile("[和与及或跟]")
#: What a document is, and nobody's name: 可及性白皮书 is cut behind 可及.
_DOCUMENT = re.compile("(?:[白蓝绿]皮书|报告|研报|[年季中]报|点评|纪要|专题|论文)$")
#: What a question opens with and asks of.
_CALLED = re.compile(
    r"([\u3400-\u9fff]{4,12}?)(?=\s|的|在|是|有|为什么|为何|(?:20)?\d\d年|怎么|最近)"
)
#: What stands before whom a question is about: courtesies, and the time where that is taken out.
_ASKED = re.compile(r"^(?:\s|请问|查一下|查询|查下|看下)+")
#: Tags of the tagger for words beside names: verbs, prepositions, pronouns, measures, particles.
_BESIDE = frozenset(("c", "d", "p", "q", "r", "u", "v", "xc"))
#: What is left of a guess without what stands before it.
_GUESSED = "nz"
_FIRM = "ORG"
#: What says of where things are, and begins no name of a firm: 国内庭院机器人.
_WHEREVER = frozenset(
    ("国内", "国外", "海外", "境内", "境外", "全球", "全国", "我国", "世界", "行业", "市场")
)
_VERB = "v"
#: Letters that call what is asked for, and nobody; texts may spell them out.
_TERMS = frozenset(
    (
        *("arr", "capm", "capex", "cagr", "dcf", "ddm", "dso", "fcf", "fcff", "irr", "ltm", "nav"),
        *("nim", "npl", "npv", "nrr", "ntm", "ocf", "opex", "otc", "roce", "sotp", "tam", "ttm"),
    )
)
#: Characters of a name from which it is known though more stood behind it in the question.
_LEAST = 3
#: No company, product or place has a longer name.
_MOST = 60


def names_in(question: str, catalogue: Catalogue) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names of a question that the catalogue does not know, each with the parts of it by which a
    text knows it: a word behind it may be none of it.

    >>> [name for name, _ in names_in("远山格物的毛利率为什么下降？", Catalogue({}))]
    ['远山格物']
    >>> [name for name, _ in names_in("对百普赛斯的评价如何", Catalogue({}))]
    ['百普赛斯']
    >>> list(names_in("那家公司的海外订单何时结束？", Catalogue({})))
    []
    >>> [name for name, _ in names_in("为啥中衡联合把岷江的展望调成负面", Catalogue({}))]
    ['中衡联合']
    """
    bare = _apart(_WHETHER.sub(" ", _unknown(question, catalogue)))
    once: set[str] = set()
    if (called := _CALLED.match(_ASKED.sub("", bare))) and _is_firm(called[1]):
        once.add(called[1])
        yield called[1], (called[1], *_firms_in(called[1]))
    wanted = {name for name in names(question) if not is_general(name)}
    for written in (*CODE.findall(fold(bare)), *CAPITALISED.findall(bare)):
        parts = words(written)
        if fold(written) in _TERMS or _may_sound(question, parts):
            continue  # how Chinese texts write it no keyword tells
        if parts and all(CODE.fullmatch(each) or each in wanted for each in parts):
            once.add(fold(written))
            yield _POSSESSIVE.sub("", written), (written, *_in_chinese(question, parts))
    # nothing is joined over what is taken out, or over where a clause ends
    pieces = [piece for part in _APART_FROM.split(bare) for piece in subject(part).split()]
    for piece in pieces:
        for run in _runs(piece, wanted):
            name = "".join(word for word, _ in run)
            # nouns in the middle of a phrase are what is asked of whom: 突发公卫事件, 的食堂菜品
            before = bare[: max(bare.find(name), 0)].removesuffix("请问")
            apart = not before or not _HAN.match(before[-1]) or before[-1] in _BEFORE
            if name in once or not apart or len(name) > _MOST or _short(name, catalogue):
                continue
            if _is_name(run, first=not before) and not (
                lists_places(before) and opens_with_place(run)
            ):
                once.add(name)
                yield name, tuple(_known_by(run))


def _may_sound(question: str, parts: Sequence[str]) -> bool:
    """Whether a name of an English question is a Chinese one as it sounds: Jiangzhong."""
    return not is_chinese(question) and bool(parts) and all(map(is_pinyin, parts))


def _in_chinese(question: str, parts: Sequence[str]) -> tuple[str, ...]:
    """What Chinese texts write for a name of an English question."""
    return () if is_chinese(question) else translations(*parts)


def _apart(text: str) -> str:
    """A text without the words of one character that stand in no name, as the tagger reads it:
    卖 in 卖长电股权; no part of a word that the dictionary has: 征 in 华创特征."""
    at, rest = 0, list(text)
    inside = set(_inside_words(text))
    for word, tag in tagged(text):
        alone = len(word) == 1 and at not in inside
        if alone and tag in _BESIDE and rest[at : at + 1] == [word]:
            rest[at] = " "
        at += len(word)
    return "".join(rest)


def _inside_words(text: str) -> Iterator[int]:
    """Places of a text that a word of the dictionary holds beside others."""
    at = 0
    for word in segmenter().cut(text, False):
        if len(word) > 1 and is_known(word):
            yield from range(at, at + len(word))
        at += len(word)


def _firms_in(name: str) -> Iterator[str]:
    """What the tagger takes for a firm in words that end as one.

    >>> list(_firms_in("收购完成后天士力集团")), list(_firms_in("旗下医策科技"))
    (['天士力集团'], ['医策科技'])
    """
    for word, tag in tagged(name):
        if tag == _FIRM and len(word) >= _LEAST and word != name and word in name:
            yield word


def _is_firm(name: str) -> bool:
    """Whether words side by side end as names of firms do: 长江健康, 电力投资集团.

    >>> _is_firm("长江健康"), _is_firm("国内庭院机器人"), _is_firm("赞助商插手问卷设计")
    (True, False, False)
    """
    parts = list(segmenter().cut(name, False))
    if parts[0] in _WHEREVER or any(_does(each) for each in parts[:-1]):
        return False
    return (
        len(parts) > 1
        and (opens_business(parts[-1]) or split_form(name)[1] != "")
        and not any(is_general(each) for each in parts)
    )


def _does(word: str) -> bool:
    """Whether a word says only what somebody does: 插手."""
    return [tag for _, tag in segmenter().tag(word)] == [_VERB]


def _unknown(question: str, catalogue: Catalogue) -> str:
    """A question without the companies, houses, metrics and times that are known."""
    companies = catalogue.companies_in(question)
    # an English name with the code of a company behind it is that company's
    codes = [
        (match.start(), start)
        for start in (each.start for each in companies)
        if (match := _BEFORE_CODE.search(question[:start]))
    ]
    spans: list[tuple[int, int]] = [
        *((each.start, each.end) for each in companies),
        *codes,
        *((each.start, each.end) for each in find_houses(question, catalogue, companies)),
        *((each.start, each.end) for each in fact_metrics_in(question)),
        *(
            (each.start, each.end + bool(_END.match(question, each.end)))
            for each in periods_in(question, "question")
        ),
        *places("library", question),
    ]
    spans += [
        match.span() for asks in (_COUNTED, _WHY, _MONTH) for match in asks.finditer(question)
    ]
    rest = list(question)
    for start, end in spans:
        rest[start:end] = " " * (end - start)
    return "".join(rest)


def _is_name(run: Sequence[tuple[str, str]], *, first: bool) -> bool:
    """Whether words side by side may be called a name: two characters are too few, what joins two
    names may be part of one, and nouns of the language are one only where a question begins."""
    name = "".join(word for word, _ in run)
    if len(name) < _LEAST or _JOINS.search(name) or _DOCUMENT.search(name):
        return False
    if len(run) > 1 and all(tag == PLACE and is_known(word) for word, tag in run):
        return False  # places side by side: 美国日本
    if not first and run[0][1] != PLACE and all(starmap(is_placed, run)):
        return False  # what is done, or is, at a place: 续租剑桥, 投资昆山工厂
    if any(tag in PROPER_TAGS or not is_known(word) for word, tag in run):
        return True
    return first and len(run) > 1 and len(name) > _LEAST


def _short(name: str, catalogue: Catalogue) -> bool:
    """Whether a held company may be called so for short, 长电 for 长江电力, or a house is with a
    word behind it: 国海用."""
    if name[2:3] in _DOES and any(house.startswith(name[:2]) for house in publishers()):
        return True
    return any(
        fold(held[:1]) == name[:1] and _within(name, fold(held))
        for held in catalogue.names.values()
    )


def _within(name: str, whole: str) -> bool:
    rest = iter(whole)
    return all(each in rest for each in name)


def _runs(piece: str, wanted: set[str]) -> Iterator[list[tuple[str, str]]]:
    """Words that stand side by side in a piece of a question and make a name."""
    run: list[tuple[str, str]] = []
    for word, tag in [*_tagged(piece), ("", "")]:
        part = len(word) == 1 and _HAN.match(word) and not _APART.match(tag)
        if word in wanted or part or tag == _GUESSED:
            run.append((word, tag))
            continue
        name = "".join(each for each, _ in run)
        if any(each in name for each in wanted) and _HAN.match(name):
            yield run
        run = []


def _tagged(piece: str) -> Iterator[tuple[str, str]]:
    """The words of a piece with their tags, prepositions apart from the names that are guessed to
    begin with them."""
    for word, tag in segmenter().tag(piece):
        parts = list(segmenter().cut(word, False))
        name = word if len(parts) == 1 else word.lstrip(_BEFORE)
        if len(parts) > 1 and any(len(part) > 1 and not _proper(part) for part in parts):
            # a guess that holds a word of the language is none: 签合同
            yield from (pair for part in parts for pair in segmenter().tag(part))
            continue
        if name != word:
            yield word[: len(word) - len(name)], "p"
        if name:
            yield name, tag if name == word else _GUESSED


def _known_by(run: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A name and what it begins with, the longest first: where it ends, words only guess."""
    name = "".join(word for word, _ in run)
    for end in range(len(name), _LEAST - 1, -1):
        yield name[:end]
    first, tag = run[0]
    # two characters that are a name and nothing else; a place may be of another
    known = is_known(first) and (tag not in PROPER_TAGS or tag == PLACE)
    if 1 < len(first) < _LEAST and not known:
        yield first


def _proper(word: str) -> bool:
    return any(tag in PROPER_TAGS for _, tag in segmenter().tag(word))
