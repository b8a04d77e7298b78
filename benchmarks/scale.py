"""A made-up library of 10,000, 100,000 and a million chunks: its filling, size, searches, nights.

`python benchmarks/scale.py PARAGRAPHS.gz --work FOLDER [--chunks 10000 100000 1000000]` fills a
store of each size under FOLDER, times it, and writes `FOLDER/CHUNKS.json` after every step. A step
that is there is not repeated, unless `--again STEP` names it; a filling that was ended goes on
where it was. `--table` prints what was measured so far, `--picture FILE.svg` draws it. `--buffers
4GB` gives the server that much of the memory.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import scale_timing as timing
from benchmarks.scale_library import Library
from benchmarks.scale_store import AtOnce, Filling
from benchmarks.scale_telling import draw, table
from benchmarks.synthetic_store import settle
from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import stop_embedded_server

SIZES = (10_000, 100_000, 1_000_000)


def main() -> None:
    """Fill and time each size, print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paragraphs", type=Path, nargs="?")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--chunks", type=int, nargs="+", default=SIZES)
    parser.add_argument("--again", nargs="+", default=[], help="steps that are timed once more")
    parser.add_argument("--until", help="the last step")
    parser.add_argument("--buffers", default="256MB", help="shared_buffers of the server")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    if options.paragraphs:
        for chunks in options.chunks:
            measure(options, chunks)
    results = {
        chunks: json.loads(Results.path(options.work, chunks).read_text())
        for chunks in options.chunks
        if Results.path(options.work, chunks).exists()
    }
    if options.table:
        print(table(results))
    if options.picture:
        draw(results, options.picture)


class Results:
    """What was measured of a size, kept after every step."""

    def __init__(self, work: Path, chunks: int) -> None:
        self._path = self.path(work, chunks)
        self.held: dict[str, Any] = (
            json.loads(self._path.read_text()) if self._path.exists() else {}
        )

    @staticmethod
    def path(work: Path, chunks: int) -> Path:
        return work / f"{chunks}.json"

    def keep(self, step: str, made: Callable[[], Any]) -> None:
        """Do a step and write what came of it, with its seconds and how busy the machine was."""
        start, before = time.perf_counter(), timing.machine()
        told = made()
        seconds = round(time.perf_counter() - start, 1)
        machine = {"load before": before["load"], "load after": timing.machine()["load"]}
        self.held[step] = {"seconds": seconds, **machine} | ({"told": told} if told else {})
        self._path.write_text(json.dumps(self.held, ensure_ascii=False, indent=1))
        print(step, json.dumps(self.held[step], ensure_ascii=False), flush=True)


def measure(options: argparse.Namespace, chunks: int) -> None:
    """Every step of one size that is not done yet."""
    home = options.work / f"home-{chunks}"
    home.mkdir(parents=True, exist_ok=True)
    settings = load_settings().model_copy(
        update={"home": home, "database_url": None, "registry": None}
    )
    embedder = load_embedder(settings)
    library = Library(options.paragraphs, options.work / "vectors.npz", chunks, embedder)
    results = Results(options.work, chunks)
    try:
        set_buffers(home, options.buffers, lambda: Database.open(settings))
        with Database.open(settings) as database:
            filling = Filling(database, settings, library, embedder)
            steps: dict[str, Callable[[], Any]] = dict(filling.stages)
            steps["size"] = filling.size

            def read(step: Callable[[Reader], Any]) -> Callable[[], Any]:
                def reading() -> Any:
                    settle(database)
                    with Reader.open(settings) as reader:
                        return step(reader)

                return reading

            search = read(
                lambda reader: timing.searches(QueryEngine(reader, settings), library, home)
            )
            companies = max(10, chunks * 695 // 1_000_370)
            steps["searches"] = search
            steps["recall"] = read(lambda reader: timing.recall(reader, embedder, library))
            steps["figures"] = read(lambda reader: timing.look_ups(reader, companies))
            at_once = AtOnce(library, embedder)
            steps["nights"] = timing.Nights(database, settings, library, at_once).timed
            steps["weeks"] = lambda: timing.weeks(database, settings, library)
            steps["searches beside a build"] = search
            steps["size with builds"] = filling.size
            for step, made in steps.items():
                if step not in results.held or step in options.again:
                    results.keep(step, made)
                if step == options.until:
                    break
    finally:
        stop_embedded_server(home)


def set_buffers(home: Path, buffers: str, opened: Callable[[], Database]) -> None:
    """Give the server its memory, which it takes at its start."""
    with opened() as database, psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(f"alter system set shared_buffers = '{buffers}'".encode())
    stop_embedded_server(home)


if __name__ == "__main__":
    main()
