"""`finrag search` and `finrag ask`: evidence and cited answers at the terminal."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.serve.cli.answers import print_answer
from finrag_pipeline.serve.cli.options import App, AsOf, Json, parse_day, print_json, settings_for

if TYPE_CHECKING:
    from finrag_pipeline.query.engine import QueryEngine
    from finrag_pipeline.query.question.options import Options

#: Pages that a report is shown to rest on.
_CITED = 3

Question = Annotated[str, typer.Argument(help="The question, in the language of the documents.")]
Company = Annotated[
    str,
    typer.Option(
        "--company", metavar="NAME", help="One company only: name, or code of any of its listings."
    ),
]
DocumentName = Annotated[
    str,
    typer.Option(
        "--document", metavar="NAME", help="One document only: id, file name, or a part of it."
    ),
]
SourceType = Annotated[
    str,
    typer.Option(
        "--source-type",
        metavar="TYPE",
        help="Only records of companies (graph), their relations (edge), or documents (doc).",
    ),
]
Entity = Annotated[
    str,
    typer.Option("--entity", metavar="NAME", help="Only passages that name it: name, code or id."),
]


def search(
    question: Question,
    app: App = "",
    k: Annotated[int, typer.Option("--k", min=1, max=200, help="How many results.")] = 10,
    lane: Annotated[
        str, typer.Option("--lane", help="keyword, vector, graph or community; default: all.")
    ] = "",
    company: Company = "",
    document: DocumentName = "",
    source_type: SourceType = "",
    entity: Entity = "",
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """Ranked evidence, no answer."""
    options = _options(
        as_of,
        k=k,
        lane=lane,
        company=company,
        document=document,
        source_type=source_type,
        entity=entity,
    )
    with _engine(app) as engine:
        result = engine.search(question, options).to_dict()
    if as_json:
        print_json(result)
        return
    for hit in result["results"]:
        lanes = ", ".join(f"{lane} {rank}" for lane, rank in hit["lanes"].items())
        if "report" in hit:
            _print_report(hit, lanes)
            continue
        typer.echo(f"{hit['rank']:>3}  {_place(hit)}  ({lanes})")
        typer.echo(f"     {_shorten(hit['text'])}")
        if hit["copies"]:
            others = ", ".join(f"{c['source']}, page {c['page']}" for c in hit["copies"])
            typer.echo(f"     copies: {_shorten(others)}")
    if not result["results"]:
        typer.echo("nothing found")
    if lane == "graph":
        _print_context(result["graph_context"])
    _print_build(result.get("build"))
    _print_warnings(result)
    _print_degraded(result)


def ask(
    question: Question,
    app: App = "",
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            help="auto; number, text (figures, passages alone), table, local, global, hybrid; "
            "lite, light_local, _global, _hybrid, _mix; community_local, _global.",
        ),
    ] = "auto",
    kind: Annotated[
        str,
        typer.Option(
            "--kind", help="Of the answer: number, boolean, name, names or text; default: as asked."
        ),
    ] = "",
    after: Annotated[
        list[str] | None,
        typer.Option(
            "--after",
            metavar="QUESTION",
            help="An earlier question of the conversation, the oldest first; may be given again. "
            "What this question leaves out is taken from them.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            min=0,
            help="Of community_global: all reports of a level, 0 the coarsest; default: go down "
            "into what is relevant.",
        ),
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(
            "--hops",
            min=1,
            max=3,
            help="Of community_local: how far from the entities of the question; default: 2.",
        ),
    ] = None,
    company: Company = "",
    document: DocumentName = "",
    source_type: SourceType = "",
    entity: Entity = "",
    as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """A cited answer, or a clear word that the documents do not hold one."""
    options = _options(
        as_of,
        mode=mode,
        kind=kind,
        history=tuple(after or ()),
        company=company,
        document=document,
        source_type=source_type,
        entity=entity,
        level=level,
        hops=hops,
    )
    with _engine(app) as engine:
        answer = engine.ask(question, options).to_dict()
    if as_json:
        print_json(answer)
        return
    print_answer(answer["answer"])
    for choice in answer.get("choices", ()):
        typer.echo(f"  · {choice['name']}{_code(choice)}")
    for evidence in answer["evidence"]:
        typer.echo(
            f"\n[{evidence['n']}] {_place(evidence)}, "
            f"published {evidence['published_on']}\n    “{_shorten(evidence['quote'], 300)}”"
        )
    if mode != "auto":
        _print_context(answer["graph_context"])
    _print_build(answer["route"].get("build"))
    _print_warnings(answer)
    _print_degraded(answer)


def _options(as_of: str, **given: Any) -> Options:
    """What was asked for; an empty text stands for an option that was not given."""
    from finrag_pipeline.query.question.options import Options

    chosen = {name: value for name, value in given.items() if value not in ("", None)}
    return Options(as_of=parse_day(as_of, "--as-of"), **chosen)


@contextmanager
def _engine(app: str) -> Generator[QueryEngine]:
    from finrag_pipeline.serve.service import open_service

    with open_service(settings_for(app)) as service:
        # its connection is made meanwhile
        yield service.engine()


def _code(choice: dict[str, Any]) -> str:
    code = choice.get("company_code")
    return f"  {code}" if code else ""


def _place(evidence: dict[str, Any]) -> str:
    """Where a piece of evidence stands; its kind, where that is no document."""
    source, page = evidence["source"], evidence["page"]
    if not source:
        return evidence["kind"]
    return f"{source}, page {page}" if page else source


def _print_context(items: list[dict[str, Any]]) -> None:
    """What the graph says around a question, apart from what can be cited."""
    if not items:
        return
    from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC

    typer.echo("\nfrom the entity graph, for orientation (not citable):")
    for item in items:
        said = item["description"]
        if item["kind"] == "report":
            line = f"report: {item['name']}"
        elif item["kind"] == "relation":
            relation = item["relation"].replace("_", " ")
            points = "—" if item["relation"] in SYMMETRIC else "→"
            ends = f"{item['source']} — {relation} {points} {item['target']}"
            line = f"{ends}  (weight {item['weight']:g})"
        else:
            names = ", ".join([*item["codes"], *item["aliases"]])
            line = f"{item['name']}  [{item['type']}{f': {names}' if names else ''}]"
            said = item["summary"] or said
        typer.echo(f"  · {_shorten(line)}")
        if said:
            typer.echo(f"      {_shorten(said)}")


def _print_report(hit: dict[str, Any], lanes: str) -> None:
    """A report of a weekly build stands on no page: what it says, and where it has that from."""
    report = hit["report"]
    level = "" if report["level"] is None else f", level {report['level']}"
    kind = report["kind"].replace("_", " ")
    typer.echo(f"{hit['rank']:>3}  {kind} report{level}: {_shorten(report['title'])}  ({lanes})")
    typer.echo(f"     {_shorten(hit['text'].removeprefix(report['title']))}")
    cited = [f"{each['source']}, page {each['page']}" for each in report["citations"]]
    first = list(dict.fromkeys(cited))[:_CITED]
    typer.echo(f"     rests on: {_shorten('; '.join(first))}")


def _print_build(build: dict[str, Any] | None) -> None:
    if build:
        from finrag_pipeline.query.evidence.builds import told

        typer.echo(f"\n{told(build)}")


def _print_warnings(result: dict[str, Any]) -> None:
    for warning in result["warnings"]:
        typer.echo(f"warning: {warning}", err=True)


def _print_degraded(result: dict[str, list[dict[str, str]]]) -> None:
    for lane in result["degraded"]:
        typer.echo(f"degraded: {lane['lane']}: {lane['reason']}", err=True)


def _shorten(text: str, length: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
