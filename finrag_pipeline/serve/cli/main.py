"""The command `finrag`: exit 0 on success, 1 on a failure with one clear line, 2 on wrong usage."""

from __future__ import annotations

import sys
import warnings

import typer

from finrag_pipeline import __version__, logs
from finrag_pipeline.errors import FinragError
from finrag_pipeline.serve.cli import (
    backups,
    delete,
    dev,
    digest,
    documents,
    enterprise,
    entities,
    estimate,
    evaluate,
    feedback,
    ingestion,
    mcp,
    questions,
    rebuild,
    reports,
    resolve,
    serving,
    store,
    structured,
    tokens,
    workers,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Research reports in, indexed assets and cited answers out.",
)
app.command()(ingestion.ingest)
app.command()(estimate.estimate)
app.command()(rebuild.rebuild)
app.command()(questions.search)
app.command()(questions.ask)
app.command()(digest.digest)
app.command()(resolve.resolve)
app.add_typer(documents.commands, name="documents")
app.add_typer(entities.commands, name="entities")
app.add_typer(reports.commands, name="reports")
app.add_typer(evaluate.commands, name="evaluate")
app.add_typer(structured.commands, name="structured")
app.add_typer(enterprise.commands, name="enterprise")
app.add_typer(feedback.commands, name="feedback")
app.add_typer(tokens.commands, name="tokens")
app.command()(store.status)
app.command()(store.reembed)
app.command()(delete.delete)
app.command()(store.stop)
app.command()(backups.backup)
app.command()(backups.restore)
app.command()(dev.dev)
app.command()(workers.worker)
app.command(
    "exec", context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True}
)(workers.execute)
app.command()(serving.serve)
app.command()(mcp.mcp)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line; every known failure is one line on standard error."""
    # warnings go to the log of their run alone, unless FINRAG_LOG_FORMAT asks for more
    logs.configure(None)
    warnings.filterwarnings("ignore")
    try:
        app()
    except FinragError as error:
        print(f"finrag: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
