"""Milliseconds per lane on real paragraphs, plain and filtered: one table.

`python benchmarks/lanes.py PARAGRAPHS.gz [--rows 50000]` fills a store of its own in a temporary
home, asks 200 questions cut from its own text, and says whether the HNSW index served them.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import random
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any, LiteralString, cast

import numpy as np
from pgvector import HalfVector

from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.enrichment.summary import summarize
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.words import words

CHUNKS_OF_DOCUMENT = 100
DAY = date(2020, 1, 1)


def main() -> None:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paragraphs", type=Path)
    parser.add_argument("--rows", type=int, default=50_000)
    options = parser.parse_args()
    with gzip.open(options.paragraphs, "rt", encoding="utf-8") as lines:
        long = (line.strip()[:500] for line in lines if len(line) > 80)
        texts = list(itertools.islice(long, options.rows))
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database, Reader.open(settings) as reader:
                start = time.perf_counter()
                embedder = load_embedder(settings)
                fill(database, texts, embedder)
                print(f"{len(texts)} rows embedded and stored: {time.perf_counter() - start:.0f} s")
                engine = QueryEngine(reader, settings)
                start = time.perf_counter()
                engine.search("毛利率", Options(lane="keyword"))
                print(f"keyword copy built: {time.perf_counter() - start:.0f} s")
                measure(engine, texts)
                explain(database, embedder)
        finally:
            stop_embedded_server(Path(home))


def fill(database: Database, texts: list[str], embedder: Embedder) -> None:
    """One document per 100 paragraphs, a day apart, every hundredth with a code of its own."""
    weight = WordWeights.packaged().weight
    with database.transaction() as connection:
        embeddings.ensure_space(connection, embedder.space)
    space_id = embeddings.space_id(embedder.space)
    for number, first in enumerate(range(0, len(texts), CHUNKS_OF_DOCUMENT)):
        contents = texts[first : first + CHUNKS_OF_DOCUMENT]
        vectors = {
            "chunk": embedder.embed_passages(contents),
            "summary": embedder.embed_passages([summarize(text, (), weight) for text in contents]),
            "document": embedder.embed_passages(["\n".join(contents[:3])]),
        }
        key = f"d{number:05}"
        code = "600001.SH" if number % 100 == 0 else "600000.SH"
        places = json.dumps([{"page": 1, "bbox": [0, 0, 1, 1]}])
        with database.transaction() as connection, connection.cursor() as cursor:
            cursor.execute(
                "insert into documents (document_id, app_id, content_sha256, size_bytes,"
                " arrival_on) values (%s, 'default', %s, 1, %s)",
                (key, key, DAY),
            )
            cursor.execute(
                "insert into document_revisions (document_id, revision, page_count, kind, language,"
                " company_code, published_on, published_on_printed)"
                " values (%s, 'r', 1, 'other', 'zh', %s, %s, true)",
                (key, code, DAY + timedelta(number)),
            )
            cursor.execute("insert into pages values (%s, 'r', 1, 1, 1)", (key,))
            cursor.executemany(
                "insert into clique_chunks (document_id, revision, ordinal, page, parent_page,"
                " places, meta, content, token_count) values (%s, 'r', %s, 1, 1, %s, '', %s, 1)",
                [(key, n, places, content) for n, content in enumerate(contents)],
            )
            cursor.executemany(
                "insert into embeddings values (%s, 'r', %s, %s, %s, %s)",
                [
                    (key, kind, n, space_id, HalfVector(vector))
                    for kind, rows in vectors.items()
                    for n, vector in enumerate(rows)
                ],
            )
            cursor.execute(
                "update documents set status = 'indexed', current_revision = 'r'"
                " where document_id = %s",
                (key,),
            )
            cursor.execute(
                "insert into index_changes (app_id, document_id) values ('default', %s)", (key,)
            )
    with database.connection() as connection:
        connection.execute("analyze")


def measure(engine: QueryEngine, texts: list[str]) -> None:
    """200 questions of 20 characters, each asked plain and under three filters, lane by lane."""
    rng = random.Random(7)
    cut = (text[at : at + 20] for text in rng.sample(texts, 2000) for at in (rng.randrange(40),))
    asked = list(itertools.islice((text for text in cut if len(words(text)) > 4), 200))
    days = len(texts) // CHUNKS_OF_DOCUMENT
    filters: dict[str, dict[str, Any]] = {
        "plain": {},
        "as_of first 2 %": {"as_of": DAY + timedelta(days // 50)},
        "company of 1 %": {"company": "600001"},
        "one document": {"document": "d00003"},
    }
    print(f"{'filter':18} {'lanes':9} {'p50 ms':>8} {'p95 ms':>8}  fewest of 10")
    for name, where in filters.items():
        for lane in ("keyword", "vector", None):
            found = [engine.search(question, Options(lane=lane, **where)) for question in asked]
            times = [each.latency_ms[lane or "total"] for each in found]
            p50, p95 = np.percentile(times, [50, 95])
            fewest = min(len(each.results) for each in found)
            print(f"{name:18} {lane or 'all':9} {p50:8.1f} {p95:8.1f}  {fewest}")


def explain(database: Database, embedder: Embedder) -> None:
    """The plan of each kind of vector search, one line per scan."""
    vector = embedder.embed_questions(["主要产品毛利率下降的原因"])[0]
    block = embeddings.Q.nearest.replace("halfvec(1024)", f"halfvec({embedder.space.dimension})")
    with database.transaction() as connection:
        connection.execute("set local hnsw.iterative_scan = strict_order")
        for kinds in (embeddings.CONTENT, embeddings.SUMMARIES, embeddings.DOCUMENTS):
            plan = connection.execute(
                cast(LiteralString, "explain " + block),
                {
                    "space_id": embeddings.space_id(embedder.space),
                    "vector": HalfVector(vector),
                    "kinds": list(kinds),
                    "app_id": "default",
                    "as_of": None,
                    "company": None,
                    "document_ids": None,
                    "names": None,
                    "k": 50,
                },
            ).fetchall()
            for row in plan:
                if "embeddings" in row["QUERY PLAN"]:
                    print(", ".join(kinds), row["QUERY PLAN"].strip()[:100])


if __name__ == "__main__":
    main()
