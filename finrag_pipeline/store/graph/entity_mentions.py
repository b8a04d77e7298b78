"""What extractors read of documents: typed functions over `entity_mentions.sql`.

The graph that is computed from these rows belongs to `entity_graph`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records import Document
from finrag_pipeline.records.graph import (
    CO_OCCURS,
    CONFIDENCE_WEIGHTS,
    ChunkExtraction,
    Confidence,
    Period,
)
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/entity_mentions")


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a mention as the store keeps it.

    `resolved_*` is its anchor, `plain_*` its type and spelling; `registered_*` what the registry
    calls it, where it holds it.
    """

    spelling: str
    resolved_id: str
    resolved_key: str
    plain_id: str
    plain_key: str
    registered_name: str | None = None
    registered_spelling: str | None = None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """A declared alias: its text, spelling and the id of the name that it is by itself."""

    alias: str
    spelling: str
    alias_id: str


@dataclass(frozen=True, slots=True)
class IdentifiedChunk:
    """An extraction with the name and the declared aliases of each mention, in their order."""

    extraction: ChunkExtraction
    names: tuple[Name, ...]
    aliases: tuple[tuple[Alias, ...], ...]
    #: pairs of mentions, as places in the extraction, that share the chunk
    co_occurring: tuple[tuple[int, int], ...] = ()


def replace(
    connection: Connection[Row], document: Document, chunks: Sequence[IdentifiedChunk]
) -> dict[str, int]:
    """Store what was read of a document's revision in place of what stood there.

    Returns:
        Counts: mentions, relations, claims, and chunks with a problem.
    """
    key = {"document_id": document.document_id, "revision": document.revision}
    connection.execute(Q.delete_mentions, key)
    mentions: list[Row] = []
    aliases: list[Row] = []
    relations: list[Row] = []
    claims: list[Row] = []
    for chunk in chunks:
        first = len(mentions)
        mentions += _mentions(chunk)
        for place, declared in enumerate(chunk.aliases, start=first):
            aliases += [
                {
                    "mention": place,
                    "alias": alias.alias,
                    "spelling": alias.spelling,
                    "alias_id": alias.alias_id,
                }
                for alias in declared
            ]
        relations += _relations(chunk, first)
        claims += _claims(chunk, first)
    problems: list[Row] = [
        {"chunk": chunk.extraction.chunk, "reason": chunk.extraction.problem}
        for chunk in chunks
        if chunk.extraction.problem
    ]
    for rows in (mentions, relations, claims):
        for ordinal, row in enumerate(rows):
            row["ordinal"] = ordinal
    key["app_id"] = document.app_id
    # one statement each: thousands of rows are written while others wait for the graph's lock
    connection.execute(Q.add_mentions, key | {"rows": _json(mentions)})
    connection.execute(Q.add_aliases, key | {"rows": _json(aliases)})
    connection.execute(Q.add_relations, key | {"rows": _json(relations)})
    connection.execute(Q.add_claims, key | {"rows": _json(claims)})
    connection.execute(Q.add_problems, key | {"rows": _json(problems)})
    stated = sum(row["relation"] != CO_OCCURS for row in relations)
    return {
        "mentions": len(mentions),
        "relations": stated,
        "claims": len(claims),
        "problems": len(problems),
    }


def problems(connection: Connection[Row], app_id: str) -> list[Row]:
    """Chunks that no extractor did justice to: source, document, chunk, page, reason."""
    return connection.execute(Q.problems, {"app_id": app_id}).fetchall()


def _json(rows: list[Row]) -> Jsonb:
    return Jsonb(rows, dumps=partial(json.dumps, default=str))


def _mentions(chunk: IdentifiedChunk) -> Iterator[Row]:
    for mention, name in zip(chunk.extraction.mentions, chunk.names, strict=True):
        yield {
            "chunk": chunk.extraction.chunk,
            "start_at": mention.start,
            "end_at": mention.end,
            "text": mention.text,
            "type": mention.type,
            "confidence": mention.confidence,
            "description": mention.description,
            "name": mention.name,
            "spelling": name.spelling,
            "registered_name": name.registered_name,
            "registered_spelling": name.registered_spelling,
            "codes": list(name.codes),
            "resolved_id": name.resolved_id,
            "resolved_key": name.resolved_key,
            "plain_id": name.plain_id,
            "plain_key": name.plain_key,
        }


def _relations(chunk: IdentifiedChunk, first: int) -> Iterator[Row]:
    for each in chunk.extraction.relations:
        yield {
            "head": first + each.head,
            "relation": each.relation,
            "tail": first + each.tail,
            "description": each.description,
            "start_at": each.start,
            "end_at": each.end,
            "modality": each.modality,
            "confidence": each.confidence,
            "weight": 1.0,
            **_period(each.period),
        }
    mentions = chunk.extraction.mentions
    for head, tail in chunk.co_occurring:
        pair = (mentions[head], mentions[tail])
        lesser: Confidence = min(
            (each.confidence for each in pair), key=CONFIDENCE_WEIGHTS.__getitem__
        )
        yield {
            "head": first + head,
            "relation": CO_OCCURS,
            "tail": first + tail,
            "description": "",
            "start_at": min(each.start for each in pair),
            "end_at": max(each.end for each in pair),
            "modality": "asserted",
            "confidence": lesser,
            "weight": CONFIDENCE_WEIGHTS[lesser],
            **_period(None),
        }


def _claims(chunk: IdentifiedChunk, first: int) -> Iterator[Row]:
    for each in chunk.extraction.claims:
        yield {
            "subject": first + each.subject,
            "kind": each.kind,
            "description": each.description,
            "start_at": each.start,
            "end_at": each.end,
            "modality": each.modality,
            "metric": each.metric,
            "value": each.value,
            "unit": each.unit,
            **_period(each.period),
        }


def _period(period: Period | None) -> Row:
    return {
        "period": period.text if period else None,
        "valid_from": period.first_on if period else None,
        "valid_to": period.last_on if period else None,
    }
