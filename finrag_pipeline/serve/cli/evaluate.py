"""`finrag evaluate`: measures of the product on a folder or file with gold answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finrag_pipeline.serve.cli.options import App, Json, print_json, settings_for
from finrag_pipeline.settings import Settings, load_settings

if TYPE_CHECKING:
    from finrag_pipeline.evaluation.report import Report

commands = typer.Typer(no_args_is_help=True, help="Measure the product on files with gold answers.")

Folder = Annotated[
    Path, typer.Argument(exists=True, file_okay=False, help="Folder of PDFs with their gold.")
]
Folders = Annotated[
    list[Path],
    typer.Argument(exists=True, file_okay=False, metavar="FOLDER…", help="Folders of PDFs."),
]
Labels = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, help="Hand labels: boxes and classes.")
]
Gold = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="File that is the gold.")]
Workers = Annotated[int, typer.Option("--workers", help="Processes; default: FINRAG_WORKERS.")]
Misses = Annotated[bool, typer.Option("--misses", help="List the single misses too.")]


def _on_folder(group: str, name: str, told: str) -> None:
    @_groups[group].command(name, help=told)
    def command(
        folder: Folder, workers: Workers = 0, misses: Misses = False, as_json: Json = False
    ) -> None:
        print_report(_measure(group, name)(folder, _settings(workers)), misses, as_json)


def _on_folders(group: str, name: str, told: str) -> None:
    @_groups[group].command(name, help=told)
    def command(
        folders: Folders, workers: Workers = 0, misses: Misses = False, as_json: Json = False
    ) -> None:
        print_report(_measure(group, name)(folders, _settings(workers)), misses, as_json)


def _on_file(group: str, name: str, told: str) -> None:
    @_groups[group].command(name, help=told)
    def command(file: Gold, misses: Misses = False, as_json: Json = False) -> None:
        print_report(_measure(group, name)(file), misses, as_json)


def _on_labels(group: str, name: str, told: str) -> None:
    @_groups[group].command(name, help=told)
    def command(
        folder: Folder,
        labels: Labels,
        workers: Workers = 0,
        misses: Misses = False,
        as_json: Json = False,
    ) -> None:
        print_report(_measure(group, name)(folder, labels, _settings(workers)), misses, as_json)


def _measure(group: str, name: str) -> Callable[..., Report]:
    """`measure` of the module of that name: imported late, since some take seconds to load."""
    return import_module(f"finrag_pipeline.evaluation.{group}.{name}").measure


_groups: dict[str, typer.Typer] = {}
for _name, _told in (
    ("reading", "How well pages are read."),
    ("chunking", "How well text is cut and compared."),
    ("graph", "How well entities are identified and relations read."),
    ("numbers", "How well questions for figures are understood."),
    ("facts", "How well single figures are read from tables and sentences."),
):
    _groups[_name] = typer.Typer(no_args_is_help=True, help=_told)
    commands.add_typer(_groups[_name], name=_name)

for _name, _told in {
    "metadata": "Codes, names, brokers, analysts, ratings, days, by `metadata_gold.jsonl`.",
    "evidence": "Evidence of `questions_gold.jsonl` found whole in text or tables of its page.",
    "tables": "Adjacency relations of tables by the `-str.xml` files of ICDAR 2013.",
    "statements": "Balance sheets, income and cash flow statements that obey their identities.",
    "speed": "Pages per second of all stages beside a plain PyMuPDF loop.",
}.items():
    _on_folder("reading", _name, _told)
_on_folders(
    "reading",
    "forecasts",
    "Statements, forecasts and ratios of broker reports: tables found, labels, sums.",
)
for _name, _told in {
    "boundaries": "Pk of clique chunks and of other methods on joined sections of reports.",
    "cohesion": "How well sentences of a paragraph are told from further ones by their vectors.",
    "headings": "Headings that find their own section, by lane, also without their words in it.",
    "lengths": "How long chunks are, and how many are too short to stand alone.",
    "speed": "Pages a second of one core that are cut, enriched and embedded.",
}.items():
    _on_folders("chunking", _name, _told)
for _name, _told in {
    "identity": "Names of a registry (CSV) and variants of them to codes, other names to nothing.",
}.items():
    _on_file("graph", _name, _told)
for _name, _told in {
    "understanding": "Company, year and metric of questions on annual reports, answers by figures.",
}.items():
    _on_file("numbers", _name, _told)


for _name, _told in {
    "regions": "Kept text that is none, and body text wrongly dropped, by hand-labelled pages.",
    "publications": "Titles, publishers and days of publication, printed months marked.",
    "units": "What figures of tables are counted in, by hand-labelled rows, columns and blocks.",
}.items():
    _on_labels("reading", _name, _told)


_on_labels("facts", "figures", "Figures that a hand-made gold (JSONL) says documents print.")


@_groups["graph"].command()
def relations(
    file: Gold,
    documents: Annotated[
        Path | None,
        typer.Option(
            "--documents",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Where the documents are whose sentences the labels name.",
        ),
    ] = None,
    misses: Misses = False,
    as_json: Json = False,
) -> None:
    """Relations of the offline extractor on sentences with labels (JSON)."""
    print_report(_measure("graph", "relations")(file, _settings(0), documents), misses, as_json)


for _name, _told in {
    "names": "Companies, products and people that hand-labelled sentences name.",
    "tables": "Relations that rows of hand-labelled tables state, and lookalikes that state none.",
}.items():
    _on_labels("graph", _name, _told)


@commands.command()
def retrieval(
    files: Annotated[
        list[Path],
        typer.Argument(
            exists=True, dir_okay=False, metavar="FILE…", help="Questions with their pages (JSONL)."
        ),
    ],
    app: App = "",
    k: Annotated[
        list[int] | None,
        typer.Option("--k", min=1, max=200, help="Where recall is read off: 1, 3, 5, 10, 20."),
    ] = None,
    lanes: Annotated[
        bool, typer.Option("--lanes", help="Each lane alone and the baselines A to D too.")
    ] = False,
    given_document: Annotated[
        bool,
        typer.Option("--given-document", help="Ask each question about the document of its gold."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", metavar="DIR", file_okay=False, help="Write ranks, and time every stage."
        ),
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", min=0, help="Timed runs a question, with --output.")
    ] = 5,
    misses: Misses = False,
    as_json: Json = False,
) -> None:
    """How often questions find the pages that answer them, beside plain BM25 in the same run."""
    from finrag_pipeline.evaluation.retrieval import measure, table

    cutoffs = sorted(set(k or measure.CUTOFFS))
    measured = measure.measure(
        files,
        settings_for(app),
        cutoffs=cutoffs,
        lanes=lanes,
        given_document=given_document,
        repeat=repeat if output else 0,
        progress=_tell_progress,
    )
    written = measure.write_output(measured, output) if output else []
    print_report(table.report(measured, cutoffs), misses, as_json)
    for path in written:
        typer.echo(f"wrote {path}", err=True)


@commands.command()
def answers(
    files: Annotated[
        list[Path],
        typer.Argument(
            exists=True,
            dir_okay=False,
            metavar="FILE…",
            help="Questions with values, or with what answers have to say (JSONL).",
        ),
    ],
    app: App = "",
    misses: Misses = False,
    as_json: Json = False,
) -> None:
    """How often answers are right, cite the right page, and what has none is refused."""
    from finrag_pipeline.evaluation.answering import told, values

    by_words = {told.is_telling(each) for each in files}
    if len(by_words) > 1:
        raise typer.BadParameter("give files with values, or files with what answers have to say")
    measure = told.measure if by_words == {True} else values.measure
    print_report(measure(files, settings_for(app), _tell_progress), misses, as_json)


@commands.command()
def routes(
    files: Annotated[
        list[Path],
        typer.Argument(
            exists=True,
            dir_okay=False,
            metavar="FILE…",
            help="Questions with their intent and route (JSONL).",
        ),
    ],
    app: App = "",
    store: Annotated[
        bool, typer.Option("--store", help="Know the companies and houses of the store.")
    ] = False,
    misses: Misses = False,
    as_json: Json = False,
) -> None:
    """How often questions are sent to the kind of evidence that answers them, by their words."""
    measure = _measure("answering", "routes")
    print_report(measure(files, settings_for(app) if store else None), misses, as_json)


@commands.command()
def judged(
    files: Annotated[
        list[Path],
        typer.Argument(exists=True, dir_okay=False, metavar="FILE…", help="Questions (JSONL)."),
    ],
    against: Annotated[
        str, typer.Option("--against", help="The mode that is compared with `auto`.")
    ] = "text",
    app: App = "",
    misses: Misses = False,
    as_json: Json = False,
) -> None:
    """Which answers the chat model finds better, by four criteria: those of auto or of a mode."""
    from finrag_pipeline.evaluation.answering import judging

    measured = judging.measure(files, settings_for(app), against, _tell_progress)
    print_report(measured, misses, as_json)


def _tell_progress(name: str, done: int, total: int) -> None:
    """One line on a terminal's standard error, written over."""
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\r{name}: {done} of {total} questions", end=end, file=sys.stderr, flush=True)


def _settings(workers: int) -> Settings:
    settings = load_settings()
    return settings.model_copy(update={"workers": workers}) if workers else settings


def print_report(report: Report, misses: bool, as_json: bool) -> None:
    """A measurement as a Markdown table with its notes, or as one JSON object."""
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
