"""The extractor that ships: entities of chunks, relations between them, claims about them.

Precision goes before recall: what is unsure is left out. Whose names they are belongs to
`stages.identity`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag_pipeline.records import Chunk, Metadata
from finrag_pipeline.records.graph import ChunkExtraction, Mention
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences
from finrag_pipeline.stages.extraction.claims import claims_of, own_mention
from finrag_pipeline.stages.extraction.lexicon import Lexicon, build_lexicon
from finrag_pipeline.stages.extraction.mentions import mentions_of
from finrag_pipeline.stages.extraction.relations import Classify, Sentence, relations_of

__all__ = ["EXTRACTION_VERSION", "Classify", "Lexicon", "build_lexicon", "extract"]

#: Part of the offline extractor's fingerprint: raise it whenever any chunk may say something else.
EXTRACTION_VERSION = 4


def extract(
    chunks: Sequence[Chunk], metadata: Metadata, lexicon: Lexicon, classify: Classify | None = None
) -> list[ChunkExtraction]:
    """Read one document: its mentions, relations and claims.

    Args:
        chunks: all chunks of the document in order; aliases declared in one hold in all.
        metadata: names the company that 公司 stands for, the broker and its analysts.
        lexicon: known names, see `build_lexicon`.
        classify: gives the likely relations between the companies of a sentence; None for rules
            alone.

    Returns:
        One extraction for each chunk, in order. About 200,000 characters a second of one core.
    """
    return [
        _extraction(chunk, mentions, metadata, classify)
        for chunk, mentions in zip(chunks, mentions_of(chunks, metadata, lexicon), strict=True)
    ]


def _extraction(
    chunk: Chunk, mentions: tuple[Mention, ...], metadata: Metadata, classify: Classify | None
) -> ChunkExtraction:
    if not mentions:
        return ChunkExtraction(chunk.ordinal)
    sentences = list(_sentences(chunk.content, mentions))
    return ChunkExtraction(
        chunk.ordinal,
        mentions,
        relations_of(sentences, mentions, classify, own_mention(mentions, metadata)),
        claims_of(chunk.content, sentences, mentions, metadata),
    )


def _sentences(text: str, mentions: Sequence[Mention]) -> Iterator[Sentence]:
    """The sentences of a chunk with the mentions that lie in each as a whole."""
    start = 0
    for piece in (p for line in text.splitlines() for p in split_sentences(line)):
        start = text.index(piece, start)
        stop = start + len(piece)
        inside = (at for at, m in enumerate(mentions) if start <= m.start and m.end <= stop)
        yield Sentence(piece, start, tuple(inside))
        start = stop
