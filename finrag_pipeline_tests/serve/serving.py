"""`finrag serve` as a process of its own, its output in files."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.serve.conftest import command, environment


@dataclass(frozen=True)
class Serving:
    """A server that runs.

    Attributes:
        url: where it answers.
        log: the file of its standard error.
    """

    process: subprocess.Popen[str]
    url: str
    log: Path

    def ended(self) -> str:
        """End it as an operator does; what it logged."""
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0
        return self.log.read_text()


@contextmanager
def served(settings: Settings, folder: Path, **variables: str) -> Generator[Serving]:
    """Run the server while the block lasts, from an empty folder, at any free port."""
    log = folder / "errors.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            command("serve", "--port", "0"),
            env=environment(settings) | variables,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("finrag serves http://"), log.read_text()
            yield Serving(process, line.split()[-1], log)
        finally:
            process.kill()
            process.wait()
