"""Milliseconds that one publication holds the graph's lock, as the library grows: one table.

`python benchmarks/graph_publication.py [--reports 100 1000 10000 50000]` grows a store of made-up
reports (`synthetic_reports`: companies by Zipf's law, metrics in every chunk) to each size, and
there publishes and withdraws ordinary reports, reports on the company that most reports name,
reports naming sixty companies, and prospectuses with 8,000 mentions. What is published last was
published on the last day, as on most nights; a column more is for reports that come 90 days late.
A publication counts from its lock to its commit: what was read of the report is stored before.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import synthetic_store as store
from benchmarks.synthetic_reports import (
    APP,
    SyntheticReport,
    day_of,
    of_many_companies,
    of_many_mentions,
    on_hub,
    ordinary,
)
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.embedded.server import stop_embedded_server

#: Publications of each kind that are timed at each size; of prospectuses a fifth.
TIMED = 30
LATE = timedelta(90)

Make = Callable[[int, date], SyntheticReport]


def main() -> None:
    """Grow the store, time publications at each size, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, nargs="+", default=[100, 1000, 10_000, 50_000])
    sizes = sorted(parser.parse_args().reports)
    began = time.perf_counter()
    medians: list[float] = []
    hub_p95 = 0.0
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                print(
                    "| reports | ordinary p50, p95 | hub p50, p95 | 60 companies p50, p95 | "
                    "90 days late p50, p95 | 8,000 mentions, published p50 | withdrawn p50, p95 | "
                    "check | wrong tables | filled in s |"
                )
                print("|---|---|---|---|---|---|---|---|---|---|")
                filled = 0
                for size in sizes:
                    start = time.perf_counter()
                    store.fill(database, (ordinary(n, day_of(n)) for n in range(filled, size)))
                    filled = size
                    seconds = time.perf_counter() - start
                    today = day_of(size)
                    usual, _ = timed(database, TIMED, lambda n, day: ordinary(n, day, "new"), today)
                    hub, _ = timed(database, TIMED, on_hub, today)
                    many, _ = timed(database, TIMED, of_many_companies, today)
                    late, _ = timed(
                        database, TIMED, lambda n, day: ordinary(n, day, "late"), today - LATE
                    )
                    long, withdrawn = timed(database, TIMED // 5, of_many_mentions, today)
                    start = time.perf_counter()
                    wrong = differences(database, APP, 50, str(size))
                    check = (time.perf_counter() - start) * 1000
                    cells = [told(usual), told(hub), told(many), told(late), f"{p(long, 50):.0f}"]
                    cells += [told(withdrawn), f"{check:.0f}", f"{len(wrong)}", f"{seconds:.0f}"]
                    print(f"| {size} | {' | '.join(cells)} |", flush=True)
                    medians.append(p(usual, 50))
                    hub_p95 = p(hub, 95)
        finally:
            stop_embedded_server(Path(home))
    print(f"{(time.perf_counter() - began) / 60:.1f} minutes")
    ratio = medians[-1] / medians[0]
    print(f"SUMMARY publication p50_ratio={ratio:.2f} hub_p95_ms={hub_p95:.0f}")


def timed(
    database: Database, times: int, make: Make, published_on: date
) -> tuple[list[float], list[float]]:
    """Milliseconds of publishing each of some reports, and of withdrawing them again."""
    reports = [make(number, published_on) for number in range(times)]
    publications: list[float] = []
    withdrawals: list[float] = []
    for report in reports:
        store.read(database, report)
        start = time.perf_counter()
        store.publish(database, report)
        publications.append((time.perf_counter() - start) * 1000)
    for report in reports:
        start = time.perf_counter()
        withdraw_document(database, APP, report.document.document_id)
        withdrawals.append((time.perf_counter() - start) * 1000)
    with database.transaction() as connection:  # the next size makes the same ones
        connection.execute(
            "delete from documents where document_id = any(%s)",
            ([report.document.document_id for report in reports],),
        )
    return publications, withdrawals


def p(values: list[float], percent: int) -> float:
    """The value that so many percent of the others do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def told(values: list[float]) -> str:
    """Median and 95th percentile."""
    return f"{p(values, 50):.0f}, {p(values, 95):.0f}"


if __name__ == "__main__":
    main()
