"""Chunks and lexicons of invented companies for the tests of extraction."""

from __future__ import annotations

from functools import cache

from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.records.graph import ChunkExtraction, Modality
from finrag_pipeline.stages.extraction.offline import Classify, Lexicon, build_lexicon, extract

COMPANIES = (
    ("星河新材料科技股份有限公司", "688991.SH"),
    ("星河新材", "688991.SH"),
    ("Xinghe Advanced Materials", "688991.SH"),
    ("澄光储能", "688992.SH"),
    ("远岫能源", "605981.SH"),
    ("汐原电力", "605982.SH"),
    ("隔川膜业", "301882.SZ"),
    ("铄星材料", "688993.SH"),
    ("凌峤科技", "301883.SZ"),
    ("风箱", "301889.SZ"),
    ("太阳能", "001759.SZ"),
    ("城里城外", "301890.SZ"),
    ("绿色农场", "301891.SZ"),
    ("新河流", "301892.SZ"),
    ("秦皇岛", "601892.SH"),
)
OWN = Metadata(kind="company", company_name="星河新材", company_code="688991.SH")


@cache
def lexicon() -> Lexicon:
    return build_lexicon(COMPANIES)


def read(
    *texts: str, metadata: Metadata | None = None, classify: Classify | None = None
) -> list[ChunkExtraction]:
    """The extractions of one document with these chunks."""
    place = Place(1, (0.0, 0.0, 1.0, 1.0))
    chunks = [Chunk(number, text, (place,)) for number, text in enumerate(texts)]
    return extract(chunks, metadata or Metadata(), lexicon(), classify)


def names(extraction: ChunkExtraction, kind: str = "company") -> list[str]:
    return [mention.name for mention in extraction.mentions if mention.type == kind]


def relations(*texts: str, metadata: Metadata | None = None) -> list[tuple[str, str, str]]:
    """Head, relation and tail of everything that the rules read."""
    return [
        (e.mentions[r.head].name, r.relation, e.mentions[r.tail].name)
        for e in read(*texts, metadata=metadata)
        for r in e.relations
    ]


def modalities(text: str) -> list[Modality]:
    return [r.modality for e in read(text) for r in e.relations]
