"""Commands as processes of their own without their imports: forks of one that has made them.

Importing Dagster takes longer than most commands, and tests run a hundred. A fork has its own
environment, folder and output, ends as any process does, and can be killed.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from finrag_pipeline_tests.paths import PROJECT


class Forked:
    """A running command, as far as tests use `subprocess.Popen`."""

    def __init__(self, connection: socket.socket) -> None:
        self._replies = connection.makefile("r")
        self.pid: int = json.loads(self._replies.readline())

    def kill(self) -> None:
        """End it at once; one that has ended by itself stays as it is, as with `Popen.kill`."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Its exit code; a negative one is a signal."""
        return os.waitstatus_to_exitcode(json.loads(self._replies.readline()))


class ForkServer:
    """The process that commands are forked from."""

    def __init__(self, folder: Path) -> None:
        self._address = str(folder / "commands")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "finrag_pipeline_tests.serve.forked", self._address],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"

    def start(
        self,
        arguments: list[str],
        variables: Mapping[str, str],
        folder: Path,
        out: IO[Any],
        err: IO[Any],
    ) -> Forked:
        """Start `finrag ARGUMENTS` from a folder, with these variables and no others."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(500)
        connection.connect(self._address)
        request = json.dumps([arguments, dict(variables), str(folder)]).encode()
        socket.send_fds(connection, [len(request).to_bytes(4)], [out.fileno(), err.fileno()])
        connection.sendall(request)
        return Forked(connection)

    def run(
        self, arguments: list[str], variables: Mapping[str, str], folder: Path
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
            code = self.start(arguments, variables, folder, out, err).wait()
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(arguments, code, out.read(), err.read())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def _serve(address: str) -> None:
    """Fork for every request; returns in the child that is to run the command."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                break
            connection.close()
    # who tells of the command outlives it
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, outputs, *_ = socket.recv_fds(connection, 4, 2)
    request = b""
    while len(request) < int.from_bytes(size):
        request += connection.recv(1 << 16)
    child = os.fork()
    if child:
        connection.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        connection.sendall(f"{status}\n".encode())
        os._exit(0)
    connection.close()
    arguments, variables, folder = json.loads(request)
    for number, output in enumerate(outputs, 1):
        os.dup2(output, number)
        os.close(output)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    sys.argv = ["finrag", *arguments]


if __name__ == "__main__":
    from finrag_pipeline.serve.cli.main import main

    _serve(sys.argv[1])
    main()
