"""What questions get, as JSON without milliseconds, and where two recordings differ.

`python benchmarks/replies.py QUESTIONS OUT.json` asks the configured store every line of a file:
searched, asked, asked in one more mode and in one lane alone in turn, every fourth also as of
2025-06-30. `--against BEFORE.json` compares with a recording of another release or host, and ends
with 1 where replies differ. Indexes over vectors are approximate: drop them in both stores for an
exact comparison (`--exact`, which needs a copy of the store that nobody else uses).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from psycopg import sql

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.lanes.registry import labels
from finrag_pipeline.query.question.options import MODES, Options
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader

Json = dict[str, Any]
DAY = date(2025, 6, 30)
VECTOR_INDEXES = "select indexname from pg_indexes where indexname like 'embeddings_hnsw_%'"


def main() -> None:
    """Ask, write, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    settings = load_settings()
    with Database.open(settings) as database:
        if options.exact:
            drop_vector_indexes(database)
    with Reader.open(settings) as reader:
        engine = QueryEngine(reader, settings)
        questions = options.questions.read_text(encoding="utf-8").splitlines()
        replies = dict(ask(engine, [line for line in questions if line.strip()]))
    text = json.dumps(replies, ensure_ascii=False, indent=1, sort_keys=True, default=str)
    options.out.write_text(text, encoding="utf-8")
    print(f"{len(replies)} replies")
    if options.against:
        sys.exit(compare(json.loads(options.against.read_text(encoding="utf-8")), json.loads(text)))


def ask(engine: QueryEngine, questions: list[str]) -> Iterator[tuple[str, Json]]:
    """Every reply by the way it was asked for and its question."""
    lanes, modes = labels(), [mode for mode in MODES if mode != "auto"]
    for n, question in enumerate(questions):
        ways = {
            "search": (engine.search, Options()),
            "ask": (engine.ask, Options()),
            "mode": (engine.ask, Options(mode=modes[n % len(modes)])),
            "lane": (engine.search, Options(lane=lanes[n % len(lanes)])),
        }
        if n % 4 == 0:
            ways["search as of"] = (engine.search, Options(as_of=DAY))
            ways["ask as of"] = (engine.ask, Options(as_of=DAY))
        for way, (call, given) in ways.items():
            try:
                reply = call(question, given).to_dict()
            except FinragError as error:
                reply = {"error": str(error)}
            yield f"{way}: {question}", {k: v for k, v in reply.items() if k != "latency_ms"}


def compare(before: Json, after: Json) -> int:
    """Print which replies differ, by the way they were asked for; 1 where any does."""
    differ = [key for key in before if before[key] != after.get(key)]
    print(f"{len(differ)} of {len(before)} differ:", dict(Counter(k.split(":")[0] for k in differ)))
    for key in differ[:20]:
        print(f"  {key}")
    return int(bool(differ))


def drop_vector_indexes(database: Database) -> None:
    """Let every search compare all vectors."""
    with database.connection() as connection:
        for row in connection.execute(VECTOR_INDEXES).fetchall():
            connection.execute(sql.SQL("drop index {}").format(sql.Identifier(row["indexname"])))


if __name__ == "__main__":
    main()
