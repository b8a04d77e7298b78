"""`finrag digest`: what came on a day, as a morning note in the terminal or as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finrag_pipeline.serve.cli.options import App, Json, parse_day, print_json, settings_for

File = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one HTML page.")]
Markdown = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write Markdown.")
]


def digest(
    day: Annotated[
        str,
        typer.Option("--day", metavar="DATE", help="Of arrival or publication; default: today."),
    ] = "",
    html: File = None,
    markdown: Markdown = None,
    app: App = "",
    as_json: Json = False,
) -> None:
    """The morning note: what came on a day, what changed, every line with its source."""
    from finrag_pipeline.query.answers.digest.rendering import to_html, to_markdown
    from finrag_pipeline.query.answers.digest.writer import note_of
    from finrag_pipeline.settings import today
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.database.reader import Reader

    of = parse_day(day, "--day") or today()
    settings = settings_for(app)
    with Database.open(settings), Reader.open(settings) as reader:
        note = note_of(reader, settings.app, of)
    for path, write in ((html, to_html), (markdown, to_markdown)):
        if path is not None:
            path.write_text(write(note), encoding="utf-8")
    if as_json:
        print_json(note.to_dict())
    elif html is None and markdown is None:
        typer.echo(to_markdown(note), nl=False)
    else:
        typer.echo(note.lead)
