"""Documents whose chunks and extractions are given, published as the pipeline does it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_all
from finrag_pipeline.pipelines.graph.entity_graph import name_id, refreshed
from finrag_pipeline.pipelines.run.revision import document_id
from finrag_pipeline.records import Chunk, Document, Metadata, Place, SourceFile
from finrag_pipeline.records.graph import ChunkExtraction, Mention, RelationStatement
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import (
    clique_chunks,
    document_revisions,
    document_sources,
    documents,
)
from finrag_pipeline.store.graph import entity_mentions
from finrag_pipeline.store.graph.entity_mentions import Alias, IdentifiedChunk, Name

APP = "default"
REVISION = "r1"


@dataclass(frozen=True)
class Said:
    """One chunk: names with the alias declared for each, and relations between their places."""

    names: tuple[tuple[str, str | None], ...]
    relations: tuple[tuple[int, str, int], ...] = ()
    modality: str = "asserted"


@dataclass(frozen=True)
class Report:
    """One version of one file."""

    source: str
    published_on: date
    chunks: tuple[Said, ...]


#: Names that a registry would anchor.
ANCHORS = {"星河新材": "company:688991.SH", "澄光储能": "company:688992.SH"}


def publish(database: Database, report: Report) -> Document:
    """Register a report's content under its file and bring it to readers."""
    sha = hashlib.sha256(repr(report).encode()).hexdigest()
    found = document_id(APP, sha)
    file = SourceFile(f"/inbox/{report.source}", report.source, 1, sha, report.published_on)
    with database.transaction() as connection:
        registered = document_sources.register(
            connection, APP, found, sha, file, report.published_on, restore=True
        )
        withdraw_all(connection, APP, registered.replaced)
    document = Document(
        found, APP, sha, 1, report.published_on, report.source, (file.uri,), REVISION
    )
    chunks = [_chunk(n, said) for n, said in enumerate(report.chunks)]
    with database.transaction() as connection:
        if documents.lock(connection, found)["status"] == "indexed":
            return document
        metadata = Metadata(published_on=report.published_on)
        document_revisions.add_revision(connection, document, metadata, page_count=1)
        connection.execute(
            "insert into pages (document_id, revision, page, width_pt, height_pt) "
            "values (%s, %s, 1, 600, 800) on conflict do nothing",
            (found, REVISION),
        )
        clique_chunks.add(connection, document, [chunk for chunk, _ in chunks])
    read(database, document, [identified for _, identified in chunks])
    with database.transaction() as connection:
        documents.lock(connection, found)
        replaced = documents.superseded(connection, found)
        with refreshed(connection, APP, [found, *replaced]):
            documents.publish(connection, document, replaced)
    return document


def read(database: Database, document: Document, chunks: Sequence[IdentifiedChunk]) -> None:
    """Store what was read of a document."""
    with database.transaction() as connection:
        documents.lock(connection, document.document_id)
        with refreshed(connection, APP, [document.document_id]):
            entity_mentions.replace(connection, document, chunks)


def name(text: str, kind: str = "company") -> Name:
    """A name as identity makes it of a text."""
    plain = f"{kind}:{spelling(text)}"
    key = ANCHORS.get(text, plain)
    anchored = key != plain
    return Name(
        spelling(text),
        name_id(APP, key),
        key,
        name_id(APP, plain),
        plain,
        text if anchored else None,
        spelling(text) if anchored else None,
        (key.removeprefix("company:"),) if anchored else (),
    )


def _chunk(ordinal: int, said: Said) -> tuple[Chunk, IdentifiedChunk]:
    content, mentions = "", list[Mention]()
    for text, alias in said.names:
        start = len(content)
        content += f"{text}表示经营正常。\n"
        mentions.append(
            Mention(
                start,
                start + len(text),
                text,
                text,
                "company",
                "high" if len(text) > 2 else "medium",
                (alias,) if alias else (),
                description=f"{text}是一家公司" if len(text) == 4 else "",
            )
        )
    relations = tuple(
        RelationStatement(
            head,
            relation,
            tail,
            0,
            len(content),
            f"{mentions[head].text}与{mentions[tail].text}",
            said.modality,  # type: ignore[arg-type]
            "high",
        )
        for head, relation, tail in said.relations
    )
    names = tuple(name(mention.name) for mention in mentions)
    aliases: list[tuple[Alias, ...]] = []
    for mention, own in zip(mentions, names, strict=True):
        others = [(alias, name(alias)) for alias in mention.aliases]
        aliases.append(
            tuple(
                Alias(alias, other.spelling, other.plain_id)
                for alias, other in others
                if other.resolved_id == other.plain_id != own.resolved_id
            )
        )
    first = {each.resolved_id: place for place, each in reversed(list(enumerate(names)))}
    places = sorted(first.values())[:3]
    pairs = tuple((a, b) for n, a in enumerate(places) for b in places[n + 1 :])
    chunk = Chunk(ordinal, content, (Place(1, (0.0, 0.0, 1.0, 1.0)),), token_count=9, parent_page=1)
    extraction = ChunkExtraction(ordinal, tuple(mentions), relations)
    return chunk, IdentifiedChunk(extraction, names, tuple(aliases), pairs)


_TABLES = {
    "entities": "to_jsonb(t) - 'created_at'",
    "entity_names": "to_jsonb(t)",
    "entity_members": "to_jsonb(t)",
    "name_descriptions": "to_jsonb(t)",
    "name_variants": "to_jsonb(t)",
    "alias_links": "to_jsonb(t)",
    "edge_documents": "to_jsonb(t)",
    "edge_descriptions": "to_jsonb(t)",
    "entity_descriptions": "to_jsonb(t)",
    "entity_chunks": "to_jsonb(t)",
    "entity_edges": "to_jsonb(t) - 'updated_at'",
    "entity_neighbours": "to_jsonb(t)",
    "entity_summaries": "to_jsonb(t) - 'updated_at'",
    "graph_embeddings": "(to_jsonb(t) - 'embedding') || jsonb_build_object('v', embedding::text)",
}


def graph_rows(database: Database) -> dict[str, list[str]]:
    """Every computed row of the graph as sorted text, without moments."""
    found: dict[str, list[str]] = {}
    with database.connection() as connection:
        for table, row in _TABLES.items():
            query: Any = f"select ({row})::text as row from {table} t where app_id = %s"
            found[table] = sorted(row["row"] for row in connection.execute(query, (APP,)))
    return found
