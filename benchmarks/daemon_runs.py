"""What runs leave behind in a service that goes on for days: one table.

`python benchmarks/daemon_runs.py [--runs 50]` starts `finrag dev` on an empty store, launches so
many runs through its API as the UI does, each with a new report to read, and counts processes,
their memory, database connections and temporary files after each; then it stops the service, once
idle and once in the middle of a run, and counts what is left.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import psutil
import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from finrag_pipeline.settings import today
from finrag_pipeline.store.embedded import postmaster
from finrag_pipeline_tests.serve.dagster_service import (
    Service,
    add_report,
    processes_of,
    running,
    service_variables,
)


def measured(processes: list[psutil.Process]) -> tuple[int, float]:
    """How many, and their memory in MiB, shared pages divided among them."""
    sizes: list[int] = []
    for process in processes:
        try:
            sizes.append(process.memory_full_info().pss)
        except psutil.Error:
            continue
    return len(sizes), sum(sizes) / 2**20


def settled(service: Service, home: Path, scratch: Path) -> str:
    """The cells of a row, once a run's own processes had three seconds to end."""
    time.sleep(3)
    count, size = measured(service.processes())
    sockets = postmaster.socket_directory(home / "postgres")
    with psycopg.connect(f"host={sockets} user={postmaster.ROLE} dbname=finrag") as connection:
        row = connection.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
        ).fetchone()
    assert row is not None
    files = sum(1 for _ in scratch.rglob("*"))
    return f"{count} | {size:.0f} | {row[0] - 1} | {files}"


def left_by(home: Path) -> list[str]:
    """Command lines of processes that work on a home."""
    return [" ".join(process.cmdline())[:100] for process in processes_of(home)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    runs: int = parser.parse_args().runs
    day = today().isoformat()
    with tempfile.TemporaryDirectory(prefix="finrag-", ignore_cleanup_errors=True) as folder:
        home, inbox = Path(folder, "home"), Path(folder, "inbox")
        inbox.mkdir()
        variables = service_variables(home, inbox)
        scratch = Path(folder, "tmp")
        scratch.mkdir()
        variables["TMPDIR"] = str(scratch)
        print("| after run | status | seconds | processes | MiB | connections | temporary files |")
        print("|---|---|---|---|---|---|---|")
        with running(variables, Path(folder)) as service:
            print(f"| 0 | | | {settled(service, home, scratch)} |", flush=True)
            for number in range(1, runs + 1):
                add_report(inbox)
                started = time.monotonic()
                run_id = service.launch("nightly_ingestion", day)
                status = service.wait_for(run_id, "SUCCESS", "FAILURE", "CANCELED", timeout_s=300)
                seconds = time.monotonic() - started
                cells = settled(service, home, scratch)
                if number in (1, 2, 5) or number % 10 == 0 or number == runs:
                    print(f"| {number} | {status} | {seconds:.1f} | {cells} |", flush=True)
            service.stop()
            idle = left_by(home)
        with running(variables, Path(folder)) as service:
            for _ in range(20):
                add_report(inbox)
            run_id = service.launch("nightly_ingestion", day)
            service.wait_for(run_id, "STARTED")
            time.sleep(5)
            service.stop()
            busy = left_by(home)
        files = [path.name for path in scratch.rglob("*")]
        print(
            f"\nprocesses left after a stop: {len(idle)}; after one amid a run: {len(busy)}; "
            f"temporary files: {len(files)}"
        )
        for line in [*idle, *busy, *files]:
            print(f"  {line}")


if __name__ == "__main__":
    main()
