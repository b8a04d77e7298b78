"""`finrag reports`: what weekly builds tell of chains, sectors and communities, also as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.errors import ConfigurationError, NotFound
from finrag_pipeline.serve.cli.options import (
    App,
    Json,
    open_store,
    parse_day,
    print_degraded,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from finrag_pipeline.records.communities import Build, CommunityReport

commands = typer.Typer(
    no_args_is_help=True, help="List, show and export the reports of a weekly build."
)

Week = Annotated[
    str, typer.Option("--week", metavar="DATE", help="Of the week of this day; default: the last.")
]
#: At the end of every file that is exported: nothing else is ever overwritten.
_MARK = "<!-- written by finrag reports export -->"
_SUFFIXES = (".md", ".html")


@commands.command("list")
def list_reports(week: Week = "", app: App = "", as_json: Json = False) -> None:
    """Reports on chains, sectors and communities of a build, the current one unless told."""
    from finrag_pipeline.query.browsing.weekly_reports import chains, communities, find_build
    from finrag_pipeline.stages.chains.changes import is_changed

    with open_store(app) as (connection, app_id):
        build = find_build(connection, app_id, parse_day(week, "--week"))
        drawn, left_out = chains(connection, build)
        listed = communities(connection, build)
    chain_rows = [
        {
            "id": each.chain_id,
            "kind": each.kind,
            "title": each.title,
            "entities": len(each.content["nodes"]),
            "links": len(each.content["links"]),
            "changed": is_changed(each.changes),
        }
        for each in drawn
    ]
    community_rows = [
        {
            "id": each.community_id,
            "level": each.level,
            "title": each.report.title,
            "entities": each.entity_count,
            "rating": each.report.rating,
            "summary": each.report.summary,
        }
        for each in listed
        if each.report
    ]
    if as_json:
        print_json({"build": _told(build), "chains": chain_rows, "communities": community_rows})
        return
    typer.echo(_line(build))
    print_degraded([*build.degraded, *left_out])
    print_table(
        # an id must stay whole on a narrow terminal
        ("id", "kind", "changed", "title"),
        (
            (each["id"], each["kind"], "yes" if each["changed"] else "no", each["title"])
            for each in chain_rows
        ),
    )
    typer.echo()
    print_table(
        ("id", "level", "importance", "title"),
        (
            (each["id"], each["level"], f"{each['rating']:g}", each["title"])
            for each in community_rows
        ),
    )


@commands.command()
def show(
    report: Annotated[str, typer.Argument(metavar="ID", help="Of a chain or a community.")],
    week: Week = "",
    app: App = "",
    as_json: Json = False,
) -> None:
    """One report; `--json` has it as Markdown, too."""
    from finrag_pipeline.query.browsing.weekly_reports import chains, community, find_build
    from finrag_pipeline.stages.chains.index import tell_community
    from finrag_pipeline.stages.chains.markdown import to_markdown, unescaped
    from finrag_pipeline.store.weeks import chain_reports

    with open_store(app) as (connection, app_id):
        build = find_build(connection, app_id, parse_day(week, "--week"))
        drawn, left_out = chains(connection, build)
        if lost := next((line for line in left_out if f"({report})" in line), None):
            raise NotFound(lost)
        chain = next((each for each in drawn if each.chain_id == report), None)
        if chain is not None:
            told: dict[str, Any] = {
                "id": chain.chain_id,
                "kind": chain.kind,
                "title": chain.title,
                "content": chain.content,
                "changes": chain.changes,
                "citations": chain.citations,
                "markdown": chain.markdown,
            }
        else:
            found = community(connection, build, report)
            written = found.report
            sources = chain_reports.sources(connection, _cited(written))
            document = tell_community(build, found, sources)
            told = {
                "id": found.community_id,
                "kind": "community",
                "title": document.title,
                "level": found.level,
                "rating": written.rating if written else None,
                "summary": written.summary if written else None,
                "findings": [each.to_dict() for each in written.findings] if written else [],
                "no_report": found.no_report,
                "markdown": to_markdown(document),
            }
    if as_json:
        print_json({"build": _told(build)} | told)
        return
    typer.echo(unescaped(told["markdown"]), nl=False)


@commands.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Where to; it is made if need be.")],
    week: Week = "",
    app: App = "",
    as_json: Json = False,
) -> None:
    """Write reports on chains and sectors as .md and .html, and an index of all reports."""
    from finrag_pipeline.query.browsing.weekly_reports import chains, communities, find_build
    from finrag_pipeline.stages.chains.changes import is_changed
    from finrag_pipeline.stages.chains.index import TitledChain, file_names, tell_index
    from finrag_pipeline.stages.chains.markdown import to_markdown
    from finrag_pipeline.stages.chains.page import to_html

    with open_store(app) as (connection, app_id):
        build = find_build(connection, app_id, parse_day(week, "--week"))
        drawn, left_out = chains(connection, build)
        listed = communities(connection, build)
    titled = [
        TitledChain(
            each.chain_id,
            each.kind,
            each.title,
            each.changes["since"] is not None and is_changed(each.changes),
        )
        for each in drawn
    ]
    index = tell_index(build, titled, listed)
    names = file_names(titled)
    files = {"index.md": to_markdown(index), "index.html": to_html(index)}
    for chain in drawn:
        for suffix, text in zip(_SUFFIXES, (chain.markdown, chain.html), strict=True):
            files[names[chain.chain_id] + suffix] = text
    _write(folder, files)
    print_degraded(left_out)
    if as_json:
        print_json({"build": _told(build), "folder": str(folder), "files": sorted(files)})
        return
    typer.echo(f"{len(files)} files in {folder}, see {folder / 'index.html'}")


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write files into a folder; nothing at all where one that is not ours is in the way."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            path = folder / name
            if path.is_symlink() or (path.exists() and not _is_ours(path)):
                raise ConfigurationError(
                    f"{path} was not written by `finrag reports export`: move it away, or export "
                    "to another folder"
                )
        for name, text in files.items():
            (folder / name).write_text(f"{text}{_MARK}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigurationError(
            f"{folder} cannot be written to ({error.strerror}): name a folder that can"
        ) from error


def _is_ours(path: Path) -> bool:
    return path.is_file() and path.read_bytes().rstrip().endswith(_MARK.encode())


def _cited(report: CommunityReport | None) -> list[str]:
    findings = report.findings if report else ()
    return [passage.document_id for each in findings for passage in each.evidence]


def _line(build: Build) -> str:
    return f"build {build.build_id}, week of {build.week}, published by {build.published_by}"


def _told(build: Build) -> dict[str, Any]:
    return {
        "build_id": build.build_id,
        "week": build.week,
        "published_by": build.published_by,
        "degraded": list(build.degraded),
    }
