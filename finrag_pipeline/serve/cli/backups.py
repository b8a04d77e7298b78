"""`finrag backup` and `finrag restore`: the whole store as one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from finrag_pipeline.serve.cli.options import Json, print_json

File = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False)]


def backup(file: File, as_json: Json = False) -> None:
    """Write the whole store, all apps and Dagster's runs, to FILE, while it is in use."""
    from finrag_pipeline.settings import load_settings
    from finrag_pipeline.store.database.backups import write_backup

    holdings = write_backup(load_settings(), file)
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "size_bytes": size, **holdings})
    else:
        typer.echo(f"{file}: {size / 1e6:.1f} MB with {_told(holdings)}")


def restore(file: File, as_json: Json = False) -> None:
    """Fill the configured database, which must be empty, from FILE."""
    from finrag_pipeline.settings import load_settings
    from finrag_pipeline.store.database.backups import restore_backup
    from finrag_pipeline.store.database.connections import Database

    settings = load_settings()
    holdings = restore_backup(settings, file)
    Database.open(settings).close()  # migrates what an older version wrote
    if as_json:
        print_json({"file": str(file), **holdings})
    else:
        typer.echo(f"{file}: restored with {_told(holdings)}")


def _told(holdings: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {noun.replace('_', ' ')}" for noun, count in holdings.items())
