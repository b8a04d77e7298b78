"""The committed samples are what their script makes, byte for byte, on every run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from finrag_pipeline_tests.paths import SAMPLES

MAKE = "import sys, pathlib; from make_samples import make; make(pathlib.Path(sys.argv[1]))"


def test_two_runs_make_the_committed_bytes(tmp_path: Path):
    for name in ("first", "second"):
        target = tmp_path / name
        (target / "pdfs").mkdir(parents=True)
        subprocess.run([sys.executable, "-c", MAKE, str(target)], cwd=SAMPLES, check=True)
    committed = [
        *sorted(SAMPLES.glob("pdfs/*.pdf")),
        SAMPLES / "gold.json",
        SAMPLES / "registry.csv",
    ]
    assert len(committed) == 11
    for path in committed:
        inside = path.relative_to(SAMPLES)
        assert (tmp_path / "first" / inside).read_bytes() == path.read_bytes(), inside
        assert (tmp_path / "second" / inside).read_bytes() == path.read_bytes(), inside
