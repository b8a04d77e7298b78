"""The extractor that ships: entities of chunks, relations between them, claims about them.

Precision goes before recall: what is unsure is left out. Whose names they are belongs to
`stages.identity`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.records import Chunk, Metadata
from finrag_pipeline.records.graph import (
    ChunkExtraction,
    EntityType,
    Mention,
    RelationStatement,
)
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences
from finrag_pipeline.stages.extraction.candidates import Weak, candidates
from finrag_pipeline.stages.extraction.claims import claims_of, own_mention
from finrag_pipeline.stages.extraction.lexicon import Lexicon, build_lexicon
from finrag_pipeline.stages.extraction.mentions import mentions_of
from finrag_pipeline.stages.extraction.people import reads_as_latin_person
from finrag_pipeline.stages.extraction.positions import positioned
from finrag_pipeline.stages.extraction.relations import Classify, Sentence, relations_of
from finrag_pipeline.stages.extraction.tagging import Tag, Tagged, tagged
from finrag_pipeline.stages.extraction.tokens import tokens_of
from finrag_pipeline.stages.extraction.wording import ORGANISATION

__all__ = ["EXTRACTION_VERSION", "Classify", "Lexicon", "Tag", "build_lexicon", "extract"]

#: Part of the offline extractor's fingerprint: raise it whenever any chunk may say something else.
EXTRACTION_VERSION = 16


def extract(
    chunks: Sequence[Chunk],
    metadata: Metadata,
    lexicon: Lexicon,
    classify: Classify | None = None,
    tag: Tag | None = None,
) -> list[ChunkExtraction]:
    """Read one document: its mentions, relations and claims.

    Args:
        chunks: all chunks of the document in order; aliases declared in one hold in all.
        metadata: names the company that 公司 stands for, the broker and its analysts.
        lexicon: known names, see `build_lexicon`.
        classify: gives the likely relations between the companies of a sentence; None for rules
            alone.
        tag: proposes names that no list and no form gives away; None for rules alone.

    Returns:
        One extraction for each chunk, in order. About 200,000 characters a second of one core by
        rules alone.
    """
    words = tagged([chunk.content for chunk in chunks], tag)
    read = [
        _extraction(chunk.ordinal, text, mentions, metadata, classify)
        for chunk, text, mentions in zip(
            chunks, words, mentions_of(words, metadata, lexicon), strict=True
        )
    ]
    return positioned(chunks, read)


def _extraction(
    ordinal: int,
    chunk: Tagged,
    mentions: tuple[Mention, ...],
    metadata: Metadata,
    classify: Classify | None,
) -> ChunkExtraction:
    text = chunk.text
    every, weak, unused = _with_candidates(chunk, mentions, metadata)
    if not every:
        return ChunkExtraction(ordinal)
    own = own_mention(every, metadata)
    stated = relations_of(list(_sentences(text, every)), every, classify, own, weak)
    used = {at for each in stated for at in (each.head, each.tail)}
    # a longer name that a relation asks for goes before those inside it
    asked = [every[at] for at in unused & used]
    kept = [
        at
        for at, each in enumerate(every)
        if (at in used if at in unused else not any(_within(each, other) for other in asked))
    ]
    named = _settled(every, weak, stated)
    shown = tuple(named[at] for at in kept)
    places = {at: place for place, at in enumerate(kept)}
    return ChunkExtraction(
        ordinal,
        shown,
        tuple(replace(each, head=places[each.head], tail=places[each.tail]) for each in stated),
        claims_of(text, list(_sentences(text, shown)), shown, metadata),
    )


def _with_candidates(
    chunk: Tagged, mentions: Sequence[Mention], metadata: Metadata
) -> tuple[list[Mention], dict[int, Weak], set[int]]:
    """Mentions and candidates in order of print; which only may be names, and which are neither
    named nor wanted unless a relation asks for them."""
    found = list(candidates(chunk, tokens_of(chunk.text), mentions, metadata))
    joined = sorted(
        [(each, None, False) for each in mentions] + [(*c, True) for c in found],
        key=lambda each: each[0].start,
    )
    return (
        [each for each, _, _ in joined],
        {at: weak for at, (_, weak, _) in enumerate(joined) if weak},
        {at for at, (_, _, candidate) in enumerate(joined) if candidate},
    )


def _within(one: Mention, other: Mention) -> bool:
    return other.start <= one.start and one.end <= other.end


def _settled(
    mentions: Sequence[Mention], weak: Mapping[int, Weak], stated: Sequence[RelationStatement]
) -> list[Mention]:
    """What only may be a name is a product where it is said to be made, else a company, an
    organisation that ends like one, 华南理工大学, or a person that is spelled like one, JIN LI."""
    made = {each.tail for each in stated if each.relation == "produces"}
    acting = {at for each in stated for at in (each.head, each.tail)} - made
    return [
        replace(each, type="product" if at in made and at not in acting else _kind(each.name))
        if at in weak
        else each
        for at, each in enumerate(mentions)
    ]


def _kind(name: str) -> EntityType:
    if reads_as_latin_person(name):
        return "person"
    return "organisation" if ORGANISATION.search(name) else "company"


def _sentences(text: str, mentions: Sequence[Mention]) -> Iterator[Sentence]:
    """The sentences of a chunk with the mentions that lie in each as a whole."""
    start = 0
    for piece in (p for line in text.splitlines() for p in split_sentences(line)):
        start = text.index(piece, start)
        stop = start + len(piece)
        inside = (at for at, m in enumerate(mentions) if start <= m.start and m.end <= stop)
        yield Sentence(piece, start, tuple(inside))
        start = stop
