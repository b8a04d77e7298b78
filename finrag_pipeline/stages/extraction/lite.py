"""The lite profile: one to three names a chunk, and the few relations that are certain."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from finrag_pipeline.records.graph import (
    CONFIDENCE_WEIGHTS,
    ChunkExtraction,
    EntityType,
    Mention,
)

#: Names of a chunk that are kept.
MOST = 3
CERTAIN_RELATIONS = frozenset({"defines", "requires", "exempts", "refers_to"})
#: What a name of each type is worth: terms, rules, organisations and systems before what every
#: page names.
_WORTH: dict[EntityType, float] = {
    "policy": 1.0,
    "company": 1.0,
    "organisation": 0.9,
    "product": 0.9,
    "concept": 0.8,
    "industry": 0.7,
    "commodity": 0.7,
    "event": 0.7,
    "person": 0.6,
    "metric": 0.4,
    "place": 0.2,
}


def lite(extraction: ChunkExtraction) -> ChunkExtraction:
    """Keep the first mention of up to `MOST` names, and the certain relations among them.

    Names with a certain relation stay, then the worthiest: by type, confidence and how often
    the chunk names them; claims go.
    """
    keys = [_key(mention) for mention in extraction.mentions]
    times = Counter(keys)
    first = {key: at for at, key in reversed(list(enumerate(keys)))}

    certain = {
        keys[place]
        for statement in extraction.relations
        if statement.relation in CERTAIN_RELATIONS
        for place in (statement.head, statement.tail)
    }

    def worth(key: tuple[str, str]) -> tuple[bool, float, int]:
        mention = extraction.mentions[first[key]]
        value = _WORTH[mention.type] * CONFIDENCE_WEIGHTS[mention.confidence]
        return key not in certain, -value * (1 + min(times[key], 4) / 4), first[key]

    kept = sorted(first[key] for key in sorted(first, key=worth)[:MOST])
    place = {keys[at]: number for number, at in enumerate(kept)}
    relations = tuple(
        replace(statement, head=place[keys[statement.head]], tail=place[keys[statement.tail]])
        for statement in extraction.relations
        if statement.relation in CERTAIN_RELATIONS
        and keys[statement.head] in place
        and keys[statement.tail] in place
    )
    mentions = tuple(extraction.mentions[at] for at in kept)
    return replace(extraction, mentions=mentions, relations=relations, claims=())


def _key(mention: Mention) -> tuple[str, str]:
    return mention.type, mention.name
