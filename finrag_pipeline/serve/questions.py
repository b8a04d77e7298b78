"""`finrag search` and `finrag ask`: evidence and cited answers at the terminal."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from finrag_pipeline.serve.options import App, AsOf, Json, parse_day, print_json, settings_for

if TYPE_CHECKING:
    from finrag_pipeline.query.engine import QueryEngine

Question = Annotated[str, typer.Argument(help="The question, in the language of the documents.")]
Company = Annotated[str, typer.Option("--company", metavar="CODE", help="One company only.")]
DocumentName = Annotated[str, typer.Option("--document", metavar="NAME", help="One document only.")]


def search(
    question: Question,
    app: App = "",
    k: Annotated[int, typer.Option("--k", min=1, max=200, help="How many results.")] = 10,
    lane: Annotated[str, typer.Option("--lane", help="keyword or vector; default: both.")] = "",
    company: Company = "",
    document: DocumentName = "",
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """Ranked evidence, no answer."""
    day = parse_day(as_of, "--as-of")
    with _engine(app) as engine:
        result = engine.search(
            question,
            k=k,
            lane=lane or None,
            company=company or None,
            document=document or None,
            as_of=day,
        ).to_dict()
    if as_json:
        print_json(result)
        return
    for hit in result["results"]:
        lanes = ", ".join(f"{lane} {rank}" for lane, rank in hit["lanes"].items())
        typer.echo(f"{hit['rank']:>3}  {hit['source']}, page {hit['page']}  ({lanes})")
        typer.echo(f"     {_shorten(hit['text'])}")
        if hit["copies"]:
            others = ", ".join(f"{c['source']}, page {c['page']}" for c in hit["copies"])
            typer.echo(f"     copies: {_shorten(others)}")
    if not result["results"]:
        typer.echo("nothing found")
    _print_degraded(result)


def ask(
    question: Question,
    app: App = "",
    company: Company = "",
    document: DocumentName = "",
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """A cited answer, or a clear word that the documents do not hold one."""
    day = parse_day(as_of, "--as-of")
    with _engine(app) as engine:
        answer = engine.ask(
            question, company=company or None, document=document or None, as_of=day
        ).to_dict()
    if as_json:
        print_json(answer)
        return
    typer.echo(answer["answer"])
    for evidence in answer["evidence"]:
        typer.echo(
            f"\n[{evidence['n']}] {evidence['source']}, page {evidence['page']}, "
            f"published {evidence['published_on']}\n    “{_shorten(evidence['quote'], 300)}”"
        )
    for warning in answer["warnings"]:
        typer.echo(f"warning: {warning}", err=True)
    _print_degraded(answer)


@contextmanager
def _engine(app: str) -> Generator[QueryEngine]:
    from finrag_pipeline.query.engine import QueryEngine
    from finrag_pipeline.store.database import Database

    settings = settings_for(app)
    with Database.open(settings) as database:
        yield QueryEngine(database, settings)


def _print_degraded(result: dict[str, list[dict[str, str]]]) -> None:
    for lane in result["degraded"]:
        typer.echo(f"degraded: {lane['lane']}: {lane['reason']}", err=True)


def _shorten(text: str, length: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
