"""Mutated PDF, DOCX, PPTX and HTML files through the pipeline for some minutes: their fate.

`python benchmarks/fuzzing.py [--minutes 10] [--seed 1] [--keep FOLDER]` changes bytes, tokens and
parts of the samples by chance, ingests them in rounds into an embedded store of their own, and
prints how many were indexed or quarantined for which reason, what was neither, how long the
slowest round took, and which reading processes were left. The same seed makes the same rounds.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.run.workers import shared_pool
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline_tests.serve.faults.fuzzing import Fuzzed, fuzz_round, readers
from finrag_pipeline_tests.serve.faults.mutations import seeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where files go that were neither, or that broke")
    arguments = parser.parse_args()
    # a parser's own words on a damaged file
    logging.disable(logging.CRITICAL)
    fuzzed, broken, rounds = Fuzzed(), 0, 0
    with tempfile.TemporaryDirectory(prefix="finrag-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        own = {"home": folder / "home", "database_url": None, "embedder": "offline"}
        settings = load_settings().model_copy(update=own)
        samples = seeds(folder / "seeds")
        ends = time.monotonic() + 60 * arguments.minutes
        try:
            with Database.open(settings) as database:
                while time.monotonic() < ends:
                    run = Run(database, settings, Scope(f"round{rounds}"))
                    files = folder / str(rounds)
                    chance = Random(f"{arguments.seed} {rounds}")
                    left = len(fuzzed.left)
                    try:
                        fuzz_round(run, samples, files, chance, fuzzed)
                    except Exception:
                        broken += 1
                        print(f"round {rounds} broke:\n{traceback.format_exc()}", flush=True)
                        left = -1
                    if arguments.keep and len(fuzzed.left) != left:
                        shutil.copytree(files, arguments.keep / files.name)
                    shutil.rmtree(files)
                    rounds += 1
            shared_pool(settings).close()
            _, alive = psutil.wait_procs(readers(), timeout=10)
        finally:
            stop_embedded_server(settings.home)
    _print(fuzzed, rounds, broken, len(alive))


def _print(fuzzed: Fuzzed, rounds: int, broken: int, alive: int) -> None:
    files = sum(fuzzed.outcomes.values())
    print(
        f"{files} files in {rounds} rounds, the slowest of {fuzzed.slowest_s:.0f} s; {broken}"
        f" rounds broke, {len(fuzzed.left)} files neither indexed nor quarantined,"
        f" {alive} readers left"
    )
    for path, status in fuzzed.left.items():
        print(f"  {path}: {status}")
    formats = sorted({suffix for suffix, _ in fuzzed.outcomes})
    reasons = sorted({outcome for _, outcome in fuzzed.outcomes})
    print(f"| outcome | {' | '.join(formats)} |\n|---|{'---|' * len(formats)}")
    for reason in reasons:
        cells = (str(fuzzed.outcomes[suffix, reason] or "") for suffix in formats)
        print(f"| {reason} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
