"""What runs leave behind in a service that goes on for days: one table.

`python benchmarks/daemon_runs.py [--runs 50]` starts `finrag dev` on an empty store, launches so
many runs through its API as the UI does, each with a new report to read, and counts processes and
their memory after each; then it stops the service, once idle and once in the middle of a run, and
counts what is left.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from finrag_pipeline.settings import TIME_ZONE
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


def settled(service: Service) -> tuple[int, float]:
    """As `measured`, once a run's own processes had three seconds to end."""
    time.sleep(3)
    return measured(service.processes())


def left_by(home: Path) -> list[str]:
    """Command lines of processes that work on a home."""
    return [" ".join(process.cmdline())[:100] for process in processes_of(home)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    runs: int = parser.parse_args().runs
    today = datetime.now(ZoneInfo(TIME_ZONE)).date().isoformat()
    with tempfile.TemporaryDirectory(prefix="finrag-", ignore_cleanup_errors=True) as folder:
        home, inbox = Path(folder, "home"), Path(folder, "inbox")
        inbox.mkdir()
        variables = service_variables(home, inbox)

        print("| after run | status | seconds | processes | MiB |")
        print("|---|---|---|---|---|")
        with running(variables, Path(folder)) as service:
            count, size = settled(service)
            print(f"| 0 | | | {count} | {size:.0f} |", flush=True)
            for number in range(1, runs + 1):
                add_report(inbox)
                started = time.monotonic()
                run_id = service.launch("nightly_ingestion", today)
                status = service.wait_for(run_id, "SUCCESS", "FAILURE", "CANCELED", timeout_s=300)
                seconds = time.monotonic() - started
                count, size = settled(service)
                if number in (1, 2, 5) or number % 10 == 0 or number == runs:
                    row = f"| {number} | {status} | {seconds:.1f} | {count} | {size:.0f} |"
                    print(row, flush=True)
            service.stop()
            idle = left_by(home)
        with running(variables, Path(folder)) as service:
            for _ in range(20):
                add_report(inbox)
            run_id = service.launch("nightly_ingestion", today)
            service.wait_for(run_id, "STARTED")
            time.sleep(5)
            service.stop()
            busy = left_by(home)
        print(f"\nprocesses left after a stop: {len(idle)}; after one amid a run: {len(busy)}")
        for line in [*idle, *busy]:
            print(f"  {line}")


if __name__ == "__main__":
    main()
