"""Milliseconds per lane on real paragraphs, plain and filtered, and what the vector lane misses.

`python benchmarks/lanes.py PARAGRAPHS.gz [--rows 100000] [--vectors FILE.npz]` fills a store of its
own in a temporary home, asks 200 questions cut from its own text, and says whether the HNSW index
served them. A model that takes long embeds the paragraphs once: their vectors stay in the file.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import random
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, LiteralString, cast

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.models.embedding import Embedder, Vectors
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.words import words

ENTRIES_OF_DOCUMENT = 100
#: Of these, so many are tables; the others are chunks.
TABLES_OF_DOCUMENT = 10
#: Characters of a paragraph that are embedded: a hundred thousand whole ones take a model hours.
EMBEDDED = 40
DAY = date(2020, 1, 1)
_PLACES = '[{"page": 1, "bbox": [0, 0, 1, 1]}]'


def main() -> None:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paragraphs", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--vectors", type=Path, help="kept here, and read from here")
    options = parser.parse_args()
    with gzip.open(options.paragraphs, "rt", encoding="utf-8") as lines:
        long = (line.strip()[:500] for line in lines if len(line) > EMBEDDED)
        texts = list(itertools.islice(long, options.rows))
    embedder = load_embedder(load_settings())
    vectors = embedded(texts, embedder, options.vectors)
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = load_settings().model_copy(update={"home": Path(home), "database_url": None})
        try:
            with Database.open(settings) as database, Reader.open(settings) as reader:
                fill(database, texts, vectors, embedder)
                engine = QueryEngine(reader, settings)
                start = time.perf_counter()
                engine.search("毛利率", Options(lane="keyword"))
                print(f"keyword copy built: {time.perf_counter() - start:.0f} s")
                asked = questions(texts)
                measure(engine, asked, len(texts))
                recall(reader, embedder, asked, vectors)
                explain(database, embedder)
        finally:
            stop_embedded_server(Path(home))


def embedded(texts: Sequence[str], embedder: Embedder, kept: Path | None) -> Vectors:
    """The vectors of the paragraphs' beginnings, of a file or made now, in half precision."""
    if kept and kept.exists():
        with np.load(kept) as file:
            if file["space"] == embedder.space.fingerprint and len(file["rows"]) >= len(texts):
                return file["rows"][: len(texts)].astype(np.float32)
    start = time.perf_counter()
    made = embedder.embed_passages([text[:EMBEDDED] for text in texts]).astype(np.float16)
    print(f"{len(texts)} rows embedded: {time.perf_counter() - start:.0f} s")
    if kept:
        np.savez(kept, rows=made, space=embedder.space.fingerprint)
    return made.astype(np.float32)


def fill(database: Database, texts: Sequence[str], vectors: Vectors, embedder: Embedder) -> None:
    """One document per 100 paragraphs, a day apart, every hundredth with a code of its own."""
    start = time.perf_counter()
    with database.transaction() as connection:
        embeddings.ensure_space(connection, embedder.space)
    space_id = embeddings.space_id(embedder.space)
    documents = [
        (f"d{n:05}", DAY + timedelta(n), "600001.SH" if n % 100 == 0 else "600000.SH")
        for n in range(-(-len(texts) // ENTRIES_OF_DOCUMENT))
    ]
    entries = [
        (*documents[n // ENTRIES_OF_DOCUMENT][:2], *kind_of(n), text, vectors[n])
        for n, text in enumerate(texts)
    ]
    rows: dict[str, Iterable[tuple[Any, ...]]] = {
        "documents (document_id, app_id, content_sha256, size_bytes, arrival_on)": (
            (key, "default", key, 1, DAY) for key, _, _ in documents
        ),
        "document_revisions (document_id, revision, page_count, kind, language, company_code,"
        " published_on, published_on_printed)": (
            (key, "r", 1, "other", "zh", code, day, True) for key, day, code in documents
        ),
        "pages (document_id, revision, page, width_pt, height_pt)": (
            (key, "r", 1, 1, 1) for key, _, _ in documents
        ),
        "clique_chunks (document_id, revision, ordinal, page, parent_page, places, meta, content,"
        " token_count)": (
            (key, "r", ordinal, 1, 1, _PLACES, "", text, 1)
            for key, _, kind, ordinal, text, _ in entries
            if kind == "chunk"
        ),
        "html_tables (document_id, revision, ordinal, page, bbox, cells, html, markdown)": (
            (key, "r", ordinal, 1, [0, 0, 1, 1], "[]", text, text)
            for key, _, kind, ordinal, text, _ in entries
            if kind == "table"
        ),
        "embeddings (document_id, revision, kind, ordinal, space_id, embedding, app_id,"
        " published_on)": (
            (key, "r", kind, ordinal, space_id, HalfVector(vector).to_text(), "default", day)
            for key, day, kind, ordinal, _, vector in entries
        ),
    }
    with database.transaction() as connection:
        for table, values in rows.items():
            with connection.cursor().copy(f"copy {table} from stdin".encode()) as copy:
                for row in values:
                    copy.write_row(row)
        connection.execute("update documents set status = 'indexed', current_revision = 'r'")
        connection.execute(
            "insert into index_changes (app_id, document_id)"
            " select app_id, document_id from documents"
        )
    print(f"{len(texts)} rows stored beside their index: {time.perf_counter() - start:.0f} s")
    with database.connection() as connection:
        connection.execute("analyze")


def kind_of(number: int) -> tuple[str, int]:
    """Kind and ordinal of the entry with a number: the last of a document are tables."""
    ordinal = number % ENTRIES_OF_DOCUMENT
    tables_from = ENTRIES_OF_DOCUMENT - TABLES_OF_DOCUMENT
    return ("table", ordinal - tables_from) if ordinal >= tables_from else ("chunk", ordinal)


def questions(texts: Sequence[str]) -> list[str]:
    """200 questions of 20 characters of the texts, out of what is embedded of them."""
    rng = random.Random(7)
    starts = ((text, rng.randrange(EMBEDDED // 2)) for text in rng.sample(texts, 2000))
    cut = (text[at : at + 20] for text, at in starts)
    return list(itertools.islice((text for text in cut if len(words(text)) > 4), 200))


def measure(engine: QueryEngine, asked: Sequence[str], rows: int) -> None:
    """Each question plain and under four filters, lane by lane: what it takes from end to end."""
    days = rows // ENTRIES_OF_DOCUMENT
    filters: dict[str, dict[str, Any]] = {
        "plain": {},
        "as_of first 2 %": {"as_of": DAY + timedelta(days // 50)},
        "as_of first 30 %": {"as_of": DAY + timedelta(days * 3 // 10)},
        "company of 1 %": {"company": "600001"},
        "one document": {"document": "d00003"},
    }
    print(f"{'filter':18} {'lanes':9} {'p50 ms':>8} {'p95 ms':>8}  fewest of 10")
    for name, where in filters.items():
        for lane in ("keyword", "vector", None):
            found = [engine.search(question, Options(lane=lane, **where)) for question in asked]
            p50, p95 = np.percentile([each.latency_ms["total"] for each in found], [50, 95])
            fewest = min(len(each.results) for each in found)
            print(f"{name:18} {lane or 'all':9} {p50:8.1f} {p95:8.1f}  {fewest}")


def recall(
    reader: Reader, embedder: Embedder, asked: Sequence[str], vectors: NDArray[np.floating]
) -> None:
    """How many of the ten nearest the index leads to; equally near ones stand for one another."""
    stored = vectors.astype(np.float32)
    found: list[float] = []
    for vector in embedder.embed_questions(asked):
        cosines = stored @ vector.astype(np.float16).astype(np.float32)
        tenth = np.partition(cosines, -10)[-10]
        with reader.reading("default") as connection:
            hits = embeddings.nearest(connection, embedder.space, vector, 50, Filter("default"))
        found.append(sum(hit.score >= tenth - 1e-4 for hit in hits[:10]) / 10)
    print(f"vector recall@10 against exact: {np.mean(found):.3f}")


def explain(database: Database, embedder: Embedder) -> None:
    """The plan of a vector search over everything, the scan's line of it."""
    vector = embedder.embed_questions(["主要产品毛利率下降的原因"])[0]
    block = embeddings.Q.nearest.replace("halfvec(1024)", f"halfvec({embedder.space.dimension})")
    given = {
        "space_id": embeddings.space_id(embedder.space),
        "vector": HalfVector(vector),
        "app_id": "default",
        "k": 50,
    }
    with database.transaction() as connection:
        connection.execute("set local hnsw.iterative_scan = strict_order")
        plan = connection.execute(
            cast(LiteralString, "explain " + block),
            given | dict.fromkeys(("as_of", "document_ids", "names")),
        ).fetchall()
    for row in plan:
        if "embeddings" in row["QUERY PLAN"]:
            print(row["QUERY PLAN"].strip()[:100])


if __name__ == "__main__":
    main()
