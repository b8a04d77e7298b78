"""How a service comes back after everything was killed in the middle of its runs: one table.

`python benchmarks/power_cuts.py [--cuts 5]` starts `finrag dev` on an embedded Postgres and
launches three runs, of which two at a time may go on; at another moment each time it kills every
process at once, the database included, starts the service again, and measures from then how long
it takes until no run is "started" without a process and the third run is done.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from finrag_pipeline.settings import today
from finrag_pipeline_tests.serve.dagster_service import (
    add_report,
    kill,
    processes_of,
    running,
    service_variables,
)

#: Seconds from the start of the second run to the cut, one a cut, then again.
MOMENTS_S = (0.5, 2, 4, 7, 11)
ENDED = ("SUCCESS", "FAILURE", "CANCELED")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=5)
    cuts: int = parser.parse_args().cuts
    day = today().isoformat()
    with tempfile.TemporaryDirectory(prefix="finrag-", ignore_cleanup_errors=True) as folder:
        home, inbox = Path(folder, "home"), Path(folder, "inbox")
        inbox.mkdir()
        variables = service_variables(home, inbox)
        print(
            "| cut after, s | killed | first two runs | told after, s | third run | done after, s |"
        )
        print("|---|---|---|---|---|---|")
        for cut in range(cuts):
            for _ in range(20):
                add_report(inbox)
            with running(variables, Path(folder)) as service:
                first = [service.launch("nightly_ingestion", day) for _ in range(2)]
                third = service.launch("nightly_ingestion", day)
                for run_id in first:
                    service.wait_for(run_id, "STARTED", *ENDED)
                moment = MOMENTS_S[cut % len(MOMENTS_S)]
                time.sleep(moment)
                victims = processes_of(home)
                kill(victims)
                service.process.wait()
            with running(variables, Path(folder)) as service:
                started = time.monotonic()
                told = [service.wait_for(run_id, *ENDED) for run_id in first]
                told_s = time.monotonic() - started
                last = service.wait_for(third, *ENDED, timeout_s=300)
                done_s = time.monotonic() - started
            print(
                f"| {moment} | {len(victims)} | {', '.join(told)} | {told_s:.0f} | {last} | "
                f"{done_s:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
