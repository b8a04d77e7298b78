"""Processes that read documents, each call bounded in time and memory.

A call that hangs, runs out of memory or kills its process costs its own document alone.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.util import Finalize
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakSet

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.settings import Settings

log = logging.getLogger(__name__)

Args = TypeVarTuple("Args")
R = TypeVar("R")

#: A worker is replaced after this many calls, so that a parser's leaks stay bounded.
CALLS_PER_WORKER = 200
#: How often the memory of workers is looked at, in seconds: a parser fills about 0.5 GiB in one.
MEMORY_CHECK_S = 0.2
#: A worker may address this many times its bound: one huge allocation fails before it is made.
ADDRESS_SPACE = 2
#: Parameters of glibc's `mallopt` (malloc.h).
_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
#: Bytes from which a worker hands memory back after a call; set as it starts.
_trim_above = 0


@cache
def _pool_of(workers: int, memory_mib: int) -> ReaderPool:
    pool = ReaderPool(workers, memory_mib)
    # not atexit: a run that Dagster launches is a child of multiprocessing, which waits for its own
    # children before atexit has its turn, and they would wait for work for ever
    Finalize(None, pool.close, exitpriority=100)
    return pool


def shared_pool(settings: Settings) -> ReaderPool:
    """The pool of this process: its workers keep their models loaded from stage to stage."""
    return _pool_of(settings.workers, settings.worker_memory_mib)


class ReaderPool:
    """As many reading processes as there are workers; started by the first call."""

    def __init__(self, workers: int, memory_mib: int) -> None:
        self._workers = workers
        self._memory_mib = memory_mib
        self._pool: Any = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._overgrown: set[int] = set()  # processes that were ended for their memory
        self._calls: WeakSet[Any] = WeakSet()
        self._context = _SpawnContext()

    def close(self) -> None:
        """End the processes, whatever they are doing; the next call starts new ones."""
        with self._lock:
            if self._pool is not None:
                for call in list(self._calls):
                    call.cancel()  # the pool itself would leave whoever waits for it waiting
                self._end()

    def _end(self) -> None:
        self._closed.set()
        self._pool.stop()
        self._pool.join()
        self._pool = None

    def call(self, timeout_s: float, function: Callable[[*Args], R], *args: *Args) -> R:
        """Run a module-level function in a worker and wait for its result.

        Args:
            timeout_s: seconds from the moment a worker takes it up.

        Raises:
            DocumentError: what the function raised, or ``reader_timeout``, ``reader_memory``,
                ``reader_crashed``.
            CancelledError: the pool was closed meanwhile.
        """
        return self.submit(timeout_s, function, *args)()

    def submit(
        self, timeout_s: float, function: Callable[[*Args], R], *args: *Args
    ) -> Callable[[], R]:
        """Queue a call; what comes back waits for its result (see `call`)."""
        from pebble import ProcessExpired

        future = self._schedule(timeout_s, function, args)

        def result() -> R:
            try:
                try:
                    return future.result()
                except BrokenProcessPool:
                    # an idle worker was killed from outside while this call was queued
                    return self._schedule(timeout_s, function, args).result()
            except DocumentError:
                raise
            except FutureTimeout:
                raise DocumentError("reader_timeout", f"{timeout_s:.0f} s") from None
            except BrokenProcessPool:
                raise DocumentError("reader_crashed", "no process could be started") from None
            except MemoryError:
                raise DocumentError("reader_memory", f"{self._memory_mib} MiB") from None
            except ProcessExpired as error:
                if error.pid in self._overgrown:
                    raise DocumentError("reader_memory", f"{self._memory_mib} MiB") from None
                raise DocumentError("reader_crashed", how_it_ended(error.exitcode)) from None

        return result

    def _schedule(self, timeout_s: float, function: Callable[..., R], args: tuple[Any, ...]) -> Any:
        future = self._started().schedule(_guarded, args=(function, args), timeout=timeout_s)
        self._calls.add(future)
        return future

    def _started(self) -> Any:
        from pebble import ProcessPool

        with self._lock:
            if self._pool is not None and not self._pool.active:
                # the last of its workers died idle, and it takes no more calls
                self._end()
            if self._pool is None:
                self._pool = ProcessPool(
                    max_workers=self._workers,
                    max_tasks=CALLS_PER_WORKER,
                    initializer=_prepare_worker,
                    initargs=(self._memory_mib * 2**20, os.getpid()),
                    context=self._context,
                )
                self._closed = threading.Event()
                watch = threading.Thread(
                    target=self._watch_memory, args=(self._closed,), daemon=True
                )
                watch.start()
            return self._pool

    def _watch_memory(self, closed: threading.Event) -> None:
        """End processes that outgrow their bound.

        A parser that is refused memory may hang instead of giving up, and holds the GIL while it
        does, so the bound is watched from here.
        """
        import psutil

        while not closed.wait(MEMORY_CHECK_S):
            for process in self._context.started():
                try:
                    size = psutil.Process(process.pid).memory_info().rss
                except psutil.Error:
                    continue
                if size > self._memory_mib * 2**20:
                    self._overgrown.add(process.pid)
                    process.kill()


class _SpawnContext(SpawnContext):
    """Starts processes anew, since the parent may hold threads, gRPC and connections.

    It remembers them: other pools of this process have bounds of their own.
    """

    def __init__(self) -> None:
        super().__init__()
        self._processes: WeakSet[Any] = WeakSet()

    def Process(self, *args: Any, **named: Any) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        process = SpawnProcess(*args, **named)
        self._processes.add(process)
        return process

    def started(self) -> list[Any]:
        return [process for process in list(self._processes) if process.pid is not None]


def _guarded(function: Callable[..., R], args: tuple[Any, ...]) -> R:
    try:
        return function(*args)
    except (DocumentError, MemoryError):
        raise
    except Exception as error:
        # reading with an engine is a partial call, which has no name of its own
        log.exception("%s failed", getattr(function, "func", function).__name__)
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        raise DocumentError("reader_crashed", line[:200]) from None
    finally:
        _return_freed_memory()


def _prepare_worker(memory_bytes: int, parent: int) -> None:
    import resource

    address_bytes = ADDRESS_SPACE * memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (address_bytes, address_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _keep_freed_memory(memory_bytes)
    # onnxruntime takes as many threads as there are cores for each model, in each worker, and those
    # that wait spin: a page of the layout model costs 0.30 s of CPU, with one thread 0.18 s
    os.environ["ORT_INTRA_OP_NUM_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _keep_freed_memory(memory_bytes: int) -> None:
    """Let the allocator reuse large blocks instead of handing each back.

    PyMuPDF runs its layout model without a memory arena: of the 0.30 s of CPU that a page cost,
    0.06 s were page faults of blocks just returned.
    """
    global _trim_above
    _trim_above = memory_bytes // 3
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc alone has it
    if mallopt is not None:
        mallopt(_M_MMAP_MAX, 0)
        mallopt(_M_TRIM_THRESHOLD, 1 << 30)


def _return_freed_memory() -> None:
    """Hand back what a call left, or 200 pages grow a worker to 2.1 GiB instead of 1.2.

    While there is room it stays: taking it again cost a tenth of all CPU in page faults.
    """
    import psutil

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None and psutil.Process().memory_info().rss > _trim_above:
        trim(0)


def _end_with(parent: int) -> None:
    """A killed parent cannot stop its workers: they watch it themselves."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def how_it_ended(exit_code: int | None) -> str:
    """What a process died of, for a person; a negative code is a signal."""
    if exit_code is not None and exit_code < 0:
        return f"its process was ended by {signal.Signals(-exit_code).name}"
    return f"its process ended with code {exit_code}"
