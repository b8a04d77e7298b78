"""Seconds of `finrag search` and `finrag ask` from the shell: in all, of the engine, between both.

`python benchmarks/cold_start.py [QUESTION] [--runs 5]`, over the store of the environment: first
each command starts the embedded Postgres and stops it, then this process keeps it running.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from contextlib import nullcontext

from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.reader import open_reader


def main() -> None:
    """Time both commands, with and without a running server; one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", nargs="?", default="星河新材的毛利率为什么下降？")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    settings = load_settings()
    print("server       command     in all s  engine s  beside it s  CPU s")
    for server in ("started",) * (settings.database_url is None) + ("running",):
        with open_reader(settings) if server == "running" else nullcontext():
            for command in ("search", "ask"):
                timed(command, options.question)  # what was never read from disk is no start-up
                runs = [timed(command, options.question) for _ in range(options.runs)]
                whole, engine, cpu = (statistics.median(each) for each in zip(*runs, strict=True))
                beside = statistics.median(whole - engine for whole, engine, _ in runs)
                print(
                    f"{server:12} {command:8} {whole:11.2f} {engine:9.2f} {beside:12.2f} {cpu:6.2f}"
                )


def timed(command: str, question: str) -> tuple[float, float, float]:
    """Seconds of one command: in all, those that the engine tells of, processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "finrag_pipeline.serve.cli.main", command, question, "--json"],
        env=os.environ,
        check=True,
        capture_output=True,
    )
    whole = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return whole, json.loads(done.stdout)["latency_ms"]["total"] / 1000, cpu


if __name__ == "__main__":
    main()
