"""Milliseconds of what a night or a withdrawal costs beside reading and publishing: one table.

`python benchmarks/nightly_growth.py [--reports 100 1000 10000]` grows a store of made-up reports
(`synthetic_reports`) to each size. There it times, after a night that had nothing and after one
that published a report: the vectors of what the graph says (the embedder answers at once), the
summaries of entities, the check of the keyword copy; then the other checks, the withdrawal of that
report, and what follows it.
Every figure is the median of a few nights.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import synthetic_store as store
from benchmarks.synthetic_reports import APP, SyntheticReport, day_of, ordinary
from finrag_pipeline.models.embedding import VectorSpace
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import cleaned_text, clique_chunks, documents
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.graph import entity_mentions
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.keyword_index import KeywordCopy, KeywordIndex

NIGHTS = 5
#: As many as the checks take, see `defs.checks`.
OTHERS, COMPARED = 1000, 50


class AtOnce:
    """An embedder that costs nothing: what is timed is the store."""

    space = VectorSpace("at once", 8, "at-once")

    def embed_passages(self, texts: Sequence[str]) -> Any:
        return np.full((len(texts), 8), 0.35, dtype=np.float32)

    embed_questions = embed_passages


def main() -> None:
    """Grow the store, and print what nights cost at each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, nargs="+", default=[100, 1000, 10_000])
    sizes = sorted(parser.parse_args().reports)
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database, Reader.open(settings) as reader:
                with database.transaction() as connection:
                    embeddings.ensure_space(connection, AtOnce.space)
                night = Night(database, settings, KeywordIndex(Path(home), reader).of(APP))
                print(f"| reports | mentions | {' | '.join(night.steps)} |")
                print("|---|---|" + "---|" * len(night.steps))
                filled = 0
                for size in sizes:
                    store.fill(database, (ordinary(n, day_of(n)) for n in range(filled, size)))
                    filled = size
                    told = [f"{value:.0f}" for value in night.timed(size)]
                    print(f"| {size} | {night.mentions()} | {' | '.join(told)} |", flush=True)
        finally:
            stop_embedded_server(Path(home))


class Night:
    """What is timed, in order of the columns."""

    steps = (
        "vectors, nothing new", "one report", "summaries, nothing new", "one report ",
        "keyword check, nothing new", "one report  ", "graph check", "other checks",
        "withdrawal", "vectors and summaries after it",
    )  # fmt: skip

    def __init__(self, database: Database, settings: Settings, copy: KeywordCopy) -> None:
        self._database = database
        self._run = Run(database, settings, Scope(APP))
        self._copy = copy

    def timed(self, size: int) -> list[float]:
        """Median milliseconds of each step."""
        today = day_of(size)
        # what filling left, as a first run would find it
        for settle in (self._embed, self._sum_up, lambda: self._copy.verify(today)):
            settle()
        with psycopg.connect(self._database.url, autocommit=True) as connection:
            connection.execute("vacuum analyze")  # as the server does by itself within a minute
        taken: list[list[float]] = []
        for number in range(NIGHTS):
            report = ordinary(number, today, f"night of {size}")
            on = today + timedelta(number)
            verify = lambda on=on: self._copy.verify(on)  # noqa: E731
            idle = [ms(self._embed), ms(self._sum_up), ms(verify)]
            store.read(self._database, report)
            store.publish(self._database, report)
            new = [ms(self._embed), ms(self._sum_up), ms(verify)]
            check = lambda on=on: differences(self._database, APP, COMPARED, str(on))  # noqa: E731
            checks = [ms(check), ms(lambda on=on: self._checks(on))]
            withdrawn = [ms(lambda report=report: self._withdraw(report)), ms(self._settle)]
            pairs = [value for pair in zip(idle, new, strict=True) for value in pair]
            taken.append([*pairs, *checks, *withdrawn])
        return [statistics.median(column) for column in zip(*taken, strict=True)]

    def mentions(self) -> int:
        with self._database.connection() as connection:
            row = connection.execute("select count(*) as n from entity_mentions").fetchone()
        assert row is not None
        return row["n"]

    def _embed(self) -> None:
        embed_graph(self._database, APP, AtOnce())

    def _sum_up(self) -> None:
        write_summaries(self._run)

    def _settle(self) -> None:
        self._embed()
        self._sum_up()

    def _withdraw(self, report: SyntheticReport) -> None:
        withdraw_document(self._database, APP, report.document.document_id)

    def _checks(self, on: Any) -> None:
        with self._database.connection() as connection:
            documents.with_reason(connection, APP)
            clique_chunks.lengths(connection, APP, 512)
            chosen = documents.looked_at(connection, APP, on, OTHERS)
            cleaned_text.empty_documents(connection, chosen)
            entity_mentions.problems(connection, APP)


def ms(step: Callable[[], object]) -> float:
    """Milliseconds of a step."""
    start = time.perf_counter()
    step()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
