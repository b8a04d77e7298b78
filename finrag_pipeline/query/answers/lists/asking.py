"""What a list is asked of: companies, houses or reports of which something holds, or items.

Which words name what is data: `nouns.csv`; whether a text says what is asked `predicates`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.houses import houses_on
from finrag_pipeline.query.answers.lists.ranking import (
    Ranking,
    read_ranking,
    without_amounts,
    without_ranking,
)
from finrag_pipeline.query.answers.plans.roles import role_names
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.terms import needed_names
from finrag_pipeline.words import segmenter

_PATH = Path(__file__).with_name("nouns.csv")
#: What asks for the members of a list.
_CUE = re.compile(
    r"(?:都|各|主要|分别)?(?:有|是|为|包括|含|涉及)?(?:哪些|哪几\w|那些|哪家|哪个|什么|啥|谁|几家)(?!时候|原因|水平)|"
    r"列出|列举|列一?下|列个|盘点|罗列|\b(?:which|what|who|list(?: all)?|name(?: all)?)\b",
    re.IGNORECASE,
)
_LISTING = re.compile(r"列出|列举|列一?下|列个|盘点|罗列")
#: What says who asks, or what for: 合规排查：哪些研报提示了汇率风险.
#: What goes on behind a time.
_OF_TIME = tuple("末底初")
#: What asks for the sources too: every line has its own.
_AFTERWORD = re.compile(
    r"[，,。；;]?\s*(?:并|请|逐条|分别)*(?:列|注|标|给|附|写)[出明上]?(?:具体)?(?:出处|来源|页码)[。？?！!]*$"
)
#: Characters from which another noun behind a known one is what is asked: 在研项目 are 在研.
_APART = 4
_FOREWORD = re.compile(r"^[^：:，,。；;？?]{1,16}[：:]\s*(?=.{6})")
#: Brackets around a time that was taken out.
_EMPTY = re.compile(r"[（(]\s*(?:口径|数据|末|底|初|中|时点)?\s*[)）]")
_CLAUSE = re.compile(r"[，,。；;？?！!：:]")
_MEMBERS = frozenset(("company", "house", "report"))
#: Relations to other companies: who asks for 竞争对手有哪些公司 asks for competitors.
RELATED = role_names()
#: Of whom the members of a list are some: 企业里得分最高的是谁.
_AMONG = re.compile(r"(?:当中|之中|里面?|(?<![其之当集])中)(?!国|医|药|标|期|报)")
#: Tags of words that are nouns, and of those that stand before them.
_NOUNS, _BEFORE_NOUNS = ("n", "vn", "eng", "l", "j"), ("a", "b", "uj", "m", "q", "z", "f")
_ENGLISH_NOUN = re.compile(
    r"(?:which|what|list(?: all)?|name(?: all)?)\s+(?:are|is|were|of)?\s*(?:the|all|its|their)?\s*"
    r"(?:main|major|key|principal|different|biggest|largest|other)?\s*([A-Za-z][\w-]*(?:\s[a-z][\w-]*)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Noun:
    """What the members of a list are.

    Attributes:
        kind: a row of `nouns.csv`; empty for one that is in no row.
        text: as the question has it.
        said: finds it, and what goes with it, in a text.
    """

    kind: str
    text: str
    said: re.Pattern[str]

    @property
    def of_documents(self) -> bool:
        """Whether members are whom documents are about, or documents."""
        return self.kind in _MEMBERS


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """A question for a list.

    Attributes:
        noun: what its members are.
        rest: the question without whom and when, the noun, the words that ask and rank, and
            what asks for amounts.
        asked: all of it but whom and when.
        kinds: of all nouns that it has.
        names: names in it that evidence has to have.
        houses: whose documents alone are meant, with their places in the question.
        ranking: how many are wanted, in which order, and whether with their amounts.
    """

    noun: Noun
    rest: str
    asked: str
    kinds: frozenset[str]
    names: tuple[str, ...]
    houses: tuple[tuple[str, int, int], ...] = ()
    ranking: Ranking = field(default_factory=Ranking)


def read_list(asked: Asked) -> ListQuestion | None:
    """What a question wants listed; None where it says no noun."""
    houses = tuple(houses_on(asked))
    ranking = read_ranking(asked.question)
    said = _bare(asked, houses)
    cue = _CUE.search(said)
    noun = _noun(said, cue)
    if noun is None:
        return None
    rest = without_ranking(_CUE.sub(" ", _listed(said, cue)).replace(noun.text, " ", 1))
    kinds = frozenset(kind for kind, asked_for, _ in _nouns() if asked_for.search(said))
    return ListQuestion(noun, rest, said, kinds, tuple(needed_names(rest)), houses, ranking)


def _listed(said: str, cue: re.Match[str] | None) -> str:
    """A question without what asks for amounts, behind its items or behind what asks for them."""
    if cue is None:
        return without_amounts(said)
    before = without_amounts(said[: cue.start()], clauses=False)
    return f"{before}{cue[0]}{without_amounts(said[cue.end() :])}"


def _bare(asked: Asked, houses: Iterable[tuple[str, int, int]]) -> str:
    """A question without the companies, houses and times that it names."""
    reading = asked.scope.reading
    text = _AFTERWORD.sub("", asked.question)
    spans = {(each.start, each.end) for each in reading.companies}
    spans |= {(start, end) for _, start, end in houses}
    spans |= {
        (each.start, each.end + (text[each.end : each.end + 1] in _OF_TIME))
        for each in reading.periods
        if each.text
    }
    foreword = _FOREWORD.match(text)
    if foreword and all(start >= foreword.end() for start, _ in spans):
        spans.add(foreword.span())
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(_EMPTY.sub(" ", text).split())


def _noun(text: str, cue: re.Match[str] | None) -> Noun | None:
    before = without_amounts(text[: cue.start()], clauses=False) if cue else ""
    after = _CLAUSE.split(text[cue.end() :], maxsplit=1)[0] if cue else without_amounts(text)
    # 列出提示了风险的研报: what is listed stands last
    named = cue is None or not _LISTING.match(cue[0])
    behind = _known(after, first=named)
    if behind and not named:
        return behind
    ahead = _ahead(before)
    among = _AMONG.search(text)
    if cue and "谁" in cue[0] and not ahead and among and (of := _ahead(text[: among.start()])):
        return of
    if behind and ahead and behind.kind == "company" and ahead.kind in RELATED:
        return ahead
    # right behind the words that ask, or what they follow: 哪些风险, 风险有哪些
    if behind and after.find(behind.text) <= _near(text):
        return behind
    if not after.strip() or ahead is None:
        return behind or ahead or _open(before, after, text)
    return ahead if not _open_word(after) else _open(before, after, text)


def _ahead(before: str) -> Noun | None:
    """The known noun that a text ends with: no other noun stands behind it."""
    noun = _known(before, first=False)
    if noun is None:
        return None
    start = before.rindex(noun.text)
    behind = before[start + len(noun.text) :]
    if not before.isascii() and ("的" in behind or len(behind) > _APART) and _last_word(behind):
        return None
    # 客户药企: what they are to the company says more than that they are companies
    beside = _known(before[:start], first=False) if noun.kind == "company" else None
    joined = beside and beside.kind in RELATED and before[:start].endswith(beside.text)
    return beside if joined else noun


def _near(text: str) -> int:
    """How far behind the words that ask a noun may stand: 哪些新的海外生产基地."""
    return 24 if text.isascii() else 8


def _known(text: str, *, first: bool) -> Noun | None:
    """The noun of `nouns.csv` that stands first, or last, in a text, the longest at its place."""
    found = [
        (match.start(), match.end(), kind, said, match[0])
        for kind, asked, said in _nouns()
        for match in asked.finditer(text)
    ]
    if not found:
        return None
    best = (
        min(found, key=lambda each: (each[0], -each[1]))
        if first
        else max(found, key=lambda each: (each[1], each[1] - each[0]))
    )
    return Noun(best[2], best[4], best[3])


def _open(before: str, after: str, text: str) -> Noun | None:
    """A noun of no row: what stands behind the words that ask, else before them."""
    word = _open_word(after) or _last_word(before)
    if text.isascii() and (match := _ENGLISH_NOUN.search(text)):
        word = match[1]
    return Noun("", word, re.compile(re.escape(word), re.IGNORECASE)) if word else None


def _open_word(after: str) -> str:
    """The noun that a clause opens with, the last word of several: 私募股权基金 are 基金."""
    held = ""
    tagged = [(word, tag) for word, tag in segmenter().tag(after.strip()) if tag != "x"]
    for n, (word, tag) in enumerate(tagged):
        last = n == len(tagged) - 1
        if tag.startswith(_NOUNS) or (held and last and tag.startswith("v") and len(word) > 1):
            held = word if len(word) > 1 or not held else held + word
        elif not tag.startswith(_BEFORE_NOUNS):
            break
    return held if len(held) > 1 else ""


def _last_word(before: str) -> str:
    """The last noun of a text."""
    held = ""
    for word, tag in segmenter().tag(before):
        if tag.startswith(_NOUNS):
            # 权利/人 is one
            held = f"{held[-2:]}{word}" if len(word) == 1 and held else word
    return held if len(held) > 1 else ""


@cache
def _nouns() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (
            row["kind"],
            re.compile(_english_whole(row["asked"]), re.IGNORECASE),
            re.compile(row["said"] or row["asked"], re.IGNORECASE),
        )
        for row in data_rows(_PATH, ("kind", "asked", "said"))
    )


def _english_whole(pattern: str) -> str:
    """English words of a pattern only as whole words."""
    return "|".join(
        rf"\b(?:{each})\b" if each[0].isascii() else each for each in _alternatives(pattern)
    )


def _alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern, those in brackets left together."""
    found, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            found.append("")
        else:
            found[-1] += character
    return found
