"""What a question holds against each other: companies, houses, times, or parts of one company.

What is said of each side is `cells`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Literal

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.answers.houses import houses_in
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.tagging import tagged
from finrag_pipeline.words import segmenter

SideKind = Literal["company", "house", "period", "part"]

_WORDS = Path(__file__).with_name("comparing.csv")
_PAIRS = Path(__file__).with_name("pairs.csv")
_JOINER = re.compile(
    r"\s*(?:和|与|跟|同(?!比|期|行|业)|以及|、|\bvs\.?|\bversus\b|\band\b|\bor\b|相比于|(?<![占相对环同可])比(?!例|重|较|率|如|年初|期初|上年|去年|上期|同期))\s*",
    re.IGNORECASE,
)
_BOUND = re.compile(r"[，,。；;？?！!：:\s]|的|在")
#: What ends the names of parts: 测试业务 is found as 测试.
_PART_OF = re.compile(
    r"(?:业务|产品|板块|分部|部门|市场|地区|收入|销售|系列|segments?|business|products?)$"
)
#: How many there are stands behind the last of them: 工业控制两块.
_COUNTED = re.compile(r"[两二三几][个块项类家种](?:业务|产品|市场|公司)?$")
_UNTIL = r"(?=\s+(?:at|on|in|of|for|by|during|regarding)\b|[?,.;]|$)"
_ENGLISH = tuple(
    re.compile(form + _UNTIL, re.IGNORECASE)
    for form in (
        r"\bbetween (?P<one>[^,?]+?) and (?P<other>[^,?]+?)",
        r"\bcompar\w* (?P<one>[^,?]+?) (?:and|with|to|against|versus|vs\.?) (?P<other>[^,?]+?)",
        r"(?:^|[,:])\s*(?P<one>[\w&' -]+?) (?:versus|vs\.?) (?P<other>[^,?]+?)",
    )
)
#: Longest name of a part, in characters.
_LONGEST = 16
_GAP = "␟"
#: What a slash joins to a name.
_JOINED = re.compile(r"(?:/[A-Za-z0-9]+)+")
#: What stands before whom something is held against.
_LEADING = re.compile("跟|和|与|同")
#: Tags of the tagger for what is said of a thing, and for things.
_SAID_OF = re.compile("[vpdu]")
_THING = re.compile("n|vn|s|ORG|PER|LOC|TIME|m$")
#: What tells one report of a house from others.
_WHICH_REPORT = re.compile(
    r"(?<!\d)\d{1,2}月(?:份)?(?:底|初|中旬)?|[那这]份|最新|今年|去年|明年|A股|H股|港股"
)
#: What says that parts or times are held against each other: 和 alone only joins them.
_CONTRASTS = re.compile(
    r"差|谁|哪(?![些几里怕])|更|(?<![占相环同可])比(?!例|重|率|如)|对比|相比|同不同|不同|区别|异同|排序|排个序|排名|变化|变了|分别|各自|"
    r"\b(?:compar\w*|versus|vs|differ\w*|than|which|respectively|between)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of those that are compared.

    Attributes:
        name: as it is told.
        keys: companies that it is; those of its documents, where it is none.
        house: whose documents alone speak for it.
        period: of which it is alone.
        part: by what sentences and rows of it are found; empty for a whole company.
        known: whether there are documents that may speak for it.
    """

    kind: SideKind
    name: str
    keys: frozenset[str] = frozenset()
    house: str = ""
    period: ReportingPeriod | None = None
    part: str = ""
    known: bool = True


@dataclass(frozen=True, slots=True)
class Comparison:
    """A question that compares.

    Attributes:
        sides: two at least.
        topic: what of them, in the words of the question; empty for all that matters.
        whom: the company that all sides are of, as the question names it; empty for several.
    """

    sides: tuple[Side, ...]
    topic: str
    whom: str = ""


#: Who or what is asked for is no side: 与谁合作.
_ASKED = re.compile(r"谁|哪|什么|何|\b(?:who|whom|which|what)\b", re.IGNORECASE)


def read_comparison(asked: Asked) -> Comparison | None:
    """Read what a question compares; None where it is not two or more of one kind."""
    reading = asked.scope.reading
    question = asked.question
    companies = {each.keys: each for each in reversed(reading.companies)}
    keys = _listings(asked, [key for each in reading.companies for key in each.keys])
    whom = reading.companies[0].text if len(companies) == 1 else ""
    houses = houses_in(asked)
    blank = _blanked(question, [(each.start, each.end) for each in reading.companies])
    if len(houses) > 1:
        sides = [Side("house", house, keys, house=house) for house, _, _ in houses]
        rest = _blanked(blank, [(start, end) for _, start, end in houses])
        return Comparison(tuple(sides), _topic(rest, asked), whom)
    contrasts = bool(_CONTRASTS.search(question))
    if len(companies) > 1 and contrasts:
        found = [
            Side("company", each.text, _listings(asked, each.keys))
            for each in reading.companies
            if companies[each.keys] is each
        ]
        return Comparison(tuple(found), _topic(blank, asked))
    parts, rest = _parts(_without_times(blank, asked), bool(whom)) if contrasts else ([], "")
    if whom and parts and parts[0] == _GAP:
        missing = Side("company", parts[1], known=False)
        return Comparison((Side("company", whom, keys), missing), _topic(rest, asked))
    if len(parts) > 1 and not all(map(_is_metric, parts)):
        return Comparison(
            tuple(Side("part", each, keys, part=_core(each)) for each in parts),
            _topic(rest, asked),
            whom,
        )
    named = [each for each in reading.periods if each.text]
    if len(named) > 1 and whom and contrasts:
        sides = [Side("period", each.text, keys, period=each) for each in named]
        return Comparison(tuple(sides), _topic(blank, asked), whom)
    return None


def _listings(asked: Asked, keys: Iterable[str]) -> frozenset[str]:
    """Companies with all of their listings."""
    listings = asked.scope.catalogue.listings_of
    return frozenset(other for key in keys for other in listings(key))


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with some places, and nothing else, taken by a sign of the same length."""
    for start, end in spans:
        text = text[:start] + _GAP * (end - start) + text[end:]
    return text


def _without_times(text: str, asked: Asked) -> str:
    """A text without the times that its question names, and what joins them to each other."""
    spans = sorted((each.start, each.end) for each in asked.scope.reading.periods if each.text)
    joined = [
        (end, start)
        for (_, end), (start, _) in pairwise(spans)
        if end < start and _JOINER.fullmatch(text, end, start)
    ]
    for start, end in (*spans, *joined):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _parts(text: str, of_company: bool) -> tuple[list[str], str]:
    """Parts that a question puts side by side, and what is left of it."""
    for row in data_rows(_PAIRS, ("asked", "one", "other")):
        for written in row.listed("asked"):
            if written in text:
                return [row["one"], row["other"]], text.replace(written, " ")
    for form in _ENGLISH:
        if match := form.search(text):
            parts = [match["one"].strip(), match["other"].strip()]
            return parts, f"{text[: match.start()]} {text[match.end() :]}"
    for joiner in _JOINER.finditer(text):
        left = _BOUND.split(text[: joiner.start()])[-1][-_LONGEST:]
        if _GAP in left:
            left = left[left.rindex(_GAP) + 1 :] or _GAP
        if leading := _LEADING.match(left):
            # A, 跟 B 比强在哪: what it is held against stands before
            left, right = _subject(text[: joiner.start()]), left[leading.end() :]
        else:
            right = _right(text[joiner.end() :], left)
        if left != _GAP:
            left = _parallel(_compared().sub("", left), right)
        alone = left == _GAP and not of_company
        short = len(left) < 2 and left != _GAP
        if _GAP in right or alone or short or _ASKED.match(right) or not _is_thing(right):
            continue
        rest = text.replace(left, " ", 1) if left != _GAP else text
        return [left, _COUNTED.sub("", right)], rest.replace(right, " ", 1)
    return [], text


def _is_thing(text: str) -> bool:
    """Whether a text has a word for a thing: 强 in 跟同行比强在哪 is none."""
    if text.isascii():
        return bool(text)
    tags = [tag for word, tag in (*tagged(text), *segmenter().tag(text)) if len(word) > 1]
    return any(map(_THING.match, tags))


def _subject(text: str) -> str:
    """What a question begins with, up to what is said of it."""
    words = takewhile(lambda each: _THING.match(each[1]) or len(each[0]) > 1, tagged(text))
    return "".join(word for word, _ in words)[:_LONGEST]


def _parallel(left: str, right: str) -> str:
    """The part before a joiner, as many words as the one behind it where both end alike."""
    ones, others = ([word for word, _ in segmenter().tag(each)] for each in (left, right))
    if ones and others and ones[-1] == others[-1] and len(ones) > len(others):
        return "".join(ones[-len(others) :])
    return left


def _right(text: str, left: str) -> str:
    """The part behind a joiner: as long as what it is parallel to."""
    piece = _BOUND.split(text.lstrip(), maxsplit=1)[0][:_LONGEST]
    end = _compared_end().search(piece, 2)
    piece = piece[: end.start()] if end else piece
    words = [word for word, _ in segmenter().tag(piece)]
    last = [word for word, _ in segmenter().tag(left)][-1:]
    if last and len(last[0]) > 1 and last[0] in words:
        return "".join(words[: words.index(last[0]) + 1])
    if left == _GAP:
        return piece
    taken = 0
    for word, tag in tagged(piece):
        said = taken and (len(word) == 1 and _SAID_OF.match(tag))
        if said or taken >= max(2, len(left)):
            break
        taken += len(word)
    # names that a slash joins are one: FBDD/SBDD
    joined = _JOINED.match(piece, taken)
    return piece[: joined.end() if joined else taken]


def _is_metric(part: str) -> bool:
    """Whether a part is a metric and nothing else: two of one company are no sides of it."""
    return any((each.start, each.end) == (0, len(part)) for each in fact_metrics_in(part))


def _core(part: str) -> str:
    return _PART_OF.sub("", part) or part


def _topic(text: str, asked: Asked) -> str:
    """What is left of a question without sides, times and the words that compare."""
    left = _without_times(text, asked) if len(text) == len(asked.question) else text
    left = re.sub(r"[，,。；;？?！!：:、]", " ", left.replace(_GAP, " "))
    left = _WHICH_REPORT.sub(" ", left)
    left = _compared().sub(" ", left)
    if not left.isascii():
        # words of one character only as such: 看 is none in 看法
        pieces = ([word for word, _ in segmenter().tag(each)] for each in left.split())
        kept = [
            "".join(" " if word in _comparing() else word for word in words) for words in pieces
        ]
        left = " ".join(kept)
    return " ".join(left.split())


@cache
def _comparing() -> frozenset[str]:
    """Words that only compare."""
    return frozenset(word for row in data_rows(_WORDS, ("words",)) for word in row.listed("words"))


@cache
def _compared() -> re.Pattern[str]:
    """Those that stand for themselves wherever they stand, longer ones first."""
    words = [each for each in _comparing() if len(each) > 1 or each == "谁"]
    ordered = sorted(words, key=lambda each: (-len(each), each))
    return re.compile("|".join(rf"\b{w}\b" if w.isascii() else w for w in ordered), re.I)


@cache
def _compared_end() -> re.Pattern[str]:
    return re.compile(
        r"谁|哪|更|比(?!例|重|率|值)|对|差|不同|区别|分别|各|有何|有什么|怎|如何|孰|是|,|\b(?:which|who|compare|differ)",
        re.IGNORECASE,
    )
