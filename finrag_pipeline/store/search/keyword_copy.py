"""Where a keyword copy lies on a host: its generations, its state, its lock.

What is in it and how it follows the database belongs to `keyword_index`.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from finrag_pipeline.store.embedded.home import home_errors

_POINTER = "current"
_STATE = "state.json"
_LOCK = "lock"


@dataclass(frozen=True, slots=True)
class CopyState:
    """What a generation holds.

    Attributes:
        store_id: of which database.
        version: how it was made.
        horizon: the transaction up to which it has every change.
        verified: the transaction up to which every change was compared with the store.
        suspects: documents that differed in the last comparison.
    """

    store_id: str
    version: str
    horizon: int
    verified: int
    suspects: tuple[str, ...] = ()


class CopyFolder:
    """One folder a store: a pointer to the current generation, and the generation beside it.

    Only the holder of `lock` writes; a generation is replaced by moving the pointer, so that
    readers find either the old one or the new one whole.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @contextmanager
    def lock(self, timeout_s: float) -> Generator[bool]:
        """Whether this process may write now; released by the kernel when it dies.

        Raises:
            ConfigurationError: the folder cannot be made or written.
        """
        with home_errors(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            handle = (self.directory / _LOCK).open("a")
        with handle:
            deadline = time.monotonic() + timeout_s
            while not (held := _try_lock(handle.fileno())) and time.monotonic() < deadline:
                time.sleep(0.02)
            yield held

    def current(self) -> Path | None:
        """The generation that readers use; None before the first and when it was lost."""
        try:
            name = (self.directory / _POINTER).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        path = self.directory / name
        return path if name.startswith("g-") and path.is_dir() else None

    def new_generation(self) -> Path:
        """An empty folder beside the current one."""
        path = self.directory / f"g-{uuid4().hex[:12]}"
        path.mkdir(parents=True)
        return path

    def publish(self, generation: Path) -> None:
        """Move the pointer to a generation and remove all others."""
        _replace(self.directory / _POINTER, generation.name)
        for other in self.directory.glob("g-*"):
            if other != generation:
                shutil.rmtree(other, ignore_errors=True)


def read_state(generation: Path) -> CopyState | None:
    """What a generation holds; None where that cannot be read."""
    try:
        state = json.loads((generation / _STATE).read_text(encoding="utf-8"))
        return CopyState(**state | {"suspects": tuple(state["suspects"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_state(generation: Path, state: CopyState) -> None:
    """Say what a generation holds, after its commit: a crash in between only repeats work."""
    _replace(generation / _STATE, json.dumps(asdict(state)))


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    with beside.open("w", encoding="utf-8") as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
    beside.replace(path)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
