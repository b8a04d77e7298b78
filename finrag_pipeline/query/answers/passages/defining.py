"""What a word means: the word that a question wants defined, and the lines that define it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.question.relevance import MIN_COVERED
from finrag_pipeline.words import fold

#: What asks for the meaning of what stands before it, or behind it.
_BEHIND = re.compile(
    r"[”\"」』’]?(?:一词|这个(?:词|概念|说法|指标|因子))?(?:到底|究竟|具体)?(?:是|指|算)?"
    r"(?:(?:怎么|如何|怎样)(?:来)?定义的?|(?:个|一个)?(?:什么|啥)(?:样的)?(?:意思|概念|含义|现象)|"
    r"(?:个|一个)(?:什么|啥)(?:样的)?(?:指标|因子|东西|模型|方法|策略)?|指的?是?(?:什么|啥)|的(?:定义|含义)(?:是什么)?)"
    r"(?:呢|啊|呀)?[？?。\s]*$"
)
_BEFORE = re.compile(
    r"(?:^|[，,。；;：:])(?:请问)?(?:什么|啥)(?:是|叫做?)[“\"「『‘]?(?P<term>[^，,。；;？?“”\"「」]{2,20}?)"
    r"[”\"」』’]?(?:呢|啊|呀)?[？?。\s]*$"
)
_ENGLISH = re.compile(
    r"\b(?:what (?:is|are) (?:meant by |an? |the term )?|what does |define |definition of (?:the )?"
    r"|how (?:is|are) )[“\"']?(?P<term>[\w&/ -]{2,40}?)[”\"']?(?: (?:mean|defined|stand for))?"
    r"(?: (?:in|by|as)\b[^?]*)?\??$",
    re.IGNORECASE,
)
_ENGLISH_ASKS = re.compile(r"\bmeant by\b|\bmean\b|\bdefin|\bstand for\b|\bterm\b", re.IGNORECASE)
#: The same where what stands before is quoted, or written in Latin letters.
_BARE = re.compile(r"(?:到底|究竟)?是(?:什么|啥)(?:东西)?(?:呢|啊|呀)?[？?。\s]*$")
_LATIN_TERM = re.compile(r"[A-Za-z][\w/&-]{1,15}$")
_QUOTED = re.compile(r"[“\"「『‘]([^“”\"「」『』‘’]{2,20})[”\"」』’]\s*$")
#: What parts a term from what stands before it.
_PARTED = re.compile(
    r"[，,。；;：:、\s“”\"「」]|(?:里面?|中|上|篇|份)(?:说|讲|提到?|写)?的|(?:说|讲|提到?|提及|所谓)的?|的(?=[^的]+$)"
)
#: Characters of the longest term, and between it and what defines it.
_LONGEST = 16
#: What it counts that a line defines the term.
_DEFINES, _HEADED = 1.2, 0.6
#: What stands beside a term in a heading.
_BESIDE = re.compile(r"[（(][^（）()]*[)）]|^[\W\d.]+|[^\w（）()]")
_MEANS = (
    r"(?:[（(][^（）()]{0,60}[)）])?[”\"」』’]?(?:一词|因子|指标)?(?:主要)?"
    r"(?:是指|指的是|系指|指(?=[^数标出])|即为?|定义为|的定义(?:是|为|如下)|可以?理解为|是(?:一[种类个项套]|衡量|描述|反映|对))"
)
_NAMED = r"(?:称之?为|称作|叫做|就是|定义为|命名为|记为|即)[^，,。；;]{0,14}"


def term_asked(question: str) -> str:
    """The word whose meaning a question asks for; empty where it asks for none.

    >>> term_asked("成都先导年报里说的“靶点排他”是什么意思"), term_asked("啥叫零非停")
    ('靶点排他', '零非停')
    >>> term_asked("广发讲的CGO到底是个什么指标"), term_asked("毛利率是多少")
    ('CGO', '')
    >>> term_asked("What does REMS stand for?"), term_asked("What is the revenue?")
    ('REMS', '')
    """
    question = question.strip()
    if behind := _BEHIND.search(question):
        before = question[: behind.start()]
        if quoted := _QUOTED.search(question[: behind.start() + 1]):
            return quoted[1]
        term = _PARTED.split(before)[-1].strip()
        return term if 2 <= len(term) <= _LONGEST else ""
    if bare := _BARE.search(question):
        named = question[: bare.start()]
        quoted = _QUOTED.search(named)
        latin = _LATIN_TERM.search(named)
        return quoted[1] if quoted else latin[0] if latin else ""
    if before := _BEFORE.search(question):
        return before["term"].strip()
    if _ENGLISH_ASKS.search(question) and (match := _ENGLISH.search(question)):
        return match["term"].strip()
    return ""


def defines(term: str, text: str) -> bool:
    """Whether a text says what a term means.

    >>> defines("零非停", "5 零非停：零次非计划停运。"), defines("零非停", "连续两年实现零非停。")
    (True, False)
    >>> defines("处置效应", "倾向卖出盈利的股票、继续持有亏损的，这就是行为金融学上的处置效应。")
    True
    """
    held, name = fold(squeeze(text)), re.escape(fold(squeeze(term)))
    return bool(
        re.search(rf"{name}{_MEANS}", held)
        or re.search(rf"(?<!的)定义了?[^，,。；;的]{{0,20}}{name}", held)
        or re.search(rf"{_NAMED}[“\"「]?{name}", held)
        or re.match(rf"\W*\d{{0,2}}\W*{name}(?:[（(][^（）()]{{0,60}}[)）])?[：:]", held)
    )


def defining_first(term: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Lines with those before others that say what a term means, then those of a passage on it."""
    return [_judged(term, each) for each in candidates]


def _judged(term: str, line: Candidate) -> Candidate:
    if line.said.row:
        return line
    if defines(term, line.said.told):
        return replace(line, strength=_DEFINES, covered=max(line.covered, MIN_COVERED))
    if isinstance(line.item, ChunkItem) and _is_headed(term, line.item):
        return replace(line, strength=_HEADED, covered=max(line.covered, MIN_COVERED))
    return line


def _is_headed(term: str, passage: ChunkItem) -> bool:
    """Whether the heading of a passage is the term, with a number or in another language beside."""
    bare = _BESIDE.sub("", fold(squeeze(passage.section[-1]))) if passage.section else ""
    return bare == fold(squeeze(term))
