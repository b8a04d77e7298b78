"""Ingestion, weekly builds, a server and its askers side by side: errors, memory, leaks.

`python benchmarks/soak.py [--minutes 30] [--askers 2] [--every 60]` starts `finrag dev` and
`finrag serve` on an embedded Postgres of their own. Again and again a report arrives and is
ingested, the week is built beside that, and askers ask and search by HTTP without a pause. Every
so many seconds a row tells what each process takes (in MiB, shared pages divided among them), how
many processes and connections there are; at the end, what failed and what is left.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil
import psycopg
import requests

from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import load_settings, today
from finrag_pipeline.store.embedded import postmaster
from finrag_pipeline_tests.paths import SAMPLES
from finrag_pipeline_tests.serve.dagster_service import (
    Service,
    add_report,
    processes_of,
    running,
    service_variables,
)
from finrag_pipeline_tests.serve.serving import served

ENDED = ("SUCCESS", "FAILURE", "CANCELED")
#: Which process is told apart, by a word of its command line; the rest is `other`.
PARTS = {
    "serve": "cli.main serve",
    "webserver": "dagster_webserver",
    "daemon": "dagster._daemon",
    "code server": "code-server start",
    "runs": "dagster api",
    "readers": "spawn_main",
}


@dataclass
class Told:
    """What happened so far: counts, errors by their line, seconds of each kind of work."""

    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    waits_s: list[float] = field(default_factory=list)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, failure: str = "", wait_s: float | None = None) -> None:
        with self.guard:
            self.counts[kind] += 1
            if failure:
                self.errors[f"{kind}: {failure}"] += 1
            if wait_s is not None:
                self.waits_s.append(wait_s)


def ask(url: str, told: Told, over: threading.Event) -> None:
    """Ask and search in turn until it is over."""
    lines = (SAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    for number, question in enumerate(cycle(questions)):
        if over.is_set():
            return
        kind = ("ask", "search")[number % 2]
        started = time.monotonic()
        try:
            reply = requests.post(f"{url}v1/{kind}", json={"question": question}, timeout=120)
            failure = "" if reply.ok else f"status {reply.status_code}"
            degraded = reply.json().get("degraded") if reply.ok else None
            if degraded:
                failure = f"degraded: {degraded[0]}"
        except requests.RequestException as error:
            failure = type(error).__name__
        told.note(kind, failure, time.monotonic() - started)


def launch_until(
    over: threading.Event, told: Told, service: Service, job: str, before: Callable[[], str]
) -> None:
    """Launch a job again and again; `before` prepares a run and names its partition."""
    while not over.is_set():
        try:
            run_id = service.launch(job, before())
            status = service.wait_for(run_id, *ENDED, timeout_s=900)
            said = service.messages(run_id)[-1] if status != "SUCCESS" else ""
            told.note(job, said and f"{status} {said}"[:300])
        except (AssertionError, requests.RequestException) as error:
            told.note(job, f"{type(error).__name__} {error}"[:200])
        over.wait(5)


def sizes(home: Path) -> Counter[str]:
    """MiB of each part, and how many processes there are."""
    found: Counter[str] = Counter()
    first = psutil.Process(int((home / "postgres/postmaster.pid").read_text().split()[0]))
    # Postgres writes what its processes do over their environment
    database = {first, *first.children()}
    for process in database | {*processes_of(home)}:
        try:
            line = " ".join(process.cmdline())
            parts = [part for part, word in PARTS.items() if word in line]
            part = "Postgres" if process in database else parts[0] if parts else "other"
            found[part] += round(process.memory_full_info().pss / 2**20)
            found["processes"] += process not in database
        except psutil.Error:
            continue
    return found


def connections(home: Path) -> int:
    """Sessions at the store, without this one."""
    sockets = postmaster.socket_directory(home / "postgres")
    with psycopg.connect(f"host={sockets} user={postmaster.ROLE} dbname=finrag") as connection:
        row = connection.execute(
            "select count(*) - 1 from pg_stat_activity where datname = current_database()"
        ).fetchone()
    assert row is not None
    return row[0]


def watch(home: Path, told: Told, ends: float, every_s: float) -> None:
    """Print a row now and then until the end."""
    columns = [*PARTS, "Postgres", "other", "processes"]
    print(f"| minute | {' | '.join(columns)} | connections | answers | p50, s | nights | weeks |")
    print(f"|---|{'---|' * (len(columns) + 5)}")
    begun = time.monotonic()
    while True:
        held = sizes(home)
        cells = [str(held[column]) for column in columns]
        with told.guard:
            waits, told.waits_s = told.waits_s, []
        counts = told.counts
        cells += [
            str(connections(home)),
            str(len(waits)),
            f"{median(waits):.2f}" if waits else "",
            str(counts["nightly_ingestion"]),
            str(counts["weekly_rebuild"]),
        ]
        print(f"| {(time.monotonic() - begun) / 60:.1f} | {' | '.join(cells)} |", flush=True)
        if time.monotonic() >= ends:
            return
        time.sleep(max(0.0, min(every_s, ends - time.monotonic())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--askers", type=int, default=2)
    parser.add_argument("--every", type=float, default=60, help="seconds between two rows")
    given = parser.parse_args()
    told, over = Told(), threading.Event()
    day, week = today().isoformat(), week_of(today()).isoformat()
    with tempfile.TemporaryDirectory(prefix="finrag-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        home, inbox = folder / "home", folder / "inbox"
        inbox.mkdir()
        own = {"home": home, "inbox": str(inbox), "database_url": None}
        settings = load_settings().model_copy(update=own)
        variables = service_variables(home, inbox)

        def arrival() -> str:
            add_report(inbox)
            return day

        with running(variables, folder) as service:
            first = service.launch("nightly_ingestion", arrival())
            status = service.wait_for(first, *ENDED, timeout_s=600)
            assert status == "SUCCESS", service.messages(first)[-3:]
            limits = {"FINRAG_SERVE_REQUESTS_PER_MINUTE": "1000000"}
            with served(settings, folder, **limits) as server:
                work = [
                    (launch_until, (over, told, service, "nightly_ingestion", arrival)),
                    (launch_until, (over, told, service, "weekly_rebuild", lambda: week)),
                    *[(ask, (server.url, told, over))] * given.askers,
                ]
                threads = [threading.Thread(target=each, args=args) for each, args in work]
                for thread in threads:
                    thread.start()
                watch(home, told, time.monotonic() + 60 * given.minutes, given.every)
                over.set()
                for thread in threads:
                    thread.join()
                server.ended()
            time.sleep(10)  # a run's process may take seconds to end after its last event
            print(f"\nconnections once the server has ended: {connections(home)}")
            service.stop()
        time.sleep(3)
        left = processes_of(home)
        print(f"processes left: {len(left)}")
        for process in left:
            print(f"  {' '.join(process.cmdline())[:150]}")
    print(f"done: {dict(told.counts)}\nfailed: {dict(told.errors) or 'nothing'}")


if __name__ == "__main__":
    main()
