"""Rounds of mutated files through the pipeline, and what has to be true of each of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline_tests.pipelines.stages import ingest
from finrag_pipeline_tests.serve.faults.mutations import mutated

_STATES = """
select s.uri, d.status, d.reason from documents d
join document_sources s on s.document_id = d.document_id and s.app_id = d.app_id
where d.app_id = %s
"""


@dataclass
class Fuzzed:
    """What became of mutated files.

    Attributes:
        outcomes: files by format and outcome: ``indexed``, or the reason of their quarantine.
        left: files that are neither, with their status; none is right.
        slowest_s: of a round.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    left: dict[str, str] = field(default_factory=dict)
    slowest_s: float = 0.0


def fuzz_round(
    run: Run, samples: Sequence[Path], folder: Path, chance: Random, fuzzed: Fuzzed
) -> None:
    """Ingest one mutated file of every sample from a new folder; counted in `fuzzed`."""
    folder.mkdir(parents=True)
    for number, sample in enumerate(samples):
        (folder / f"{number}_{sample.name}").write_bytes(mutated(sample, chance))
    started = time.monotonic()
    ingest(run, [folder])
    fuzzed.slowest_s = max(fuzzed.slowest_s, time.monotonic() - started)
    with run.database.connection() as connection:
        rows = connection.execute(_STATES, (run.scope.app_id,)).fetchall()
    states = {row["uri"]: row for row in rows}
    for path in folder.iterdir():
        row = states.get(str(path))
        status = row["status"] if row else "not registered"
        if row is None or status not in ("indexed", "quarantined"):
            fuzzed.left[str(path)] = status
        fuzzed.outcomes[path.suffix, status if row is None else row["reason"] or status] += 1


def readers() -> list[psutil.Process]:
    """Reading processes of this one that live."""
    found: list[psutil.Process] = []
    for process in psutil.Process().children(recursive=True):
        try:
            if any("spawn_main" in word for word in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found
