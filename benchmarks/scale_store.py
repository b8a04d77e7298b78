"""Fills a store with a made-up library, stage by stage, each of which may be taken up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, LiteralString, cast

import psycopg
from pgvector import HalfVector
from psycopg import Connection

from benchmarks import facts
from benchmarks import synthetic_store as store
from benchmarks.scale_library import CHUNKS, ENTRIES, Library
from benchmarks.synthetic_reports import APP, REVISION, SyntheticReport, day_of
from finrag_pipeline.models.embedding import Embedder, Vectors
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database import sizes
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.keyword_index import KeywordIndex

#: What an HNSW index is built in: beyond it, every vector is looked for on the disk.
BUILT_IN = "3GB"
_INDEXES = "select indexname, indexdef from pg_indexes where indexname like 'embeddings\\_hnsw\\_%'"
_COUNTS = {
    "chunks": "clique_chunks",
    "vectors": "embeddings",
    "entities": "entities",
    "edges": "entity_edges",
    "mentions": "entity_mentions",
    "facts": "financial_facts",
    "vectors of the graph": "graph_embeddings",
}


class AtOnce:
    """An embedder that costs nothing, in the space of another: what is timed is the store."""

    def __init__(self, library: Library, embedder: Embedder) -> None:
        self.space = embedder.space
        self._library = library

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._library.near(texts)

    embed_questions = embed_passages


class Filling:
    """The stages of filling a store, in order; each leaves what it has to be taken up again."""

    def __init__(
        self, database: Database, settings: Settings, library: Library, embedder: Embedder
    ) -> None:
        self._database, self._settings, self._library = database, settings, library
        self._embedder = AtOnce(library, embedder)
        self._index_definitions = Path(settings.home) / "vector_indexes.sql"

    @property
    def stages(self) -> dict[str, Callable[[], None]]:
        return {
            "documents and graph": self._documents,
            "facts": self._facts,
            "vectors": self._vectors,
            "vectors of the graph": self._graph_vectors,
            "vector indexes": self._build_indexes,
            "summaries of entities": self._summaries,
            "keyword copy": self._keyword_copy,
        }

    def _documents(self) -> None:
        filled = self._count("documents")
        store.fill(self._database, self._library.reports(filled, self._library.documents))

    def _facts(self) -> None:
        if not self._count("financial_facts"):
            facts.fill(self._database, self._library.documents * CHUNKS)

    def _vectors(self) -> None:
        with self._database.transaction() as connection:
            embeddings.ensure_space(connection, self._embedder.space)
        self._drop_indexes()
        done = self._count("embeddings") // ENTRIES
        for start in range(done, self._library.documents, 500):
            numbers = range(start, min(start + 500, self._library.documents))
            with self._database.transaction() as connection:
                reports = [self._library.report(number, day_of(number)) for number in numbers]
                copy_vectors(connection, self._embedder, self._library, numbers, reports)

    def _graph_vectors(self) -> None:
        self._drop_indexes()
        embed_graph(self._database, APP, self._embedder)

    def _build_indexes(self) -> None:
        if not self._index_definitions.exists():
            return
        with psycopg.connect(self._database.url, autocommit=True) as connection:
            connection.execute(f"set maintenance_work_mem = '{BUILT_IN}'")
            for definition in self._index_definitions.read_text().splitlines():
                named = definition.replace("CREATE INDEX", "CREATE INDEX IF NOT EXISTS", 1)
                connection.execute(named.encode())
        self._index_definitions.unlink()
        store.settle(self._database)

    def _summaries(self) -> None:
        write_summaries(Run(self._database, self._settings, Scope(APP)))

    def _keyword_copy(self) -> None:
        with Reader.open(self._settings) as reader:
            KeywordIndex(self._settings.home / "keyword", reader).of(APP).sync()
        store.settle(self._database)

    def _drop_indexes(self) -> None:
        """An index takes many rows at once in a fifth of the time."""
        with self._database.transaction() as connection:
            found = connection.execute(_INDEXES).fetchall()
            if found:
                kept = "\n".join(each["indexdef"] for each in found)
                self._index_definitions.write_text(kept)
            for each in found:
                connection.execute(cast(LiteralString, f"drop index {each['indexname']}"))

    def _count(self, table: str) -> int:
        with self._database.connection() as connection:
            row = connection.execute(
                cast(LiteralString, f"select count(*) as n from {table}")
            ).fetchone()
        assert row is not None  # an aggregate
        return row["n"]

    def size(self) -> dict[str, Any]:
        """What is stored: rows, MB by family of tables, of the keyword copy, of vector indexes."""
        with self._database.connection() as connection:
            families = sizes.read(connection, 7)
            vectors = connection.execute(
                "select sum(pg_relation_size(indexname::regclass)) as bytes"
                " from pg_indexes where indexname like 'embeddings\\_hnsw\\_%'"
            ).fetchone()
        assert vectors is not None  # an aggregate
        copies = sum(f.stat().st_size for f in self._settings.home.glob("keyword/**/*"))
        return {
            "rows": {name: self._count(table) for name, table in _COUNTS.items()},
            "mb": {name: round(each.bytes / 1e6) for name, each in families.items()},
            "mb_in_all": round(sum(each.bytes for each in families.values()) / 1e6),
            "mb_vector_indexes": round(int(vectors["bytes"] or 0) / 1e6),
            "mb_keyword_copy": round(copies / 1e6),
        }


def copy_vectors(
    connection: Connection[dict[str, Any]],
    embedder: AtOnce,
    library: Library,
    numbers: Sequence[int],
    reports: Sequence[SyntheticReport],
) -> None:
    """Store the vectors of documents, by COPY as bytes."""
    space = embeddings.space_id(embedder.space)
    statement = (
        "copy embeddings (document_id, revision, kind, ordinal, space_id, embedding, app_id,"
        " published_on) from stdin (format binary)"
    )
    types = ["text", "text", "text", "int4", "text", "halfvec", "text", "date"]
    with connection.cursor().copy(statement) as copy:
        copy.set_types(types)
        for number, report in zip(numbers, reports, strict=True):
            document = report.document
            for at, vector in enumerate(library.vectors(number)):
                kind, ordinal = ("chunk", at) if at < CHUNKS else ("table", at - CHUNKS)
                day: date = document.arrival_on
                key = (document.document_id, REVISION, kind, ordinal, space)
                copy.write_row((*key, HalfVector(vector), APP, day))
