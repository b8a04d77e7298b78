"""`finrag serve` under load: searches a second, waits, errors, and whether its memory stays flat.

    python benchmarks/serving.py [--askers 50] [--seconds 60] [--requests 10000] [--questions FILE]

Starts the server over the store of the settings on a free port of loopback. First so many askers
search for so many seconds, each its next question as soon as the last is answered; then requests
are sent until their number is reached, and the server's memory is read after every tenth of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlsplit

import psutil

QUESTIONS = Path(__file__).parents[1] / "samples" / "questions.jsonl"
_MIB = 2**20


@contextmanager
def served() -> Generator[tuple[str, psutil.Process]]:
    """The server's address as host and port, and its process."""
    command = [sys.executable, "-m", "finrag_pipeline.serve.cli.main", "serve", "--port", "0"]
    environment = os.environ | {"FINRAG_SERVE_REQUESTS_PER_MINUTE": "10000000"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        try:
            yield urlsplit(url).netloc, psutil.Process(process.pid)
        finally:
            process.terminate()


class Askers:
    """Threads that search, one connection each; what they waited, and what failed."""

    def __init__(self, address: str, questions: list[str]) -> None:
        self._address = address
        self._bodies = [json.dumps({"question": each, "k": 10}) for each in questions]
        self._guard = threading.Lock()
        self.waits_s: list[float] = []
        self.errors: list[str] = []

    def run(self, askers: int, more: Callable[[int], bool]) -> None:
        """Ask as long as `more` says so of the number of the next question, from 0."""
        numbers = count()
        threads = [threading.Thread(target=self._ask, args=(numbers, more)) for _ in range(askers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _ask(self, numbers: Iterator[int], more: Callable[[int], bool]) -> None:
        connection = HTTPConnection(self._address, timeout=120)
        headers = {"Content-Type": "application/json"}
        while more(number := next(numbers)):
            body = self._bodies[number % len(self._bodies)].encode()
            start = time.perf_counter()
            try:
                connection.request("POST", "/v1/search", body, headers)
                response = connection.getresponse()
                response.read()
                failure = "" if response.status == 200 else f"status {response.status}"
            except (OSError, HTTPException) as error:
                failure = type(error).__name__
                connection.close()
            with self._guard:
                self.waits_s.append(time.perf_counter() - start)
                if failure:
                    self.errors.append(failure)
        connection.close()


def _memory_mib(process: psutil.Process) -> float:
    """Of the server itself, without the processes that draw pages."""
    return process.memory_info().rss / _MIB


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--askers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    given = parser.parse_args()
    lines = given.questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    with served() as (address, process):
        warm = Askers(address, questions)
        warm.run(2, lambda number: number < len(questions))
        print(f"load beside it: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
        askers = Askers(address, questions)
        start, used_s = time.monotonic(), _cpu_s(process)
        askers.run(given.askers, lambda _: time.monotonic() - start < given.seconds)
        spent_s = time.monotonic() - start
        cuts = quantiles(askers.waits_s, n=20)
        print(f"{given.askers} askers, {spent_s:.0f} s: {len(askers.waits_s)} searches")
        print(f"  searches a second  {len(askers.waits_s) / spent_s:8.1f}")
        each_ms = (_cpu_s(process) - used_s) / len(askers.waits_s) * 1000
        print(f"  its CPU a search   {each_ms:8.0f} ms, Postgres not counted")
        print(f"  p50                {cuts[9] * 1000:8.0f} ms")
        print(f"  p95                {cuts[18] * 1000:8.0f} ms")
        print(f"  errors             {len(askers.errors):8d} {sorted(set(askers.errors))}")
        asked = len(askers.waits_s)
        print(f"memory after {asked:6d} requests: {_memory_mib(process):7.0f} MiB")
        step = max(1, given.requests // 10)
        while asked < given.requests:
            part = Askers(address, questions)
            part.run(8, lambda number: number < step)
            asked += len(part.waits_s)
            failed = f", {len(part.errors)} errors" if part.errors else ""
            print(f"memory after {asked:6d} requests: {_memory_mib(process):7.0f} MiB{failed}")


if __name__ == "__main__":
    main()
