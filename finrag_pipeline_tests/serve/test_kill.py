"""`kill -9` at any moment loses nothing: a rerun leaves the rows of an uninterrupted run."""

from __future__ import annotations

import random
import shutil
import subprocess
import time

from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.serve.conftest import SAMPLES, command, environment

KILLS = 10


def test_kill_at_ten_random_moments_and_rerun(settings, database, tmp_path, finrag):
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in ("alder_petfood_hogs_20260210.pdf", "qiling_tinglan_notes_20240912.pdf"):
        shutil.copy(SAMPLES / name, folder)
    variables = environment(settings)

    started = time.monotonic()
    whole = finrag("ingest", str(folder), "--app", "whole")
    duration = time.monotonic() - started
    assert whole.returncode == 0, whole.stderr
    expected = rows_of(database, "whole")
    assert len(expected["documents"]) == 2

    chance = random.Random(20260309)
    for n in range(KILLS):
        # one moment in each tenth of the run, so that every stage is met
        moment = (n + chance.random()) / KILLS * duration
        arguments = command("ingest", str(folder), "--app", f"killed{n}")
        process = subprocess.Popen(
            arguments, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(moment)
        process.kill()
        process.wait()
        again = finrag("ingest", str(folder), "--app", f"killed{n}")
        assert again.returncode == 0, again.stderr
        assert rows_of(database, f"killed{n}") == expected, f"killed after {moment:.1f} s"
