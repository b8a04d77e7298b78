"""The relations of a chunk: what rules find sentence by sentence, what a classifier adds, and
which segment is part of which company."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from finrag_pipeline.records.graph import Confidence, EntityType, Mention, RelationStatement
from finrag_pipeline.stages.extraction.modality import modality_of
from finrag_pipeline.stages.extraction.periods import period_before
from finrag_pipeline.stages.extraction.triggers import Hit, Name, find_relations
from finrag_pipeline.words import is_chinese


class PairRelation(Protocol):
    """A relation between two of the given spans, by their places in the list."""

    @property
    def head(self) -> int: ...
    @property
    def relation(self) -> str: ...
    @property
    def tail(self) -> int: ...


#: The sure relations between the companies of one sentence, given its text and their spans.
Classify = Callable[[str, Sequence[tuple[int, int]]], Sequence[PairRelation]]

#: More companies in a sentence are a list; what holds between its members nobody says.
_MOST_COMPANIES = 6
#: How a mention that has a company belongs to it.
_MEMBERSHIP: dict[EntityType, str] = {"product": "part_of", "person": "works_for"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a chunk and the places of its mentions in the chunk's tuple."""

    text: str
    start: int
    mentions: tuple[int, ...]


def relations_of(
    sentences: Sequence[Sentence], mentions: Sequence[Mention], classify: Classify | None
) -> tuple[RelationStatement, ...]:
    """The relations that a chunk states, each at most once a sentence, in order of print."""
    found: list[RelationStatement] = []
    for sentence in sentences:
        known: set[frozenset[str]] = set()
        members = list(_member_hits(sentence, mentions))
        for hit in [*members, *_rule_hits(sentence, mentions)]:
            # that a segment is its company's is no matter of the sentence's mood
            statement = _statement(sentence, mentions, hit, certain=hit in members)
            if statement:
                found.append(statement)
                known.add(_pair(mentions, statement))
        for hit in _classified(sentence, mentions, classify) if classify else ():
            statement = _statement(sentence, mentions, hit)
            # where a rule has read the pair, it knows better
            if statement and _pair(mentions, statement) not in known:
                found.append(statement)
    unique = {(r.head, r.relation, r.tail): r for r in reversed(found)}
    return tuple(sorted(unique.values(), key=lambda r: (r.start, r.head, r.tail, r.relation)))


def _rule_hits(sentence: Sentence, mentions: Sequence[Mention]) -> list[Hit]:
    names = [
        Name(m.type, m.start - sentence.start, m.end - sentence.start)
        for m in (mentions[at] for at in sentence.mentions)
    ]
    return find_relations(sentence.text, names)


def _member_hits(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Hit]:
    """A segment or a person and the company of theirs that the same sentence names before them."""
    for place, at in enumerate(sentence.mentions):
        member = mentions[at]
        relation = _MEMBERSHIP.get(member.type)
        if relation is None or not member.company:
            continue
        for owner in range(place - 1, -1, -1):
            company = mentions[sentence.mentions[owner]]
            if company.name == member.company:
                start, end = company.start - sentence.start, member.end - sentence.start
                yield Hit(place, relation, owner, start, end, "high")
                break


def _classified(
    sentence: Sentence, mentions: Sequence[Mention], classify: Classify
) -> Iterator[Hit]:
    firms = [
        place
        for place, at in enumerate(sentence.mentions)
        # the classifier has seen names; what stands for one reads otherwise
        if mentions[at].type == "company"
    ]
    if not 2 <= len(firms) <= _MOST_COMPANIES or not is_chinese(sentence.text):
        return
    spans = [
        (m.start - sentence.start, m.end - sentence.start)
        for m in (mentions[sentence.mentions[place]] for place in firms)
    ]
    confidence: Confidence = "medium"
    for pair in classify(sentence.text, spans):
        start = min(spans[pair.head][0], spans[pair.tail][0])
        end = max(spans[pair.head][1], spans[pair.tail][1])
        yield Hit(firms[pair.head], pair.relation, firms[pair.tail], start, end, confidence)


def _statement(
    sentence: Sentence, mentions: Sequence[Mention], hit: Hit, certain: bool = False
) -> RelationStatement | None:
    head, tail = sentence.mentions[hit.head], sentence.mentions[hit.tail]
    if _same(mentions[head], mentions[tail]):
        return None
    return RelationStatement(
        head=head,
        relation=hit.relation,
        tail=tail,
        start=sentence.start + hit.start,
        end=sentence.start + hit.end,
        description=re.sub(r"\s+", " ", sentence.text).strip(),
        modality="asserted" if certain else modality_of(sentence.text, hit.start, hit.end),
        confidence=hit.confidence,
        period=period_before(sentence.text, 0, hit.end),
    )


def _same(one: Mention, other: Mention) -> bool:
    return one.name == other.name or (one.code is not None and one.code == other.code)


def _pair(mentions: Sequence[Mention], statement: RelationStatement) -> frozenset[str]:
    return frozenset((mentions[statement.head].name, mentions[statement.tail].name))
