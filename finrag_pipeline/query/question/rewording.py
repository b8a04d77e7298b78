"""Other ways to read a question that says something twice: 冰淇淋（冷饮产品）, 口径 in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from finrag_pipeline.grammar.numerals import chinese_number
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.standing import without_standing
from finrag_pipeline.query.question.typed import is_fragment
from finrag_pipeline.words import is_chinese, segmenter

#: What stands in brackets and is no code, time or unit: another name, or a remark.
_BRACKETED = re.compile(
    r"[（(]([\u3400-\u9fff、，/A-Za-z]{2,30}|[A-Z][A-Za-z&.-]*(?: [A-Za-z][A-Za-z&.-]*){1,3})[)）]"
)
_HAN = re.compile(r"[\u3400-\u9fff]{2}")
#: What is called by its letters.
_LETTERS = re.compile(r"[A-Z]{2,6}|[A-Z][A-Za-z&.-]*(?: [A-Za-z][A-Za-z&.-]*){1,3}")
#: What says which of several figures is meant: without it another one would answer.
_WHICH = re.compile(
    r"母公司|合并|扣非|归母|剔除|[不包]?含|调整|重述|同比|环比|累计|单季|元|预[测计期]|实际|"
    r"[ABH]股|[境国]内|[境国海]外|平均|加权|稀释|摊薄|基本|税[前后]|年化|扣费|净额|余额|原值|"
    r"(?<![A-Za-z])(?:IFRS|GAAP|TTM|USD|HKD|RMB|CNY|YOY|QOQ|P[EBS]|RO[EAI])(?![A-Za-z])",
    re.IGNORECASE,
)
_NUMERAL = r"\d{1,2}|[一二两三四五六七八九十]{1,3}"
_SPAN = re.compile(rf"({_NUMERAL})\s*[到至]\s*({_NUMERAL})(年|岁|个月)(?!前|级|度|报)")
_UNDER = re.compile(
    rf"(?:不到|未满|不满|不足|小于|低于)(?P<one>{_NUMERAL})(?P<unit>年|岁)|"
    rf"(?P<other>{_NUMERAL})(?P<behind>年|岁)(?:不到|未满)"
)
_OVER = re.compile(
    rf"(?:超过|大于|多于|高于)了?(?P<one>{_NUMERAL})(?P<unit>年|岁)|"
    rf"(?P<other>{_NUMERAL})(?P<behind>年|岁)(?:开外|多的)"
)
#: Tags of what may be called by another name.
_NOUN = re.compile("n|v[gn]|j|l|i|s")
#: The same of words that say in Chinese what has an English name.
_WORD = re.compile("[anvjli]")
#: Nouns of one thing.
_MOST_NOUNS = 3
#: Tags of names: what stands behind one is another thing.
_PROPER = frozenset(("nr", "ns", "nt", "nz"))


def in_bounds(question: str) -> str:
    """A question with the bounds of ages and terms as tables print them.

    >>> in_bounds("账龄一到两年的"), in_bounds("账龄超过3年的"), in_bounds("三十岁不到的员工")
    ('账龄1-2年的', '账龄3年以上的', '30岁以下的员工')
    """
    question = _SPAN.sub(lambda each: f"{_digits(each[1])}-{_digits(each[2])}{each[3]}", question)
    question = _UNDER.sub(lambda each: _bounded(each, {"岁": "以下"}, "以内"), question)
    return _OVER.sub(lambda each: _bounded(each, {}, "以上"), question)


def _bounded(match: re.Match[str], ends: Mapping[str, str], end: str) -> str:
    number, unit = match["one"] or match["other"], match["unit"] or match["behind"]
    return f"{_digits(number)}{unit}{ends.get(unit, end)}"


def _digits(numeral: str) -> str:
    return numeral if numeral.isdigit() else str(chinese_number(numeral.replace("两", "二")))


def as_asking(question: str) -> str:
    """A question that only names what is of a time, asking for its figure.

    >>> as_asking("药明26E总资产"), as_asking("药明26E总资产呢")
    ('药明26E总资产是多少', '药明26E总资产呢')
    >>> as_asking("galaxy goodwill sep 30 2025")
    'how much was galaxy goodwill sep 30 2025'
    """
    if not is_fragment(question):
        return question
    return f"{question}是多少" if is_chinese(question) else f"how much was {question}"


def readings_of(question: str) -> Iterator[str]:
    """A question with its bounds as tables print them, that without where it says that its answer
    stands, and that asking for the figure of what it only names; then as it is but for what it
    says in brackets, without that and with that in the place of what stands before it; nothing
    where they hold no words, or say which figure is meant.

    >>> list(readings_of("伊利24年底冰淇淋（冷饮产品）库存多少吨"))
    ['伊利24年底冰淇淋库存多少吨', '伊利24年底冷饮产品库存多少吨']
    >>> list(readings_of("化学板块（WuXi Chemistry）26年毛利率是多少"))[1]
    'WuXi Chemistry 26年毛利率是多少'
    >>> list(readings_of("FY23 个人计算（More Personal Computing）营业利润是多少"))[1]
    'FY23 More Personal Computing营业利润是多少'
    >>> [list(readings_of(each)) for each in ("中芯国际（688981）营收", "三九净利润（扣非）")]
    [[], []]
    """
    yield from _plainer(question)
    match = _BRACKETED.search(question)
    if match is None or not is_chinese(question):
        return
    if not (_HAN.search(match[1]) or _LETTERS.fullmatch(match[1])):
        return
    if _WHICH.search(match[1]):
        return
    before, after = question[: match.start()], question[match.end() :]
    yield before + after
    # WuXi Chemistry（…）26年 must not read Chemistry26
    joint = " " if match[1][-1:].isascii() and after[:1].isdigit() else ""
    # what is called in English is put into Chinese as it comes: 个人计算（More Personal Computing）
    nouns = _nouns_before(before, _WORD if match[1].isascii() else _NOUN)
    puts = [f"{before[:at]}{match[1]}{joint}{after}" for at in nouns]
    # 的比例（某报告） names no other thing
    yield from (each for each in puts if asks_figure(each) == asks_figure(question))


def plainest(question: str) -> str:
    """A question by all of the steps that say the same in fewer words, or in those of tables."""
    return [question, *_plainer(question)][-1]


def _plainer(question: str) -> Iterator[str]:
    for step in (in_bounds, without_standing, as_asking):
        if (reading := step(question)) != question:
            question = reading
            yield question


def _nouns_before(text: str, noun: re.Pattern[str]) -> list[int]:
    """Where the nouns begin that a text ends with, as many as may be one thing; most of them first:
    the company before 化学板块 is none of it."""
    at, found = len(text), list[int]()
    for word, tag in reversed(list(segmenter().tag(text))):
        if not noun.match(tag) or (found and tag in _PROPER) or len(found) == _MOST_NOUNS:
            break
        at -= len(word)
        found.append(at)
    return found[::-1]
