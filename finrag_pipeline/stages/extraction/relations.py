"""The relations of a chunk, sentence by sentence: what a classifier and rules read in it together.

Whose segment or office something is belongs to `membership`, who delivers what to `inputs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from finrag_pipeline.records.graph import Mention, RelationStatement
from finrag_pipeline.stages.extraction.candidates import Weak
from finrag_pipeline.stages.extraction.goods import goods_made
from finrag_pipeline.stages.extraction.inputs import delivered_inputs, named_customers
from finrag_pipeline.stages.extraction.membership import has_left, members
from finrag_pipeline.stages.extraction.modality import modality_of
from finrag_pipeline.stages.extraction.periods import period_before
from finrag_pipeline.stages.extraction.references import is_reference
from finrag_pipeline.stages.extraction.subjects import implied
from finrag_pipeline.stages.extraction.triggers import Hit, Name, find_relations
from finrag_pipeline.stages.extraction.vocabulary import CLASSIFIED, RELATIONS
from finrag_pipeline.words import fold, is_chinese


class PairRelation(Protocol):
    """The likeliest relation between two of the given spans, by their places in the list."""

    @property
    def head(self) -> int: ...
    @property
    def relation(self) -> str: ...
    @property
    def tail(self) -> int: ...
    @property
    def sure(self) -> int:
        """0 where it is merely likely, 1 where it is sure, 2 where it is beyond doubt."""
        ...


#: The likeliest relation of each pair of companies in one sentence, given its text and their
#: spans, where it is likely at all.
Classify = Callable[[str, Sequence[tuple[int, int]]], Sequence[PairRelation]]

#: More companies in a sentence are a list; what holds between its members nobody says.
_MOST_COMPANIES = 4
#: Names further apart the classifier has not seen: 99 % of its training pairs stand nearer.
_FARTHEST = 60
#: Names that merely stand side by side.
_FORM = re.compile(
    r"(?:股份有限公司|有限责任公司|有限公司|[,.\s]|\b(?:inc|corp|corporation|co|company|ltd|plc|llc)\b)*$"
)
_NOTE = re.compile(r"[（(][^（()）]*[)）]")
#: 甲（21亿元，+4%）、乙（…）: each has its own figures, and nothing is said of both.
_FIGURES = re.compile(r"[（(][^（()）]*[%％亿万][^（()）]*[)）]")
#: 控股股东甲持股36.8%，乙持股4.9%: both hold a third one's shares.
_HELD = re.compile(r"持股(?:比例)?(?:为|达|约)?\s*[\d.]+\s*[%％][^，,；、]{0,6}[，,；、]|股东，第")
_LISTED = re.compile(r"[、，,和与及以\s]*")
#: Who are named as examples, or in the order of a ranking.
_SAMPLE = re.compile(r"代表|包括|涵盖|排名|位列|TOP ?\d|前[一二三四五六七八九十\d]+名")
_BEYOND_DOUBT = 2
#: The classifier was taught on pairs; of more names in a row it is sure too soon.
_PAIR = 2
# Here the classifier is asked for a second opinion on what rules find between companies. By cross
# validation rules alone are right .68 of the time, both together .80.
#
#: Words without which a list of companies states no such relation, unless it is beyond doubt: by
#: cross validation a fifth of what is found without them is right, unrelated pairs counted, but
#: half beyond doubt. So what ships reads .36 of all relations where .80 are right, not .34.
_SAID: Mapping[str, re.Pattern[str]] = {
    name: re.compile("|".join(relation.said), re.IGNORECASE)
    for name, relation in RELATIONS.items()
    if relation.said
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a chunk and the places of its mentions in the chunk's tuple."""

    text: str
    start: int
    mentions: tuple[int, ...]


def relations_of(
    sentences: Sequence[Sentence],
    mentions: Sequence[Mention],
    classify: Classify | None,
    own: int | None = None,
    weak: Mapping[int, Weak] | None = None,
) -> tuple[RelationStatement, ...]:
    """The relations that a chunk states, each at most once a sentence, in order of print.

    Args:
        own: the mention of the company that the document is about, if the chunk has one.
        weak: which of the mentions only may be names, see `candidates`.
    """
    weak = weak or {}
    found: list[RelationStatement] = []
    for sentence in sentences:
        inside = [mentions[at] for at in sentence.mentions]
        # that a segment is its company's is no matter of the sentence's mood
        for hit in members(sentence.text, sentence.start, inside):
            found += _statement(sentence, mentions, hit, certain=True)
        names = _names(sentence, inside, weak)
        places = list(sentence.mentions)
        delivered = list(delivered_inputs(sentence.text, names))
        makers = {maker for maker, _, _ in delivered}
        left_out: list[Name] = []
        for place, who in implied(sentence.text, names, own is not None):
            left_out.append(Name("subject", place, place))
            places.append(own if who is None and own is not None else places[who or 0])
        for hit in read_pairs(sentence.text, [*names, *left_out], classify):
            left = hit.relation == "works_for" and has_left(sentence.text, hit.start, hit.end)
            # who deliver to the same customer are no partners for it
            if not left and not makers.issuperset((hit.head, hit.tail)):
                hit = replace(hit, head=places[hit.head], tail=places[hit.tail])
                found += _between(sentence, mentions, hit)
        for who, made, start, end in goods_made(sentence.text, names):
            maker = own if who is None else sentence.mentions[who]
            if maker is not None:
                hit = Hit(maker, "produces", sentence.mentions[made], start, end, "medium")
                found += _between(sentence, mentions, hit)
        if own is not None:
            for maker, start, end in delivered:
                hit = Hit(sentence.mentions[maker], "supplies", own, start, end, "medium")
                found += _between(sentence, mentions, hit)
            owned = [at for at, each in enumerate(inside) if _same(each, mentions[own])]
            for customer, start, end in named_customers(sentence.text, names, owned):
                hit = Hit(own, "supplies", sentence.mentions[customer], start, end, "medium")
                found += _between(sentence, mentions, hit)
    unique = {(r.head, r.relation, r.tail): r for r in reversed(found)}
    return tuple(sorted(unique.values(), key=lambda r: (r.start, r.head, r.tail, r.relation)))


def read_pairs(text: str, names: Sequence[Name], classify: Classify | None) -> list[Hit]:
    """What rules and the classifier make of the pairs of names of one sentence.

    What the classifier is sure of goes before rules for relations that it knows; a rule for one of
    those counts where the classifier leans to it. For all others rules alone speak.

    Args:
        text: one sentence.
        names: in order of print, none overlapping; heads and tails are places in it.
    """
    ruled = find_relations(text, names)
    if classify is None:
        return ruled
    judged, likely = _judged(text, names, classify)
    kept = [
        hit
        for hit in ruled
        if hit.alone
        or hit.relation not in CLASSIFIED
        or frozenset((hit.head, hit.tail)) not in judged
        or any(_same_relation(hit, other) for other, _ in likely)
    ]
    read = {frozenset((hit.head, hit.tail)) for hit in kept} | set(_listed(kept))
    added = [hit for hit, sure in likely if sure and frozenset((hit.head, hit.tail)) not in read]
    return [*kept, *added]


def _listed(hits: Sequence[Hit]) -> Iterator[frozenset[int]]:
    """Pairs of names that share what a rule says of them: of each other it says nothing."""
    for at, one in enumerate(hits):
        for other in hits[at + 1 :]:
            if (one.relation, one.start, one.end) == (other.relation, other.start, other.end):
                yield frozenset((one.head, other.head))
                yield frozenset((one.tail, other.tail))


def _names(sentence: Sentence, inside: Sequence[Mention], weak: Mapping[int, Weak]) -> list[Name]:
    return [
        Name(weak.get(at, m.type), m.start - sentence.start, m.end - sentence.start)
        for at, m in zip(sentence.mentions, inside, strict=True)
    ]


def _judged(
    text: str, names: Sequence[Name], classify: Classify
) -> tuple[set[frozenset[int]], list[tuple[Hit, bool]]]:
    """The pairs of companies that the classifier can judge; what it finds likely, and if sure."""
    # it has seen names; what stands for one reads otherwise
    firms = [
        at
        for at, name in enumerate(names)
        if name.type == "company" and not is_reference(text, name.start, name.end)
    ]
    if not 2 <= len(firms) <= _MOST_COMPANIES or not is_chinese(text):
        return set(), []
    near = {
        frozenset((one, two))
        for place, one in enumerate(firms)
        for two in firms[place + 1 :]
        if names[two].start - names[one].end <= _FARTHEST
    }
    likely: list[tuple[Hit, bool]] = []
    for pair in classify(text, [(names[at].start, names[at].end) for at in firms]):
        head, tail = firms[pair.head], firms[pair.tail]
        first, last = sorted((names[head], names[tail]), key=lambda name: name.start)
        between = _between_names(text, first.end, last.start, names)
        if _FIGURES.search(between) or _HELD.search(between):
            continue
        listed = _LISTED.fullmatch(_NOTE.sub("", between)) is not None
        said = _SAID.get(pair.relation)
        unsaid = listed and said is not None and said.search(text) is None
        doubt = len(firms) > _PAIR or pair.sure < _BEYOND_DOUBT or _SAMPLE.search(text) is not None
        if frozenset((head, tail)) in near and not (unsaid and doubt):
            hit = Hit(head, pair.relation, tail, first.start, last.end, "medium")
            likely.append((hit, pair.sure > 0))
    return near, likely


def _between_names(text: str, start: int, end: int, names: Sequence[Name]) -> str:
    """What stands between two names beside other names."""
    parts: list[str] = []
    for name in names:
        if start <= name.start and name.end <= end:
            parts.append(text[start : name.start])
            start = name.end
    return "".join((*parts, text[start:end]))


def _same_relation(one: Hit, other: Hit) -> bool:
    ends = (other.head, other.tail)
    same = (one.head, one.tail) == ends
    turned = RELATIONS[one.relation].symmetric and (one.tail, one.head) == ends
    return one.relation == other.relation and (same or turned)


def _statement(
    sentence: Sentence, mentions: Sequence[Mention], hit: Hit, certain: bool = False
) -> Iterator[RelationStatement]:
    """A hit between mentions of a sentence, by their places in it."""
    head, tail = sentence.mentions[hit.head], sentence.mentions[hit.tail]
    yield from _between(sentence, mentions, replace(hit, head=head, tail=tail), certain)


def _between(
    sentence: Sentence, mentions: Sequence[Mention], hit: Hit, certain: bool = False
) -> Iterator[RelationStatement]:
    """A hit between mentions of the chunk; nothing between a company and itself."""
    if not _same(mentions[hit.head], mentions[hit.tail]):
        yield RelationStatement(
            head=hit.head,
            relation=hit.relation,
            tail=hit.tail,
            start=sentence.start + hit.start,
            end=sentence.start + hit.end,
            description=re.sub(r"\s+", " ", sentence.text).strip(),
            modality="asserted" if certain else modality_of(sentence.text, hit.start, hit.end),
            confidence=hit.confidence,
            period=period_before(sentence.text, 0, hit.end),
        )


def _same(one: Mention, other: Mention) -> bool:
    return (one.code is not None and one.code == other.code) or _bare(one) == _bare(other)


def _bare(mention: Mention) -> str:
    """A name without the form of its company: BEST BUY CO., INC. is Best Buy."""
    return _FORM.sub("", fold(mention.name))
