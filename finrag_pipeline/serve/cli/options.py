"""Options that several commands share, and how results are printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline import logs
from finrag_pipeline.errors import NotAgreed
from finrag_pipeline.settings import Settings, load_settings

if TYPE_CHECKING:
    from finrag_pipeline.store.database.connections import Connection

App = Annotated[str, typer.Option("--app", help="Whose documents; default: FINRAG_APP.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
AsOf = Annotated[
    str, typer.Option("--as-of", metavar="DATE", help="Use only what was published by this day.")
]


def settings_for(app: str) -> Settings:
    """The settings of the environment, for the app that the command names; logs follow them."""
    settings = load_settings()
    logs.configure(settings.log_format)
    return settings.model_copy(update={"app": app}) if app else settings


@contextmanager
def open_store(app: str) -> Generator[tuple[Connection[dict[str, Any]], str]]:
    """One transaction on the configured store, and the app that is meant."""
    from finrag_pipeline.store.database.connections import Database

    settings = settings_for(app)
    with Database.open(settings) as database, database.transaction() as connection:
        yield connection, settings.app


def parse_day(text: str, option: str) -> date | None:
    """A day in ISO form; wrong usage when it is none, None when it is empty."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is no day such as 2026-03-08", param_hint=option
        ) from None


def print_json(value: Mapping[str, Any]) -> None:
    """One JSON object on standard output; days and moments in ISO form."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def print_table(
    header: Iterable[str],
    rows: Iterable[Iterable[object]],
    right: Container[int] = (),
    whole: Container[int] = (),
) -> None:
    """A plain table on standard output, nothing of it cut off.

    On a terminal long cells go on in the next line; elsewhere a row is one line, however wide.

    Args:
        header: names of the columns.
        rows: as many cells each.
        right: columns, from 0, whose cells end where the column does.
        whole: columns whose cells never go on in the next line.
    """
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    names = list(header)
    table = Table(box=None, pad_edge=False, show_header=any(names))
    for n, name in enumerate(names):
        side = "right" if n in right else "left"
        table.add_column(Text(name), overflow="fold", justify=side, no_wrap=n in whole)
    for row in rows:
        # as it is: a file may be called [draft].pdf
        table.add_row(*(Text("" if value is None else _one_line(value)) for value in row))
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(table)
        return
    unbound = console.options.update(max_width=1_000_000)
    console.width = Measurement.get(console, unbound, table).maximum
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().removesuffix("\n").split("\n"):
        typer.echo(line.rstrip())


def _one_line(value: object) -> str:
    return " ".join(str(value).splitlines())


def _plain(value: object) -> object:
    if isinstance(value, date | datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def require_agreement(loss: str, yes: bool, as_json: bool) -> None:
    """Ask whether a command may take something away, where there is somebody to ask.

    Args:
        loss: what would go, as the first part of a sentence.
        yes: it was agreed to beforehand.
        as_json: nobody is asked, since another program reads the output.

    Raises:
        NotAgreed: the answer was no, or nobody can be asked.
    """
    if yes:
        return
    if as_json or not sys.stdin.isatty():
        raise NotAgreed(f"{loss}; add --yes if that is meant")
    if not typer.confirm(f"{loss}. Go on?", err=True):
        raise NotAgreed("nothing was changed")


def print_degraded(lines: Iterable[str]) -> None:
    """What is there, but less well than the settings ask for: on standard error."""
    for line in lines:
        typer.echo(f"degraded: {line}", err=True)
