"""Mutated files are indexed or quarantined, whatever is wrong with them (`benchmarks/fuzzing.py`
does it for minutes)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import psutil
import pytest

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.run.workers import shared_pool
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.serve.faults.fuzzing import Fuzzed, fuzz_round, readers
from finrag_pipeline_tests.serve.faults.mutations import mutated, seeds

pytestmark = pytest.mark.faults


def test_a_seed_makes_the_same_files_again(tmp_path: Path) -> None:
    for path in seeds(tmp_path):
        made = [mutated(path, Random(7)) for _ in range(2)]
        assert made[0] == made[1]
        assert len({mutated(path, Random(number)) for number in range(5)}) > 1


@pytest.mark.timeout(600)
def test_every_mutated_file_is_indexed_or_quarantined(settings, database, tmp_path: Path) -> None:
    pytest.importorskip("docling", reason="needs the extra docling")
    # bounds of its own: a pool that no other test has
    own = settings.model_copy(update={"ocr": "off", "worker_memory_mib": 2000, "workers": 1})
    run = Run(database, own, Scope(own.app))
    samples = seeds(tmp_path / "seeds")
    short = [path for path in samples if path.suffix != ".pdf"] + samples[:2]
    fuzzed = Fuzzed()
    for number in range(3):
        fuzz_round(replace(run), short, tmp_path / str(number), Random(number), fuzzed)
    assert fuzzed.left == {}
    assert sum(fuzzed.outcomes.values()) == 3 * len(short)
    assert {outcome for _, outcome in fuzzed.outcomes} - {"indexed"}, "nothing was damaged"
    shared_pool(own).close()
    _, alive = psutil.wait_procs(readers(), timeout=10)
    assert alive == []
