"""Sentences to units, the smallest pieces that segmentation moves, and the bounds of a chunk.

An over-long sentence is cut; headings, labels and short sentences (单位：万元) are bound to a
neighbour, since they have too little text for a vector. No similarity here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.records import Sentence
from finrag_pipeline.stages.chunking.sentences import Section

#: Tokens of a chunk. The most keeps it, with meta and context, within the 512 positions of common
#: embedding models; the least is about two sentences.
MIN_TOKENS = 100
MAX_TOKENS = 500
#: A unit of fewer tokens says too little of its topic to be compared.
SHORT_TOKENS = 10
#: Tokens of short sentences that one full sentence may draw to itself: a list stays a list.
BOUND_TOKENS = 30
#: A label is not longer: `图 3：…`, `单位：…`.
_LABEL_TOKENS = 40

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_OTHER_WORD = re.compile(r"[^\W\u3400-\u9fff\uf900-\ufaff]+")
_CLAUSE_END = re.compile(r"(?<=[，,、：:；;）)])|\s+")
#: A clause that a semicolon ends is part of a longer sentence or list.
_UNFINISHED = re.compile(r"[；;，,、]\s*$")
_LEADS_ON = re.compile(r"[：:]\s*$")
_LABEL = re.compile(
    r"\s*(?:[（(]?单位|图表?|表格?|附[图表]|Figure|Fig\.|Table|Exhibit|Chart|Unit)\s*[\d:：一二三四五]",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"\s*[（(]?(?:(?:资料|数据|图片)?来源|注\s*\d*|Sources?|Notes?)\s*[:：]", re.I)


@dataclass(frozen=True, slots=True)
class Unit:
    """Consecutive sentences `start..stop-1` that no cut parts, and how many tokens they have."""

    start: int
    stop: int
    tokens: int


def count_tokens(text: str) -> int:
    """About the tokens that language models see: one a Chinese character, four other letters or
    digits, a word or number at least; punctuation left out.

    >>> count_tokens("营收46.3亿元, international"), count_tokens("up 12%")
    (9, 2)
    """
    others = sum(max(1, round(len(word) / 4)) for word in _OTHER_WORD.findall(text))
    return len(_HAN.findall(text)) + others


def section_units(section: Section) -> tuple[list[Sentence], list[Unit]]:
    """The sentences of a section, the over-long ones cut, and the units that they make."""
    count = section.heading_count
    headings = [piece for s in section.sentences[:count] for piece in cut_long(s)]
    body = [piece for s in section.sentences[count:] for piece in cut_long(s)]
    sentences = [*headings, *body]
    return sentences, bind(sentences, len(headings))


def unit_texts(sentences: Sequence[Sentence], units: Sequence[Unit]) -> list[str]:
    """What of each unit is given to the embedder."""
    return ["\n".join(s.text for s in sentences[unit.start : unit.stop]) for unit in units]


def cut_long(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence of more than `MAX_TOKENS`, cut at clause ends, else by length; others whole."""
    if count_tokens(sentence.text) <= MAX_TOKENS:
        yield sentence
        return
    pieces: list[str] = []
    for clause in filter(None, _CLAUSE_END.split(sentence.text)):
        for start in range(0, len(clause), MAX_TOKENS):
            part = clause[start : start + MAX_TOKENS]
            if pieces and count_tokens(pieces[-1] + part) <= MAX_TOKENS:
                gap = " " if pieces[-1][-1].isascii() and part[0].isascii() else ""
                pieces[-1] += gap + part
            else:
                pieces.append(part)
    for piece in pieces:
        yield Sentence(piece, sentence.places, sentence.section)


def bind(sentences: Sequence[Sentence], heading_count: int) -> list[Unit]:
    """Units of one section: each full sentence with the headings, labels and shorts beside it.

    Headings and what leads on (a colon, the label of a figure) are bound to what follows, clauses
    that end with a semicolon as well up to `MIN_TOKENS`; source notes and other short sentences to
    what precedes them, while that has room.

    Args:
        sentences: of one section, none over `MAX_TOKENS`.
        heading_count: how many of them, at the start, are headings.

    Returns:
        Units in order that hold each sentence once, none over `MAX_TOKENS`.
    """
    units: list[Unit] = []
    start = size = bound = 0  # of the unit that is open; tokens that the last closed one drew

    def close(stop: int) -> None:
        nonlocal start, size, bound
        if size < SHORT_TOKENS and units and _room(units[-1], size):
            units[-1] = Unit(units[-1].start, stop, units[-1].tokens + size)
            bound += size
        else:
            units.append(Unit(start, stop, size))
            bound = 0
        start, size = stop, 0

    for i, sentence in enumerate(sentences):
        tokens = count_tokens(sentence.text)
        if start < i and size + tokens > MAX_TOKENS:
            close(i)
        size += tokens
        goes_on = size < MIN_TOKENS and _UNFINISHED.search(sentence.text)
        if i < heading_count or goes_on or _leads_on(sentence.text, tokens):
            continue
        drawn = start == i and bool(units) and _room(units[-1], size)
        if drawn and _SOURCE.match(sentence.text):
            units[-1] = Unit(units[-1].start, i + 1, units[-1].tokens + size)
            start, size = i + 1, 0
        elif size >= SHORT_TOKENS or (drawn and bound + size <= BOUND_TOKENS):
            close(i + 1)
    if start < len(sentences):
        close(len(sentences))
    return units


def _room(unit: Unit, tokens: int) -> bool:
    return unit.tokens + tokens <= MAX_TOKENS


def _leads_on(text: str, tokens: int) -> bool:
    if tokens < SHORT_TOKENS and _LEADS_ON.search(text):
        return True
    return tokens < _LABEL_TOKENS and _LABEL.match(text) is not None
