"""Milliseconds of the graph lane for questions on a metric that every chunk names: one table.

`python benchmarks/graph_lane.py [--chunks 50000]` fills a store of its own in a temporary home:
documents of 50 chunks on a company each; every chunk names the metric, its company and two of 200
products. Searches run as the reader's role.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from pgvector import HalfVector
from psycopg import sql

from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.search import embeddings

CHUNKS_A_DOCUMENT = 50
METRIC = "毛利率"
#: One row per name in a chunk: the metric, the document's company, two products.
FILL = (
    """
    insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on)
    select 'd' || d, 'default', 'd' || d, 1, '2026-03-01' from generate_series(1, {documents}) d
    """,
    """
    insert into document_revisions (document_id, revision, page_count, kind, language,
                                    company_name, published_on, published_on_printed)
    select 'd' || d, 'r', 50, 'report', 'zh', '公司' || d, date '2020-01-01' + d % 2000, true
    from generate_series(1, {documents}) d
    """,
    """
    insert into pages (document_id, revision, page, width_pt, height_pt)
    select 'd' || d, 'r', p, 1, 1
    from generate_series(1, {documents}) d, generate_series(1, {each}) p
    """,
    """
    insert into clique_chunks (document_id, revision, ordinal, page, parent_page, places, meta,
                               content, token_count)
    select 'd' || d, 'r', p - 1, p, p,
           jsonb_build_array(jsonb_build_object('page', p, 'bbox', array[0, 0, 1, 1])), '',
           '公司' || d || '的毛利率同比提升，产品' || (d * 7 + p) % 200 || '是原因之一。', 20
    from generate_series(1, {documents}) d, generate_series(1, {each}) p
    """,
    "update documents set status = 'indexed', current_revision = 'r', indexed_at = now()",
    """
    create temporary table named on commit drop as
    select 'd' || d as document_id, p - 1 as chunk, date '2020-01-01' + d % 2000 as published_on,
           n.name_id, n.name, n.type, n.weight
    from generate_series(1, {documents}) d, generate_series(1, {each}) p,
         lateral (values ('metric', '毛利率', 'metric', 1 + (d + p) % 3),
                         ('company' || d, '公司' || d, 'company', 1 + p % 4),
                         ('product' || (d * 7 + p) % 200, '产品' || (d * 7 + p) % 200,
                          'product', 1),
                         ('product' || (d + p * 3) % 200, '产品' || (d + p * 3) % 200,
                          'product', 1)) as n (name_id, name, type, weight)
    """,
    """
    insert into entity_chunks (app_id, entity_id, name_id, document_id, chunk, page_no, confidence,
                               weight, published_on)
    select 'default', name_id, name_id, document_id, chunk, chunk + 1, 'high', max(weight),
           published_on
    from named group by name_id, document_id, chunk, published_on
    """,
    """
    insert into entity_names
    select 'default', name_id, document_id, name, name, false, name_id, type, '{{}}', count(*),
           published_on
    from named group by name_id, document_id, name, type, published_on
    """,
    """
    insert into entities
    select 'default', name_id, name, type,
           jsonb_build_array(jsonb_build_object('name', name)), '{{}}', name_id, '', count(*),
           count(distinct document_id), 10, min(published_on), max(published_on)
    from named group by name_id, name, type
    """,
    """
    insert into relation_evidence (document_id, revision, ordinal, app_id, chunk, page,
                                   head_mention, tail_mention, head_id, relation, tail_id,
                                   description, start_at, end_at, modality, confidence, weight,
                                   published_on)
    select document_id, 'r', row_number() over (partition by document_id), 'default', chunk,
           chunk + 1, 0, 1, 'metric', 'co_occurs', name_id, '', 0, 1, 'asserted', 'low', 1,
           published_on
    from (select distinct document_id, chunk, published_on, name_id from named
          where name_id <> 'metric') pairs
    """,
    """
    insert into entity_neighbours
    select 'default', case when outgoing then head_id else tail_id end,
           case when outgoing then tail_id else head_id end, 'co_occurs', outgoing,
           min(published_on), 'infinity', count(*)
    from relation_evidence, (values (true), (false)) as o (outgoing)
    group by head_id, tail_id, outgoing
    """,
)
#: Vectors that others are sums of two of: all of them lie apart.
BASES = 300
VECTORS = """
    insert into embeddings (document_id, revision, kind, ordinal, space_id, embedding)
    select c.document_id, 'r', 'chunk', c.ordinal, %(space_id)s, l2_normalize(a.v + b.v)
    from (select *, row_number() over () as at from clique_chunks) c
    join base a on a.n = c.at %% %(bases)s
    join base b on b.n = c.at / %(bases)s %% %(bases)s
"""
INDEX = (
    "select indexname, indexdef from pg_indexes where indexname like 'embeddings_hnsw_%_content'"
)
QUESTIONS = (
    "毛利率为什么提升？",
    "公司{n}的毛利率为什么提升？",
    "毛利率与产品{n}有什么关系？",
    "公司{n}、公司{m}和产品{n}的毛利率",
)


def main() -> None:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--times", type=int, default=100, help="searches of each form")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database, Reader.open(settings) as reader:
                start = time.perf_counter()
                fill(database, settings, options.chunks)
                print(f"{options.chunks} chunks stored: {time.perf_counter() - start:.0f} s")
                measure(QueryEngine(reader, settings), options.times)
        finally:
            stop_embedded_server(Path(home))


def fill(database: Database, settings: Settings, chunks: int) -> None:
    """Write documents, what they name, and vectors that lie anywhere."""
    space = load_embedder(settings).space
    counts = {
        "documents": sql.Literal(chunks // CHUNKS_A_DOCUMENT),
        "each": sql.Literal(CHUNKS_A_DOCUMENT),
    }
    rng = np.random.default_rng(5)
    with database.transaction() as connection:
        embeddings.ensure_space(connection, space)
        index = connection.execute(INDEX).fetchone()
        assert index is not None
        # made again at the end: an index takes many rows at once in a tenth of the time
        connection.execute(sql.SQL("drop index {}").format(sql.Identifier(index["indexname"])))
        for statement in FILL:
            connection.execute(sql.SQL(statement).format(**counts))
        connection.execute("create temporary table base (n int, v halfvec) on commit drop")
        for number in range(BASES):
            vector = HalfVector(rng.standard_normal(space.dimension) / BASES)
            connection.execute("insert into base values (%s, %s)", (number, vector))
        connection.execute(VECTORS, {"space_id": embeddings.space_id(space), "bases": BASES})
        connection.execute(sql.SQL(index["indexdef"]))
    with database.connection() as connection:
        connection.execute("analyze")


def measure(engine: QueryEngine, times: int) -> None:
    """Print the lane's own time for each form of question."""
    print(f"{'question':<28}{'p50 ms':>8}{'p95 ms':>8}")
    every: list[float] = []
    for form in QUESTIONS:
        held: list[float] = []
        for number in range(times):
            question = form.format(n=number % 200 + 1, m=number % 200 + 2)
            found = engine.search(question, Options(lane="graph"))
            if number >= 5:
                held.append(found.latency_ms["graph"])
        every += held
        print(f"{form:<28}{np.percentile(held, 50):>8.1f}{np.percentile(held, 95):>8.1f}")
    print(
        f"SUMMARY graph_lane p50_ms={np.percentile(every, 50):.1f} "
        f"p95_ms={np.percentile(every, 95):.1f}"
    )


if __name__ == "__main__":
    main()
