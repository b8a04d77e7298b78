"""Milliseconds that publishing one report holds the graph's lock, as the library grows: one table.

`python benchmarks/graph_publication.py [--reports 2000]` publishes reports of 20 chunks, three
names a chunk: the company of the report, drawn by a power law from 300, and others of its
industry. A few companies are named in every tenth report, as in a real library.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline_tests.pipelines.graph_documents import Report, Said, publish

COMPANIES = [f"第{number}号能源设备公司" for number in range(300)]
INDUSTRIES = [f"第{number}类储能行业" for number in range(30)]
CHUNKS = 20
#: How often company `n` is the one of a report: falls with this power of `n`.
POWER = 1.0


def main() -> None:
    """Publish, and print what the last hundred of each thousand took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=2000)
    options = parser.parse_args()
    draw = random.Random(1)
    weights = [1 / (number + 1) ** POWER for number in range(len(COMPANIES))]
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                print("| reports | p50 ms | p95 ms |")
                print("|---|---|---|")
                taken: list[float] = []
                for number in range(1, options.reports + 1):
                    report = made(number, draw, weights)
                    start = time.perf_counter()
                    publish(database, report)
                    taken.append((time.perf_counter() - start) * 1000)
                    if number in (100, 500) or number % 1000 == 0:
                        last = sorted(taken[-100:])
                        p95 = last[int(len(last) * 0.95)]
                        print(f"| {number} | {statistics.median(last):.0f} | {p95:.0f} |")
        finally:
            stop_embedded_server(Path(home))


def made(number: int, draw: random.Random, weights: list[float]) -> Report:
    """A report on one company, with its industry and competitors."""
    own = draw.choices(range(len(COMPANIES)), weights)[0]
    chunks: list[Said] = []
    for _ in range(CHUNKS):
        other = draw.choices(range(len(COMPANIES)), weights)[0]
        industry = INDUSTRIES[own % len(INDUSTRIES)]
        names = ((COMPANIES[own], None), (COMPANIES[other], None), (industry, None))
        stated = ((0, "supplies", 1),) if draw.random() < 0.1 and own != other else ()
        chunks.append(Said(names, stated))
    return Report(f"{number}.pdf", date(2020, 1, 1) + timedelta(number // 3), tuple(chunks))


if __name__ == "__main__":
    main()
