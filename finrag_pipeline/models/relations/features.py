"""What a sentence shows of two companies that it names: hashed words around and between them.

The names themselves count only by their last characters, so that a relation is read from the
sentence and not remembered. What is made of the features belongs to the package's classifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from zlib import crc32

import numpy as np
import rjieba
from numpy.typing import NDArray

from finrag_pipeline.models.relations.cues import cues
from finrag_pipeline.words import fold

#: Words so far from a name still say something of it.
_BEFORE, _AFTER = 6, 8
#: Characters before the first and behind the second name whose verbs and nouns count.
_STRETCH = 30

Span = tuple[int, int]

_NUMBER = re.compile(r"<n>(?:[.,]?\d*<n>)*|\d[\d.,]*")
_JOINED = re.compile(r"[、和与及,，以]*(?:以及)?")
_CLAUSE = re.compile("[，,。；;]")
#: What a name says of its bearer.
_KIND = re.compile(
    "证券|银行|基金|信托|保险|法院|投资|资本|集团|有限公司|控股|股份|研究|报|网|局|委|部|大学|地产|航空|汽车"
)
_MARKS = frozenset("，,。；;：:、（）()“”\"'！!？? ")


def pair_features(text: str, first: Span, second: Span) -> NDArray[np.uint32]:
    """Hashes of what a pair of names shows, without repeats, ascending.

    Args:
        text: a sentence.
        first: start and end of the name that stands first in it.
        second: of the other; they do not overlap.
    """
    found = {crc32(feature.encode()) for feature in _features(text, first, second)}
    return np.array(sorted(found), dtype=np.uint32)


def _features(text: str, first: Span, second: Span) -> Iterator[str]:
    one, two = text[first[0] : first[1]], text[second[0] : second[1]]
    yield "bias"
    around = text[: first[0]], text[first[1] : second[0]], text[second[1] :]
    before, middle, after = map(_words, around)
    yield from _of_names(one, two)
    joined = _JOINED.fullmatch("".join(middle)) is not None
    yield f"joined {joined}"
    yield from cues(fold(around[0]), fold(around[1]), fold(around[2]), joined)
    yield f"words between {min(len(middle), 12) // 2}"
    yield f"commas between {min(sum(word in ',，。;；' for word in middle), 3)}"
    for word in _plain(middle):
        yield f"m {word}"
    for pair in _pairs(middle):
        yield f"mm {pair}"
    if len(middle) <= 4:
        yield f"all {' '.join(middle)}"
    if middle:
        yield f"m0 {middle[0]}"
        yield f"m9 {middle[-1]}"
        yield f"m0m9 {middle[0]} {middle[-1]}"
    characters = "".join(_plain(middle))
    for at in range(len(characters) - 1):
        yield f"mc {characters[at : at + 2]}"
    near = before[-_BEFORE:]
    for word in _plain(near):
        yield f"b {word}"
    for pair in _pairs(near):
        yield f"bb {pair}"
    yield f"b9 {near[-1] if near else '^'}"
    near = after[:_AFTER]
    for word in _plain(near):
        yield f"a {word}"
        if joined:
            yield f"ja {word}"
    for pair in _pairs(near):
        yield f"aa {pair}"
    yield f"a0 {near[0] if near else '$'}"
    yield f"m9a0 {middle[-1] if middle else '|'} {near[0] if near else '$'}"
    yield f"b9m0 {before[-1] if before else '^'} {middle[0] if middle else '|'}"
    for word in {*_plain(before), *_plain(middle), *_plain(after)}:
        yield f"s {word}"
    for zone, stretch in zip(
        "bma", (around[0][-_STRETCH:], around[1], around[2][:_STRETCH]), strict=True
    ):
        yield from _parts_of_speech(zone, stretch)
    for word in _words(_CLAUSE.split(around[1])[-1]):
        yield f"lc {word}"
    yield f"clauses {len(_CLAUSE.split(around[1]))}"


def _parts_of_speech(zone: str, text: str) -> Iterator[str]:
    """Verbs of a stretch, and its first and last verb and noun."""
    tagged: list[tuple[str, str]] = rjieba.tag(_NUMBER.sub("0", fold(text)))
    verbs = [word for word, tag in tagged if tag.startswith("v") and len(word) > 1]
    nouns = [word for word, tag in tagged if tag in ("n", "vn")]
    for verb in verbs:
        yield f"v{zone} {verb}"
    for kind, words in (("v", verbs), ("n", nouns)):
        if words:
            yield f"{kind}{zone}0 {words[0]}"
            yield f"{kind}{zone}9 {words[-1]}"


def _of_names(one: str, two: str) -> Iterator[str]:
    for place, name in (("1", one), ("2", two)):
        yield f"end{place} {name[-2:]}"
        yield f"last{place} {name[-1:]}"
        kind = _KIND.search(name)
        yield f"kind{place} {kind.group() if kind else ''}"
    yield f"ends {one[-2:]} {two[-2:]}"
    yield f"share {one[:2] == two[:2]} {one in two} {two in one}"


def _words(text: str) -> list[str]:
    return [w for w in rjieba.cut(_NUMBER.sub("0", fold(text))) if w.strip()]


def _plain(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _MARKS]


def _pairs(words: list[str]) -> Iterator[str]:
    for left, right in pairwise(words):
        yield f"{left} {right}"
