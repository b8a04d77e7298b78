"""What chains and links between sectors are made of: entities, and links with what states them.

How they are divided into chains belongs to `division`, how they are told to `contents`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from finrag_pipeline.records.communities import Passage
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences

_OVERHEAD = re.compile(
    "物业|水电费|住宿|餐费|餐饮费|会议费|房屋租赁|办公用房|租入租出|租赁费|监理费|审计费|律师费|保洁|安保服务"
    "|培训费|差旅|通勤|存款利息|手续费|property management|office rent|cleaning services",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Node:
    """An entity as it was called by the day of a build."""

    entity_id: str
    name: str
    type: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourcedPassage:
    """A passage that states a link, and the file that it is from."""

    passage: Passage
    source: str


@dataclass(frozen=True, slots=True)
class StatedLink:
    """An edge with every statement behind it, the newest first."""

    key: EdgeKey
    weight: float
    statements: tuple[SourcedPassage, ...] = field(default=())

    @property
    def ends(self) -> tuple[str, str]:
        return self.key[0], self.key[2]


def stated_links(
    weights: Mapping[EdgeKey, float], statements: Mapping[EdgeKey, Sequence[SourcedPassage]]
) -> list[StatedLink]:
    """Edges that some statement stands behind, in order of their keys.

    A sentence that several documents print counts once, where it was printed last.
    """
    links: list[StatedLink] = []
    for key in sorted(weights):
        newest = sorted(statements.get(key, ()), key=_newest_first)
        distinct = {each.passage.quote: each for each in reversed(newest)}
        told = sorted(distinct.values(), key=_newest_first)
        if told:
            links.append(StatedLink(key, weights[key], tuple(told)))
    return links


def is_overhead(link: StatedLink) -> bool:
    """Whether all that states a link speaks of what every office buys: rent, water, a hotel.

    Who cleans a company's floors is a supplier to its accountants, but in nobody's industry chain.
    """
    return bool(link.statements) and all(
        _OVERHEAD.search(each.passage.quote) for each in link.statements
    )


def degrees(links: Iterable[StatedLink]) -> dict[str, float]:
    """The weight of all links at each entity."""
    found: dict[str, float] = defaultdict(float)
    for link in links:
        for end in link.ends:
            found[end] += link.weight
    return dict(found)


def sentence_around(content: str, start: int, end: int) -> tuple[int, int]:
    """The sentences of a chunk that a span stands in, without the space around them.

    >>> sentence_around("甲投产。 乙向丙供货。", 6, 8)
    (5, 11)
    """
    first, last, line_at = start, end, 0
    for line in content.splitlines(keepends=True):
        place, line_at = line_at, line_at + len(line)
        if place >= end or line_at <= start:
            continue
        for piece in split_sentences(line):
            at = content.index(piece, place)
            place = at + len(piece)
            if at < end and place > start:
                first, last = min(first, at), max(last, place)
    quote = content[first:last]
    return first + len(quote) - len(quote.lstrip()), first + len(quote.rstrip())


def _newest_first(each: SourcedPassage) -> tuple[int, str, int, int, int]:
    said = each.passage
    return -said.published_on.toordinal(), said.document_id, said.chunk, said.start, said.end
