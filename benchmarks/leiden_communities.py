"""Weekly communities: how good the partition, how much of it is kept, how long it takes.

`python benchmarks/leiden_communities.py [--small]` measures graphs of known kinds; the largest has
100,000 entities and 500,000 edges and goes through a store of its own in a temporary home.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import graspologic_native
import networkx as nx
import numpy as np

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.communities.graph import Graph, make_graph, modularity
from finrag_pipeline.stages.communities.hierarchy import Hierarchy, make_hierarchy
from finrag_pipeline.stages.communities.levels import Parameters, cluster
from finrag_pipeline.stages.communities.matching import events_between, match
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import stop_embedded_server

# compiled, without types
core: Any = graspologic_native

WEEK = date(2026, 3, 8)
PARAMETERS = Parameters()


def planted(entities: int, edges: int, sectors: int) -> Graph:
    """Sectors of sizes by a power law; 7 of 10 edges stay inside one."""
    rng = np.random.default_rng(1)
    shares = rng.pareto(1.5, sectors) + 1
    bounds = np.cumsum(shares / shares.sum() * entities).astype(np.int64)
    bounds[-1] = entities
    heads = rng.integers(0, entities, edges * 11 // 10)
    sector = np.searchsorted(bounds, heads, side="right")
    low = np.concatenate([[0], bounds])[sector]
    near = low + (rng.random(len(heads)) * (bounds[sector] - low)).astype(np.int64)
    tails = np.where(rng.random(len(heads)) < 0.7, near, rng.integers(0, entities, len(heads)))
    pairs = np.unique(np.sort(np.stack([heads, tails]), axis=0), axis=1)
    pairs = rng.permutation(pairs[:, pairs[0] != pairs[1]], axis=1)[:, :edges]
    return make_graph(entities, pairs[0], pairs[1], rng.integers(1, 6, edges).astype(float))


def from_networkx(graph: nx.Graph[int]) -> Graph:
    """A networkx graph whose nodes are numbered from 0."""
    ends = np.array(list(graph.edges), dtype=np.int64)
    weights = np.array([each.get("weight", 1) for _, _, each in graph.edges(data=True)], float)
    return make_graph(len(graph), ends[:, 0], ends[:, 1], weights)


#: The last two have no structure to keep: every edge is drawn by degree alone.
GRAPHS: dict[str, Callable[[], Graph]] = {
    "karate club": lambda: from_networkx(nx.karate_club_graph()),
    "powerlaw cluster 3,000": lambda: from_networkx(
        nx.powerlaw_cluster_graph(3000, 4, 0.5, seed=1)
    ),
    "planted 20,000": lambda: planted(20_000, 100_000, 200),
    "planted 100,000": lambda: planted(100_000, 500_000, 400),
    "Barabási-Albert 20,000": lambda: from_networkx(nx.barabasi_albert_graph(20_000, 5, seed=1)),
    "Barabási-Albert 100,000": lambda: from_networkx(nx.barabasi_albert_graph(100_000, 5, seed=1)),
}
COLUMNS = (
    "graph",
    "edges",
    "modularity",
    "of 5 fresh",
    "of 5 with as many cycles",
    "week 2: of 5 fresh",
    "kept ids by level",
    "events",
    "store to store s",
    "native s, 1 cycle",
    "native s, as many cycles",
    "times",
    "week 2 s",
    "times",
)
SMALL = ("karate club", "powerlaw cluster 3,000", "planted 20,000")


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="leave out what takes minutes")
    chosen = SMALL if parser.parse_args().small else tuple(GRAPHS)
    print(f"| {' | '.join(COLUMNS)} |")
    print("|" + "---|" * len(COLUMNS))
    for name in chosen:
        graph = GRAPHS[name]()
        first = cluster(graph, PARAMETERS)
        changed = after_a_week(graph)
        second = cluster(changed, PARAMETERS, first.communities)
        before, now = make_hierarchy(first.communities), make_hierarchy(second.communities)
        level_0 = modularity(graph, first.communities[0])
        level_0_then = modularity(changed, second.communities[0])
        taken, taken_then = stored(graph, changed)
        once = native_alone(graph, 1)
        alone = native_alone(graph, PARAMETERS.iterations)
        print(
            f"| {name} | {len(graph.heads):,} | {level_0:.4f} | {level_0 / best(graph, 1):.3f} "
            f"| {level_0 / best(graph, PARAMETERS.iterations):.3f} "
            f"| {level_0_then / best(changed, 1):.3f} | {kept(before, now)} "
            f"| {happened(before, now)} | {taken:.1f} | {once:.1f} | {alone:.1f} "
            f"| {taken / alone:.1f} "
            f"| {taken_then:.1f} | {taken_then / alone:.1f} |",
            flush=True,
        )


def after_a_week(graph: Graph) -> Graph:
    """The graph after one edge in two hundred was replaced: 1 % of them came or went."""
    rng = np.random.default_rng(5)
    count = len(graph.heads) // 200
    left = rng.permutation(len(graph.heads))[count:]
    return make_graph(
        graph.size,
        np.concatenate([graph.heads[left], rng.integers(0, graph.size, count)]),
        np.concatenate([graph.tails[left], rng.integers(0, graph.size, count)]),
        np.concatenate([graph.weights[left], np.ones(count)]),
    )


def best(graph: Graph, iterations: int) -> float:
    """The greatest modularity of five fresh runs of the native Leiden on the graph as it is."""
    matrix = graph.matrix()
    given = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)
    runs = (core.leiden_csr(*given, graph.size, seed=n, iterations=iterations) for n in range(5))
    return max(cast(float, quality) for quality, _ in runs)


def kept(before: Hierarchy, now: Hierarchy) -> str:
    """Communities of two or more whose id is kept with half of the entities of both."""
    found = match(before, now)
    alike = np.zeros(len(before.sizes), dtype=np.bool_)
    for number, old in enumerate(found.before.tolist()):
        if old >= 0:
            level = int(found.levels[number])
            ours, theirs = now.on_level(level) == number, before.on_level(level) == old
            alike[old] = 2 * (ours & theirs).sum() >= (ours | theirs).sum()
    told: list[str] = []
    for level in range(len(before.levels)):
        real = (before.first_levels == level) & (before.sizes > 1)
        told.append(f"{alike[real].mean():.1%} of {real.sum()}" if real.any() else "none")
    return ", ".join(told)


def happened(before: Hierarchy, now: Hierarchy) -> str:
    """How many events of each kind there are."""
    ids_before = [f"b{number}" for number in range(len(before.sizes))]
    ids_now = [f"n{number}" for number in range(len(now.sizes))]
    events = events_between(before, now, match(before, now), ids_before, ids_now)
    kinds = [each.event for each in events]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))


def native_alone(graph: Graph, iterations: int) -> float:
    """Seconds of the native hierarchical Leiden by itself, on the edges as it takes them."""
    ends = zip(graph.heads.tolist(), graph.tails.tolist(), graph.weights.tolist(), strict=True)
    edges = [(entity(head), entity(tail), weight) for head, tail, weight in ends]
    start = time.perf_counter()
    core.hierarchical_leiden(
        edges, seed=1, iterations=iterations, max_cluster_size=PARAMETERS.max_sizes[-1]
    )
    return time.perf_counter() - start


def stored(graph: Graph, changed: Graph) -> tuple[float, float]:
    """Seconds from rows of the graph to rows of communities: of a first week, of the next one."""
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                run = Run(database, settings, Scope(settings.app))
                taken: list[float] = []
                for week, each in ((WEEK, graph), (WEEK + timedelta(weeks=1), changed)):
                    fill(database, settings.app, week, each)
                    start = time.perf_counter()
                    cluster_week(run, week)
                    taken.append(time.perf_counter() - start)
                return taken[0], taken[1]
        finally:
            stop_embedded_server(Path(home))


def fill(database: Database, app_id: str, week: date, graph: Graph) -> None:
    """Write a graph as it is from a week on: both ends of every edge."""
    weights = zip(graph.heads.tolist(), graph.tails.tolist(), graph.weights.tolist(), strict=True)
    with database.transaction() as connection:
        known = connection.execute("select count(*) as n from documents").fetchone()
        if known and not known["n"]:
            connection.execute(
                "insert into documents (document_id, app_id, content_sha256, size_bytes,"
                " arrival_on) values ('d', %s, 'd', 1, %s)",
                (app_id, week),
            )
            with connection.cursor().copy("copy entity_names from stdin") as copy:
                for node in range(graph.size):
                    name = entity(node)
                    copy.write_row(
                        (app_id, name, "d", name, name, False, name, "company", [], 1, week)
                    )
        connection.execute("update entity_neighbours set until = %s", (week,))
        with connection.cursor().copy("copy entity_neighbours from stdin") as copy:
            for head, tail, weight in weights:
                one, other = entity(head), entity(tail)
                for source, target, outgoing in ((one, other, True), (other, one, False)):
                    row = (app_id, source, target, "supplies", outgoing, week, "infinity", weight)
                    copy.write_row(row)
    with database.connection() as connection:
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze")
        connection.autocommit = False


def entity(number: int) -> str:
    """An id of the form that entities have."""
    return f"e{number:020x}"


if __name__ == "__main__":
    main()
