"""`finrag evaluate`: measures of the product on a folder of files with gold answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finrag_pipeline.serve.options import Json, print_json
from finrag_pipeline.settings import Settings, load_settings

if TYPE_CHECKING:
    from finrag_pipeline.evaluation.report import Report

commands = typer.Typer(no_args_is_help=True, help="Measure the product on files with gold answers.")
reading = typer.Typer(no_args_is_help=True, help="How well pages are read.")
commands.add_typer(reading, name="reading")
chunking = typer.Typer(no_args_is_help=True, help="How well text is cut and compared.")
commands.add_typer(chunking, name="chunking")

Folder = Annotated[
    Path, typer.Argument(exists=True, file_okay=False, help="Folder of PDFs with their gold.")
]
Folders = Annotated[
    list[Path],
    typer.Argument(exists=True, file_okay=False, metavar="FOLDER…", help="Folders of PDFs."),
]
Workers = Annotated[int, typer.Option("--workers", help="Processes; default: FINRAG_WORKERS.")]
Misses = Annotated[bool, typer.Option("--misses", help="List the single misses too.")]


@reading.command()
def metadata(
    folder: Folder, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Codes, names, brokers, analysts, ratings, targets and days, by `metadata_gold.jsonl`."""
    from finrag_pipeline.evaluation.reading.metadata import measure

    _print(measure(folder, _settings(workers)), misses, as_json)


@reading.command()
def evidence(
    folder: Folder, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Evidence of `questions_gold.jsonl` found whole in kept text or tables of its page."""
    from finrag_pipeline.evaluation.reading.evidence import measure

    _print(measure(folder, _settings(workers)), misses, as_json)


@reading.command()
def tables(
    folder: Folder, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Adjacency relations of tables by the `-str.xml` files of ICDAR 2013."""
    from finrag_pipeline.evaluation.reading.tables import measure

    _print(measure(folder, _settings(workers)), misses, as_json)


@reading.command()
def statements(
    folder: Folder, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Balance sheets, income and cash flow statements that obey their identities."""
    from finrag_pipeline.evaluation.reading.statements import measure

    _print(measure(folder, _settings(workers)), misses, as_json)


@reading.command()
def speed(
    folder: Folder, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Pages per second of all stages beside a plain PyMuPDF loop."""
    from finrag_pipeline.evaluation.reading.speed import measure

    _print(measure(folder, _settings(workers)), misses, as_json)


@reading.command()
def regions(
    folder: Folder,
    labels: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="Hand labels: boxes and classes.")
    ],
    workers: Workers = 0,
    misses: Misses = False,
    as_json: Json = False,
) -> None:
    """Kept text that is none, and body text wrongly dropped, by hand-labelled pages."""
    from finrag_pipeline.evaluation.reading.regions import measure

    _print(measure(folder, labels, _settings(workers)), misses, as_json)


@chunking.command()
def boundaries(
    folders: Folders, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Pk of clique chunks and of other methods on joined sections of different reports."""
    from finrag_pipeline.evaluation.chunking.boundaries import measure

    _print(measure(folders, _settings(workers)), misses, as_json)


@chunking.command()
def cohesion(
    folders: Folders, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """How well the offline embedder tells sentences of one paragraph from those further off."""
    from finrag_pipeline.evaluation.chunking.cohesion import measure

    _print(measure(folders, _settings(workers)), misses, as_json)


@chunking.command()
def headings(
    folders: Folders, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Headings that find their own section, by lane, also without their words in it."""
    from finrag_pipeline.evaluation.chunking.headings import measure

    _print(measure(folders, _settings(workers)), misses, as_json)


@chunking.command("speed")
def chunking_speed(
    folders: Folders, workers: Workers = 0, misses: Misses = False, as_json: Json = False
) -> None:
    """Pages a second of one core that are cut, enriched and embedded."""
    from finrag_pipeline.evaluation.chunking.speed import measure

    _print(measure(folders, _settings(workers)), misses, as_json)


def _settings(workers: int) -> Settings:
    settings = load_settings()
    return settings.model_copy(update={"workers": workers}) if workers else settings


def _print(report: Report, misses: bool, as_json: bool) -> None:
    if as_json:
        rows = [dict(zip(report.columns, row, strict=True)) for row in report.rows]
        print_json(
            {
                "title": report.title,
                "rows": rows,
                "notes": list(report.notes),
                "misses": list(report.misses),
            }
        )
        return
    typer.echo(f"{report.title}\n")
    typer.echo("| " + " | ".join(report.columns) + " |")
    typer.echo("|" + "---|" * len(report.columns))
    for row in report.rows:
        typer.echo("| " + " | ".join(str(value) for value in row) + " |")
    for line in report.notes:
        typer.echo(f"\n{line}")
    if misses:
        for line in report.misses:
            typer.echo(f"- {line}")
    elif report.misses:
        typer.echo(f"\n{len(report.misses)} misses: name them with --misses")
