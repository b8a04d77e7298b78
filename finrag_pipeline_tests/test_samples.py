"""The committed samples are what their script makes, byte for byte, on every run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
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


def test_the_business_documents_are_told_with_their_sizes():
    folder = SAMPLES / "enterprise"
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert Counter(each["group"] for each in told) == {"product": 6, "distractor": 6, "synonym": 4}
    assert {each["source"] for each in told} == {"synthetic_v2"}
    sizes = {path.name: path.stat().st_size for path in (folder / "documents").iterdir()}
    assert {each["file"]: each["bytes"] for each in told} == sizes
    assert sum(sizes.values()) < 1_000_000
    assert len(json.loads((folder / "companies.json").read_text("utf-8"))["companies"]) == 10
