"""Reading processes: every way to fail costs one call, and no process outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path

import psutil
import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline_tests.paths import PROJECT

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def pool():
    pool = ReaderPool(workers=1, memory_mib=1024)
    yield pool
    pool.close()


def double(number: int) -> int:
    return 2 * number


def hang() -> None:
    time.sleep(600)


def segfault() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def eat_memory() -> int:
    return len(bytearray(4 * 2**30))


def refuse() -> None:
    raise DocumentError("encrypted", "by the owner")


def stumble() -> None:
    raise ValueError("bad xref\nsecond line")


def threads_of_models() -> int:
    import onnxruntime  # noqa: F401  # has threads of its own before it has a model

    before = len(os.listdir("/proc/self/task"))
    import pymupdf.layout  # noqa: F401  # loads its models

    return len(os.listdir("/proc/self/task")) - before


def test_models_of_a_worker_run_in_its_one_thread() -> None:
    pool = ReaderPool(workers=1, memory_mib=1024)
    try:
        assert pool.call(60.0, threads_of_models) == 0
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("function", "timeout_s", "reason", "detail"),
    [
        (hang, 1.0, "reader_timeout", "1 s"),
        (segfault, 60.0, "reader_crashed", "its process was ended by SIGSEGV"),
        (eat_memory, 60.0, "reader_memory", "1024 MiB"),
        (refuse, 60.0, "encrypted", "by the owner"),
        (stumble, 60.0, "reader_crashed", "ValueError: bad xref"),
        (partial(stumble), 60.0, "reader_crashed", "ValueError: bad xref"),
    ],
)
def test_a_failing_call_has_its_reason_and_the_next_call_works(
    pool, function, timeout_s, reason, detail
):
    with pytest.raises(DocumentError) as caught:
        pool.call(timeout_s, function)
    assert (caught.value.reason, caught.value.detail) == (reason, detail)
    assert pool.call(60.0, double, 21) == 42


def test_a_pool_whose_idle_worker_was_killed_takes_calls_again(pool):
    psutil.Process(pool.call(60.0, os.getpid)).kill()
    deadline = time.monotonic() + 20
    while pool._pool.active and time.monotonic() < deadline:
        time.sleep(0.1)
    assert pool.call(60.0, double, 21) == 42


def test_a_pool_bounds_its_own_workers_alone(pool):
    with_bounds = ReaderPool(workers=1, memory_mib=1)  # no process fits
    try:
        with pytest.raises(DocumentError, match="reader_"):
            with_bounds.call(60.0, double, 1)
        assert pool.call(60.0, double, 21) == 42
    finally:
        with_bounds.close()


def test_closing_ends_a_call_in_flight_without_blaming_its_document():
    pool = ReaderPool(workers=1, memory_mib=1024)
    assert pool.call(60.0, double, 1) == 2
    result = pool.submit(600.0, hang)
    waiting = pool.submit(600.0, double, 2)
    threading.Timer(0.5, pool.close).start()
    for call in (result, waiting):
        with pytest.raises(CancelledError):
            call()


def test_workers_end_with_a_killed_parent(tmp_path: Path):
    script = tmp_path / "parent.py"
    script.write_text(
        "from finrag_pipeline.pipelines.run.workers import ReaderPool\n"
        "from finrag_pipeline_tests.pipelines.run import test_workers as t\n"
        "if __name__ == '__main__':\n"
        "    pool = ReaderPool(workers=1, memory_mib=1024)\n"
        "    pool.call(60.0, t.double, 1)\n"
        "    print('ready', flush=True)\n"
        "    pool.call(600.0, t.hang)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    parent = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environment
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    workers = psutil.Process(parent.pid).children(recursive=True)
    assert workers
    parent.kill()
    parent.wait()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive
