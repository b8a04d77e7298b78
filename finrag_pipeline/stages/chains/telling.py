"""Reports told from their contents: which sections, in which order, in whose language.

What a content holds belongs to `contents` and `sectors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from finrag_pipeline.records.communities import Build, Json
from finrag_pipeline.stages.chains.changes import is_changed
from finrag_pipeline.stages.chains.document import (
    Block,
    Bullets,
    Drawing,
    Line,
    ReportDocument,
    Section,
    Sources,
    Table,
)
from finrag_pipeline.stages.chains.drawing import draw
from finrag_pipeline.stages.chains.sector_map import sector_map
from finrag_pipeline.stages.chains.wording import Wording
from finrag_pipeline.stages.extraction.vocabulary import BACKWARD
from finrag_pipeline.stages.reports.chain import STAGES
from finrag_pipeline.words import is_chinese

#: Companies that a report on a sector names; of more it says how many there are.
_MOST_NAMED = 40


def wording_for(content: Json, citations: Sequence[Json]) -> Wording:
    """The language of what a report cites; of its names, where it cites nothing."""
    quotes = " ".join(each["quote"] for each in citations)
    return Wording(is_chinese(quotes or " ".join(node["name"] for node in content["nodes"])))


def tell_chain(
    build: Build, content: Json, changes: Json, citations: Sequence[Json]
) -> ReportDocument:
    """产业链图谱: a chain with its map, its links, what changed, and where it is said."""
    say = wording_for(content, citations)
    names = _names(content)
    title = say("chain_title", subject=names[content["subject"]])
    counts = {"entities": len(names), "links": len(content["links"]), "sources": len(citations)}
    stages = [
        Line(say("stage_line", stage=say(stage), names=say.listed(there)))
        for stage in STAGES
        if (there := [_called(node) for node in content["nodes"] if node["stage"] == stage])
    ]
    rows = tuple(
        (
            Line(names[link["src"]]),
            Line(say.relation(link["relation"])),
            Line(names[link["dst"]]),
            Line(str(link["statements"])),
            Line("", tuple(link["passages"])),
        )
        for link in content["links"]
    )
    header = tuple(say(key) for key in ("from", "relation", "to", "statements", "evidence"))
    relations = {link["relation"] for link in content["links"]}
    beside = {each: say.relation(each) for each in relations if each != "supplies"}
    drawing = Drawing(
        draw(content, say("caption", title=title), beside),
        _as_text(content, say),
        tuple((stage, say(stage)) for stage in STAGES),
    )
    return ReportDocument(
        title,
        say.language,
        build_facts(build, say),
        (
            Section(say("overview"), (Line(say("chain_facts", **counts)), Bullets(tuple(stages)))),
            Section(say("map"), (drawing,)),
            Section(say("links"), (Table(header, rows),)),
            Section(say("changes"), _changes(changes, say)),
            Section(say("sources"), (Sources(citations),)),
        ),
    )


def tell_sector(
    build: Build, content: Json, changes: Json, citations: Sequence[Json]
) -> ReportDocument:
    """板块关联报告: a sector's companies, its links to others, rivals, drivers, what changed."""
    say = wording_for(content, citations)
    names = _names(content)
    companies = [_called(node) for node in content["nodes"] if node["inside"]]
    sections = [
        Section(
            say("companies"),
            (
                Line(say.listed(companies, _MOST_NAMED)),
                *_bullets(_link(content, at, names, say) for at in content["segments"]),
            ),
        )
    ]
    told: dict[str, list[Line]] = {"neighbours": [], "competition": [], "drivers": []}
    for each in content["neighbours"]:
        linked = [_link(content, at, names, say) for at in each["links"]]
        shown = say("semicolon").join(line.text for line in linked)
        text = say("neighbour", name=each["name"], weight=f"{each['weight']:g}", links=shown)
        told["neighbours"].append(Line(text, _cites(linked)))
    for each in content["competition"]:
        linked = [_link(content, at, names, say) for at in each["links"]]
        text = say("group", names=say.listed([names[entity] for entity in each["entities"]]))
        told["competition"].append(Line(text, _cites(linked)))
    for each in content["drivers"]:
        linked = [content["links"][at] for at in each["links"]]
        ends = [end for link in linked for end in (link["src"], link["dst"])]
        moved = [names[end] for end in dict.fromkeys(ends) if end != each["entity_id"]]
        text = say.shared(each["relation"], names[each["entity_id"]], moved)
        cites = sorted({n for link in linked for n in link["passages"]})
        told["drivers"].append(Line(text, tuple(cites)))
    title = say("sector_title", subject=names[content["subject"]])
    if content["links"]:
        sections.append(Section(say("map"), (sector_map(content, title, say),)))
    sections += [Section(say(key), _bullets(lines)) for key, lines in told.items() if lines]
    return ReportDocument(
        title,
        say.language,
        build_facts(build, say),
        (
            *sections,
            Section(say("changes"), _changes(changes, say)),
            Section(say("sources"), (Sources(citations),)),
        ),
    )


def build_facts(build: Build, say: Wording) -> tuple[str, ...]:
    """What stands under the title of every report: its build, the week, what it knows."""
    return (
        say("build", build=build.build_id),
        say("week", week=build.week.isoformat()),
        say("published_by", day=build.published_by.isoformat()),
    )


def _changes(changes: Json, say: Wording) -> tuple[Block, ...]:
    if changes["since"] is None:
        return (Line(say("first_week")),)
    week = changes["since"]["week"]
    if changes["is_new"]:
        return (Line(say("new_report", week=week)),)
    if not is_changed(changes):
        return (Line(say("unchanged", week=week)),)
    lines = [
        Line(say(f"nodes_{kind}", names=say.listed([each["name"] for each in nodes])))
        for kind, nodes in changes["nodes"].items()
        if nodes
    ]
    for kind, links in changes["links"].items():
        for link in links:
            before, after = link["statements"]
            told = say.link(link["src_name"], link["relation"], link["dst_name"])
            lines.append(Line(say(f"links_{kind}", link=told, before=before, after=after)))
    return Line(say("compared", week=week)), Bullets(tuple(lines))


def _as_text(content: Json, say: Wording) -> tuple[str, ...]:
    """The graph as indented lines: stages, their entities, and where goods go from each."""
    names = _names(content)
    lines: list[str] = []
    for stage in STAGES:
        there = [node for node in content["nodes"] if node["stage"] == stage]
        lines += [say(stage)] if there else []
        for node in there:
            lines.append(f"  {_called(node)}")
            for link in content["links"]:
                against = link["relation"] in BACKWARD
                start, end = (link["dst"], link["src"]) if against else (link["src"], link["dst"])
                if start == node["entity_id"]:
                    relation = link["relation"]
                    how = "" if relation == "supplies" else f" ({say.relation(relation)})"
                    numbers = ", ".join(str(n) for n in link["passages"])
                    lines.append(f"    → {names[end]}{how} [{numbers}]")
    return tuple(lines)


def _link(content: Json, at: int, names: Mapping[str, str], say: Wording) -> Line:
    link = content["links"][at]
    text = say.link(names[link["src"]], link["relation"], names[link["dst"]])
    return Line(text, tuple(link["passages"]))


def _bullets(lines: Iterable[Line]) -> tuple[Block, ...]:
    found = tuple(lines)
    return (Bullets(found),) if found else ()


def _cites(lines: Sequence[Line]) -> tuple[int, ...]:
    return tuple(sorted({n for line in lines for n in line.cites}))


def _names(content: Json) -> dict[str, str]:
    return {node["entity_id"]: node["name"] for node in content["nodes"]}


def _called(node: Json) -> str:
    name = " ".join(node["name"].split())
    codes = [code for code in node["codes"] if code != name]
    return f"{name} ({', '.join(codes)})" if codes else name
