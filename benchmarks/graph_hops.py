"""Milliseconds to the neighbours of an entity over two hops, as of a day and today: one table.

`python benchmarks/graph_hops.py [--entities 200000] [--edges 1000000]` fills a store of its own in
a temporary home with edges whose ends follow a power law, so that a few entities have ten thousand.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.graph import graph_search

FIRST_DAY = date(2020, 1, 1)
DAYS = 2000
#: How an end is drawn: entity `n` with a chance that falls with this power of `n`. With .75 and
#: 1 M edges the largest entity has 19,000, one in a hundred more than a hundred.
POWER = 0.75
RELATIONS = ("co_occurs", "supplies", "competes_with", "owns")
SEEDS = 300


def main() -> None:
    """Fill, walk, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=200_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                start = time.perf_counter()
                degrees = fill(database, options.entities, options.edges)
                print(
                    f"{options.edges} edges between {options.entities} entities: largest degree "
                    f"{degrees.max()}, {np.mean(degrees > 100):.1%} above 100; filled in "
                    f"{time.perf_counter() - start:.0f} s"
                )
                measure(database, degrees)
        finally:
            stop_embedded_server(Path(home))


def fill(database: Database, entities: int, edges: int) -> NDArray[np.int64]:
    """Write both ends of every edge; a third of them grew heavier on a later day.

    Returns:
        The number of edges of each entity.
    """
    rng = np.random.default_rng(5)
    chances = np.arange(1, entities + 1) ** -POWER
    ends = rng.choice(entities, (edges * 3 // 2, 2), p=chances / chances.sum())
    pairs = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    pairs = rng.permutation(pairs)[:edges]
    assert len(pairs) == edges, "too few distinct pairs: ask for fewer edges"
    days = rng.integers(0, DAYS, edges)
    kinds = rng.integers(0, len(RELATIONS), edges)
    weights = rng.zipf(2.2, edges).clip(1, 200)
    columns = zip(pairs.tolist(), days.tolist(), kinds.tolist(), weights.tolist(), strict=True)
    statement = "copy entity_neighbours from stdin"
    with database.transaction() as connection, connection.cursor().copy(statement) as copy:
        for (one, other), day, kind, weight in columns:
            since = FIRST_DAY + timedelta(day)
            later = since + timedelta(100)
            steps = [(since, "infinity", weight)]
            if weight > 1:
                steps = [(since, later, 1), (later, "infinity", weight)]
            for source, target, outgoing in ((one, other, True), (other, one, False)):
                for first, end, held in steps:
                    copy.write_row(
                        (
                            *("default", name(source), name(target), RELATIONS[kind]),
                            *(outgoing, first, end, float(held)),
                        )
                    )
    with database.connection() as connection:
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze entity_neighbours")
        connection.autocommit = False
    return np.bincount(pairs.ravel(), minlength=entities)


def measure(database: Database, degrees: NDArray[np.int64]) -> None:
    """Walk from random entities: each as likely as the other, and each as often as it is named."""
    rng = random.Random(9)
    everyone = range(len(degrees))
    seeds = {
        "uniform": rng.choices(everyone, k=SEEDS),
        "by degree": rng.choices(everyone, weights=degrees.tolist(), k=SEEDS),
        "largest 100": np.argsort(-degrees)[:100].tolist(),
    }
    days = {"as of mid": FIRST_DAY + timedelta(DAYS // 2), "today": None}
    print(f"{'seeds':12} {'day':10} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}  found on average")
    for kind, chosen in seeds.items():
        for label, as_of in days.items():
            times: list[float] = []
            found = 0
            for seed in chosen:
                with database.connection() as connection:
                    start = time.perf_counter()
                    near = graph_search.neighbours(
                        connection, "default", [name(seed)], as_of, hops=2, k=50
                    )
                    times.append((time.perf_counter() - start) * 1000)
                found += len(near)
            p50, p95 = np.percentile(times, [50, 95])
            print(
                f"{kind:12} {label:10} {p50:8.1f} {p95:8.1f} {max(times):8.1f}"
                f"  {found / len(chosen):.1f}"
            )


def name(number: int) -> str:
    """An id of the form that names have."""
    return f"e{number:020x}"


if __name__ == "__main__":
    main()
