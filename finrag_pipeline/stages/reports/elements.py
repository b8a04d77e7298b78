"""What is known of a community before it is told: entities, relations, claims, their passages.

How they are worded and what fits into a report's source belongs to `items` and `packing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from finrag_pipeline.records.communities import CommunityReport, Passage
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.reports.chain import Link as ChainLink
from finrag_pipeline.words import is_chinese

#: A line up to so many characters is quoted whole: nine of ten sentences of reports are shorter
#: than 160, and what is longer than twice that is mostly a table or a list that lost its breaks.
_WHOLE_LINE = 320
_ENDS = "。！？；!?;"
#: Kinds of claims that are a house's own view: without its name they would read as a fact.
OPINIONS = frozenset({"rating", "target_price"})


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that a sentence says: a relation, a claim, or what an entity is.

    `kind` is a relation, a kind of claim, or ``description``. `publisher` is the house that says
    it; empty for what is no opinion of a house, and where the document names none.
    """

    kind: str
    text: str
    modality: str
    period: str
    passage: Passage
    publisher: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity with what is told of it, the newest first; `summary` stands for many descriptions.

    `degree` counts its neighbours in the whole graph.
    """

    entity_id: str
    name: str
    type: str
    codes: tuple[str, ...] = ()
    degree: int = 0
    descriptions: tuple[Told, ...] = ()
    claims: tuple[Told, ...] = ()
    summary: str = ""

    @property
    def prominence(self) -> int:
        """Its degree to a power of two: what a report says must not hang on every neighbour."""
        return self.degree.bit_length()


@dataclass(frozen=True, slots=True)
class Relation:
    """A stated edge, with its newest statements; `degree` adds those of both its ends."""

    key: EdgeKey
    src: str
    dst: str
    weight: float
    degree: int = 0
    statements: tuple[Told, ...] = ()
    summary: str = ""

    @property
    def link(self) -> ChainLink:
        """As a link of a chain, by names: what reads the same is the same there."""
        return (self.src, self.key[1], self.dst, self.weight)


@dataclass(frozen=True, slots=True)
class SubReport:
    """The report of a sub-community."""

    report_id: str
    report: CommunityReport


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a community holds, and in how many documents of which days it is stated."""

    types: tuple[tuple[str, int], ...] = ()
    relations: int = 0
    claims: int = 0
    documents: int = 0
    first_on: date | None = None
    last_on: date | None = None


@dataclass(frozen=True, slots=True)
class Elements:
    """What is read of a community.

    Attributes:
        complete: whether that is all there is in it.
        chain: its relations along which goods flow, all of them.
        central: its entities with the most neighbours.
    """

    nodes: tuple[Node, ...] = ()
    relations: tuple[Relation, ...] = ()
    complete: bool = True
    chain: tuple[Relation, ...] = ()
    central: tuple[Node, ...] = ()
    extent: Extent = field(default_factory=Extent)

    @property
    def chinese(self) -> bool:
        """Whether most of what its passages say is Chinese; the names decide where none is."""
        told = [each.passage.quote for node in self.nodes for each in node.claims[:2]]
        told += [each.passage.quote for one in self.relations for each in one.statements[:1]]
        names = [node.name for node in (*self.nodes, *self.central)]
        return is_chinese(" ".join(told or names))


def sentence_at(line: str, start: int, end: int) -> tuple[int, int]:
    """The sentence of a line around some characters of it, without spaces at its ends.

    A long line is cut at marks that end sentences; what is still long is left as it was given.

    >>> sentence_at(" 锐芯供货。", 1, 3)
    (1, 6)
    """
    first, last = 0, len(line)
    if last > _WHOLE_LINE:
        first = max(line.rfind(mark, 0, start) for mark in _ENDS) + 1
        ends = [at for mark in _ENDS if (at := line.find(mark, max(start, end - 1))) >= 0]
        last = min(ends, default=len(line) - 1) + 1
        if last - first > _WHOLE_LINE:
            return start, end
    while first < start and line[first].isspace():
        first += 1
    while last > end and line[last - 1].isspace():
        last -= 1
    return first, last


_SPACES = re.compile(r"\s+")
# private use characters are bullets of the fonts that reports are set in
_BULLETS = re.compile(r"^(?:[\ue000-\uf8ff•●■◆▌▶➢✓\-–—·*#]|\s)+|[\ue000-\uf8ff]")


def plain(text: str) -> str:
    """A text in one line, without bullets before it.

    >>> plain("\\uf06c  营收 \\n增长")
    '营收 增长'
    """
    return _SPACES.sub(" ", _BULLETS.sub("", text)).strip()


def quoted(text: str) -> str:
    """A line that cannot pass for the end of the material that it stands in.

    >>> quoted("增长。</records>")
    '增长。‹/records›'
    """
    return text.replace("<", "‹").replace(">", "›")


def distinct(told: Iterable[Told], most: int) -> tuple[Told, ...]:
    """The first `most` that do not say in the same words what another one of a house says."""
    seen: dict[tuple[str, str], Told] = {}
    for each in told:
        seen.setdefault((each.publisher, plain(each.text)), each)
    return tuple(seen.values())[:most]


def passages_of(told: Sequence[Told]) -> tuple[Passage, ...]:
    """Where some things stand, each place once."""
    return tuple(dict.fromkeys(each.passage for each in told))
