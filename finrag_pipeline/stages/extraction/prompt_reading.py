"""A validated reply of a chat model as the extraction of its chunk, on what the chunk prints.

Forms are `prompt_reply`, places `prompt_spans`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.records import Chunk, Metadata
from finrag_pipeline.records.graph import (
    CO_OCCURS,
    ChunkExtraction,
    Claim,
    Mention,
    Modality,
    Period,
    RelationStatement,
)
from finrag_pipeline.stages.extraction.modality import modality_of
from finrag_pipeline.stages.extraction.periods import periods_in
from finrag_pipeline.stages.extraction.prompt_reply import (
    ClaimReply,
    EntityReply,
    ExtractionReply,
    RelationReply,
)
from finrag_pipeline.stages.extraction.prompt_spans import (
    PrintedText,
    Span,
    free_spans,
    stands_for_somebody,
)
from finrag_pipeline.stages.extraction.vocabulary import canonical_relation

# A description is embedded and shown in lists.
_LONGEST_DESCRIPTION = 300
_LONGEST_KIND = 40
_SENTENCE_END = re.compile(r"[。！？；\n]|[.!?;]\s")
# Words that make a sentence say less than that something is so, whatever a model takes it for.
_OUTLOOK = re.compile(
    r"预计|预期|有望|可能|料将|或将|\b(?:expects?|expected|forecasts?|may|might|could)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a chunk's reply holds, and how much of it the chunk does not print, by kind."""

    extraction: ChunkExtraction
    dropped: Mapping[str, int]


def read_extraction(reply: ExtractionReply, chunk: Chunk, metadata: Metadata) -> ReadReply:
    """Put the entities, relations and claims of a reply on the words of their chunk.

    Args:
        metadata: of the document: it may name whom 公司 or “the Company” stands for.
    """
    reader = _Reader(chunk, metadata)
    reader.place(reply.entities)
    relations = [reader.relation(each) for each in reply.relations]
    claims = [reader.claim(each) for each in reply.claims]
    extraction = ChunkExtraction(
        chunk.ordinal,
        tuple(reader.mentions),
        tuple(dict.fromkeys(each for each in relations if each)),
        tuple(dict.fromkeys(each for each in claims if each)),
    )
    return ReadReply(extraction, dict(sorted(reader.dropped.items())))


class _Reader:
    """One chunk while its reply is read."""

    def __init__(self, chunk: Chunk, metadata: Metadata) -> None:
        self.printed = PrintedText(chunk.content)
        self.known = [name for name in (metadata.company_name, metadata.broker) if name]
        self.mentions: list[Mention] = []
        self.dropped: Counter[str] = Counter()
        # what a reply may call a mention: its text or its name
        self._called: dict[str, list[int]] = {}

    def place(self, entities: Sequence[EntityReply]) -> None:
        """Make the mentions, in order of print: every place of every entity's text."""
        spans = free_spans(self.printed, [entity.text for entity in entities])
        placed: dict[Span, Mention] = {}
        for entity in entities:
            name = self._name(entity)
            if name is None or not spans[entity.text]:
                self.dropped["entities"] += 1
                continue
            for span in spans[entity.text]:
                placed.setdefault(span, self._mention(entity, name, span))
        for span in sorted(placed, key=lambda span: (span.start, span.end)):
            mention = placed[span]
            for called in {_key(mention.text), _key(mention.name)}:
                self._called.setdefault(called, []).append(len(self.mentions))
            self.mentions.append(mention)

    def relation(self, reply: RelationReply) -> RelationStatement | None:
        """None where words or relation are not what they must be."""
        canonical = canonical_relation(reply.relation)
        evidence = self.printed.quote(reply.evidence)
        if canonical is None or evidence is None:
            return self._drop("relations")
        relation, swapped = canonical
        if relation == CO_OCCURS:  # what shares a chunk is seen without a model
            return self._drop("relations")
        head, tail = self._meant(reply.head, evidence), self._meant(reply.tail, evidence)
        if head is None or tail is None or self._same(head, tail):
            return self._drop("relations")
        if not any(evidence.holds(self._span(place)) for place in (head, tail)):
            return self._drop("relations")
        if swapped:
            head, tail = tail, head
        return RelationStatement(
            head,
            relation,
            tail,
            evidence.start,
            evidence.end,
            reply.description[:_LONGEST_DESCRIPTION],
            self._modality(reply.modality, evidence),
            reply.confidence,
            self._period(reply.time),
        )

    def claim(self, reply: ClaimReply) -> Claim | None:
        """None where the subject, the words or the figure do not stand in the chunk."""
        evidence = self.printed.quote(reply.evidence)
        subject = evidence and self._meant(reply.subject, evidence)
        if evidence is None or subject is None:
            return self._drop("claims")
        value = reply.value.strip()
        if value and not PrintedText(self.printed.text(evidence)).find(value):
            return self._drop("claims")
        return Claim(
            subject,
            reply.kind.strip()[:_LONGEST_KIND] or "statement",
            evidence.start,
            evidence.end,
            reply.description[:_LONGEST_DESCRIPTION],
            self._modality(reply.modality, evidence),
            self._as_printed(reply.metric),
            value or None,
            self._as_printed(reply.unit) if value else None,
            self._period(reply.time),
        )

    def _name(self, entity: EntityReply) -> str | None:
        """The name to identify an entity by; None where nothing printed names it."""
        text, name = entity.text.strip(), entity.name.strip()
        if name and name != text and not stands_for_somebody(name):
            span = self.printed.find(name)
            if span:
                return self.printed.text(span)
            if name in self.known:
                return name
        return None if stands_for_somebody(text) else text or None

    def _mention(self, entity: EntityReply, name: str, span: Span) -> Mention:
        text = self.printed.text(span)
        aliases = {
            alias.strip(): None
            for alias in entity.aliases
            if not stands_for_somebody(alias) and _key(alias) not in (_key(text), _key(name))
        }
        return Mention(
            span.start,
            span.end,
            text,
            text if _key(name) == _key(text) else name,
            entity.type,
            entity.confidence,
            tuple(alias for alias in aliases if alias and self.printed.find(alias)),
            self._company(entity.company.strip()),
            self._as_printed(entity.code),
            entity.description[:_LONGEST_DESCRIPTION],
        )

    def _company(self, company: str) -> str | None:
        if company in self.known:
            return company
        return None if stands_for_somebody(company) else self._as_printed(company)

    def _as_printed(self, text: str) -> str | None:
        span = self.printed.find(text)
        return self.printed.text(span) if span else None

    def _meant(self, called: str, evidence: Span) -> int | None:
        """The mention that a reply means: the nearest so called, rather before than after."""
        places = self._called.get(_key(called), [])
        return min(places, key=lambda place: (self._distance(place, evidence), place), default=None)

    def _distance(self, place: int, evidence: Span) -> tuple[bool, int]:
        span = self._span(place)
        distance = max(0, evidence.start - span.start, span.end - evidence.end)
        return span.start >= evidence.end, distance

    def _span(self, place: int) -> Span:
        return Span(self.mentions[place].start, self.mentions[place].end)

    def _same(self, head: int, tail: int) -> bool:
        one, other = self.mentions[head], self.mentions[tail]
        return _key(one.name) == _key(other.name) and one.type == other.type

    def _modality(self, said: Modality, evidence: Span) -> Modality:
        if said != "asserted":
            return said
        content = self.printed.content
        ends = [match.end() for match in _SENTENCE_END.finditer(content, 0, evidence.start)]
        start = ends[-1] if ends else 0
        sentence = content[start : evidence.end]
        if modality_of(sentence, evidence.start - start, len(sentence)) == "conditional":
            return "conditional"
        return "forecast" if _OUTLOOK.search(self.printed.text(evidence)) else "asserted"

    def _period(self, text: str) -> Period | None:
        printed = self._as_printed(text)
        if printed is None:
            return None
        return next((period for _, _, period in periods_in(printed)), Period(printed))

    def _drop(self, kind: str) -> None:
        self.dropped[kind] += 1


def _key(text: str) -> str:
    return "".join(text.split()).casefold()
