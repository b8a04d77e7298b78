"""`finrag ingest`: files and folders to documents that can be asked about."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Annotated, Any

import typer

from finrag_pipeline.serve.cli.options import (
    App,
    Json,
    parse_day,
    print_degraded,
    print_json,
    settings_for,
)
from finrag_pipeline.settings import today

#: Between two lines on progress where no terminal shows a bar.
_LINE_SECONDS = 60.0
#: What a document says of itself, as the report repeats it.
_FIELDS = [
    "pages",
    "chunks",
    "tables",
    "facts",
    "title",
    "company_code",
    "company_codes",
    "company_name",
    "broker",
    "published_on",
    "published_basis",
    "rating",
    "target_price",
    "analysts",
]


def ingest(
    paths: Annotated[list[str], typer.Argument(help="Files, folders or URLs such as s3://…")],
    app: App = "",
    arrival: Annotated[
        str, typer.Option("--arrival", metavar="DATE", help="Arrival day; default: today.")
    ] = "",
    queue: Annotated[
        bool, typer.Option("--queue", help="Leave it to the daemon and its workers.")
    ] = False,
    batches: Annotated[
        int, typer.Option("--batches", min=1, help="With --queue: runs that share the documents.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Register files or folders and materialise the document assets for them."""
    from finrag_pipeline.defs.queueing import queue_documents
    from finrag_pipeline.defs.runs import materialize_documents
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents import documents, sources

    started = time.monotonic()
    settings = settings_for(app)
    arrival_on = parse_day(arrival, "--arrival") or today()
    for path in paths:
        sources.discover(path)  # wrong paths are told before anything is written
    if queue:
        run_ids = queue_documents(settings, settings.app, paths, arrival_on, batches)
        print_json({"runs": run_ids}) if as_json else typer.echo("\n".join(run_ids))
        return
    with Database.open(settings) as database, database.connection() as connection:
        moment = documents.database_clock(connection)
    with progress_bar() as progress:
        told = materialize_documents(settings, settings.app, paths, arrival_on, progress)
    scope = documents.Scope(settings.app, paths=tuple(sources.absolute_uri(path) for path in paths))
    with Database.open(settings) as database, database.connection() as connection:
        rows = documents.list_documents(connection, scope)
        rows = documents.with_seconds(connection, rows)
    reports = [_report(row, moment) for row in rows]
    reports += [_unreadable(name, reason) for name, reason in told.unreadable]
    counts = Counter(report["status"] for report in reports)
    result = {
        "counts": {status: counts[status] for status in ("indexed", "unchanged", "quarantined")}
        | {"documents": len(reports)},
        "documents": reports,
        "gone": list(told.gone),
        "pages": sum(report["pages"] or 0 for report in reports),
        "facts": sum(report["facts"] or 0 for report in reports),
        "seconds": round(time.monotonic() - started, 2),
    }
    if as_json:
        print_json(result)
    else:
        _print(result)
    print_degraded(told.degraded)


def _report(row: dict[str, Any], since: datetime) -> dict[str, Any]:
    from finrag_pipeline.store.documents import documents

    if row["status"] == "indexed":
        status = "indexed" if row["indexed_at"] >= since else "unchanged"
    else:
        status = "quarantined" if row["status"] == "quarantined" else "unchanged"
    return {
        "document_id": row["document_id"],
        "source": row["source"],
        "status": status,
        "reason": documents.why(row),
        **{name: row[name] for name in _FIELDS},
        "seconds": round(row["seconds"], 2),
    }


def _unreadable(name: str, reason: str) -> dict[str, Any]:
    return {
        "document_id": None,
        "source": name,
        "status": "quarantined",
        "reason": f"unreadable: the file cannot be read ({reason}); check its permissions",
        **{field: [] if field in ("company_codes", "analysts") else None for field in _FIELDS},
        "seconds": 0.0,
    }


def _print(result: dict[str, Any]) -> None:
    counts = result["counts"]
    typer.echo(
        f"{counts['documents']} documents: {counts['indexed']} indexed, "
        f"{counts['unchanged']} unchanged, {counts['quarantined']} quarantined; "
        f"{result['pages']} pages with {result['facts']} figures in {result['seconds']} s"
    )
    for report in result["documents"]:
        if report["reason"]:
            typer.echo(f"  {report['source']}: {report['reason']}")
    for name in result["gone"]:
        typer.echo(f"  {name}: it is gone and was never indexed: it left the quarantine")


@contextmanager
def progress_bar() -> Generator[Any]:
    """A bar per stage on standard error; a line a minute where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    # the stream itself: what runs behind the bar has its own standard error taken away
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield progress_lines(console.file)
        return
    columns = (TextColumn("{task.description:<20}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console) as bars:
        tasks: dict[str, Any] = {}

        def progress(stage: str, done: int, total: int) -> None:
            if total:
                if stage not in tasks:
                    tasks[stage] = bars.add_task(stage, total=total)
                bars.update(tasks[stage], completed=done, total=total)

        yield progress


def progress_lines(
    stream: IO[str], clock: Callable[[], float] = time.monotonic
) -> Callable[[str, int, int], None]:
    """Tells how far each stage is, at most once a minute: nobody reads a log by the second."""
    last = clock()
    stages: dict[str, str] = {}

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal last
        if not total:
            return
        stages[stage] = f"{stage} {done} of {total}"
        if clock() - last >= _LINE_SECONDS:
            last = clock()
            print(", ".join(stages.values()), file=stream, flush=True)

    return progress
