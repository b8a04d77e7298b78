"""The points of a section: what stands under its numbers, else its first sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.query.answers.lists.enumerations import enumerations, label
from finrag_pipeline.query.answers.lists.listed import run_in
from finrag_pipeline.query.answers.sections.reading import STYLES, Part, style_of
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import placed
from finrag_pipeline.query.evidence.kinds import Quotable

#: Points that are told, and sentences where a section has none.
_MOST, _MOST_SENTENCES = 15, 6
#: Characters of a point's name beside which its first sentence is told.
_NAME = 40
#: Characters of what is told of a point.
_LONGEST = 260
#: The first of some numbers.
_FIRST = re.compile(r"[（(]?\s*(?:一|1|①)\s*(?![一二三四五六七八九十\d])")
#: A point's name that stands as a sentence before what is said of it: Trade peace. 需求不及预期。
_HEAD = re.compile(r"(?:[A-Z][^.;,]{2,48}|[\u3400-\u9fff][^。；，]{2,15})[.。：:]$")
#: Words of the longest such name, and how many a section has at least.
_HEAD_WORDS, _LEAST_HEADS = 6, 3
#: What parts the items of a list.
_LISTS = re.compile(r"[；;、]")
#: What a sentence ends with, and no name.
_ENDS = re.compile(r"[。；;！!]\s*$")


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a section.

    Attributes:
        name: what it is called; empty where it is a sentence.
        said: its name with its first sentence.
    """

    name: str
    item: ChunkItem
    said: Quotable


def points(parts: Sequence[Part], heading: str) -> list[Point]:
    """The points of a section, in its order.

    Args:
        heading: of a list that nothing numbers, as such lists are read.
    """
    named: list[Point] = []
    for style in range(len(STYLES)):
        found = [*_numbered(parts, style, once=not named)]
        told = sum(1 for each in found if _ENDS.search(each.said.told))
        if len(found) > 1 and 2 * told > len(found):
            return found[:_MOST]
        # headings alone: what stands under them says more
        named = named or (found if len(found) > 1 else [])
    if named:
        return named[:_MOST]
    if len(headed := [*_headed(parts)]) >= _LEAST_HEADS:
        return headed[:_MOST]
    listed = [*_listed(parts[0], heading)] if parts and heading else []
    return listed[:_MOST] or [*_sentences(parts)][:_MOST_SENTENCES]


def _numbered(parts: Sequence[Part], style: int, *, once: bool) -> Iterator[Point]:
    """Points whose lines, or sentences, are numbered in a style, each with its first sentence.

    Args:
        once: whether they end where their numbers begin anew: with another section, whose own
            heading is not kept.
    """
    begun = False
    for part in parts:
        opened = [*_pieces(part, style)]
        for n, (begin, sentence) in enumerate(opened):
            if style_of(sentence) != style:
                continue
            first = bool(_FIRST.match(sentence.strip()))
            if once and begun and first:
                return
            begun = True
            end = begin + len(sentence)
            if not _ENDS.search(sentence) and n + 1 < len(opened):
                behind, following = opened[n + 1]
                if style_of(following) is None:
                    end = behind + len(following)
            name = run_in(label(STYLES[style].sub("", sentence.strip(), count=1)))
            if said := part.item.quoted(part.item.text[begin : min(end, begin + _LONGEST)], begin):
                yield Point(name if len(name) <= _NAME else "", part.item, said)


def _pieces(part: Part, style: int) -> Iterator[tuple[int, str]]:
    """Sentences with where they begin; the first point stands apart from what leads to it:
    举措如下：1、……."""
    for begin, sentence in placed(part.text):
        led = re.search(rf"[：:]\s*(?={STYLES[style].pattern})", sentence)
        if led:
            yield part.begin + begin, sentence[: led.end()]
        end = led.end() if led else 0
        yield part.begin + begin + end, sentence[end:]


def _headed(parts: Sequence[Part]) -> Iterator[Point]:
    """Points that each begin with their name as a sentence of its own, each with the next one."""
    for part in parts:
        pieces = list(placed(part.text))
        for n, (begin, name) in enumerate(pieces[:-1]):
            behind, following = pieces[n + 1]
            if not _is_head(name) or _is_head(following):
                continue
            start, end = part.begin + begin, part.begin + behind + len(following)
            if said := part.item.quoted(part.item.text[start:end], start):
                yield Point(name.rstrip(".。：:"), part.item, said)


def _is_head(sentence: str) -> bool:
    return _HEAD.match(sentence) is not None and len(sentence.split()) <= _HEAD_WORDS


def _listed(part: Part, heading: str) -> Iterator[Point]:
    """What a paragraph lists: 需求不及预期；汇率波动。 Clauses between commas are no list."""
    if not _LISTS.search(part.text.split("。", 1)[0]):
        return
    for each in enumerations(f"{heading}：{part.text.lstrip('：: ')}"):
        for name, quote in zip(each.items, each.quotes, strict=True):
            at = part.item.text.find(quote, part.begin)
            if at >= 0 and (said := part.item.quoted(quote, at)):
                yield Point(name, part.item, replace(said, told=name))
        return


def _sentences(parts: Sequence[Part]) -> Iterator[Point]:
    for part in parts:
        for said in part.quotes(""):
            yield Point("", part.item, said)
