"""`finrag feedback`: answers marked as good or bad, bad ones looked at again, gold made of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.serve.cli.evaluate import print_report
from finrag_pipeline.serve.cli.options import (
    App,
    AsOf,
    Json,
    open_store,
    parse_day,
    print_json,
    print_table,
    settings_for,
)

if TYPE_CHECKING:
    from finrag_pipeline.query.engine import QueryEngine
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.database.reader import Reader


class _MarkByDefault(TyperGroup):
    """`finrag feedback QUESTION …` is `finrag feedback mark QUESTION …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["mark", *args]
        return super().parse_args(ctx, args)


commands = typer.Typer(
    cls=_MarkByDefault,
    no_args_is_help=True,
    help="Mark answers: finrag feedback QUESTION --bad. Report the bad ones, export gold.",
)


@commands.command()
def mark(
    question: Annotated[str, typer.Argument(help="The question, as it was asked.")],
    bad: Annotated[bool, typer.Option("--bad", help="Badly answered.")] = False,
    good: Annotated[bool, typer.Option("--good", help="Well answered.")] = False,
    comment: Annotated[str, typer.Option("--comment", help="What is wrong.")] = "",
    expected_page: Annotated[
        list[str] | None,
        typer.Option("--expected-page", metavar="FILE:PAGE", help="Where the answer stands."),
    ] = None,
    app: App = "",
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """Ask a question once more and keep what was found with the mark."""
    from finrag_pipeline.evaluation.retrieval import feedback as evaluation
    from finrag_pipeline.query.question.options import Options
    from finrag_pipeline.store.evaluation import feedback

    if bad == good:
        raise typer.BadParameter("say one of --bad and --good")
    expected = [evaluation.page_of(each) for each in expected_page or ()]
    with _engine(app) as (database, reader, engine, app_id):
        options = Options(app=app_id, as_of=parse_day(as_of, "--as-of"))
        verdict = "bad" if bad else "good"
        made = evaluation.make_mark(engine, reader, question, verdict, options, comment, expected)
        with database.transaction() as connection:
            feedback_id = feedback.add(connection, app_id, made)
    if as_json:
        print_json({"id": feedback_id, "verdict": verdict, "status": made.status})
        return
    typer.echo(
        f"kept as {feedback_id}: {verdict}, status {made.status}, "
        f"{len(made.found)} results; next: finrag feedback report"
    )


@commands.command("list")
def list_marks(app: App = "", as_json: Json = False) -> None:
    """Every mark, the newest first."""
    from finrag_pipeline.store.evaluation import feedback

    with open_store(app) as (connection, app_id):
        marks = feedback.marked(connection, app_id)
    if as_json:
        rows = [
            {
                "id": each.id,
                "marked_at": each.marked_at,
                "verdict": each.verdict,
                "question": each.question,
                "comment": each.comment,
                "as_of": each.as_of,
                "expected_pages": list(each.expected_pages),
                "status": each.status,
                "route": each.route,
                "found": list(each.found),
                "release": each.release,
            }
            for each in marks
        ]
        print_json({"feedback": rows})
        return
    print_table(
        ("id", "marked", "verdict", "status", "question", "comment"),
        (
            (each.id, f"{each.marked_at:%Y-%m-%d}", each.verdict, each.status, each.question,
             each.comment)
            for each in marks
        ),
    )  # fmt: skip


@commands.command()
def report(app: App = "", as_json: Json = False) -> None:
    """Ask every question that was marked bad again, and say what is wrong with it today."""
    from finrag_pipeline.evaluation.retrieval import feedback as evaluation
    from finrag_pipeline.store.evaluation import feedback

    with _engine(app) as (database, reader, engine, app_id):
        with database.connection() as connection:
            marks = evaluation.newest(feedback.marked(connection, app_id))
        bad = [each for each in marks if each.verdict == "bad"]
        seen = [evaluation.look_again(engine, reader, app_id, each) for each in bad]
    if as_json:
        print_json({"cases": [each.to_dict() for each in seen]})
        return
    print_report(evaluation.report(seen), misses=True, as_json=False)


@commands.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False)], app: App = ""
) -> None:
    """Write marked questions with their pages, for `finrag evaluate retrieval FILE`."""
    from finrag_pipeline.evaluation.retrieval import feedback as evaluation
    from finrag_pipeline.store.evaluation import feedback

    with open_store(app) as (connection, app_id):
        marks = feedback.marked(connection, app_id)
    lines = list(evaluation.exported(marks))
    if not lines:
        raise ConfigurationError(
            f"none of {len(marks)} marks tells a page: mark with --expected-page FILE:PAGE"
        )
    try:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be written: {error.strerror}") from error
    typer.echo(f"{file}: {len(lines)} questions of {len(marks)} marks")


@contextmanager
def _engine(app: str) -> Generator[tuple[Database, Reader, QueryEngine, str]]:
    from finrag_pipeline.serve.service import open_service

    with open_service(settings_for(app), writing=True) as service:
        yield service.writer, service.reader, service.engine(), service.settings.app
