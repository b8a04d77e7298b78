"""Documents with what an extractor would have read of them, published as the pipeline does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Any

from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.pipelines.graph.entity_graph import name_id, refreshed
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.records import Document
from finrag_pipeline.records.graph import ChunkExtraction, EntityType, Mention, RelationStatement
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.graph import entity_mentions
from finrag_pipeline.store.graph.entity_mentions import Alias, IdentifiedChunk, Name
from finrag_pipeline.store.search import embedded_texts, embeddings
from finrag_pipeline_tests.documents import add_document, publish

EMBEDDER = OfflineEmbedder()
#: What the names in these tests are called, and of what type they are.
TYPES: dict[str, EntityType] = {
    "星河新材": "company",
    "远岫能源": "company",
    "澄光储能": "company",
    "Zyntrex": "company",
    "固态电池": "product",
    "毛利率": "metric",
    "碳酸锂": "commodity",
    "远岫": "company",
}
CODES = {"星河新材": "688991.SH"}


def key_of(text: str) -> str:
    """The anchor of a name: its code, else its type and spelling."""
    anchor = CODES.get(text)
    return f"company:{anchor}" if anchor else f"{TYPES[text]}:{spelling(text)}"


def entity(text: str, app_id: str = "default") -> str:
    """The id of a name, which is that of its entity unless it is another's alias."""
    return name_id(app_id, key_of(text))


def add_read(
    database: Database,
    document_id: str,
    contents: Sequence[str],
    *,
    relations: Sequence[tuple[str, str, str]] = (),
    aliases: Mapping[str, str] | None = None,
    app_id: str = "default",
    published_on: date = date(2026, 3, 1),
    **values: Any,
) -> None:
    """One indexed document; every chunk mentions the names of `TYPES` that stand in it.

    Args:
        relations: (head, relation, tail), stated in every chunk that names both.
        aliases: what the document calls a name for short.
    """
    with database.transaction() as connection, refreshed(connection, app_id, [document_id]):
        add_document(
            connection, document_id, contents, app_id=app_id, published_on=published_on, **values
        )
        embeddings.ensure_space(connection, EMBEDDER.space)
        texts = embedded_texts.pending_texts(connection, document_id, "r1", EMBEDDER.space)
        vectors = EMBEDDER.embed_passages([text.text for text in texts])
        embeddings.add(connection, document_id, "r1", EMBEDDER.space, texts, vectors)
        document = Document(document_id, app_id, document_id, 1, published_on, "", (), "r1")
        read = [
            _read(n, content, relations, aliases or {}, app_id)
            for n, content in enumerate(contents)
        ]
        entity_mentions.replace(connection, document, read)
    embed_graph(database, app_id, EMBEDDER)


def withdraw(database: Database, document_id: str, app_id: str = "default") -> None:
    """Take a document from readers."""
    with database.transaction() as connection, refreshed(connection, app_id, [document_id]):
        publish(connection, document_id, None)
    embed_graph(database, app_id, EMBEDDER)


def _read(
    ordinal: int,
    content: str,
    relations: Sequence[tuple[str, str, str]],
    aliases: Mapping[str, str],
    app_id: str,
) -> IdentifiedChunk:
    places = sorted((content.index(text), text) for text in TYPES if text in content)
    # a name inside a longer one is no mention of its own
    found = [
        (at, text)
        for at, text in places
        if not any(
            text in other and text != other and start <= at < start + len(other)
            for start, other in places
        )
    ]
    texts = [text for _, text in found]
    mentions = tuple(
        Mention(
            at,
            at + len(text),
            text,
            text,
            TYPES[text],
            "high",
            (aliases[text],) if text in aliases else (),
            description=content.partition("。")[0],
        )
        for at, text in found
    )
    stated = tuple(
        RelationStatement(
            texts.index(head),
            relation,
            texts.index(tail),
            0,
            len(content),
            content.partition("。")[0],
            "asserted",
            "high",
        )
        for head, relation, tail in relations
        if head in texts and tail in texts
    )
    declared = tuple(
        tuple(
            Alias(alias, spelling(alias), name_id(app_id, f"{TYPES[text]}:{spelling(alias)}"))
            for alias in ([aliases[text]] if text in aliases else [])
        )
        for text in texts
    )
    return IdentifiedChunk(
        ChunkExtraction(ordinal, mentions, stated),
        tuple(_name(text, app_id) for text in texts),
        declared,
        tuple(combinations(range(len(texts)), 2)),
    )


def _name(text: str, app_id: str) -> Name:
    plain = f"{TYPES[text]}:{spelling(text)}"
    code = CODES.get(text)
    return Name(
        spelling(text),
        entity(text, app_id),
        key_of(text),
        name_id(app_id, plain),
        plain,
        text if code else None,
        spelling(text) if code else None,
        (code,) if code else (),
    )
