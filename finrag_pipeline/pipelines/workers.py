"""Processes that read documents, each call bounded in time and memory.

A call that hangs, runs out of memory or kills its process costs its own document alone.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from types import TracebackType
from typing import Any, TypeVar, TypeVarTuple

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.settings import Settings

log = logging.getLogger(__name__)

Args = TypeVarTuple("Args")
R = TypeVar("R")

#: A worker is replaced after this many calls, so that a parser's leaks stay bounded.
CALLS_PER_WORKER = 200


class ReaderPool:
    """As many reading processes as there are workers; started by the first call."""

    def __init__(self, settings: Settings) -> None:
        self._workers = settings.workers
        self._memory_bytes = settings.worker_memory_mib * 2**20
        self._pool: Any = None
        self._lock = threading.Lock()

    def __enter__(self) -> ReaderPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()

    def call(self, timeout_s: float, function: Callable[[*Args], R], *args: *Args) -> R:
        """Run a module-level function in a worker and wait for its result.

        Args:
            timeout_s: seconds from the moment a worker takes it up.

        Raises:
            DocumentError: what the function raised, or ``reader_timeout``, ``reader_memory``,
                ``reader_crashed``.
        """
        return self.submit(timeout_s, function, *args)()

    def submit(
        self, timeout_s: float, function: Callable[[*Args], R], *args: *Args
    ) -> Callable[[], R]:
        """Queue a call; what comes back waits for its result (see `call`)."""
        from pebble import ProcessExpired

        future = self._started().schedule(_guarded, args=(function, args), timeout=timeout_s)

        def result() -> R:
            try:
                return future.result()
            except DocumentError:
                raise
            except FutureTimeout:
                raise DocumentError("reader_timeout", f"{timeout_s:.0f} s") from None
            except MemoryError:
                limit = f"{self._memory_bytes >> 20} MiB"
                raise DocumentError("reader_memory", limit) from None
            except ProcessExpired as error:
                raise DocumentError("reader_crashed", _how_it_ended(error.exitcode)) from None

        return result

    def _started(self) -> Any:
        from pebble import ProcessPool

        with self._lock:
            if self._pool is None:
                self._pool = ProcessPool(
                    max_workers=self._workers,
                    max_tasks=CALLS_PER_WORKER,
                    initializer=_prepare_worker,
                    initargs=(self._memory_bytes, os.getpid()),
                    # spawn: the parent may hold threads, gRPC and connections
                    context=multiprocessing.get_context("spawn"),
                )
            return self._pool


def _guarded(function: Callable[..., R], args: tuple[Any, ...]) -> R:
    try:
        return function(*args)
    except (DocumentError, MemoryError):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        if "malloc" in text or "bad_alloc" in text or "Cannot allocate memory" in text:
            raise MemoryError(text) from None
        log.exception("%s failed", function.__name__)
        raise DocumentError("reader_crashed", text.splitlines()[0][:200]) from None


def _prepare_worker(memory_bytes: int, parent: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """A killed parent cannot stop its workers: they watch it themselves."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _how_it_ended(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"its process was ended by {signal.Signals(-exit_code).name}"
    return f"its process ended with code {exit_code}"
