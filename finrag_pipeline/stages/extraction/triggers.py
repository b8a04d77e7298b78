"""Finds the relations that the rows of `patterns.csv` describe between the names of one sentence.

Whether what is found is asserted belongs to `modality`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from finrag_pipeline.records.graph import Confidence
from finrag_pipeline.stages.extraction.patterns import (
    PATTERN_TYPES,
    PATTERNS,
    SLOT,
    Pattern,
    PatternType,
)

#: Names become single characters of a private block, one stretch of it for each type.
_FIRST, _LAST, _SHARE = 0xE000, 0xF8FF, 0x1C0
_NAME = "\ue000-\uf8ff"
_MARKS = "，。；：、,;:!?！？（）()\n"
_HAN = re.compile("[\u3400-\u9fff]")
_PRIVATE = re.compile(f"[{_NAME}]")
_NOTE = re.compile(f"(?<=[{_NAME}])\\s*[（(][^（）()]{{0,60}}[)）]")
#: 子公司甲与乙签订: the last of such a list is whom the others deal with.
_WITH_ANOTHER = re.compile(
    f"[^{_MARKS}{_NAME}]{{0,16}}?(?:签|订立|达成|合作|之间|合资|发生|开展|进行|往来|交易|共同|联合|携手)"
)
_SIGNS_WITH = re.compile(f"[^{_MARKS}{_NAME}]{{0,16}}?(?:签|订立|之间|往来|交易)")
_JOINED = re.compile("和|与|及|以及")
#: A full-width comma parts clauses: 甲变更为乙，丙的股东… is no list.
#: Of names in quotation marks what each is may stand behind it: “甲”发酵乳、“乙”冰淇淋.
_JOINT = (
    "(?:、|/|,|和|与|及|以及|以及其|或|,? (?:and|or|&) (?:also )?(?:the )?|,? (?:the )?"
    "|[”」](?:[^，。；“”「」]{0,16}[、和与及])?[“「])"
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence, or where one is left out: its type and place."""

    type: PatternType
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A relation between the `head`-th and `tail`-th name, and where its words stand."""

    head: int
    relation: str
    tail: int
    start: int
    end: int
    confidence: Confidence
    alone: bool = False


def find_relations(sentence: str, names: Sequence[Name]) -> list[Hit]:
    """All relations that patterns find, each pair once a relation, in order of the patterns.

    Args:
        sentence: one sentence.
        names: in order of print, none overlapping.
    """
    if len(names) < 2:
        return []
    names = names[:_SHARE]
    plain = _encode(sentence, names, frozenset({"phrase"}))
    whole = _encode(sentence, names, frozenset())
    # between companies 市场份额 and 大模型 are words of the sentence
    firms = _encode(sentence, names, frozenset(PATTERN_TYPES) - _FIRMS)
    noted = _encode(sentence, names, frozenset(PATTERN_TYPES) - _FIRMS, notes=True)
    found: dict[tuple[int, int], Hit] = {}
    types = {name.type for name in names}
    chinese = _HAN.search(sentence) is not None
    for pattern, form, heads_of, tails_of, spoken in _compiled():
        if heads_of.isdisjoint(types) or tails_of.isdisjoint(types) or (spoken and not chinese):
            continue
        if heads_of | tails_of <= _FIRMS:
            # only what says so looks into brackets
            forms = (firms, noted) if pattern.noted else (firms,)
        else:
            forms = (whole if "phrase" in tails_of else plain,)
        for coded, starts, match in _matches(form, forms):
            span = starts[match.start()], _end_of(match.end(), starts, coded, names)
            tails, heads = match["T"], match["H"]
            if _WITH_ANOTHER.match(coded, match.end("T")):
                tails = _JOINED.split(tails)[0]
            if match.end("H") > match.end("T") and _SIGNS_WITH.match(coded, match.end("H")):
                heads = _JOINED.split(heads)[0]
            for head in _listed(heads):
                for tail in _listed(tails):
                    if head != tail and (head, tail) not in found and (tail, head) not in found:
                        found[head, tail] = Hit(
                            head, pattern.relation, tail, *span, pattern.confidence, pattern.alone
                        )
    return list(found.values())


def _matches(
    form: re.Pattern[str], encoded: Sequence[tuple[str, list[int]]]
) -> Iterator[tuple[str, list[int], re.Match[str]]]:
    for coded, starts in encoded:
        for match in form.finditer(coded):
            yield coded, starts, match


def _listed(group: str) -> Iterator[int]:
    """The numbers of the names in a list."""
    return (
        (ord(char) - _FIRST) % _SHARE
        for char in group
        if ord(char) >= _FIRST and ord(char) <= _LAST
    )


def _end_of(stop: int, starts: Sequence[int], coded: str, names: Sequence[Name]) -> int:
    """Where in the sentence the last character of a match ends."""
    last = ord(coded[stop - 1])
    if _FIRST <= last <= _LAST:
        return names[(last - _FIRST) % _SHARE].end
    return starts[stop - 1] + 1


def _encode(
    sentence: str,
    names: Sequence[Name],
    left_out: frozenset[PatternType],
    notes: bool = False,
) -> tuple[str, list[int]]:
    """The sentence with one character for each name and without notes in brackets behind names,
    and where each of its characters stood."""
    # symbols of fonts stand in the same block
    sentence = _PRIVATE.sub(" ", sentence)
    coded: list[str] = []
    starts: list[int] = []
    at = 0
    for number, name in sorted(enumerate(names), key=lambda each: (each[1].start, -each[1].end)):
        # a longer name begins before those inside it
        if name.type in left_out or name.start < at:
            continue
        coded += sentence[at : name.start]
        starts += range(at, name.start)
        coded.append(chr(_first_of(name.type) + number))
        starts.append(name.start)
        at = name.end
    coded += sentence[at:]
    starts += range(at, len(sentence))
    whole = "".join(coded)
    kept = [True] * len(whole)
    for note in _NOTE.finditer(whole):
        if notes and _PRIVATE.search(note.group()):
            continue
        kept[note.start() : note.end()] = [False] * (note.end() - note.start())
    shown = "".join(char for char, keep in zip(whole, kept, strict=True) if keep)
    return shown, [start for start, keep in zip(starts, kept, strict=True) if keep]


_FIRMS = frozenset({"company", "organisation", "person", "name", "subject"})


class _Form(NamedTuple):
    """A pattern, the types that its head and tail may have, and whether it is of Chinese words."""

    pattern: Pattern
    form: re.Pattern[str]
    heads: frozenset[str]
    tails: frozenset[str]
    chinese: bool


@cache
def _compiled() -> tuple[_Form, ...]:
    return tuple(_form(each) for each in PATTERNS)


def _form(pattern: Pattern) -> _Form:
    slots = {side: frozenset(kinds.split()) for side, kinds in SLOT.findall(pattern.text)}
    said = _HAN.search(pattern.text) is not None
    form = re.compile(_expand(pattern.text), re.IGNORECASE)
    return _Form(pattern, form, slots["H"], slots["T"], said)


def _expand(pattern: str) -> str:
    firms = _any_of("company organisation person")
    # between companies a product or a metric is but a part of what is said of them
    types = {kind for _, kinds in SLOT.findall(pattern) for kind in kinds.split()}
    others = firms if types <= _FIRMS else _NAME
    short = f"[^{_MARKS}{others}]{{0,14}}?"
    long = f"[^。；;\n{_any_of('company organisation')}]{{0,50}}?"
    parts = re.split(r"(\{[HT]:[a-z ]+\}|_|~)", pattern)
    shown: list[str] = []
    for part in parts:
        if part == "_":
            shown.append(short)
        elif part == "~":
            shown.append(long)
        elif match := SLOT.fullmatch(part):
            one = f"[{_any_of(match[2])}]"
            shown.append(rf"(?P<{match[1]}>{one}(?:{_JOINT}{one})*)")
        else:
            shown.append(part)
    return "".join(shown)


def _any_of(kinds: str) -> str:
    """A stretch of the private block for each of the types, to stand in a character class."""
    firsts = [_first_of(kind) for kind in kinds.split()]
    return "".join(f"{chr(first)}-{chr(first + _SHARE - 1)}" for first in firsts)


def _first_of(kind: str) -> int:
    return _FIRST + [str(known) for known in PATTERN_TYPES].index(kind) * _SHARE
