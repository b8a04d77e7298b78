"""The embedded server's life: shared by processes, outliving killed ones, ended by the last."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from finrag_pipeline.errors import ConfigurationError, StorageFull
from finrag_pipeline.store.embedded.server import embedded_server_url, stop_embedded_server

CLIENT = """
import sys
from pathlib import Path
import psycopg
from finrag_pipeline.store.embedded.server import embedded_server_url

for _ in sys.stdin:  # a line asks for one use of the server, the end of input for an exit
    with psycopg.connect(embedded_server_url(Path(sys.argv[1]))) as connection:
        connection.execute("select count(*) from pg_class")
    print("used", flush=True)
"""


class Client:
    """A process that uses the server of `home` whenever it is asked to."""

    def __init__(self, home: Path, code: str = CLIENT) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def use(self) -> str:
        self.ask()
        return self.answer()

    def leave(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(60)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)


@pytest.fixture
def home(home_parent: Path) -> Iterator[Path]:
    """An empty home whose server, should one remain, is ended after the test."""
    path = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    yield path
    stop_embedded_server(path)
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def _made_home(home_parent: Path) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    embedded_server_url(path)
    yield path
    stop_embedded_server(path)
    shutil.rmtree(path)


@pytest.fixture
def used_home(_made_home: Path) -> Iterator[Path]:
    """A home with a stopped server, shared by tests: making one takes a second."""
    stop_embedded_server(_made_home)
    yield _made_home
    stop_embedded_server(_made_home)


def postmaster(home: Path) -> int | None:
    """Id of the running server of `home`, by the list of processes: not by its own record."""
    found: dict[int, int] = {}
    for process in psutil.process_iter(["name", "cmdline", "ppid"]):
        command: list[str] = process.info["cmdline"] or []
        if process.info["name"] == "postgres" and str(home / "postgres") in command:
            found[process.pid] = process.info["ppid"]
    # a backend that was forked this instant still has its server's command line
    servers = [pid for pid, parent in found.items() if parent not in found]
    assert len(servers) <= 1, f"{len(servers)} servers on one data directory"
    return servers[0] if servers else None


def test_processes_that_start_at_once_share_one_server(home: Path) -> None:
    clients = [Client(home) for _ in range(6)]
    for client in clients:
        client.ask()
    assert [client.answer() for client in clients] == ["used"] * 6
    pid = postmaster(home)
    assert pid is not None
    assert [client.leave() for client in clients[:5]] == [0] * 5
    assert clients[5].use() == "used"
    assert postmaster(home) == pid
    assert clients[5].leave() == 0
    assert postmaster(home) is None


def test_a_killed_starter_neither_stops_nor_keeps_the_server(used_home: Path) -> None:
    starter, other = Client(used_home), Client(used_home)
    assert starter.use() == "used"
    pid = postmaster(used_home)
    assert other.use() == "used"
    starter.kill()
    assert other.use() == "used"
    assert postmaster(used_home) == pid
    other.leave()
    assert postmaster(used_home) is None


def test_the_next_client_takes_over_from_killed_ones(used_home: Path) -> None:
    alone = Client(used_home)
    alone.use()
    pid = postmaster(used_home)
    alone.kill()
    assert postmaster(used_home) == pid
    later = Client(used_home)
    later.use()
    assert postmaster(used_home) == pid
    later.leave()
    assert postmaster(used_home) is None


def test_a_killed_server_comes_back_to_the_clients_it_had(used_home: Path) -> None:
    client = Client(used_home)
    client.use()
    pid = postmaster(used_home)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert client.use() == "used"
    assert postmaster(used_home) not in (None, pid)
    client.leave()
    assert postmaster(used_home) is None


def test_a_recorded_id_may_by_now_be_another_program(used_home: Path) -> None:
    embedded_server_url(used_home)
    record = used_home / "postgres" / "postmaster.pid"
    lines = record.read_text().splitlines()
    stop_embedded_server(used_home)
    # as after a restarted container: the id in the record is that of a bystander, here a `sleep`
    # of the server's own user
    owner = record.parent.stat()
    options = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    with subprocess.Popen(["sleep", "60"], **options) as bystander:
        for path in (record, record.parent / ".s.PGSQL.5432.lock"):
            path.write_text("\n".join([str(bystander.pid), *lines[1:]]) + "\n")
        embedded_server_url(used_home)
        assert stop_embedded_server(used_home)
        assert bystander.poll() is None
        bystander.kill()


def test_clients_that_come_and_go_never_meet_a_closed_door(used_home: Path) -> None:
    def generation() -> list[Client]:
        clients = [Client(used_home) for _ in range(3)]
        for client in clients:
            client.ask()
        return clients

    leaving = generation()
    assert [client.answer() for client in leaving] == ["used"] * 3
    for _ in range(2):
        coming = generation()
        for client in leaving:
            time.sleep(random.uniform(0, 0.1))
            assert client.process.stdin is not None
            client.process.stdin.close()
        assert [client.answer() for client in coming] == ["used"] * 3
        assert [client.process.wait(60) for client in leaving] == [0] * 3
        leaving = coming
    assert [client.leave() for client in leaving] == [0] * 3
    assert postmaster(used_home) is None


FORKING = CLIENT.replace(
    'print("used", flush=True)',
    """
    import os
    child = os.fork()
    if child == 0:
        sys.exit(0)  # runs what is registered to run at exit
    os.waitpid(child, 0)
    with psycopg.connect(embedded_server_url(Path(sys.argv[1]))) as connection:
        print(connection.execute("select 'used'").fetchone()[0], flush=True)
    """,
)


def test_a_forked_child_that_exits_stops_nothing(used_home: Path) -> None:
    client = Client(used_home, FORKING)
    assert client.use() == "used"
    pid = postmaster(used_home)
    assert client.use() == "used"
    assert postmaster(used_home) == pid
    client.leave()
    assert postmaster(used_home) is None


def test_stopping_on_demand_ends_it_for_all(used_home: Path) -> None:
    client = Client(used_home)
    client.use()
    assert stop_embedded_server(used_home) is True
    assert postmaster(used_home) is None
    assert stop_embedded_server(used_home) is False
    assert client.use() == "used"  # and it starts again for whoever asks
    client.leave()


def test_what_a_user_sets_by_alter_system_holds_after_a_restart(home: Path) -> None:
    with psycopg.connect(embedded_server_url(home), autocommit=True) as connection:
        connection.execute("alter system set shared_buffers = '64MB'")
    assert stop_embedded_server(home)
    with psycopg.connect(embedded_server_url(home)) as connection:
        told = [
            connection.execute(f"show {name}").fetchone() for name in ("shared_buffers", "port")
        ]
    assert told == [("64MB",), ("5432",)]
    assert stop_embedded_server(home)


def opened(path: Path) -> str:
    """What a descriptor stands for; empty where it was closed meanwhile."""
    try:
        return os.readlink(path)
    except FileNotFoundError:
        return ""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads /proc")
def test_the_server_holds_no_lock_of_its_clients(used_home: Path) -> None:
    embedded_server_url(used_home)
    server = psutil.Process(postmaster(used_home))
    for process in (server, *server.children()):
        targets = [
            target for path in Path(f"/proc/{process.pid}/fd").iterdir() if (target := opened(path))
        ]
        assert not [target for target in targets if target.endswith(".lock")]


def test_a_home_with_a_long_or_foreign_path_works(home: Path) -> None:
    for name in ("x" * 120, "研报 & 'data' 100%"):
        url = embedded_server_url(home / name)
        with psycopg.connect(url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
        assert stop_embedded_server(home / name)


def test_variables_for_another_server_are_ignored(
    used_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "5999")
    monkeypatch.setenv("PGDATABASE", "elsewhere")
    with psycopg.connect(embedded_server_url(used_home)) as connection:
        assert connection.info.dbname == "finrag"


@contextmanager
def mounted(path: Path, *options: str) -> Iterator[None]:
    """A small file system on `path`, where this process may mount one."""
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system needs root")
    try:
        yield
    finally:
        stop_embedded_server(path)
        subprocess.run(["umount", "-l", str(path)], check=True)


def test_a_full_disk_is_one_clear_line(home: Path) -> None:
    with mounted(home, "size=8m"), pytest.raises(StorageFull) as caught:
        embedded_server_url(home)
    line = str(caught.value)
    assert str(home) in line and "No space left on device" in line and "\n" not in line


def test_a_read_only_home_is_one_clear_line(home: Path) -> None:
    with mounted(home, "ro"), pytest.raises(ConfigurationError) as caught:
        embedded_server_url(home)
    line = str(caught.value)
    assert str(home) in line and "Read-only file system" in line and "FINRAG_HOME" in line


def test_a_home_that_is_a_file_is_one_clear_line(home: Path) -> None:
    (home / "file").touch()
    with pytest.raises(ConfigurationError, match=r"File exists.*set FINRAG_HOME"):
        embedded_server_url(home / "file")


def test_a_home_of_somebody_else_is_one_clear_line(used_home: Path) -> None:
    """Run as another user, where that is possible."""
    embedded_server_url(used_home)
    code = CLIENT.replace("for _", "import os; os.setgid(65534); os.setuid(65534)\nfor _", 1)
    if os.geteuid() != 0:
        pytest.skip("becoming another user needs root")
    for path in (used_home / "postgres.clients.lock", used_home / "postgres.start.lock"):
        assert path.stat().st_mode & 0o777 == 0o644
    done = subprocess.run(
        [sys.executable, "-c", code, str(used_home)],
        input="\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"ConfigurationError: the data directory {used_home} cannot be used" in done.stderr
