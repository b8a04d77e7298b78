"""Milliseconds from a question for figures to its rows over many facts: one table.

`python benchmarks/number_questions.py [--facts 1000000]` fills a store of its own in a temporary
home as `benchmarks/facts.py` does, and asks by code, the catalogue of companies at hand.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.facts import APP, fill
from finrag_pipeline.query.numbers.execute import answer_numbers
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline.store.embedded.server import stop_embedded_server

ROUNDS = 200

#: Questions by what they ask for; `a`, `b` are codes, `y` a year.
_QUESTIONS = {
    "a figure": "{a} {y}年营业收入是多少？",
    "its growth": "{a} {y}年净利润同比增长多少？",
    "a ratio": "{a} {y}年资产负债率",
    "a single quarter": "{a} {y}年第三季度营业收入",
    "five years": "{a} 2018-2022年营业收入",
    "two companies": "比较{a}和{b} {y}年的净利润",
    "the newest": "{a} 最新营业收入",
    "ten largest of all": "{y}年营业收入排名前十的公司",
    "by condition, of all": "{y}年净利润超过8亿元的公司有几家",
}


def main() -> None:
    """Fill, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=1_000_000)
    least = parser.parse_args().facts
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                codes, written = fill(database, least)
            print(f"{written:,} facts of {len(codes)} companies\n")
            with Reader.open(settings) as reader:
                measure(reader, codes)
        finally:
            stop_embedded_server(Path(home))


def measure(reader: Reader, codes: list[str]) -> None:
    """Ask each kind of question many times, of other companies each time."""
    catalogue = _catalogue(codes)
    rng = random.Random(5)
    print("| question | rows | p50 ms | p95 ms | p95 ms of this process |\n|---|---|---|---|---|")
    everything: list[float] = []
    for kind, wording in _QUESTIONS.items():
        taken: list[float] = []
        own: list[float] = []
        rows = 0
        for count in range(ROUNDS + 5):
            a, b = rng.sample(codes, 2)
            question = wording.format(a=a, b=b, y=rng.randrange(2017, 2024))
            started, worked = time.perf_counter(), time.process_time()
            read = read_numbers(question, catalogue)
            assert read is not None, question
            with reader.reading(APP) as connection:
                result = answer_numbers(read, connection)
            if count >= 5:
                taken.append((time.perf_counter() - started) * 1e3)
                own.append((time.process_time() - worked) * 1e3)
            rows = len(result.rows)
        everything += taken
        _print(kind, str(rows), taken, own)
    _print("all of them", "", everything, [])


def _print(kind: str, rows: str, taken: list[float], own: list[float]) -> None:
    p50, p95 = np.percentile(taken, (50, 95))
    core = f"{np.percentile(own, 95):.1f}" if own else ""
    print(f"| {kind} | {rows} | {p50:.1f} | {p95:.1f} | {core} |", flush=True)


def _catalogue(codes: list[str]) -> Catalogue:
    found: dict[str, DocumentFacts] = {}
    for code in codes:
        row = Catalogued(code, None, code, [code], None, "filing", date(2024, 4, 1), True)
        found[code] = DocumentFacts(row, None, code, frozenset({code}))
    return Catalogue(found)


if __name__ == "__main__":
    main()
