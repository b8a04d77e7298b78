"""`kill -9` at any moment loses nothing: a rerun leaves the rows of an uninterrupted run."""

from __future__ import annotations

import os
import random
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.serve.conftest import environment

pytestmark = pytest.mark.faults

KILLS = 10


# twenty-one processes of 5 to 15 s each, two at a time
@pytest.mark.timeout(600)
def test_kill_at_ten_random_moments_and_rerun(settings, database, tmp_path, finrag, fork_server):
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in ("alder_petfood_hogs_20260210.pdf", "qiling_tinglan_notes_20240912.pdf"):
        shutil.copy(SAMPLE_PDFS / name, folder)
    variables = environment(settings)

    started = time.monotonic()
    whole = finrag("ingest", str(folder), "--app", "whole")
    duration = time.monotonic() - started
    assert whole.returncode == 0, whole.stderr
    expected = rows_of(database, "whole")
    assert len(expected["documents"]) == 2

    chance = random.Random(20260309)
    # one moment in each tenth of the run, so that every stage is met
    moments = [(n + chance.random()) / KILLS * duration for n in range(KILLS)]

    def kill_and_rerun(n: int) -> str:
        app = f"killed{n}"
        with open(os.devnull, "w") as nowhere:
            arguments = ["ingest", str(folder), "--app", app]
            process = fork_server.start(arguments, variables, tmp_path, nowhere, nowhere)
        time.sleep(moments[n])
        process.kill()
        process.wait()
        return finrag("ingest", str(folder), "--app", app).stderr

    with ThreadPoolExecutor(2) as threads:
        told = list(threads.map(kill_and_rerun, range(KILLS)))
    for n, moment in enumerate(moments):
        rows = rows_of(database, f"killed{n}")
        assert rows == expected, f"killed after {moment:.1f} s; {told[n]}"
